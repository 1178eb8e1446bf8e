/*
 * What the headers of an MCP request say, held against its body: which era it
 * is of, and whether the two agree (the newest version has a client tell in
 * headers what intermediaries want to know).
 */
#ifndef TRANSPORT_HTTP_MCP_HEADERS_H
#define TRANSPORT_HTTP_MCP_HEADERS_H

#include "transport/mcp/mcp.h"

/* Where they are: by name in lower case, ptr NULL if there is none. */
struct headers {
    const void *ctx;
    struct slice (*get)(const void *ctx, const char *name);
};

enum headers_verdict {
    HEADERS_LEGACY,
    HEADERS_MODERN,
    HEADERS_BAD, /* fault says why; 400 */
};

/* Judges a message. HEADERS_MODERN and HEADERS_LEGACY say nothing about the
 * rest of it: mcp does. */
enum headers_verdict headers_judge(const struct headers *h,
                                   const struct rpc_message *m,
                                   const struct tools *tools,
                                   struct rpc_fault *fault);
/* Of MCP-Protocol-Version: MCP_VERSIONS if there is none. */
enum mcp_version headers_version(const struct headers *h);

enum headers_type { HEADERS_JSON = 1, HEADERS_STREAM = 2, HEADERS_ANY = 4 };
/* What Accept allows; without the header anything. */
unsigned headers_accept(struct slice accept);
bool headers_is_json(struct slice content_type);

/* A value that may be wrapped as =?base64?...?=. False: it is, and wrongly. */
bool headers_decode(struct slice value, struct bytes *out);

#endif
