/* SPDX-License-Identifier: MIT */
#include "transport/feed/hall.h"

#include <stdlib.h>

#include "transport/feed/hall_inside.h"
#include "transport/http/refusal.h"

/* Within twice this a peer that has vanished is found. */
#define PING_MS 25000
#define CLOSE_MS 5000
/* A reader is slow when the system takes no more, not when a single message
 * of the mail brings this much: so we write in between. */
#define PUMP_BYTES ((size_t)128 << 10)

/* ---- clients ------------------------------------------------------------ */

void client_send(struct client *c, struct framing_frame *f)
{
    if (websocket_send(c->socket, f))
        c->hall->setup.metrics->feed_sent++;
}

void client_say(struct client *c, struct slice text)
{
    struct framing_frame *f = framing_text(text);

    client_send(c, f);
    framing_drop(f);
}

bool client_minds(const struct client *c, uint64_t group)
{
    return c->group == 0 || group == 0 || c->group == group;
}

bool client_is_slow(const struct client *c)
{
    return websocket_unsent(c->socket) > HALL_SOFT;
}

static void count(struct hall *h)
{
    const struct websocket_counts *c = websocket_count(h->room);

    h->setup.metrics->watchers = c->open;
    h->setup.metrics->feed_kicked = c->slow + c->lost;
}

static void subscribe(struct hall *h, uint16_t kind)
{
    rt_tell(h->setup.site->turn, h->setup.registry, kind, NULL, 0);
}

static void on_gone(void *ctx)
{
    struct client *c = ctx;
    struct hall *h = c->hall;

    client_listen(c, SLICE_EMPTY);
    client_acquit(c);
    client_drop_commands(c);
    clerk_cancel(h->setup.site->turn, h->setup.clerk, c->call);
    if (c->after != NULL)
        c->after->before = c->before;
    if (c->before != NULL)
        c->before->after = c->after;
    else
        h->clients = c->after;
    free(c);
    count(h);
    if (h->clients != NULL)
        return;
    subscribe(h, FEED_UNSUBSCRIBE);
    clerk_cancel(h->setup.site->turn, h->setup.clerk, h->picture);
    h->picture = 0;
    recent_finish(&h->recent); /* what comes from now on is not for us */
}

static void on_text(void *ctx, struct slice text)
{
    client_hear(ctx, text);
}

static void on_drained(void *ctx)
{
    client_go_on(ctx);
}

static struct client *let_in(struct hall *h, struct exchange *x)
{
    struct client *c = bytes_zalloc(sizeof(*c));

    c->hall = h;
    c->socket = websocket_accept(
        h->room, x, &(struct websocket_owner){c, on_text, on_drained, on_gone});
    if (c->socket == NULL) {
        free(c);
        return NULL;
    }
    if (h->clients == NULL)
        subscribe(h, FEED_SUBSCRIBE);
    c->after = h->clients;
    if (c->after != NULL)
        c->after->before = c;
    h->clients = c;
    count(h);
    return c;
}

/* ---- the route ---------------------------------------------------------- */

struct wishes {
    struct bytes group, agent, text, since;
    bool has_since;
    uint64_t after;
};

static void read_wishes(struct exchange *x, struct wishes *w)
{
    *w = (struct wishes){0};
    exchange_parameter(x, "group", &w->group);
    exchange_parameter(x, "agent", &w->agent);
    exchange_parameter(x, "text", &w->text);
    w->has_since = exchange_parameter(x, "since", &w->since);
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
        return "group: that is no id";
    if (w->agent.len >= ORDER_ID)
        return "agent: that is no id";
    if (w->has_since && !to_number(bytes_slice(&w->since), &w->after))
        return "since: expected a number from 0 on";
    return NULL;
}

void hall_serve(struct hall *h, struct exchange *x)
{
    struct wishes w;
    const char *wrong;
    struct client *c = NULL;

    read_wishes(x, &w);
    wrong = judge(&w);
    if (wrong != NULL)
        refusal_send(x, 400, slice_cstr(wrong));
    else if (h->is_leaving)
        refusal_send(x, 503, SLICE("the hub is leaving"));
    else
        c = let_in(h, x);
    if (c != NULL) {
        c->group = hall_hash(bytes_slice(&w.group));
        if (slice_eq(bytes_slice(&w.text), SLICE("1")))
            client_listen(c, bytes_slice(&w.agent));
        client_join(c, w.has_since, w.after);
    }
    finish_wishes(&w);
}

/* ---- events ------------------------------------------------------------- */

void hall_pump(struct hall *h, size_t bytes)
{
    h->unpumped += bytes;
    if (h->unpumped < PUMP_BYTES)
        return;
    h->unpumped = 0;
    pump_now(h->setup.site->turn, &h->setup.site->pump);
}

static void on_progress(struct hall *h, const struct feed_event *e,
                        struct framing_frame *f)
{
    uint64_t group = hall_hash(slice_cstr(e->group));

    for (struct client *c = h->clients; c != NULL; c = c->after) {
        if (c->state == CLIENT_WAITS || !client_minds(c, group))
            continue;
        if (!c->is_behind && c->state == CLIENT_LIVE && !client_is_slow(c)) {
            client_send(c, f);
            continue;
        }
        client_owe(c);
        h->setup.metrics->feed_dropped++;
    }
    line_set(h, e, f);
}

/*
 * Numbers have no gaps, so one who does not have the one before has missed
 * something: it was told while we did not subscribe. He reads it up.
 */
static void on_numbered(struct hall *h, const struct feed_event *e,
                        struct framing_frame *f)
{
    const struct recent_event entry = {
        .seq = e->seq, .group = hall_hash(slice_cstr(e->group)), .frame = f};

    recent_add(&h->recent, &entry);
    if (e->agent[0] != 0)
        line_forget(h, e->agent);
    if (strcmp(e->type, "agent:created") == 0)
        ear_renew(h, e->agent);
    for (struct client *c = h->clients; c != NULL; c = c->after) {
        if (c->state != CLIENT_LIVE || c->seq >= e->seq)
            continue;
        if (c->seq + 1 != e->seq) {
            client_go_on(c);
            continue;
        }
        c->seq = e->seq;
        if (client_minds(c, entry.group))
            client_send(c, f);
    }
}

static void on_event(struct hall *h, const struct feed_event *e)
{
    struct framing_frame *f;
    uint64_t now = rt_wall_ms(h->setup.site->turn);

    if (h->clients == NULL)
        return;
    h->setup.metrics->feed_lag_ms = now > e->at ? now - e->at : 0;
    f = framing_text(bytes_slice(&e->json));
    if (e->seq == 0)
        on_progress(h, e, f);
    else
        on_numbered(h, e, f);
    hall_pump(h, f->len);
    framing_drop(f);
}

bool hall_handle(struct hall *h, struct rt_msg *m)
{
    switch (m->kind) {
    case FEED_EVENT:
        on_event(h, *(struct feed_event **)rt_body(m));
        break;
    case AGENT_STREAM:
        ear_stream(h, *(struct agent_stream **)rt_body(m));
        break;
    default:
        return false;
    }
    count(h);
    return true;
}

/* ---- its life ----------------------------------------------------------- */

void hall_init(struct hall *h, const struct hall_setup *s)
{
    *h = (struct hall){.setup = *s};
    h->room = websocket_room_create(
        s->site, &(struct websocket_rules){.ping_ms = PING_MS,
                                           .close_ms = CLOSE_MS,
                                           .limit = HALL_HARD});
}

void hall_leave(struct hall *h)
{
    h->is_leaving = true;
    for (struct client *c = h->clients; c != NULL; c = c->after)
        websocket_close(c->socket, WEBSOCKET_LEAVING, SLICE("leaving"));
}

void hall_finish(struct rt_turn *t, struct hall *h)
{
    struct rt_turn **turn, *before;

    if (h->room == NULL)
        return;
    turn = &h->setup.site->turn;
    before = *turn;
    *turn = t;
    websocket_room_destroy(h->room);
    *turn = before;
    index_finish(&h->ears);
    index_finish(&h->lines);
    *h = (struct hall){0};
}
