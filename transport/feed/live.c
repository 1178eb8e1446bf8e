/* SPDX-License-Identifier: MIT */
/*
 * A live agent here is one that has listeners, with all of them. The
 * agent is asked to speak when the first comes and to be silent when the last
 * has gone. What it says is framed once for all of them: the hot path.
 */
#include <stdlib.h>

#include "runtime/text/json.h"
#include "transport/feed/inside.h"

struct live {
    struct index_link link;
    struct subscriber *listeners;
    char agent[ORDER_ID];
};

static struct live *find(const struct feed *feed, struct slice agent)
{
    struct index_link *l = index_find(&feed->lives, feed_hash(agent));

    while (l != NULL && !slice_eq(slice_cstr(((struct live *)l)->agent), agent))
        l = index_next(l);
    return (struct live *)l;
}

static void tell(struct feed *feed, const struct live *e, bool is_on)
{
    struct rt_turn *t = feed->setup.site->turn;
    struct feed_listen m = {.listener = rt_self(t), .is_on = is_on};

    memcpy(m.agent, e->agent, sizeof(m.agent));
    rt_tell(t, feed->setup.registry, FEED_LISTEN, &m, sizeof(m));
}

static void leave(struct subscriber *c)
{
    struct live *e = c->live;

    if (e == NULL)
        return;
    *(c->live_before != NULL ? &c->live_before->live_after : &e->listeners) =
        c->live_after;
    if (c->live_after != NULL)
        c->live_after->live_before = c->live_before;
    c->live = NULL;
    c->missed = 0;
    if (e->listeners != NULL)
        return;
    tell(c->feed, e, false);
    index_remove(&c->feed->lives, &e->link);
    free(e);
}

static struct live *create(struct feed *feed, struct slice agent)
{
    struct live *e = bytes_zalloc(sizeof(*e));

    slice_keep(e->agent, sizeof(e->agent), agent);
    index_add(&feed->lives, &e->link, feed_hash(agent));
    tell(feed, e, true);
    return e;
}

void subscriber_listen(struct subscriber *c, struct slice agent)
{
    struct live *e;

    if (slice_eq(subscriber_listens_to(c), agent))
        return;
    leave(c);
    if (agent.len == 0)
        return;
    e = find(c->feed, agent);
    if (e == NULL)
        e = create(c->feed, agent);
    c->live = e;
    c->live_before = NULL;
    c->live_after = e->listeners;
    if (c->live_after != NULL)
        c->live_after->live_before = c;
    e->listeners = c;
}

struct slice subscriber_listens_to(const struct subscriber *c)
{
    return c->live != NULL ? slice_cstr(c->live->agent) : SLICE_EMPTY;
}

void live_renew(struct feed *feed, const char *agent)
{
    struct live *e = find(feed, slice_cstr(agent));

    if (e != NULL)
        tell(feed, e, true);
}

/* To every listener that keeps up. One that has begun to miss something goes
 * on missing until it has read all the rest: else it would get shreds. */
static void say(struct feed *feed, struct live *e, struct slice progress)
{
    struct framing_frame *f = framing_text(progress);

    for (struct subscriber *c = e->listeners; c != NULL; c = c->live_after) {
        if (c->state != SUBSCRIBER_LIVE)
            continue;
        if (c->missed > 0 || subscriber_is_slow(c)) {
            c->missed++;
            feed->counts.dropped++;
        } else {
            subscriber_send(c, f);
        }
    }
    framing_drop(f);
}

void live_stream(struct feed *feed, const struct agent_stream *s)
{
    struct slice agent = slice_cstr(s->def->id);

    for (size_t i = 0; i < s->count; i++) {
        struct live *e = find(feed, agent); /* pumping may have ended it */

        if (e == NULL)
            return;
        say(feed, e, agent_stream_line(s, i));
        feed_pump(feed, s->events[i].len);
    }
}

void subscriber_tell_missed(struct subscriber *c)
{
    struct bytes out = {0};

    if (c->missed == 0)
        return;
    JSON_RAW(&out, "{\"type\":\"agent:status_update\",\"data\":{");
    JSON_TEXT(&out, "agentId", subscriber_listens_to(c));
    JSON_RAW(&out, ",\"event\":{\"kind\":\"missed\"");
    JSON_UINT(&out, "count", c->missed);
    JSON_RAW(&out, "}}}");
    c->missed = 0;
    subscriber_say(c, bytes_slice(&out));
    bytes_finish(&out);
}
