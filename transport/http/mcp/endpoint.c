/* SPDX-License-Identifier: MIT */
/* Methods of HTTP, and which session and era a request is of. */
#include "transport/http/mcp/endpoint.h"

#include <errno.h>
#include <stdlib.h>

#include "transport/http/mcp/headers.h"
#include "transport/http/mcp/post.h"
#include "transport/http/mcp/sse.h"
#include "transport/http/site.h"

#define COMMENT_MS 15000
#define MAX_SESSIONS 1024
#define MAX_REQUESTS 1024
/* An answer of mcp's greatest size, and more. */
#define MAX_UNSENT ((size_t)16 << 20)

/* ---- life --------------------------------------------------------------- */

struct endpoint *endpoint_create(const struct endpoint_setup *setup)
{
    struct endpoint *e = bytes_zalloc(sizeof(*e));
    struct endpoint_setup *own = &e->setup;

    *own = *setup;
    own->comment_ms = own->comment_ms ? own->comment_ms : COMMENT_MS;
    own->max_sessions = own->max_sessions ? own->max_sessions : MAX_SESSIONS;
    own->max_requests = own->max_requests ? own->max_requests : MAX_REQUESTS;
    own->max_unsent = own->max_unsent ? own->max_unsent : MAX_UNSENT;
    http_sessions_init(&e->sessions, own->signing_key, own->max_sessions);
    return e;
}

void endpoint_close(struct endpoint *e)
{
    e->is_closing = true;
    post_enter(e);
    for (struct post *p = e->first; p; p = p->after) {
        if (p->is_retired)
            continue;
        p->busy++;
        mcp_close(p->mcp);
        p->busy--;
        post_cut(p, 503);
    }
    post_leave(e);
}

void endpoint_destroy(struct rt_turn *t, struct endpoint *e)
{
    if (!e)
        return;
    if (e->timer)
        rt_cancel(t, e->timer);
    e->is_closing = true;
    post_enter(e);
    while (e->first)
        post_cut(e->first, 503);
    post_leave(e);
    http_sessions_finish(&e->sessions);
    free(e);
}

unsigned endpoint_requests(const struct endpoint *e)
{
    return e->count;
}

unsigned endpoint_sessions(const struct endpoint *e)
{
    return e->sessions.count;
}

/* ---- signs of life ------------------------------------------------------ */

static void arm(struct rt_turn *t, struct endpoint *e)
{
    if (!e->timer && e->first)
        e->timer = rt_after(t, e->setup.comment_ms, ENDPOINT_TICK);
}

bool endpoint_handle(struct rt_turn *t, struct endpoint *e, struct rt_msg *m)
{
    const struct rt_alarm *alarm = rt_body(m);

    if (m->kind != ENDPOINT_TICK)
        return false;
    if (alarm->id != e->timer)
        return true;
    e->timer = 0;
    post_enter(e);
    for (struct post *p = e->first; p; p = p->after) {
        post_begin(p);
        if (p->exchange && p->state == POST_STREAM)
            exchange_write(p->exchange, SSE_COMMENT);
        post_end(p);
    }
    post_leave(e);
    arm(t, e);
    return true;
}

/* ---- requests ----------------------------------------------------------- */

static struct slice get_header(const void *ctx, const char *name)
{
    return exchange_header(ctx, name);
}

static struct headers headers_of(const struct exchange *x)
{
    return (struct headers){.ctx = x, .get = get_header};
}

static void refuse(struct exchange *x, int status, int code,
                   struct slice message)
{
    post_refuse(x, status, SLICE_EMPTY, code, message);
}

static void refuse_session(struct exchange *x)
{
    refuse(x, 404, RPC_INVALID_REQUEST, SLICE("Session not found"));
}

static bool is_initialize(const struct rpc_message *m)
{
    return m->kind == RPC_REQUEST && slice_eq(m->method, SLICE("initialize"));
}

/* The session a request of the older era is of; without one it is served by
 * what its header says. False: it has been refused. */
static bool find_session(struct endpoint *e, const struct rpc_message *m,
                         struct post_setup *setup)
{
    const struct headers h = headers_of(setup->exchange);
    struct slice id = exchange_header(setup->exchange, "mcp-session-id");
    enum mcp_version version = headers_version(&h);

    setup->version = version == MCP_VERSIONS     ? MCP_2025_03_26
                     : version == MCP_2026_07_28 ? MCP_2025_11_25
                                                 : version;
    if (is_initialize(m))
        setup->session = http_session_create();
    else if (id.ptr && !(setup->session = http_sessions_find(&e->sessions, id)))
        refuse_session(setup->exchange);
    return !id.ptr || setup->session;
}

static void pass_message(struct endpoint *e, struct http_session *session,
                         const struct rpc_message *m)
{
    bool has_ended = false;

    for (struct post *p = e->first; p; p = p->after) {
        if (p->session != session)
            continue;
        post_begin(p);
        has_ended |= mcp_hear(p->mcp, m);
        post_end(p);
    }
    if (m->kind == RPC_NOTIFICATION && !has_ended)
        http_session_cancel_early(session, m);
}

/* What is said to calls in flight comes in a request of its own. */
static void pass_on(struct endpoint *e, struct http_session *session,
                    struct rpc_text *text)
{
    for (size_t i = 0; session && i < rpc_text_count(text); i++) {
        struct rpc_message m;

        rpc_message_read(&m, text, i);
        if (m.kind != RPC_REQUEST)
            pass_message(e, session, &m);
        rpc_message_finish(&m);
    }
}

static void take(struct endpoint *e, const struct post_setup *setup,
                 struct rpc_text *text, const struct rpc_message *m)
{
    bool is_handshake = is_initialize(m) && !setup->is_modern;
    struct post *p;

    post_enter(e);
    pass_on(e, setup->session, text);
    p = post_open(e, setup);
    post_begin(p);
    /* One that was cancelled before it came ends as if it had been after. Of
     * the message nothing is read from here on: a call may take its document
     * over. */
    if (http_session_was_cancelled(setup->session, bytes_slice(&m->id)))
        p->has_calls = true;
    else
        mcp_input_parsed(p->mcp, text);
    if (is_handshake && p->session->client.has_handshake &&
        http_sessions_admit(&e->sessions, p->session))
        exchange_add_header(p->exchange, "mcp-session-id",
                            slice_of(p->session->id, SESSION_ID));
    post_end(p);
    post_leave(e);
}

/* What the client takes: a stream only if it says so, but for what can be
 * nothing else. The older era must take both. */
static bool is_acceptable(const struct rpc_message *m, struct post_setup *setup)
{
    unsigned types = headers_accept(exchange_header(setup->exchange, "accept"));
    bool is_listen = slice_eq(m->method, SLICE("subscriptions/listen"));

    setup->may_stream =
        types & (is_listen ? HEADERS_STREAM | HEADERS_ANY : HEADERS_STREAM);
    if (setup->is_modern)
        return is_listen ? setup->may_stream : types != 0;
    return (types & HEADERS_ANY) || types == (HEADERS_JSON | HEADERS_STREAM);
}

/* False: it has been refused. */
static bool judge(struct endpoint *e, const struct rpc_message *m,
                  struct post_setup *setup)
{
    struct exchange *x = setup->exchange;
    const struct headers h = headers_of(x);
    struct rpc_fault fault;
    enum headers_verdict verdict = headers_judge(&h, m, setup->tools, &fault);

    setup->is_modern = verdict == HEADERS_MODERN;
    if (verdict == HEADERS_BAD)
        post_refuse(x, 400, bytes_slice(&m->id), fault.code,
                    slice_cstr(fault.message));
    else if (!is_acceptable(m, setup))
        post_refuse(x, 406, bytes_slice(&m->id), RPC_INVALID_REQUEST,
                    SLICE("Not Acceptable: the client must accept both "
                          "application/json and text/event-stream"));
    else
        return setup->is_modern || find_session(e, m, setup);
    return false;
}

static bool is_modern(const struct exchange *x)
{
    struct slice version = exchange_header(x, "mcp-protocol-version");

    return version.ptr && mcp_version_is_modern(version);
}

static void on_post(struct endpoint *e, struct exchange *x,
                    const struct tools *tools)
{
    struct post_setup setup = {.exchange = x, .tools = tools};
    struct rpc_text text;
    struct rpc_message m;

    if (!headers_is_json(exchange_header(x, "content-type"))) {
        refuse(x, 415, RPC_INVALID_REQUEST,
               SLICE("Unsupported Media Type: application/json is wanted"));
        return;
    }
    if (!rpc_text_parse(&text, exchange_body(x))) {
        refuse(x, 400, RPC_PARSE_ERROR, SLICE("Parse error"));
        return;
    }
    if (e->count >= e->setup.max_requests || e->is_closing) {
        refuse(x, 503, RPC_INTERNAL_ERROR, SLICE("Too many requests at once"));
        rpc_text_finish(&text);
        return;
    }
    if (rpc_text_is_batch(&text) && is_modern(x)) {
        refuse(x, 400, RPC_INVALID_REQUEST,
               SLICE("Invalid Request: this version has no batches"));
        rpc_text_finish(&text);
        return;
    }
    struct rt_turn *t = exchange_site(x)->turn;
    rpc_message_read(&m, &text, 0);
    if (judge(e, &m, &setup))
        take(e, &setup, &text, &m);
    rpc_message_finish(&m);
    rpc_text_finish(&text);
    arm(t, e);
}

/* What the methods that only the older era has have in common. NULL: it has
 * been refused. */
static struct http_session *http_session_of(struct endpoint *e,
                                            struct exchange *x)
{
    const struct headers h = headers_of(x);
    struct slice version = exchange_header(x, "mcp-protocol-version");
    struct slice id = exchange_header(x, "mcp-session-id");
    struct http_session *session = NULL;

    if (!id.ptr || is_modern(x)) {
        exchange_add_header(x, "allow", SLICE("POST"));
        refuse(x, 405, RPC_INVALID_REQUEST, SLICE("Method not allowed"));
    } else if (version.ptr && headers_version(&h) == MCP_VERSIONS) {
        refuse(x, 400, RPC_INVALID_REQUEST,
               SLICE("Invalid Request: unsupported MCP-Protocol-Version"));
    } else if (!(session = http_sessions_find(&e->sessions, id))) {
        refuse_session(x);
    }
    return session;
}

/* News for a session; the newer era listens by POST. */
static void on_get(struct endpoint *e, struct exchange *x)
{
    unsigned types = headers_accept(exchange_header(x, "accept"));
    struct http_session *session = http_session_of(e, x);
    struct rt_turn *t = exchange_site(x)->turn;

    if (!session)
        return;
    if (!(types & (HEADERS_STREAM | HEADERS_ANY))) {
        refuse(x, 406, RPC_INVALID_REQUEST,
               SLICE("Not Acceptable: it is a text/event-stream"));
    } else if (session->stream) {
        refuse(x, 409, RPC_INVALID_REQUEST,
               SLICE("Conflict: the session has its stream already"));
    } else if (e->count >= e->setup.max_requests || e->is_closing) {
        refuse(x, 503, RPC_INTERNAL_ERROR, SLICE("Too many requests at once"));
    } else {
        struct post *p = post_open(
            e, &(struct post_setup){.exchange = x,
                                    .session = http_session_keep(session),
                                    .tools = e->setup.mcp.tools,
                                    .is_news = true,
                                    .may_stream = true});
        session->stream = p;
        post_begin(p);
        post_end(p);
        arm(t, e);
    }
    http_session_drop(session);
}

static void on_delete(struct endpoint *e, struct exchange *x)
{
    struct http_session *session = http_session_of(e, x);

    if (!session)
        return;
    post_enter(e);
    for (struct post *p = e->first; p; p = p->after)
        if (p->session == session)
            post_cut(p, 404);
    http_sessions_end(&e->sessions, session);
    http_session_drop(session);
    exchange_reply_text(x, 204, NULL, SLICE_EMPTY);
    post_leave(e);
}

void endpoint_serve(struct endpoint *e, struct exchange *x,
                    const struct tools *tools)
{
    struct slice method = exchange_method(x);

    if (slice_eq(method, SLICE("POST"))) {
        on_post(e, x, tools != NULL ? tools : e->setup.mcp.tools);
    } else if (slice_eq(method, SLICE("GET"))) {
        on_get(e, x);
    } else if (slice_eq(method, SLICE("DELETE"))) {
        on_delete(e, x);
    } else {
        exchange_add_header(x, "allow", SLICE("GET, POST, DELETE"));
        refuse(x, 405, RPC_INVALID_REQUEST, SLICE("Method not allowed"));
    }
}
