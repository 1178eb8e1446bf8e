/* SPDX-License-Identifier: MIT */
/*
 * Lines are held while mcp works on a request. When it has gone as far as it
 * can, they are the answer (one line: JSON, by its status) or the beginning of
 * a stream; a call that is not answered by then and may last gets its head at
 * once.
 *
 * A post may end in the middle of anything: a write can find out that the
 * client has left. So none is freed before the last call into the endpoint
 * returns, and mcp's session in it never while it is at work.
 */
#include "transport/http/mcp/post.h"

#include <stdlib.h>

#include "transport/http/mcp/sse.h"

/* Bytes of news that a client has not read, before it is cut off: it may come
 * again and look. */
#define NEWS_UNSENT ((size_t)256 << 10)

/* ---- life --------------------------------------------------------------- */

void post_enter(struct endpoint *e)
{
    e->depth++;
}

void post_leave(struct endpoint *e)
{
    if (--e->depth > 0)
        return;
    while (e->retired) {
        struct post *p = e->retired;

        e->retired = p->next_retired;
        bytes_finish(&p->held);
        free(p);
    }
}

/* `after` stays: a walk through the list may stand here. */
void post_retire(struct post *p)
{
    struct endpoint *e = p->endpoint;

    if (p->is_retired)
        return;
    p->is_retired = true;
    p->next_retired = e->retired;
    e->retired = p;
    if (p->after)
        p->after->before = p->before;
    if (p->before)
        p->before->after = p->after;
    else
        e->first = p->after;
    e->count--;
    mcp_destroy(p->mcp);
    p->mcp = NULL;
    if (p->session && p->session->stream == p)
        p->session->stream = NULL;
    http_session_drop(p->session);
    p->session = NULL;
    mcp_client_finish(&p->client);
}

static struct exchange *let_go(struct post *p)
{
    struct exchange *x = p->exchange;

    p->exchange = NULL;
    if (x)
        exchange_own(x, NULL, NULL);
    return x;
}

void post_refuse(struct exchange *x, int status, struct slice id, int code,
                 struct slice message)
{
    struct bytes body = {0};

    rpc_error(&body, id, code, message, SLICE_EMPTY);
    exchange_reply(x, status, "application/json", &body);
}

/* ---- what is sent ------------------------------------------------------- */

static void write_event(struct post *p, struct slice line)
{
    struct bytes event = {0};

    bytes_reserve(&event, line.len + 32);
    sse_put(&event, line);
    if (p->exchange)
        exchange_write(p->exchange, bytes_slice(&event));
    bytes_finish(&event);
}

static void on_output(void *ctx, const struct mcp_line *line)
{
    struct post *p = ctx;

    mcp_written(p->mcp, line->text.len);
    if (!p->exchange || (!line->is_answer && !p->may_stream))
        return;
    if (p->state == POST_STREAM) {
        write_event(p, line->text);
        return;
    }
    bytes_append(&p->held, line->text.ptr, line->text.len);
    p->lines++;
    if (line->is_answer)
        p->status = line->status;
}

static void begin_stream(struct post *p)
{
    struct slice rest = bytes_slice(&p->held);

    /* Without a call it is a stream of news. */
    p->state = POST_STREAM;
    exchange_limit(p->exchange,
                   p->has_calls ? p->endpoint->setup.max_unsent : NEWS_UNSENT);
    sse_begin(p->exchange, rest.len > 0);
    while (rest.len > 0) {
        struct slice line = slice_first_line(rest);

        write_event(p, line);
        rest = slice_of(rest.ptr + line.len + 1, rest.len - line.len - 1);
    }
    bytes_finish(&p->held);
}

/* Nothing more will come for it. A call that was cancelled has no answer: its
 * client gets a stream with nothing in it. */
static void finish(struct post *p)
{
    bool is_cancelled = p->has_calls && p->lines == 0 && p->may_stream;

    if (p->exchange && p->state == POST_HELD && (p->lines > 1 || is_cancelled))
        begin_stream(p);
    struct exchange *x = let_go(p);

    if (x && p->state == POST_STREAM) {
        exchange_end(x);
    } else if (x && p->lines == 1) {
        p->held.len--; /* the newline */
        exchange_reply(x, p->status, "application/json", &p->held);
    } else if (x) {
        exchange_reply_text(x, 202, NULL, SLICE_EMPTY);
    }
    post_retire(p);
}

void post_cut(struct post *p, int status)
{
    struct exchange *x = let_go(p);

    if (x && p->state == POST_STREAM)
        exchange_end(x);
    else if (x)
        post_refuse(x, status, SLICE_EMPTY, RPC_INTERNAL_ERROR,
                    status == 503 ? SLICE("The server is leaving")
                                  : SLICE("The session has ended"));
    post_retire(p);
}

/* The work of a client that has left goes on, but for what the host ends. */
static void tell_left(struct post *p)
{
    const struct endpoint_host *host = &p->endpoint->setup.host;
    uint64_t handle = 0, tag;

    p->has_left = true;
    p->busy++;
    while (host->on_left && (handle = mcp_next(p->mcp, handle, &tag)) != 0)
        host->on_left(host->ctx, p, handle, tag);
    p->busy--;
}

static void settle(struct post *p)
{
    if (p->busy > 0 || p->is_retired)
        return;
    if (!p->exchange && !p->has_left && !p->is_modern && !p->is_news)
        tell_left(p);
    if (!p->exchange && (p->is_modern || p->is_news))
        post_retire(p);
    else if (!p->is_news && mcp_is_idle(p->mcp))
        finish(p);
    else if (p->exchange && p->state == POST_HELD &&
             (p->is_news || p->lines > 0 || (p->is_long && p->may_stream)))
        begin_stream(p);
}

void post_begin(struct post *p)
{
    post_enter(p->endpoint);
    p->busy++;
}

void post_end(struct post *p)
{
    struct endpoint *e = p->endpoint;

    p->busy--;
    settle(p);
    post_leave(e);
}

static void on_gone(void *owner)
{
    struct post *p = owner;
    struct endpoint *e = p->endpoint;

    post_enter(e);
    p->exchange = NULL;
    settle(p);
    post_leave(e);
}

/* ---- what mcp wants ----------------------------------------------------- */

static void on_call(void *ctx, struct mcp_call *call)
{
    struct post *p = ctx;
    const struct endpoint_host *host = &p->endpoint->setup.host;

    p->has_calls = true;
    p->is_long |=
        call->has_token || (host->is_long && host->is_long(host->ctx, call));
    host->on_call(host->ctx, p, call);
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    struct post *p = ctx;
    const struct endpoint_host *host = &p->endpoint->setup.host;

    host->on_cancelled(host->ctx, handle, tag);
}

static void on_request(void *ctx, const struct mcp_request *request)
{
    struct post *p = ctx;
    const struct endpoint_host *host = &p->endpoint->setup.host;

    p->has_calls = true;
    p->is_long |= request->has_token;
    host->on_request(host->ctx, p, request);
}

static void on_reply(void *ctx, const struct mcp_reply *reply)
{
    struct post *p = ctx;
    const struct endpoint_host *host = &p->endpoint->setup.host;

    if (host->on_reply)
        host->on_reply(host->ctx, reply);
}

/* ---- opening ------------------------------------------------------------ */

static struct mcp_session *create_mcp(struct post *p, const struct tools *tools)
{
    const struct endpoint_setup *setup = &p->endpoint->setup;
    struct mcp_options options = setup->mcp;
    struct mcp_host host = {.ctx = p,
                            .on_output = on_output,
                            .on_call = on_call,
                            .on_cancelled = on_cancelled,
                            .on_reply = on_reply};

    options.tools = tools;
    options.client = p->session ? &p->session->client : &p->client;
    options.serial = ++p->endpoint->posts;
    options.max_listens = 1;
    if (setup->host.on_request)
        host.on_request = on_request;
    return mcp_create(&options, &host);
}

struct post *post_open(struct endpoint *e, const struct post_setup *setup)
{
    struct post *p = bytes_zalloc(sizeof(*p));

    p->endpoint = e;
    p->exchange = setup->exchange;
    p->session = setup->session;
    p->is_modern = setup->is_modern;
    p->is_news = setup->is_news;
    p->may_stream = setup->may_stream;
    mcp_client_init(&p->client, setup->version);
    p->mcp = create_mcp(p, setup->tools);
    p->after = e->first;
    if (e->first)
        e->first->before = p;
    e->first = p;
    e->count++;
    exchange_own(p->exchange, p, on_gone);
    return p;
}
