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
 * functions below; in on_call and on_cancelled the host may answer calls, in
 * on_output and on_ready it may not call the session, and in none of them
 * close or destroy it.
 */
#ifndef TRANSPORT_MCP_H
#define TRANSPORT_MCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "transport/rpc.h"
#include "transport/tools.h"

enum mcp_version {
    MCP_2024_11_05,
    MCP_2025_03_26,
    MCP_2025_06_18,
    MCP_2025_11_25,
    MCP_2026_07_28,
    MCP_VERSIONS
};

/* Codes of the protocol beyond JSON-RPC's. */
enum mcp_code {
    MCP_HEADER_MISMATCH = -32020,
    MCP_MISSING_CAPABILITY = -32021,
    MCP_UNSUPPORTED_VERSION = -32022,
};

/* The levels of logging, in their order. */
enum mcp_level {
    MCP_DEBUG,
    MCP_INFO,
    MCP_NOTICE,
    MCP_WARNING,
    MCP_ERROR,
    MCP_CRITICAL,
    MCP_ALERT,
    MCP_EMERGENCY,
    MCP_LEVELS
};

/* A tools/call whose arguments were found good. Valid during on_call only. */
struct mcp_call {
    uint64_t handle; /* never 0, never again in this session */
    const struct tool *tool;
    yyjson_val *args; /* an object, or NULL if none were given */
    yyjson_val *meta; /* params._meta or NULL */
    bool has_token;   /* the client wants progress */
    enum mcp_version version;
};

/* What a line of output is, for transports that must know (HTTP's status). */
struct mcp_line {
    struct slice text; /* one message, its newline the last byte */
    uint64_t handle;   /* the call it belongs to, or 0 */
    bool is_answer;    /* result or error; else a notification */
    int code;          /* of an error, else 0 */
};

struct mcp_host {
    void *ctx;
    void (*on_output)(void *ctx, const struct mcp_line *line);
    void (*on_call)(void *ctx, const struct mcp_call *call);
    /* The call is over without an answer: the client cancelled it, or the
     * session is being closed. The handle is no longer known. */
    void (*on_cancelled)(void *ctx, uint64_t handle);
    /* Once: the client has shown that it stays. May be NULL. */
    void (*on_ready)(void *ctx);
};

struct mcp_options {
    const struct tools *tools; /* borrowed for the session's life */
    const char *version;       /* of the server, as told to clients */
    size_t max_calls;          /* in flight; 0: 256 */
    size_t max_listens;        /* 0: 64 */
    size_t max_batch;          /* messages in one; 0: 256 */
    size_t queue_bytes;        /* see mcp_may_read; 0: 1 MiB */
    size_t max_answer;         /* bytes of one; 0: 8 MiB */
    bool has_logging;          /* offer logging/setLevel to older clients */
    enum mcp_version assumed;  /* without a handshake; 0: 2025-11-25 */
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
/* Of the bytes given to on_output, so many have left. A host that never says
 * so has no bound. */
void mcp_written(struct mcp_session *s, size_t bytes);
/* False while more than queue_bytes have not left: the host stops reading, and
 * progress is dropped, until the client reads its answers. */
bool mcp_may_read(const struct mcp_session *s);
size_t mcp_in_flight(const struct mcp_session *s);
/* Of the handshake, or what was assumed without one. */
enum mcp_version mcp_negotiated(const struct mcp_session *s);
struct slice mcp_version_name(enum mcp_version version);

/*
 * The host's answers, at any time and in any order. They return 0, or -ENOENT
 * if there is no such call (any more): that is no fault, cancellation and
 * answer cross each other.
 */

/* json is the text of an object; is_error: seed 000's error body. What is no
 * object is answered to the client as an internal error, what is over
 * max_answer as ANSWER_TOO_LARGE. */
int mcp_answer(struct mcp_session *s, uint64_t handle, struct slice json,
               bool is_error);
/* The same when the host vouches that json is one object without blanks and
 * newlines, in UTF-8: it goes out as it is, unread. */
int mcp_answer_compact(struct mcp_session *s, uint64_t handle,
                       struct slice json, bool is_error);
/* The call failed before any tool could answer: a JSON-RPC error. */
int mcp_fail(struct mcp_session *s, uint64_t handle, int code,
             struct slice message);
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
/* The list of tools is another one: told to whom it concerns. */
void mcp_notify_list_changed(struct mcp_session *s);

#endif
