/* SPDX-License-Identifier: MIT */
/*
 * An actor's life:
 *
 *   create -> [start] -> turns -> ending: children, newest first, each after
 *   the end of the one before -> stop -> its inbox closes -> its monitors and
 *   its parent are told -> the parent frees the slot.
 *
 * Parents outlive their children, so the way up is always open: the notice of
 * a death cannot be refused.
 */
#include "runtime/actor.h"

#include <assert.h>

#include "runtime/inbox.h"
#include "runtime/mail.h"
#include "runtime/msg.h"
#include "runtime/scheduler.h"
#include "runtime/slot.h"
#include "runtime/trace.h"

struct rt_ref actor_create(struct rt_seat *seat, struct rt_actor *parent,
                           unsigned home, const struct rt_behaviour *b,
                           const void *init)
{
    struct rt_actor *a = slot_get(seat);
    struct rt_ref self = a->exit.from;

    a->exit.kind = RT_EXIT;
    a->exit.flags = 0; /* not urgent: last words come before the end */
    a->exit.pool = ACTOR_SLOT;
    a->error = 0;
    a->why = RT_WHY_NORMAL;
    a->phase = b->start != NULL ? ACTOR_NEW : ACTOR_RUNNING;
    a->home = (uint8_t)home;
    a->has_timers = false;
    a->generation = slot_generation(self);
    a->behaviour = b;
    a->parent = parent != NULL ? parent->exit.from : RT_NOBODY;
    a->letters = NULL;
    a->urgent = NULL;
    a->todo = (struct actor_list){0};
    a->children = NULL;
    a->state = NULL;
    if (b->size > 0) {
        a->state = pool_get(&seat->pool, pool_class(b->size), b->size);
        if (init != NULL)
            memcpy(a->state, init, b->size);
        else
            memset(a->state, 0, b->size);
    }
    a->newer = NULL;
    a->older = parent != NULL ? parent->children : NULL;
    if (a->older != NULL)
        a->older->newer = a;
    if (parent != NULL)
        parent->children = a;
    seat_add(seat, SEAT_BORN);
    /* From here on others may send to it, and run it. */
    if (a->phase == ACTOR_NEW) {
        /* Nobody but the one who runs it touches it: the queue releases it. */
        atomic_store_relaxed(&a->inbox, NULL);
        scheduler_submit(seat, a);
    } else {
        atomic_store_release(&a->inbox, INBOX_IDLE);
    }
    return self;
}

static void post_letters(struct rt_seat *seat, struct rt_actor *a)
{
    struct rt_msg *m = a->letters;

    while (m != NULL) {
        struct rt_msg *next = m->next;
        struct rt_ref to = m->from;
        m->from = a->exit.from;
        m->kind = RT_DOWN;
        *(struct rt_end *)rt_body(m) =
            (struct rt_end){.error = a->error, .why = a->why};
        msg_deliver(seat, to, m);
        m = next;
    }
}

static void forget_timers(struct rt_turn *t)
{
    if (t->actor->has_timers)
        msg_tell(t, t->seat->rt->clock, SYS_FORGET, NULL, 0);
}

/* After this the actor is its parent's, or the runtime is over. */
static void bury_actor(struct rt_turn *t)
{
    struct rt_seat *seat = t->seat;
    struct rt_actor *a = t->actor;
    struct rt *rt = seat->rt;

    if (a->behaviour->stop != NULL)
        a->behaviour->stop(t, a->state);
    forget_timers(t);
    if (a->state != NULL)
        pool_put(&seat->pool, pool_class(a->behaviour->size), a->state);
    mail_close(seat, a);
    post_letters(seat, a);
    trace_mark(seat, TRACE_END, a->behaviour->name, a->exit.from);
    seat_add_end(seat, SEAT_DIED);
    if (a->parent.id != 0) {
        msg_deliver(seat, a->parent, &a->exit);
        return;
    }
    slot_put(seat, a);
    atomic_store_relaxed(&rt->over, 1); /* what follows waits for the thread */
    os_wake(&rt->over);
}

static void order_stop(struct rt_turn *t, struct rt_ref who, uint8_t flags)
{
    struct rt_msg *m = msg_create(t->seat, SYS_STOP, 0);

    m->flags = flags;
    rt_send(t, who, m);
}

bool actor_end(struct rt_turn *t)
{
    struct rt_actor *a = t->actor;

    a->phase = ACTOR_STOPPING;
    if (a->children != NULL) {
        order_stop(t, a->children->exit.from, RT_URGENT);
        return false;
    }
    bury_actor(t);
    return true;
}

void actor_unlink(struct rt_actor *a, struct rt_actor *child)
{
    if (child->newer != NULL)
        child->newer->older = child->older;
    else
        a->children = child->older;
    if (child->older != NULL)
        child->older->newer = child->newer;
}

void actor_remove_letter(struct rt_seat *seat, struct rt_actor *a,
                         struct rt_ref from)
{
    struct rt_msg **link = &a->letters;

    while (*link != NULL && !rt_same((*link)->from, from))
        link = &(*link)->next;
    if (*link != NULL) {
        struct rt_msg *letter = *link;
        *link = letter->next;
        msg_destroy(seat, letter);
    }
}

struct rt_ref rt_spawn_at(struct rt_turn *t, unsigned home,
                          const struct rt_behaviour *b, const void *init)
{
    assert(home <= t->seat->rt->loop_count);
    if (t->actor->phase == ACTOR_STOPPING)
        return RT_NOBODY;
    return actor_create(t->seat, t->actor, home, b, init);
}

struct rt_ref rt_spawn(struct rt_turn *t, const struct rt_behaviour *b,
                       const void *init)
{
    return rt_spawn_at(t, RT_POOL, b, init);
}

struct rt_ref rt_self(const struct rt_turn *t)
{
    return t->actor->exit.from;
}

struct rt_ref rt_parent(const struct rt_turn *t)
{
    return t->actor->parent;
}

enum rt_next rt_fail(struct rt_turn *t, int error)
{
    t->error = error;
    return RT_FAIL;
}

void rt_stop(struct rt_turn *t, struct rt_ref who)
{
    order_stop(t, who, RT_URGENT);
}

void rt_drain(struct rt_turn *t, struct rt_ref who)
{
    order_stop(t, who, 0);
}

void rt_monitor(struct rt_turn *t, struct rt_ref who)
{
    msg_tell(t, who, SYS_MONITOR, &(struct rt_end){0}, sizeof(struct rt_end));
}

void rt_demonitor(struct rt_turn *t, struct rt_ref who)
{
    msg_tell(t, who, SYS_DEMONITOR, NULL, 0);
}

uint64_t rt_now(const struct rt_turn *t)
{
    (void)t;
    return os_now();
}

uint64_t rt_wall_ms(const struct rt_turn *t)
{
    (void)t;
    return os_wall_ms();
}

uint64_t rt_random(struct rt_turn *t)
{
    return seat_random(t->seat);
}
