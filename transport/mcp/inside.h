/* What the files of mcp share; for no other room. */
#ifndef TRANSPORT_MCP_INSIDE_H
#define TRANSPORT_MCP_INSIDE_H

#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/mcp/mcp.h"

#define META "io.modelcontextprotocol/"

/*
 * The answers to one JSON-RPC batch, which go out together when the last of
 * its calls has been answered. It belongs to those calls, and while it is being
 * read also to the reader.
 */
struct mcp_batch {
    struct bytes out;
    size_t waiting; /* calls to come, and 1 for the reader */
};

/* What a result is to have besides what the host says. */
enum mcp_kind {
    MCP_KIND_TOOL,
    MCP_KIND_PLAIN,
    MCP_KIND_LIST, /* how long it may be kept */
    MCP_KIND_READ, /* the same, of what lives */
};

/* A request in flight with the host. */
struct mcp_pending {
    uint64_t handle;
    uint64_t tag; /* the host's, or 0 */
    enum mcp_kind kind;
    const struct tool *tool; /* of a call of one */
    struct bytes id;         /* JSON text */
    struct bytes token;      /* JSON text, empty if there is none */
    enum mcp_version version;
    struct mcp_batch *batch; /* or NULL */
    double progress;         /* the last one sent */
    bool has_progress;
    int level;    /* of logs the request asked for, or MCP_LEVELS */
    unsigned can; /* mcp_can */
};

/* What the client was asked on behalf of a request. */
struct mcp_question {
    uint64_t ask;
    uint64_t handle;
};

/* A subscriptions/listen that is open. */
struct mcp_listen {
    struct bytes id;
    bool wants[MCP_LISTS];
    struct mcp_uris uris;
};

struct mcp_session {
    struct mcp_options options;
    struct mcp_host host;
    unsigned of_table;         /* mcp_offer: what the toolsets offer */
    struct mcp_client *client; /* what it knows of the older era's */
    struct mcp_client own;     /* unless that is shared */
    bool is_ready;
    bool is_closed;
    uint64_t last_handle;
    size_t queued;
    struct bytes spare;      /* memory for the next message, or none */
    struct mcp_batch *batch; /* the one being read, or NULL */
    struct mcp_pending **pending;
    size_t pending_count;
    struct mcp_listen *listens;
    size_t listen_count;
    struct mcp_question *questions;
    size_t question_count;
    uint64_t last_ask;
};

/* mcp.c: all output goes through these. out is finished by them. */
void mcp_send(struct mcp_session *s, struct bytes *out, struct mcp_line line);
void mcp_respond(struct mcp_session *s, struct mcp_batch *batch,
                 struct bytes *out, struct mcp_line line);
/* An error as the answer to a request. By HTTP's reckoning one that is found in
 * a request well formed, so its status is 200. */
void mcp_refuse(struct mcp_session *s, struct slice id, int code,
                struct slice message);
/* The same of a request that is not well formed: 400. */
void mcp_refuse_form(struct mcp_session *s, struct slice id, int code,
                     struct slice message);
/* The same of an unknown method: 404 where the version says so. */
void mcp_refuse_method(struct mcp_session *s, const struct rpc_message *m,
                       enum mcp_version version);
/* mcp_refuse with something from the client's message after the text. */
void mcp_refuse_named(struct mcp_session *s, struct slice id, int code,
                      const char *what, struct slice name);
/* A result without anything in it, of the older era. */
void mcp_answer_nothing(struct mcp_session *s, const struct rpc_message *m);
void mcp_ready(struct mcp_session *s);
/* Gives up one share of the batch; the last one sends it. */
void mcp_batch_release(struct mcp_session *s, struct mcp_batch *batch);

/* legacy.c, modern.c: a request of that era. */
void mcp_legacy_request(struct mcp_session *s, const struct rpc_message *m);
void mcp_modern_request(struct mcp_session *s, const struct rpc_message *m);

/* answer.c: parts of results. */
void mcp_put_server(struct bytes *out, const struct mcp_session *s,
                    enum mcp_version version);
void mcp_put_meta(struct bytes *out, const struct mcp_session *s);
/* What the session offers, as an object. */
void mcp_put_offers(struct bytes *out, const struct mcp_session *s,
                    enum mcp_version version);
/* Nothing if there are none. */
void mcp_put_instructions(struct bytes *out, const struct mcp_session *s);
/* The body of CODE_ANSWER_TOO_LARGE as a tool's result. */
void mcp_put_too_large(struct bytes *out, const struct mcp_session *s,
                       const struct mcp_pending *f, size_t bytes);
/* manner.c: a tool's answer in its toolset's manner, from "content" on to
 * before what the version adds. json is an object, of an error code.h's. */
void mcp_put_content(struct bytes *out, const struct mcp_pending *f,
                     struct slice json, bool is_error);
void mcp_send_tools(struct mcp_session *s, const struct rpc_message *m,
                    enum mcp_version version);

/* call.c: requests that the host serves, in both eras. */
void mcp_call(struct mcp_session *s, const struct rpc_message *m,
              enum mcp_version version);
/* A method that is no tools/call: to the host if it is offered. */
void mcp_request(struct mcp_session *s, const struct rpc_message *m,
                 enum mcp_version version);
/* To the host; by then it may have been answered. */
void mcp_call_pass(struct mcp_session *s, struct mcp_call *call);
bool mcp_call_cancel(struct mcp_session *s, struct slice id);
bool mcp_call_is_open(const struct mcp_session *s, struct slice id);
void mcp_call_drop_all(struct mcp_session *s);
struct mcp_pending *mcp_call_find(const struct mcp_session *s, uint64_t handle);
/* Takes it out of the table and frees it; its batch loses a share. */
void mcp_call_finish(struct mcp_session *s, struct mcp_pending *f);

/* offers.c: what toolsets have besides tools. */
unsigned mcp_offers_of(const struct tools *tools);
/* order: which it is a call of; ORDER_KINDS: the table has the answer. */
void mcp_offers_serve(struct mcp_session *s, const struct rpc_message *m,
                      struct mcp_pending *f, enum order_kind order);
/* The order's answer, as code.h's body if is_error. */
int mcp_offers_answer(struct mcp_session *s, const struct mcp_pending *f,
                      struct slice json, bool is_error);

/* ask_client.c: what the client is asked. */
void mcp_ask_on_response(struct mcp_session *s, const struct rpc_message *m);
void mcp_ask_forget(struct mcp_session *s, uint64_t handle);

/* listen.c: subscriptions/listen. */
void mcp_listen(struct mcp_session *s, const struct rpc_message *m);
bool mcp_listen_cancel(struct mcp_session *s, struct slice id);
bool mcp_listen_is_open(const struct mcp_session *s, struct slice id);
void mcp_listen_close_all(struct mcp_session *s, bool is_graceful);

#endif
