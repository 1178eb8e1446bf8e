/* SPDX-License-Identifier: MIT */
/*
 * An ear is an agent that somebody listens to, with everybody who does. The
 * agent is asked to speak when the first comes and to be silent when the last
 * has gone. What it says is framed once for all of them: the hot path.
 */
#include <stdlib.h>

#include "runtime/text/json.h"
#include "transport/feed/hall_inside.h"

struct ear {
    struct index_link link;
    struct client *listeners;
    char agent[ORDER_ID];
};

static struct ear *find(const struct hall *h, struct slice agent)
{
    struct index_link *l = index_find(&h->ears, hall_hash(agent));

    while (l != NULL && !slice_eq(slice_cstr(((struct ear *)l)->agent), agent))
        l = index_next(l);
    return (struct ear *)l;
}

static void tell(struct hall *h, const struct ear *e, bool is_on)
{
    struct rt_turn *t = h->setup.site->turn;
    struct feed_listen m = {.listener = rt_self(t), .is_on = is_on};

    memcpy(m.agent, e->agent, sizeof(m.agent));
    rt_tell(t, h->setup.registry, FEED_LISTEN, &m, sizeof(m));
}

static void leave(struct client *c)
{
    struct ear *e = c->ear;

    if (e == NULL)
        return;
    *(c->ear_before != NULL ? &c->ear_before->ear_after : &e->listeners) =
        c->ear_after;
    if (c->ear_after != NULL)
        c->ear_after->ear_before = c->ear_before;
    c->ear = NULL;
    c->missed = 0;
    if (e->listeners != NULL)
        return;
    tell(c->hall, e, false);
    index_remove(&c->hall->ears, &e->link);
    free(e);
}

static struct ear *create(struct hall *h, struct slice agent)
{
    struct ear *e = bytes_zalloc(sizeof(*e));

    slice_keep(e->agent, sizeof(e->agent), agent);
    index_add(&h->ears, &e->link, hall_hash(agent));
    tell(h, e, true);
    return e;
}

void client_listen(struct client *c, struct slice agent)
{
    struct ear *e;

    if (slice_eq(client_listens_to(c), agent))
        return;
    leave(c);
    if (agent.len == 0)
        return;
    e = find(c->hall, agent);
    if (e == NULL)
        e = create(c->hall, agent);
    c->ear = e;
    c->ear_before = NULL;
    c->ear_after = e->listeners;
    if (c->ear_after != NULL)
        c->ear_after->ear_before = c;
    e->listeners = c;
}

struct slice client_listens_to(const struct client *c)
{
    return c->ear != NULL ? slice_cstr(c->ear->agent) : SLICE_EMPTY;
}

void ear_renew(struct hall *h, const char *agent)
{
    struct ear *e = find(h, slice_cstr(agent));

    if (e != NULL)
        tell(h, e, true);
}

/* To everybody who keeps up. One who has begun to miss something goes on
 * missing until he has read all the rest: else he would get shreds. */
static void say(struct hall *h, struct ear *e, struct slice line)
{
    struct framing_frame *f = framing_text(line);

    for (struct client *c = e->listeners; c != NULL; c = c->ear_after) {
        if (c->state != CLIENT_LIVE)
            continue;
        if (c->missed > 0 || client_is_slow(c)) {
            c->missed++;
            h->setup.metrics->feed_dropped++;
        } else {
            client_send(c, f);
        }
    }
    framing_drop(f);
}

void ear_stream(struct hall *h, const struct agent_stream *s)
{
    struct slice agent = slice_cstr(s->def->id);

    for (size_t i = 0; i < s->count; i++) {
        struct ear *e = find(h, agent); /* pumping may have ended it */

        if (e == NULL)
            return;
        say(h, e, agent_stream_line(s, i));
        hall_pump(h, s->events[i].len);
    }
}

void client_tell_missed(struct client *c)
{
    struct bytes out = {0};

    if (c->missed == 0)
        return;
    JSON_RAW(&out, "{\"type\":\"agent:status_update\",\"data\":{");
    JSON_TEXT(&out, "agentId", client_listens_to(c));
    JSON_RAW(&out, ",\"event\":{\"kind\":\"missed\"");
    JSON_UINT(&out, "count", c->missed);
    JSON_RAW(&out, "}}}");
    c->missed = 0;
    client_say(c, bytes_slice(&out));
    bytes_finish(&out);
}
