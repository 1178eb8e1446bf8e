/* SPDX-License-Identifier: MIT */
#include "transport/feed/feed.h"

#include <stdlib.h>

#include "transport/feed/inside.h"
#include "transport/http/refusal.h"

/* A reader is slow when the system takes no more, not when a single message
 * of the mail brings this much: so we write in between. */
#define PUMP_BYTES ((size_t)128 << 10)

/* ---- subscribers ------------------------------------------------------------
 */

void subscriber_send(struct subscriber *c, struct framing_frame *f)
{
    if (websocket_send(c->socket, f))
        c->feed->counts.sent++;
}

void subscriber_say(struct subscriber *c, struct slice text)
{
    struct framing_frame *f = framing_text(text);

    subscriber_send(c, f);
    framing_drop(f);
}

bool subscriber_minds(const struct subscriber *c, uint64_t group,
                      uint64_t agent)
{
    return (c->group == 0 || group == 0 || c->group == group) &&
           (c->agent == 0 || agent == 0 || c->agent == agent);
}

static void count(struct feed *feed)
{
    const struct websocket_counts *c = websocket_count(feed->sockets);

    feed->counts.subscribers = c->open;
    feed->counts.kicked = c->slow + c->lost;
}

static void subscribe(struct feed *feed, uint16_t kind)
{
    rt_tell(feed->setup.site->turn, feed->setup.registry, kind, NULL, 0);
}

static void on_gone(void *ctx)
{
    struct subscriber *c = ctx;
    struct feed *feed = c->feed;

    subscriber_listen(c, SLICE_EMPTY);
    subscriber_acquit(c);
    subscriber_drop_commands(c);
    calls_cancel(feed->setup.site->turn, feed->setup.calls, c->call);
    if (c->after != NULL)
        c->after->before = c->before;
    if (c->before != NULL)
        c->before->after = c->after;
    else
        feed->subscribers = c->after;
    free(c);
    count(feed);
    if (feed->subscribers != NULL)
        return;
    subscribe(feed, FEED_UNSUBSCRIBE);
    calls_cancel(feed->setup.site->turn, feed->setup.calls, feed->picture);
    feed->picture = 0;
    recent_finish(&feed->recent); /* what comes from now on is not for us */
}

static void on_text(void *ctx, struct slice text)
{
    subscriber_hear(ctx, text);
}

static void on_drained(void *ctx)
{
    subscriber_go_on(ctx);
}

static struct subscriber *let_in(struct feed *feed, struct exchange *x)
{
    struct subscriber *c = bytes_zalloc(sizeof(*c));

    c->feed = feed;
    c->socket = websocket_accept(
        feed->sockets, x,
        &(struct websocket_owner){c, on_text, on_drained, on_gone});
    if (c->socket == NULL) {
        free(c);
        return NULL;
    }
    if (feed->subscribers == NULL)
        subscribe(feed, FEED_SUBSCRIBE);
    c->after = feed->subscribers;
    if (c->after != NULL)
        c->after->before = c;
    feed->subscribers = c;
    count(feed);
    return c;
}

/* ---- the route ---------------------------------------------------------- */

struct wishes {
    struct bytes group, agent, text, since;
    bool has_since;
    uint64_t after;
};

/* groupId and agentId, as everywhere; the shorter names are older. */
static void read_wishes(struct exchange *x, struct wishes *w)
{
    *w = (struct wishes){0};
    if (!exchange_parameter(x, "groupId", &w->group))
        exchange_parameter(x, "group", &w->group);
    if (!exchange_parameter(x, "agentId", &w->agent))
        exchange_parameter(x, "agent", &w->agent);
    exchange_parameter(x, "text", &w->text);
    w->has_since = exchange_parameter(x, "since", &w->since);
}

static bool is_wish(struct slice name)
{
    static const struct slice names[] = {
        SLICE_INIT("groupId"), SLICE_INIT("agentId"), SLICE_INIT("text"),
        SLICE_INIT("since"),   SLICE_INIT("group"),   SLICE_INIT("agent")};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (slice_eq(names[i], name))
            return true;
    return false;
}

/* The name of a parameter that there is not; empty: all are known. */
static struct slice unknown_wish(struct exchange *x)
{
    struct slice rest = exchange_query(x);

    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '&', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        const char *sign = memchr(rest.ptr, '=', len);
        struct slice name =
            slice_of(rest.ptr, sign ? (size_t)(sign - rest.ptr) : len);

        if (!is_wish(name))
            return name;
        rest = end ? slice_of(end + 1, rest.len - len - 1) : SLICE_EMPTY;
    }
    return SLICE_EMPTY;
}

static void refuse_unknown(struct exchange *x, struct slice name)
{
    struct bytes why = {0};

    bytes_format(&why,
                 "unknown parameter: %.*s; expected groupId, agentId, text or "
                 "since",
                 (int)name.len, name.ptr);
    refusal_send(x, 400, bytes_slice(&why));
    bytes_finish(&why);
}

static void finish_wishes(struct wishes *w)
{
    bytes_finish(&w->group);
    bytes_finish(&w->agent);
    bytes_finish(&w->text);
    bytes_finish(&w->since);
}

static bool to_number(struct slice text, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *out = *out * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    return text.len > 0 && text.len <= 18;
}

/* What is wrong with them, or NULL. */
static const char *judge(struct wishes *w)
{
    if (w->group.len >= ORDER_ID)
        return "groupId: that is no id";
    if (w->agent.len >= ORDER_ID)
        return "agentId: that is no id";
    if (w->text.len > 0 && !slice_eq(bytes_slice(&w->text), SLICE("1")) &&
        !slice_eq(bytes_slice(&w->text), SLICE("0")))
        return "text: expected 1 or 0";
    if (w->has_since && !to_number(bytes_slice(&w->since), &w->after))
        return "since: expected a number from 0 on";
    return NULL;
}

void feed_serve(struct feed *feed, struct exchange *x)
{
    struct wishes w;
    const char *wrong;
    struct subscriber *c = NULL;

    if (unknown_wish(x).len > 0) {
        refuse_unknown(x, unknown_wish(x));
        return;
    }
    read_wishes(x, &w);
    wrong = judge(&w);
    if (wrong != NULL)
        refusal_send(x, 400, slice_cstr(wrong));
    else if (feed->is_leaving)
        refusal_send(x, 503, SLICE("the hub is leaving"));
    else
        c = let_in(feed, x);
    if (c != NULL) {
        c->group = feed_hash(bytes_slice(&w.group));
        c->agent = feed_hash(bytes_slice(&w.agent));
        if (slice_eq(bytes_slice(&w.text), SLICE("1")))
            subscriber_listen(c, bytes_slice(&w.agent));
        subscriber_join(c, w.has_since, w.after);
    }
    finish_wishes(&w);
}

/* ---- events ------------------------------------------------------------- */

void feed_pump(struct feed *feed, size_t bytes)
{
    feed->unpumped += bytes;
    if (feed->unpumped < PUMP_BYTES)
        return;
    feed->unpumped = 0;
    pump_now(feed->setup.site->turn, &feed->setup.site->pump);
}

static void on_progress(struct feed *feed, const struct feed_event *e,
                        struct framing_frame *f)
{
    uint64_t group = feed_hash(slice_cstr(e->group));
    uint64_t agent = feed_hash(slice_cstr(e->agent));

    for (struct subscriber *c = feed->subscribers; c != NULL; c = c->after) {
        if (c->state == SUBSCRIBER_WAITS || !subscriber_minds(c, group, agent))
            continue;
        if (!c->is_behind && c->state == SUBSCRIBER_LIVE &&
            !subscriber_is_slow(c)) {
            subscriber_send(c, f);
            continue;
        }
        subscriber_owe(c);
        feed->counts.dropped++;
    }
    progress_set(feed, e, f);
}

/*
 * Numbers have no gaps, so one that does not have the one before has missed
 * something: it was told while we did not subscribe. He reads it up.
 */
static void on_numbered(struct feed *feed, const struct feed_event *e,
                        struct framing_frame *f)
{
    const struct recent_event entry = {
        .seq = e->seq,
        .group = feed_hash(slice_cstr(e->group)),
        .agent = feed_hash(slice_cstr(e->agent)),
        .frame = f};

    recent_add(&feed->recent, &entry);
    if (e->agent[0] != 0)
        progress_forget(feed, e->agent);
    if (strcmp(e->type, "agent:created") == 0)
        live_renew(feed, e->agent);
    for (struct subscriber *c = feed->subscribers; c != NULL; c = c->after) {
        if (c->state != SUBSCRIBER_LIVE || c->seq >= e->seq)
            continue;
        if (c->seq + 1 != e->seq) {
            subscriber_go_on(c);
            continue;
        }
        c->seq = e->seq;
        if (subscriber_minds(c, entry.group, entry.agent))
            subscriber_send(c, f);
    }
}

static void on_event(struct feed *feed, const struct feed_event *e)
{
    struct framing_frame *f;
    uint64_t now = rt_wall_ms(feed->setup.site->turn);

    if (feed->subscribers == NULL)
        return;
    feed->counts.lag_ms = now > e->at ? now - e->at : 0;
    f = framing_text(bytes_slice(&e->json));
    if (e->seq == 0)
        on_progress(feed, e, f);
    else
        on_numbered(feed, e, f);
    feed_pump(feed, f->len);
    framing_drop(f);
}

bool feed_handle(struct feed *feed, struct rt_msg *m)
{
    switch (m->kind) {
    case FEED_EVENT:
        on_event(feed, RT_OBJ(m, struct feed_event));
        break;
    case AGENT_STREAM:
        live_stream(feed, RT_OBJ(m, struct agent_stream));
        break;
    default:
        return false;
    }
    count(feed);
    return true;
}

/* ---- its life ----------------------------------------------------------- */

void feed_init(struct feed *feed, const struct feed_setup *s)
{
    *feed = (struct feed){.setup = *s};
    feed->sockets = websocket_set_create(s->site, &subscriber_rules);
}

void feed_leave(struct feed *feed)
{
    feed->is_leaving = true;
    for (struct subscriber *c = feed->subscribers; c != NULL; c = c->after)
        websocket_close(c->socket, WEBSOCKET_LEAVING, SLICE("leaving"));
}

void feed_finish(struct rt_turn *t, struct feed *feed)
{
    struct rt_turn **turn, *before;

    if (feed->sockets == NULL)
        return;
    turn = &feed->setup.site->turn;
    before = *turn;
    *turn = t;
    websocket_set_destroy(feed->sockets);
    *turn = before;
    index_finish(&feed->lives);
    index_finish(&feed->progress_by_agent);
    *feed = (struct feed){0};
}
