/* What the files of mcp share; nobody else includes it. */
#ifndef TRANSPORT_MCP_INNER_H
#define TRANSPORT_MCP_INNER_H

#include "actors/field.h"
#include "actors/json.h"
#include "transport/mcp.h"

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

/* A tools/call in flight. */
struct mcp_flight {
    uint64_t handle;
    struct bytes id;    /* JSON text */
    struct bytes token; /* JSON text, empty if there is none */
    enum mcp_version version;
    struct mcp_batch *batch; /* or NULL */
    double progress;         /* the last one sent */
    bool has_progress;
    int level; /* of logs the request asked for, or MCP_LEVELS */
};

/* A subscriptions/listen that is open. */
struct mcp_listen {
    struct bytes id;
    bool wants_tools;
};

struct mcp_session {
    struct mcp_options options;
    struct mcp_host host;
    enum mcp_version version; /* of the older era */
    bool has_handshake;
    bool is_initialized; /* the client has said so */
    bool is_ready;
    bool is_closed;
    int level; /* by logging/setLevel, or MCP_LEVELS */
    uint64_t last_handle;
    size_t queued;
    struct mcp_batch *batch; /* the one being read, or NULL */
    struct mcp_flight **flights;
    size_t flight_count;
    struct mcp_listen *listens;
    size_t listen_count;
};

/* mcp.c: all output goes through these. out is finished by them. */
void mcp_send(struct mcp_session *s, struct bytes *out, struct mcp_line line);
void mcp_respond(struct mcp_session *s, struct mcp_batch *batch,
                 struct bytes *out, struct mcp_line line);
/* An error as the answer to a request. */
void mcp_refuse(struct mcp_session *s, struct slice id, int code,
                struct slice message);
/* The same with something from the client's message after the text. */
void mcp_refuse_named(struct mcp_session *s, struct slice id, int code,
                      const char *what, struct slice name);
void mcp_ready(struct mcp_session *s);
/* Gives up one share of the batch; the last one sends it. */
void mcp_batch_release(struct mcp_session *s, struct mcp_batch *batch);

/* mcp_legacy.c, mcp_modern.c: a request of that era. */
void mcp_legacy_request(struct mcp_session *s, const struct rpc_message *m);
void mcp_modern_request(struct mcp_session *s, const struct rpc_message *m);
bool mcp_modern_is(const struct rpc_message *m);

/* mcp_answer.c: parts of results. */
void mcp_put_server(struct bytes *out, const struct mcp_session *s,
                    enum mcp_version version);
void mcp_put_meta(struct bytes *out, const struct mcp_session *s);
void mcp_send_tools(struct mcp_session *s, const struct rpc_message *m,
                    enum mcp_version version);

/* mcp_call.c: tools/call, in both eras. */
void mcp_call(struct mcp_session *s, const struct rpc_message *m,
              enum mcp_version version);
bool mcp_call_cancel(struct mcp_session *s, struct slice id);
bool mcp_call_is_open(const struct mcp_session *s, struct slice id);
void mcp_call_drop_all(struct mcp_session *s);
struct mcp_flight *mcp_call_find(const struct mcp_session *s, uint64_t handle);
/* Takes it out of the table and frees it; its batch loses a share. */
void mcp_call_finish(struct mcp_session *s, struct mcp_flight *f);
/* MCP_LEVELS if it is no level. */
int mcp_level_find(struct slice name);

/* mcp_listen.c: subscriptions/listen. */
void mcp_listen(struct mcp_session *s, const struct rpc_message *m);
bool mcp_listen_cancel(struct mcp_session *s, struct slice id);
bool mcp_listen_is_open(const struct mcp_session *s, struct slice id);
void mcp_listen_close_all(struct mcp_session *s, bool is_graceful);

#endif
