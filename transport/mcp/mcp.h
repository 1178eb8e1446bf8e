/*
 * mcp is one MCP session as the server sees it: messages go in, messages and
 * calls of tools come out. It has no thread, no socket and no clock.
 *
 * Both eras live on one connection and each message decides for itself: with
 * params._meta["io.modelcontextprotocol/protocolVersion"] (and for the methods
 * that only the new era has) it is 2026-07-28, else it belongs to the handshake
 * of 2024-11-05 ... 2025-11-25.
 *
 * Everything is called on one thread at a time. Upcalls come from inside the
 * functions below; in on_call, on_request, on_reply and on_cancelled
 * the host may answer calls, in on_output and on_ready it may not call the
 * session, and in none of them close or destroy it.
 */
#ifndef TRANSPORT_MCP_MCP_H
#define TRANSPORT_MCP_MCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "transport/mcp/client.h"
#include "transport/mcp/rpc.h"
#include "transport/mcp/tools.h"

/* Codes of the protocol beyond JSON-RPC's. */
enum mcp_code {
    MCP_RESOURCE_NOT_FOUND = -32002, /* before 2026-07-28 */
    MCP_HEADER_MISMATCH = -32020,
    MCP_MISSING_CAPABILITY = -32021,
    MCP_UNSUPPORTED_VERSION = -32022,
};

/* What a server offers besides tools, whose list may always change. A method
 * that belongs to none of what is offered is answered as unknown. What the
 * toolsets of a table have of it is offered by itself, where the host has no
 * on_request; it comes as calls of the orders that are no tools. */
enum mcp_offer {
    MCP_OFFER_LOGGING = 1 << 0,
    MCP_OFFER_COMPLETIONS = 1 << 1,
    MCP_OFFER_PROMPTS = 1 << 2,
    MCP_OFFER_PROMPTS_CHANGED = 1 << 3,
    MCP_OFFER_RESOURCES = 1 << 4,
    MCP_OFFER_RESOURCES_CHANGED = 1 << 5,
    MCP_OFFER_RESOURCES_SUBSCRIBE = 1 << 6,
};

/* The lists whose changes clients are told. */
enum mcp_list { MCP_TOOLS, MCP_PROMPTS, MCP_RESOURCES, MCP_LISTS };

/* A tools/call whose arguments were found good, or what a toolset offers
 * besides: it is answered the same. Valid during on_call only; the members that
 * the host may set are the last. */
struct mcp_call {
    uint64_t handle; /* never 0, never again in this session */
    const struct tool *tool;
    yyjson_val *args;   /* an object, or NULL if none were given */
    yyjson_val *params; /* all of them: inputResponses, requestState, ... */
    yyjson_val *meta;   /* params._meta or NULL */
    bool has_token;     /* the client wants progress */
    unsigned can;       /* mcp_can: what the client may be asked for */
    enum mcp_version version;
    /* The document that all of it is in. A host that sets it to NULL has taken
     * it over; in a batch there is none to take. */
    yyjson_doc **doc;
    uint64_t tag; /* the host's own number, back with on_cancelled; or 0 */
};

/* Takes the call's document over, for its args to live on; NULL: it has none
 * of its own, and args must be copied. */
static inline yyjson_doc *mcp_call_take(struct mcp_call *call)
{
    yyjson_doc *doc = call->doc ? *call->doc : NULL;

    if (doc)
        *call->doc = NULL;
    return doc;
}

/* A request that the host serves: resources, prompts and completion, as far as
 * they are offered. Valid during on_request only. */
struct mcp_request {
    uint64_t handle; /* as a call's */
    struct slice method;
    yyjson_val *params; /* an object or NULL */
    yyjson_val *meta;   /* params._meta or NULL */
    bool has_token;
    unsigned can;
    enum mcp_version version;
};

/* What a client says to mcp_ask: one of the two is there. Valid during
 * on_reply only. */
struct mcp_reply {
    uint64_t handle; /* of the call that asked */
    uint64_t ask;
    yyjson_val *result;
    yyjson_val *error;
};

/* What a line of output is, for transports that must know (HTTP's status). */
struct mcp_line {
    struct slice text; /* one message, its newline the last byte */
    uint64_t handle;   /* the call it belongs to, or 0 */
    bool is_answer;    /* result or error; else a notification */
    int code;          /* of an error, else 0 */
    int status;        /* of an answer that goes out alone, by HTTP */
};

struct mcp_host {
    void *ctx;
    void (*on_output)(void *ctx, const struct mcp_line *line);
    void (*on_call)(void *ctx, struct mcp_call *call);
    /* The call is over without an answer: the client cancelled it, or the
     * session is being closed. The handle is no longer known. */
    void (*on_cancelled)(void *ctx, uint64_t handle, uint64_t tag);
    /* Both may be NULL, in a server that offers and asks nothing. */
    void (*on_request)(void *ctx, const struct mcp_request *request);
    void (*on_reply)(void *ctx, const struct mcp_reply *reply);
    /* Once: the client has shown that it stays. May be NULL. */
    void (*on_ready)(void *ctx);
};

struct mcp_options {
    const struct tools *tools; /* borrowed for the session's life */
    const char *version;       /* of the server, as told to clients */
    const char *name, *title;  /* of the server; NULL: the product's */
    size_t max_calls;          /* in flight; 0: 256 */
    size_t max_listens;        /* 0: 64 */
    size_t max_batch;          /* messages in one; 0: 256 */
    size_t queue_bytes;        /* see mcp_may_read; 0: 1 MiB */
    size_t max_answer;         /* bytes of one; 0: 8 MiB */
    unsigned offers;           /* mcp_offer */
    enum mcp_version assumed;  /* without a handshake; 0: 2025-11-25 */
    struct mcp_client *client; /* shared, borrowed; NULL: one of its own */
    uint64_t serial;           /* tells sessions apart that share a client, and
                                  their handles */
};

struct mcp_session;

/* *host is copied. Heap. */
struct mcp_session *mcp_create(const struct mcp_options *options,
                               const struct mcp_host *host);
/* Ends it in order: open subscriptions get their last answer, calls in flight
 * are told to the host as cancelled. Nothing goes out afterwards. */
void mcp_close(struct mcp_session *s);
/* mcp_close without a word to the client. Accepts NULL. */
void mcp_destroy(struct mcp_session *s);

/* One message as frame cut it; text.ptr NULL: one over the limit. */
void mcp_input(struct mcp_session *s, struct slice text);
/* The same of one that the host has parsed already, and finishes. */
void mcp_input_parsed(struct mcp_session *s, struct rpc_text *parsed);
/* A notification or a reply that came in another session of this client.
 * True: it has ended something in this one. */
bool mcp_hear(struct mcp_session *s, const struct rpc_message *m);
/* Of the bytes given to on_output, so many have left. A host that never says
 * so has no bound. */
void mcp_written(struct mcp_session *s, size_t bytes);
/* False while more than queue_bytes have not left: the host stops reading, and
 * progress is dropped, until the client reads its answers. */
bool mcp_may_read(const struct mcp_session *s);
size_t mcp_in_flight(const struct mcp_session *s);
/* Of the handshake, or what was assumed without one. */
enum mcp_version mcp_negotiated(const struct mcp_session *s);
/* Whether this is a request of the era without a handshake, by itself. */
bool mcp_is_modern(const struct rpc_message *m);
/* The call in flight that came after this one (0: the first), with its tag;
 * 0 after the last. */
uint64_t mcp_next(const struct mcp_session *s, uint64_t handle, uint64_t *tag);
/* Whether there is nothing that more could be sent for. */
bool mcp_is_idle(const struct mcp_session *s);

/*
 * The host's answers, at any time and in any order. They return 0, or -ENOENT
 * if there is no such call (any more): that is no fault, cancellation and
 * answer cross each other.
 */

/* json is the text of an object; is_error: code.h's error body. What is no
 * object is answered to the client as an internal error, what is over
 * max_answer as ANSWER_TOO_LARGE. */
int mcp_answer(struct mcp_session *s, uint64_t handle, struct slice json,
               bool is_error);
/* The same when the host vouches that json is one object without blanks and
 * newlines, in UTF-8: it goes out as it is, unread. */
int mcp_answer_compact(struct mcp_session *s, uint64_t handle,
                       struct slice json, bool is_error);
/* A whole result: a CallToolResult of any content, one that asks for input, or
 * what on_request was for. Members that only the new era has are left out for
 * older clients, and added for new ones where the host gave none. */
int mcp_result(struct mcp_session *s, uint64_t handle, struct slice json);
/* The call failed before any tool could answer: a JSON-RPC error. data is JSON
 * text or empty. */
int mcp_fail(struct mcp_session *s, uint64_t handle, int code,
             struct slice message, struct slice data);
/* Asks the client for something on behalf of a call; params is JSON text or
 * empty, *ask is for on_reply. -ENOTSUP: it cannot be asked for that, or only
 * by a result. No reply comes once the call is over. */
int mcp_ask(struct mcp_session *s, uint64_t handle, struct slice method,
            struct slice params, uint64_t *ask);
/* Nothing is sent without a token, or unless progress has increased. total 0
 * is unknown; message may be empty. */
int mcp_progress(struct mcp_session *s, uint64_t handle, double progress,
                 double total, struct slice message);
/* Progress of what is counted, with a message that says the count. The same
 * count told again shows that the call still lives: it is then sent as a part
 * of the next step, for clients must be given a greater number each time. */
int mcp_count(struct mcp_session *s, uint64_t handle, unsigned done,
              unsigned total);
/* A log message on behalf of a call (0: of none); data is JSON text. Sent only
 * to a client that asked for this level. */
int mcp_log(struct mcp_session *s, uint64_t handle, enum mcp_level level,
            struct slice data);
/* A list is another one, a resource has changed: told to clients that asked. */
void mcp_notify_changed(struct mcp_session *s, enum mcp_list list);
void mcp_notify_updated(struct mcp_session *s, struct slice uri);

#endif
