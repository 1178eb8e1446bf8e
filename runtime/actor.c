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
#include "runtime/msg.h"
#include "runtime/sched.h"
#include "runtime/slot.h"
#include "runtime/trace.h"

/* Mail handled in one turn. Throughput is flat from 32 on; 128 keeps a turn
 * to some microseconds of the runtime's own work. */
#define TURN_MAIL 128

struct rt_ref actor_create(struct rt_seat *seat, struct rt_actor *parent,
                           unsigned home, const struct rt_behaviour *b,
                           const void *init)
{
    struct rt_actor *a = slot_get(seat);
    struct rt_ref self = a->exit.from;

    a->exit.to = parent != NULL ? parent->exit.from : RT_NOBODY;
    a->exit.kind = RT_EXIT;
    a->exit.size = sizeof(struct rt_end);
    a->exit.flags = RT_URGENT;
    a->exit.pool = ACTOR_SLOT;
    a->error = 0;
    a->why = RT_WHY_NORMAL;
    a->phase = b->start != NULL ? ACTOR_NEW : ACTOR_RUNNING;
    a->home = (uint8_t)home;
    a->has_timers = false;
    a->behaviour = b;
    a->letters = NULL;
    a->urgent = a->todo = (struct actor_list){0};
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
    ck_pr_fence_store();
    /* From here on others may send to it, and run it. */
    if (a->phase == ACTOR_NEW) {
        ck_pr_store_ptr(&a->inbox, NULL);
        sched_submit(seat, a);
    } else {
        ck_pr_store_ptr(&a->inbox, INBOX_IDLE);
    }
    return self;
}

static void append(struct actor_list *list, struct rt_msg *first,
                   struct rt_msg *last)
{
    if (list->first == NULL)
        list->first = first;
    else
        list->last->next = first;
    list->last = last;
}

/*
 * Turns the inbox's newest-first list around and sorts urgent mail out on the
 * way: priorities cost no atomics.
 */
static void collect(struct rt_actor *a)
{
    struct rt_msg *m = inbox_take(&a->inbox);
    struct actor_list urgent = {0}, todo = {.last = m};

    while (m != NULL) {
        struct rt_msg *next = m->next;
        struct actor_list *list = m->flags & RT_URGENT ? &urgent : &todo;
        if (list->first == NULL)
            list->last = m;
        m->next = list->first;
        list->first = m;
        m = next;
    }
    if (urgent.first != NULL)
        append(&a->urgent, urgent.first, urgent.last);
    if (todo.first != NULL)
        append(&a->todo, todo.first, todo.last);
}

static struct rt_msg *shift(struct actor_list *list)
{
    struct rt_msg *m = list->first;

    if (m != NULL)
        list->first = m->next;
    return m;
}

static struct rt_msg *next_mail(struct rt_actor *a)
{
    struct rt_msg *m = shift(&a->urgent);

    return m != NULL ? m : shift(&a->todo);
}

static void bury_list(struct rt_seat *seat, struct rt_msg *m)
{
    while (m != NULL) {
        struct rt_msg *next = m->next;
        msg_bury(seat, m, RT_DEAD_CLOSED);
        m = next;
    }
}

static void post_letters(struct rt_seat *seat, struct rt_actor *a)
{
    struct rt_msg *m = a->letters;

    while (m != NULL) {
        struct rt_msg *next = m->next;
        m->to = m->from;
        m->from = a->exit.from;
        m->kind = RT_DOWN;
        m->flags = RT_URGENT;
        *(struct rt_end *)rt_body(m) =
            (struct rt_end){.error = a->error, .why = a->why};
        msg_deliver(seat, m);
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
    collect(a);
    bury_list(seat, a->urgent.first);
    bury_list(seat, a->todo.first);
    bury_list(seat, inbox_close(&a->inbox));
    post_letters(seat, a);
    trace_mark(seat, TRACE_END, a->behaviour->name, a->exit.from);
    seat_add(seat, SEAT_DIED);
    if (a->exit.to.id != 0) {
        msg_deliver(seat, &a->exit);
        return;
    }
    slot_put(seat, a);
    ck_pr_store_32(&rt->over, 1);
    os_wake(&rt->over);
}

static void order_stop(struct rt_turn *t, struct rt_ref who, uint8_t flags)
{
    struct rt_msg *m = msg_create(t->seat, SYS_STOP, 0);

    m->flags = flags;
    rt_send(t, who, m);
}

/* One step of ending. True when the actor has gone. */
static bool end(struct rt_turn *t)
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

static void unlink_child(struct rt_actor *a, struct rt_actor *child)
{
    if (child->newer != NULL)
        child->newer->older = child->older;
    else
        a->children = child->older;
    if (child->older != NULL)
        child->older->newer = child->newer;
}

static void remove_letter(struct rt_seat *seat, struct rt_actor *a,
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

static bool after_handler(struct rt_turn *t, enum rt_next next)
{
    if (next == RT_OK)
        return false;
    t->actor->why = next == RT_FAIL ? RT_WHY_FAILED : RT_WHY_NORMAL;
    t->actor->error = next == RT_FAIL ? t->error : 0;
    return end(t);
}

/* Mail the handler must not see, in any phase. True when the actor is gone. */
static bool handle_system(struct rt_turn *t, struct rt_msg *m)
{
    struct rt_actor *a = t->actor;
    bool stops = m->kind == SYS_STOP && a->phase != ACTOR_STOPPING;

    if (m->kind == SYS_MONITOR) {
        m->next = a->letters;
        a->letters = m;
        return false;
    }
    if (m->kind == SYS_DEMONITOR)
        remove_letter(t->seat, a, m->from);
    msg_destroy(t->seat, m);
    if (stops)
        a->why = RT_WHY_STOPPED;
    return stops && end(t);
}

/* One message. True when the actor is gone. */
static bool handle(struct rt_turn *t, struct rt_msg *m)
{
    struct rt_actor *a = t->actor;
    enum rt_next next;

    if (m->to.id != a->exit.from.id) {
        msg_bury(t->seat, m, RT_DEAD_STALE);
        return false;
    }
    if (m->kind >= SYS_STOP && m->kind <= SYS_DEMONITOR)
        return handle_system(t, m);
    if (m->pool == ACTOR_SLOT)
        unlink_child(a, (struct rt_actor *)m);
    if (a->phase == ACTOR_STOPPING) {
        bool is_exit = m->pool == ACTOR_SLOT;
        msg_bury(t->seat, m, RT_DEAD_STOPPING);
        return is_exit && end(t);
    }
    next = a->behaviour->handle(t, a->state, m);
    if (t->taken == m)
        t->taken = NULL;
    else
        msg_destroy(t->seat, m);
    return after_handler(t, next);
}

static bool run(struct rt_turn *t, unsigned *handled)
{
    struct rt_actor *a = t->actor;

    if (a->phase == ACTOR_NEW) {
        a->phase = ACTOR_RUNNING;
        if (after_handler(t, a->behaviour->start(t, a->state)))
            return false;
    }
    collect(a);
    for (*handled = 0; *handled < TURN_MAIL; ++*handled) {
        struct rt_msg *m = next_mail(a);
        if (m == NULL) {
            if (inbox_rest(&a->inbox))
                return false;
            collect(a);
            m = next_mail(a);
        }
        if (handle(t, m))
            return false;
    }
    return true;
}

bool actor_turn(struct rt_seat *seat, struct rt_actor *a)
{
    struct rt_turn t = {.seat = seat, .actor = a};
    struct trace_span span = trace_begin(seat, a);
    unsigned handled = 0;
    bool again = run(&t, &handled);

    seat_add(seat, SEAT_TURNS);
    trace_end(seat, &span, handled);
    return again;
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
    return t->actor->exit.to;
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
