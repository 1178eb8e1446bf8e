/* sse writes Server-Sent Events: what a stream of MCP messages is over HTTP. */
#ifndef TRANSPORT_HTTP_MCP_SSE_H
#define TRANSPORT_HTTP_MCP_SSE_H

#include "transport/http/exchange.h"

/* A comment that keeps the line alive. */
#define SSE_COMMENT SLICE(": keepalive\n\n")

/* The head of a stream. h2o keeps it until there is something to follow: for a
 * stream whose first event may be long in coming that is a comment. */
void sse_begin(struct exchange *x, bool has_events);
/* Appends one event; a line of JSON, with or without its newline. */
void sse_put(struct bytes *out, struct slice line);

#endif
