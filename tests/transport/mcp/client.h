/*
 * client is the other end of a session in tests: it says lines, keeps every
 * line that comes back, and plays the host whose calls wait for an answer.
 */
#ifndef TESTS_TRANSPORT_MCP_CLIENT_H
#define TESTS_TRANSPORT_MCP_CLIENT_H

#include "transport/mcp/mcp.h"

#define CLIENT_CALLS 4096

struct client {
    struct tools *tools;
    struct mcp_session *session;
    struct bytes lines; /* what came back since the last client_take */
    size_t line_count;  /* in all */
    uint64_t calls[CLIENT_CALLS]; /* handles in the order of on_call */
    size_t call_count;
    struct mcp_call last; /* args and meta are not valid any more */
    struct bytes last_args;
    uint64_t cancelled[CLIENT_CALLS];
    size_t cancelled_count;
    uint64_t request;     /* handle of the last on_request, or 0 */
    struct bytes method;  /* of it */
    uint64_t asked;       /* of the last on_reply, or 0 */
    struct bytes reply;   /* its result or error */
    int last_status;      /* of the last line */
    int ready;            /* times on_ready was called */
    int last_code;        /* of the last line */
    bool answers_at_once; /* on_call answers from inside */
};

/* The options may be NULL; tools and version are filled in. */
struct client *client_create(const struct mcp_options *options);
void client_destroy(struct client *c);
/* The same in the place of one that there is. */
void client_restart(struct client *c, const struct mcp_options *options);
/* Texts may be in single quotes, here and below: see json_text.h. */
void client_say(struct client *c, const char *text);
/* What came back since the last time, newlines as they are; valid until the
 * next client function. Checks that every line is one JSON value. */
const char *client_take(struct client *c);
/* Says text and expects exactly these lines back ("" for silence). */
void client_expect(struct client *c, const char *text, const char *answer);
/* Says text; parses the one line that comes back. The caller frees it. */
yyjson_doc *client_ask(struct client *c, const char *text);
/* At a JSON pointer of the document, or NULL. */
yyjson_val *client_at(yyjson_doc *doc, const char *pointer);
const char *client_text(yyjson_doc *doc, const char *pointer);

#define MODERN_META                                                            \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"         \
    "'io.modelcontextprotocol/clientCapabilities':{}}"

#endif
