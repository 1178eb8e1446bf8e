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
#include "runtime/text/index.h"

/* An ask in the line. */
struct waiter {
    LIST_LINK(struct waiter) link; /* of the line */
    LIST_LINK(struct waiter) own;  /* of the asker's */
    struct index_link by_ticket;
    struct holder *who;
    unsigned kind;
    uint64_t ticket;
    uint32_t count;
};

/* What one asker has, so that its death can give it back. */
struct holder {
    LIST_LINK(struct holder) link;
    struct index_link by_ref;
    struct rt_ref who;
    LIST(struct waiter) asks; /* in the line */
    uint32_t held[SLOTS_KINDS], done[SLOTS_KINDS];
};

struct slots {
    struct slots_places now;
    LIST(struct waiter) line[SLOTS_KINDS];
    LIST(struct holder) holders;
    struct index by_ticket, by_ref;
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
    return INDEX_ITEM(struct holder, by_ref, index_find(&s->by_ref, who.id));
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
    index_add(&s->by_ref, &h->by_ref, who.id);
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
    head->who->held[kind] += count;
    rt_tell(t, head->who->who, SLOTS_GRANTED, &g, sizeof(g));
}

static void leave_line(struct slots *s, struct waiter *w)
{
    s->now.waiting[w->kind] -= w->count;
    index_remove(&s->by_ticket, &w->by_ticket);
    LIST_REMOVE(&w->who->asks, w, own);
    LIST_REMOVE(&s->line[w->kind], w, link);
    free(w);
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
            leave_line(s, head);
        }
    }
    rt_tell(t, rt_parent(t), SLOTS_PLACES, &s->now, sizeof(s->now));
}

static void join_line(struct slots *s, struct holder *who,
                      const struct slots_ask *ask)
{
    struct waiter *entry = bytes_zalloc(sizeof(*entry));

    entry->who = who;
    entry->kind = ask->kind;
    entry->ticket = ask->ticket;
    entry->count = ask->count;
    index_add(&s->by_ticket, &entry->by_ticket, ask->ticket);
    LIST_APPEND(&who->asks, entry, own);
    LIST_APPEND(&s->line[ask->kind], entry, link);
    s->now.waiting[ask->kind] += ask->count;
}

static void on_ask(struct rt_turn *t, struct slots *s, struct rt_ref who,
                   const struct slots_ask *ask)
{
    struct slots_grant yes = {.ticket = ask->ticket};
    struct slots_refusal no = {.ticket = ask->ticket,
                               .max = s->now.limits.max[ask->kind],
                               .busy = busy(s, ask->kind),
                               .waiting = s->now.waiting[ask->kind]};

    if (!ask->is_entitled && !fits(s, ask)) {
        rt_tell(t, who, SLOTS_REFUSED, &no, sizeof(no));
        return;
    }
    rt_tell(t, who, SLOTS_ACCEPTED, &yes, sizeof(yes));
    join_line(s, holder_of(t, s, who), ask);
    serve(t, s);
}

/* What is no longer in the line was granted: it comes back by SLOTS_GIVE. */
static void on_withdraw(struct rt_turn *t, struct slots *s, struct rt_ref who,
                        const struct slots_grant *less)
{
    struct index_link *l = index_find(&s->by_ticket, less->ticket), *next;

    for (; l != NULL; l = next) {
        struct waiter *e = INDEX_ITEM(struct waiter, by_ticket, l);
        uint32_t count = less->count < e->count ? less->count : e->count;

        next = index_next(l);
        if (!rt_same(e->who->who, who))
            continue;
        e->count -= count;
        s->now.waiting[e->kind] -= count;
        if (e->count == 0)
            leave_line(s, e);
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
    LIST_EACH (e, &h->asks, own)
        leave_line(s, e);
    index_remove(&s->by_ref, &h->by_ref);
    LIST_REMOVE(&s->holders, h, link);
    for (unsigned kind = 0; kind < SLOTS_KINDS && end->why == RT_WHY_NORMAL;
         kind++) {
        s->now.held[kind] -= h->held[kind];
        s->now.done[kind] -= h->done[kind];
    }
    free(h);
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
    index_finish(&s->by_ticket);
    index_finish(&s->by_ref);
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
