/* sse writes Server-Sent Events: what a stream of MCP messages is over HTTP. */
#ifndef TRANSPORT_HTTP_SSE_H
#define TRANSPORT_HTTP_SSE_H

#include "transport/http/exchange.h"

/* A comment that keeps the line alive. */
#define SSE_COMMENT SLICE(": keepalive\n\n")

/* The head of a stream, which leaves at once. */
void sse_begin(struct exchange *x);
/* Appends one event; a line of JSON, with or without its newline. */
void sse_put(struct bytes *out, struct slice line);

#endif
