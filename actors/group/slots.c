/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic, per kind of place:
 *
 *   held            granted and not given back
 *   done <= held    of those, whose agents are done
 *   waiting         the counts in the line, summed
 *
 * An ask is accepted when  held - done + waiting + wanted <= max + queued,
 * and the head of the line is served while  held < max.
 */
#include "actors/group/slots.h"

#include <stdlib.h>

#include "runtime/list.h"
#include "runtime/text/bytes.h"

/* An asker in the line. */
struct waiter {
    LIST_LINK(struct waiter) link;
    struct rt_ref who;
    uint64_t ticket;
    uint32_t count;
};

/* What one asker has, so that its death can give it back. */
struct holder {
    LIST_LINK(struct holder) link;
    struct rt_ref who;
    uint32_t held[SLOTS_KINDS], done[SLOTS_KINDS];
};

struct slots {
    struct slots_places now;
    LIST(struct waiter) line[SLOTS_KINDS];
    LIST(struct holder) holders;
};

static uint32_t busy(const struct slots *s, unsigned kind)
{
    return s->now.held[kind] - s->now.done[kind] + s->now.waiting[kind];
}

static bool fits(const struct slots *s, const struct slots_ask *ask)
{
    uint32_t wanted = ask->count > ask->largest ? ask->count : ask->largest;
    uint64_t most = s->now.limits.max[ask->kind];

    if (ask->kind == SLOTS_AGENTS)
        most += s->now.limits.queued;
    return (uint64_t)busy(s, ask->kind) + wanted <= most;
}

static struct holder *find(const struct slots *s, struct rt_ref who)
{
    struct holder *h = s->holders.first;

    while (h != NULL && !rt_same(h->who, who))
        h = h->link.next;
    return h;
}

static struct holder *holder_of(struct rt_turn *t, struct slots *s,
                                struct rt_ref who)
{
    struct holder *h = find(s, who);

    if (h != NULL)
        return h;
    h = bytes_zalloc(sizeof(*h));
    h->who = who;
    LIST_PREPEND(&s->holders, h, link);
    rt_monitor(t, who);
    return h;
}

static void grant(struct rt_turn *t, struct slots *s, unsigned kind,
                  struct waiter *head, uint32_t count)
{
    struct slots_grant g = {.ticket = head->ticket, .count = count};

    head->count -= count;
    s->now.waiting[kind] -= count;
    s->now.held[kind] += count;
    holder_of(t, s, head->who)->held[kind] += count;
    rt_tell(t, head->who, SLOTS_GRANTED, &g, sizeof(g));
}

static void serve(struct rt_turn *t, struct slots *s)
{
    for (unsigned kind = 0; kind < SLOTS_KINDS; kind++) {
        LIST_EACH (head, &s->line[kind], link) {
            uint32_t max = s->now.limits.max[kind], held = s->now.held[kind];
            uint32_t free_now = held < max ? max - held : 0;
            uint32_t count = head->count < free_now ? head->count : free_now;

            if (count > 0)
                grant(t, s, kind, head, count);
            if (head->count > 0)
                break;
            LIST_REMOVE(&s->line[kind], head, link);
            free(head);
        }
    }
    rt_tell(t, rt_parent(t), SLOTS_PLACES, &s->now, sizeof(s->now));
}

static void join_line(struct slots *s, struct rt_ref who,
                      const struct slots_ask *ask)
{
    struct waiter *entry = bytes_zalloc(sizeof(*entry));

    entry->who = who;
    entry->ticket = ask->ticket;
    entry->count = ask->count;
    LIST_APPEND(&s->line[ask->kind], entry, link);
    s->now.waiting[ask->kind] += ask->count;
}

static void on_ask(struct rt_turn *t, struct slots *s, struct rt_ref who,
                   const struct slots_ask *ask)
{
    struct slots_grant yes = {.ticket = ask->ticket};
    struct slots_refusal no = {.ticket = ask->ticket,
                               .max = s->now.limits.max[ask->kind],
                               .busy = busy(s, ask->kind)};

    if (!ask->is_entitled && !fits(s, ask)) {
        rt_tell(t, who, SLOTS_REFUSED, &no, sizeof(no));
        return;
    }
    rt_tell(t, who, SLOTS_ACCEPTED, &yes, sizeof(yes));
    holder_of(t, s, who);
    join_line(s, who, ask);
    serve(t, s);
}

/* What is no longer in the line was granted: it comes back by SLOTS_GIVE. */
static void on_withdraw(struct rt_turn *t, struct slots *s, struct rt_ref who,
                        const struct slots_grant *less)
{
    for (unsigned kind = 0; kind < SLOTS_KINDS; kind++)
        LIST_EACH (e, &s->line[kind], link) {
            uint32_t count = less->count < e->count ? less->count : e->count;

            if (e->ticket != less->ticket || !rt_same(e->who, who))
                continue;
            e->count -= count;
            s->now.waiting[kind] -= count;
        }
    serve(t, s);
}

static void on_done(struct rt_turn *t, struct slots *s, struct rt_ref who,
                    const struct slots_change *c)
{
    holder_of(t, s, who)->done[c->kind] += c->count;
    s->now.done[c->kind] += c->count;
    serve(t, s);
}

static void on_give(struct rt_turn *t, struct slots *s, struct rt_ref who,
                    const struct slots_change *c)
{
    struct holder *h = holder_of(t, s, who);

    h->held[c->kind] -= c->count;
    s->now.held[c->kind] -= c->count;
    if (c->was_done) {
        h->done[c->kind] -= c->count;
        s->now.done[c->kind] -= c->count;
    }
    serve(t, s);
}

static void on_held(struct rt_turn *t, struct slots *s, struct rt_ref who,
                    const struct slots_change *c)
{
    holder_of(t, s, who)->held[c->kind] += c->count;
    s->now.held[c->kind] += c->count;
    serve(t, s);
}

static void leave_line(struct slots *s, struct rt_ref who)
{
    for (unsigned kind = 0; kind < SLOTS_KINDS; kind++)
        LIST_EACH (e, &s->line[kind], link)
            if (rt_same(e->who, who)) {
                s->now.waiting[kind] -= e->count;
                e->count = 0;
            }
}

/*
 * One that ends by itself has no trees any more, only grants it never heard of.
 * One that is stopped goes with the hub, and its trees are still there: an
 * agent started in their place would be one too many, and too late.
 */
static void on_down(struct rt_turn *t, struct slots *s, struct rt_ref who,
                    const struct rt_end *end)
{
    struct holder *h = find(s, who);

    if (h == NULL)
        return;
    LIST_REMOVE(&s->holders, h, link);
    for (unsigned kind = 0; kind < SLOTS_KINDS && end->why == RT_WHY_NORMAL;
         kind++) {
        s->now.held[kind] -= h->held[kind];
        s->now.done[kind] -= h->done[kind];
    }
    free(h);
    leave_line(s, who);
    serve(t, s);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct slots *s = state;

    switch (m->kind) {
    case SLOTS_ASK:
        on_ask(t, s, m->from, rt_body(m));
        break;
    case SLOTS_WITHDRAW:
        on_withdraw(t, s, m->from, rt_body(m));
        break;
    case SLOTS_DONE:
        on_done(t, s, m->from, rt_body(m));
        break;
    case SLOTS_GIVE:
        on_give(t, s, m->from, rt_body(m));
        break;
    case SLOTS_HELD:
        on_held(t, s, m->from, rt_body(m));
        break;
    case SLOTS_LIMITS:
        s->now.limits = *(struct slots_limits *)rt_body(m);
        serve(t, s);
        break;
    case RT_DOWN:
        on_down(t, s, m->from, rt_body(m));
        break;
    default:
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct slots *s = state;

    (void)t;
    for (unsigned kind = 0; kind < SLOTS_KINDS; kind++)
        LIST_EACH (e, &s->line[kind], link)
            free(e);
    LIST_EACH (h, &s->holders, link)
        free(h);
}

static const struct rt_behaviour behaviour = {.name = "slots",
                                              .size = sizeof(struct slots),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref slots_spawn(struct rt_turn *t, const struct slots_limits *limits)
{
    struct slots s = {.now.limits = *limits};

    return rt_spawn(t, &behaviour, &s);
}
