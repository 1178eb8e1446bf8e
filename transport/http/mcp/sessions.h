/*
 * Sessions are what the endpoint remembers of clients of MCP's older era. An
 * id carries what was agreed and our mark over it: so one of ours is known
 * again after a restart, or when its place was given to another, and no one
 * else can make one up.
 */
#ifndef TRANSPORT_HTTP_MCP_SESSIONS_H
#define TRANSPORT_HTTP_MCP_SESSIONS_H

#include "actors/order/signing_key.h"
#include "runtime/text/index.h"
#include "transport/mcp/client.h"
#include "transport/mcp/rpc.h"

#define SESSION_SEED 18 /* random, version, abilities */
#define SESSION_ID (2 * (SESSION_SEED + SIGNING_KEY_MARK))
/* Of those ended, how many are known as such. */
#define SESSIONS_ENDED 1024
/* Of each, cancellations that have overtaken their requests. */
#define SESSION_EARLY 8

struct http_session {
    char id[SESSION_ID + 1]; /* "" before it is admitted */
    struct mcp_client client;
    struct index_link link;
    struct http_session *older, *newer; /* by last use */
    unsigned users; /* requests; it stays while there are any */
    void *stream;   /* the one that news go to, or NULL */
    struct bytes early[SESSION_EARLY]; /* ids, as JSON text */
    unsigned early_count;              /* ever */
    bool is_ended;
};

struct http_sessions {
    struct signing_key signing_key;
    struct index index;
    struct http_session *oldest, *newest;
    unsigned count, max;
    uint64_t ended[SESSIONS_ENDED]; /* hashes of ids */
    unsigned ended_count;
};

/* The key is copied; NULL: ids do not outlive the process. Embedded. */
void http_sessions_init(struct http_sessions *s,
                        const struct signing_key *signing_key, unsigned max);
void http_sessions_finish(struct http_sessions *s);

/* One without an id, with one user, for the handshake. */
struct http_session *http_session_create(void);
/* Gives it an id by what was agreed. False: there are too many. */
bool http_sessions_admit(struct http_sessions *s, struct http_session *one);
/* The session of an id, made again if it was forgotten; for one more user.
 * NULL: it is no id of ours, or was ended, or there are too many. */
struct http_session *http_sessions_find(struct http_sessions *s,
                                        struct slice id);
/* The id is not known any more. */
void http_sessions_end(struct http_sessions *s, struct http_session *one);
struct http_session *http_session_keep(struct http_session *one);
/*
 * Requests come on many connections, so that the cancellation of one may be
 * there before it: it is remembered. Whether it was there for this request,
 * which is then no more remembered; accepts NULL.
 */
void http_session_cancel_early(struct http_session *one,
                               const struct rpc_message *m);
bool http_session_was_cancelled(struct http_session *one, struct slice id);
/* One user less. Accepts NULL. */
void http_session_drop(struct http_session *one);

#endif
