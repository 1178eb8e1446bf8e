/* SPDX-License-Identifier: MIT */
/*
 * A timer is a message that waits: rt_after sends it here, it hangs in the
 * wheel until it is due, and then the same message goes back to its owner.
 * A table by owner finds the timers to cancel, and those of the dead.
 */
#include "runtime/clock.h"

#include <assert.h>
#include <stdlib.h>

#include "runtime/list.h"
#include "runtime/loop.h"
#include "runtime/msg.h"
#include "runtime/os.h"
#include "runtime/wheel.h"

#define MS 1000000ull

/* Body of SYS_ARM; what the owner gets back begins with its id. */
struct clock_timer {
    struct rt_alarm alarm;
    uint16_t kind;                      /* the owner's */
    LIST_LINK(struct clock_timer) link; /* in the table */
    struct wheel_timer wheel;
};

struct clock_chain {
    LIST(struct clock_timer) timers;
};

struct clock {
    struct wheel wheel;
    struct clock_chain *table; /* by owner */
    size_t size, count;        /* size: a power of two */
};

static struct rt_msg *message_of(struct clock_timer *timer)
{
    return (struct rt_msg *)timer - 1;
}

static struct clock_chain *chain(struct clock *c, struct rt_ref owner)
{
    return &c->table[(owner.id * 0x9e3779b97f4a7c15ull >> 32) & (c->size - 1)];
}

static void link_timer(struct clock *c, struct clock_timer *timer)
{
    struct clock_chain *owners = chain(c, message_of(timer)->from);

    LIST_PREPEND(&owners->timers, timer, link);
    c->count++;
}

static void unlink_timer(struct clock *c, struct clock_timer *timer)
{
    struct clock_chain *owners = chain(c, message_of(timer)->from);

    LIST_REMOVE(&owners->timers, timer, link);
    c->count--;
}

static void grow(struct clock *c)
{
    struct clock_chain *old = c->table;
    size_t old_size = c->size;

    c->size = old_size == 0 ? 64 : old_size * 2;
    c->table = os_alloc(c->size * sizeof(*c->table), 64);
    memset(c->table, 0, c->size * sizeof(*c->table));
    c->count = 0;
    for (size_t i = 0; i < old_size; i++)
        LIST_EACH (timer, &old[i].timers, link)
            link_timer(c, timer);
    free(old);
}

static void drop_timer(struct rt_turn *t, struct clock *c,
                       struct clock_timer *timer)
{
    wheel_remove(&c->wheel, &timer->wheel);
    unlink_timer(c, timer);
    rt_free(t, message_of(timer));
}

struct firing {
    struct rt_turn *t;
    struct clock *c;
};

static void fire(void *arg, struct wheel_timer *w)
{
    struct firing *f = arg;
    struct clock_timer *timer =
        (struct clock_timer *)((char *)w - offsetof(struct clock_timer, wheel));
    struct rt_msg *m = message_of(timer);
    struct rt_ref owner = m->from;

    unlink_timer(f->c, timer);
    m->from = rt_self(f->t);
    m->kind = timer->kind;
    m->flags = MSG_TIMER;
    msg_deliver(f->t->seat, owner, m);
}

static void on_arm(struct rt_turn *t, struct clock *c, struct rt_msg *m)
{
    struct clock_timer *timer = rt_body(rt_take(t, m));

    if (c->count >= c->size)
        grow(c);
    link_timer(c, timer);
    wheel_add(&c->wheel, &timer->wheel, timer->wheel.deadline);
}

static void on_cancel(struct rt_turn *t, struct clock *c, struct rt_msg *m)
{
    const struct rt_alarm *alarm = rt_body(m);
    struct clock_timer *timer =
        c->size > 0 ? chain(c, m->from)->timers.first : NULL;

    while (timer != NULL && timer->alarm.id != alarm->id)
        timer = timer->link.next;
    /* Owners share chains, and may know each other's ids. */
    if (timer != NULL && rt_same(message_of(timer)->from, m->from))
        drop_timer(t, c, timer);
}

static void on_forget(struct rt_turn *t, struct clock *c, struct rt_msg *m)
{
    if (c->size == 0)
        return;
    LIST_EACH (timer, &chain(c, m->from)->timers, link)
        if (rt_same(message_of(timer)->from, m->from))
            drop_timer(t, c, timer);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct clock *c = state;

    (void)t;
    wheel_init(&c->wheel, os_now() / MS);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct clock *c = state;
    uint64_t next;

    if (m->kind == SYS_ARM)
        on_arm(t, c, m);
    else if (m->kind == SYS_CANCEL)
        on_cancel(t, c, m);
    else if (m->kind == SYS_FORGET)
        on_forget(t, c, m);
    else if (m->kind == SYS_TICK)
        wheel_advance(&c->wheel, os_now() / MS, fire,
                      &(struct firing){.t = t, .c = c});
    next = wheel_next(&c->wheel);
    loop_alarm(t, next == WHEEL_NEVER ? OS_NEVER : next * MS);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct clock *c = state;

    for (size_t i = 0; i < c->size; i++)
        LIST_EACH (timer, &c->table[i].timers, link)
            drop_timer(t, c, timer);
    free(c->table);
    loop_alarm(t, OS_NEVER);
}

const struct rt_behaviour clock_behaviour = {.name = "clock",
                                             .size = sizeof(struct clock),
                                             .start = start,
                                             .handle = handle,
                                             .stop = stop};

/* The deadline is taken here, in the caller's turn: a late clock is no delay.
 */
uint64_t rt_after(struct rt_turn *t, uint64_t ms, uint16_t kind)
{
    struct rt_seat *seat = t->seat;
    struct rt_msg *m = msg_create(seat, SYS_ARM, sizeof(struct clock_timer));
    struct clock_timer *timer = rt_body(m);
    uint64_t now = os_now() / MS, id = seat->timers += RT_SEATS_MAX;

    assert(kind < RT_SYSTEM);
    *timer = (struct clock_timer){.kind = kind};
    timer->alarm.id = id;
    timer->wheel.deadline = ms > UINT64_MAX / 2 ? UINT64_MAX / 2 : now + ms + 1;
    t->actor->has_timers = true;
    rt_send(t, seat->rt->clock, m);
    return id;
}

void rt_cancel(struct rt_turn *t, uint64_t id)
{
    msg_tell(t, t->seat->rt->clock, SYS_CANCEL, &(struct rt_alarm){.id = id},
             sizeof(struct rt_alarm));
}
