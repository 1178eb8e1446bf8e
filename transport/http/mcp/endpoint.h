/*
 * The endpoint is MCP over Streamable HTTP, both eras at one path. It is a
 * library inside the actor that owns the site: everything is called in that
 * actor's turns, while the site is entered.
 *
 *   route -> endpoint_serve -> host.on_call ... post_answer -> exchange
 *
 * Each request is a small session of mcp.h of its own. Those of the older era
 * may belong to a longer one (sessions.h), by which a client cancels
 * calls, replies to questions and hears of changes. What may last becomes a
 * stream at once, so that no client takes silence for an end.
 */
#ifndef TRANSPORT_HTTP_MCP_ENDPOINT_H
#define TRANSPORT_HTTP_MCP_ENDPOINT_H

#include "runtime/rt.h"
#include "transport/http/exchange.h"
#include "transport/mcp/mcp.h"

/* The message kind that the owner passes on to endpoint_handle. */
enum { ENDPOINT_TICK = 0x7e8 };

/* One request to the endpoint: a POST with its answer, or a stream of news. */
struct post;

/* As struct mcp_host, of a request; no two calls of the endpoint have the same
 * handle. In all of them calls may be answered. A post is there for as long as
 * it has a call that is neither answered nor cancelled. Those that are marked
 * may be NULL. */
struct endpoint_host {
    void *ctx;
    void (*on_call)(void *ctx, struct post *p, struct mcp_call *call);
    void (*on_cancelled)(void *ctx, uint64_t handle, uint64_t tag);
    void (*on_request)(void *ctx, struct post *p,
                       const struct mcp_request *r);            /* or NULL */
    void (*on_reply)(void *ctx, const struct mcp_reply *reply); /* or NULL */
    /* Whether a call may last, besides those that want progress. Or NULL. */
    bool (*is_long)(void *ctx, const struct mcp_call *call);
    /* A client of the older era has left without cancelling, so the work goes
     * on and its answer is dropped. What only waits may be ended, by
     * post_fail. Or NULL. */
    void (*on_left)(void *ctx, struct post *p, uint64_t handle, uint64_t tag);
};

struct endpoint_setup {
    struct mcp_options mcp; /* but client, serial and assumed */
    struct endpoint_host host;
    /* Of sessions; NULL: of this endpoint alone. */
    const struct signing_key *signing_key;
    uint64_t comment_ms;   /* between signs of life; 0: 15 s */
    unsigned max_sessions; /* 0: 1024 */
    unsigned max_requests; /* open at once, streams too; 0: 1024 */
    size_t max_unsent;     /* bytes of one stream; 0: 16 MiB */
};

struct endpoint;

/* *setup is copied, what it points to is borrowed. Heap. */
struct endpoint *endpoint_create(const struct endpoint_setup *setup);
/* In order: subscriptions get their last answer, streams end, what is in
 * flight is told to the host as cancelled and refused from now on. */
void endpoint_close(struct endpoint *e);
/* At once. Before site_finish; accepts NULL. */
void endpoint_destroy(struct rt_turn *t, struct endpoint *e);

/* Serves a request, whatever its path, and offers it these tools (NULL: those
 * of the setup). Its owner is the endpoint now. */
void endpoint_serve(struct endpoint *e, struct exchange *x,
                    const struct tools *tools);
/* Whether this message was the endpoint's, which has then been handled. */
bool endpoint_handle(struct rt_turn *t, struct endpoint *e, struct rt_msg *m);

/* As those of mcp.h, for a call in flight. */
int post_answer(struct post *p, uint64_t handle, struct slice json,
                bool is_error);
int post_answer_compact(struct post *p, uint64_t handle, struct slice json,
                        bool is_error);
int post_result(struct post *p, uint64_t handle, struct slice json);
int post_fail(struct post *p, uint64_t handle, int code, struct slice message,
              struct slice data);
int post_ask(struct post *p, uint64_t handle, struct slice method,
             struct slice params, uint64_t *ask);
int post_progress(struct post *p, uint64_t handle, double progress,
                  double total, struct slice message);
int post_count(struct post *p, uint64_t handle, unsigned done, unsigned total);
int post_log(struct post *p, uint64_t handle, enum mcp_level level,
             struct slice data);

/* To all requests that want to know. */
void endpoint_notify_changed(struct endpoint *e, enum mcp_list list);
void endpoint_notify_updated(struct endpoint *e, struct slice uri);

/* How many requests are open, and how many sessions are known. */
unsigned endpoint_requests(const struct endpoint *e);
unsigned endpoint_sessions(const struct endpoint *e);

#endif
