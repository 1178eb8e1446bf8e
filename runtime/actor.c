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

/* How long a turn may last, and how often a long one looks at the clock. */
#define SLICE_NS 250000
#define CLOCK_MAIL 128

enum turn_end {
    TURN_OUT_OF_MAIL,
    TURN_OUT_OF_TIME,
    TURN_GONE /* the actor has ended, and belongs to its parent */
};

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
 * Turns an inbox's newest-first list around and sorts urgent mail out on the
 * way: priorities cost no atomics.
 */
static void sort_mail(struct rt_actor *a, struct rt_msg *m)
{
    struct rt_msg *todo = NULL, *last = NULL, *urgent = NULL, **end;

    while (m != NULL) {
        struct rt_msg *next = m->next;
        if (UNLIKELY(m->flags & RT_URGENT)) {
            m->next = urgent;
            urgent = m;
        } else {
            if (todo == NULL)
                last = m;
            m->next = todo;
            todo = m;
        }
        m = next;
    }
    if (todo != NULL)
        append(&a->todo, todo, last);
    if (UNLIKELY(urgent != NULL)) {
        for (end = &a->urgent; *end != NULL; end = &(*end)->next)
            ;
        *end = urgent;
    }
}

static inline struct rt_msg *next_mail(struct rt_actor *a)
{
    struct rt_msg **list = a->urgent != NULL ? &a->urgent : &a->todo.first;
    struct rt_msg *m = *list;

    if (m != NULL)
        *list = m->next;
    return m;
}

/*
 * A message may have been meant for an earlier tenant of the slot: its sender
 * must hear of that one's end, not of this actor's.
 */
static void bury_mail(struct rt_seat *seat, const struct rt_actor *a,
                      struct rt_msg *m, enum rt_dead reason)
{
    msg_bury(seat, slot_tenant(a->exit.from, m->generation), m,
             m->generation != a->generation ? RT_DEAD_STALE : reason);
}

static void bury_list(struct rt_seat *seat, struct rt_actor *a,
                      struct rt_msg *m)
{
    while (m != NULL) {
        struct rt_msg *next = m->next;
        bury_mail(seat, a, m, RT_DEAD_CLOSED);
        m = next;
    }
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
    sort_mail(a, inbox_close(&a->inbox));
    bury_list(seat, a, a->urgent);
    bury_list(seat, a, a->todo.first);
    post_letters(seat, a);
    trace_mark(seat, TRACE_END, a->behaviour->name, a->exit.from);
    seat_add(seat, SEAT_DIED);
    if (a->parent.id != 0) {
        msg_deliver(seat, a->parent, &a->exit);
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

/* Acts on what a handler returned. True when the actor is gone. */
static bool after_handler(struct rt_turn *t, enum rt_next next)
{
    if (next == RT_OK)
        return false;
    t->actor->why = next == RT_FAIL ? RT_WHY_FAILED : RT_WHY_NORMAL;
    t->actor->error = next == RT_FAIL ? t->error : 0;
    return end(t);
}

/* One message by the actor's own handler. True when the actor is gone. */
static inline bool handle_plain(struct rt_turn *t, struct rt_msg *m)
{
    struct rt_actor *a = t->actor;
    enum rt_next next = a->behaviour->handle(t, a->state, m);

    if (UNLIKELY(t->taken == m))
        t->taken = NULL;
    else
        msg_destroy(t->seat, m);
    return UNLIKELY(next != RT_OK) && after_handler(t, next);
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

/* A message that needs more than its handler. True when the actor is gone. */
static bool handle_special(struct rt_turn *t, struct rt_msg *m)
{
    struct rt_actor *a = t->actor;
    bool is_exit = m->pool == ACTOR_SLOT;

    if (m->generation != a->generation) {
        bury_mail(t->seat, a, m, RT_DEAD_STALE);
        return false;
    }
    if (m->kind >= SYS_STOP && m->kind <= SYS_DEMONITOR)
        return handle_system(t, m);
    if (is_exit)
        unlink_child(a, (struct rt_actor *)m);
    if (a->phase != ACTOR_STOPPING)
        return handle_plain(t, m);
    /* Nobody will read that descriptor any more: it must not spin the loop. */
    if (m->kind == RT_READY)
        rt_unwatch(t, ((struct rt_ready *)rt_body(m))->fd);
    msg_bury(t->seat, a->exit.from, m, RT_DEAD_STOPPING);
    return is_exit && end(t);
}

static inline bool handle(struct rt_turn *t, struct rt_msg *m)
{
    const struct rt_actor *a = t->actor;

    if (UNLIKELY(m->generation != a->generation || m->kind >= RT_SYSTEM ||
                 a->phase == ACTOR_STOPPING))
        return handle_special(t, m);
    return handle_plain(t, m);
}

/*
 * Handles sorted mail until there is none or the slice is over: an actor gets
 * time in proportion to its mail, so that a busy receiver keeps up with its
 * senders and its mail stays in the cache, but never more than SLICE at once.
 */
static enum turn_end drain(struct rt_turn *t)
{
    uint64_t deadline = 0;
    struct rt_msg *m;

    for (unsigned n = 1; (m = next_mail(t->actor)) != NULL; n++) {
        if (handle(t, m))
            return TURN_GONE;
        if (n % CLOCK_MAIL != 0)
            continue;
        if (deadline == 0)
            deadline = os_now() + SLICE_NS;
        else if (os_now() >= deadline)
            return TURN_OUT_OF_TIME;
    }
    return TURN_OUT_OF_MAIL;
}

/* A turn that begins with a start to run, or with mail left over. */
static enum turn_end run_unusual(struct rt_turn *t)
{
    struct rt_actor *a = t->actor;
    uint8_t phase = a->phase;

    if (phase != ACTOR_STOPPING)
        a->phase = ACTOR_RUNNING;
    if (phase == ACTOR_NEW &&
        after_handler(t, a->behaviour->start(t, a->state)))
        return TURN_GONE;
    sort_mail(a, inbox_take(&a->inbox));
    return drain(t);
}

/*
 * A turn handles the mail that is there when it begins, not what it sends to
 * itself meanwhile. The inbox is looked at also when mail is left over,
 * because urgent mail must not wait behind a long list taken earlier.
 */
static inline enum turn_end run_mail(struct rt_turn *t)
{
    struct rt_actor *a = t->actor;
    struct rt_msg *m;

    if (UNLIKELY(a->phase != ACTOR_RUNNING))
        return run_unusual(t);
    m = inbox_take(&a->inbox);
    if (m == NULL)
        return TURN_OUT_OF_MAIL;
    if (m->next == NULL) /* by far the usual: nothing to sort */
        return handle(t, m) ? TURN_GONE : TURN_OUT_OF_MAIL;
    sort_mail(a, m);
    return drain(t);
}

/* True when the actor must be queued again. */
static inline bool run(struct rt_turn *t)
{
    struct rt_actor *a = t->actor;
    enum turn_end end = run_mail(t);

    if (end == TURN_OUT_OF_MAIL)
        return !inbox_rest(&a->inbox);
    if (end == TURN_GONE)
        return false;
    if (a->phase == ACTOR_RUNNING)
        a->phase = ACTOR_LEFTOVER;
    return true;
}

static bool run_traced(struct rt_turn *t)
{
    struct trace_span span = trace_begin(t->actor);
    bool again = run(t);

    trace_end(t->seat, &span);
    return again;
}

bool actor_turn(struct rt_seat *seat, struct rt_actor *a)
{
    struct rt_turn t;

    t.seat = seat;
    t.actor = a;
    t.taken = NULL;
    t.error = 0;
    seat_add(seat, SEAT_TURNS);
    return UNLIKELY(seat->trace != NULL) ? run_traced(&t) : run(&t);
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
