/* SPDX-License-Identifier: MIT */
/*
 * A turn: one run of one actor, by whichever worker took it from a queue, or
 * by the loop it lives on. It ends with the actor idle, queued again or gone.
 */
#include "runtime/actor.h"
#include "runtime/inbox.h"
#include "runtime/loop.h"
#include "runtime/mail.h"
#include "runtime/msg.h"
#include "runtime/os.h"
#include "runtime/trace.h"

/* How long a turn may last, and how often a long one looks at the clock. */
#define SLICE_NS 250000
#define CLOCK_MAIL 128

enum turn_end {
    TURN_OUT_OF_MAIL,
    TURN_OUT_OF_TIME,
    TURN_GONE /* the actor has ended, and belongs to its parent */
};

/* Acts on what a handler returned. True when the actor is gone. */
static bool after_handler(struct rt_turn *t, enum rt_next next)
{
    if (next == RT_OK)
        return false;
    t->actor->why = next == RT_FAIL ? RT_WHY_FAILED : RT_WHY_NORMAL;
    t->actor->error = next == RT_FAIL ? t->error : 0;
    return actor_end(t);
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
        actor_remove_letter(t->seat, a, m->from);
    msg_destroy(t->seat, m);
    if (stops)
        a->why = RT_WHY_STOPPED;
    return stops && actor_end(t);
}

/* A message that needs more than its handler. True when the actor is gone. */
static bool handle_special(struct rt_turn *t, struct rt_msg *m)
{
    struct rt_actor *a = t->actor;
    bool is_exit = m->pool == ACTOR_SLOT;

    if (m->generation != a->generation) {
        mail_bury(t->seat, a, m, RT_DEAD_STALE);
        return false;
    }
    if (m->kind >= SYS_STOP && m->kind <= SYS_DEMONITOR)
        return handle_system(t, m);
    if (is_exit)
        actor_unlink(a, (struct rt_actor *)m);
    if (m->kind == RT_READY && !loop_watches(t, rt_body(m))) {
        msg_destroy(t->seat, m);
        return false;
    }
    if (a->phase != ACTOR_STOPPING)
        return handle_plain(t, m);
    /* That descriptor will not be read any more: it must not spin the loop. */
    if (m->kind == RT_READY)
        rt_unwatch(t, ((struct rt_ready *)rt_body(m))->fd);
    msg_bury(t->seat, a->exit.from, m, RT_DEAD_STOPPING);
    return is_exit && actor_end(t);
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

    for (unsigned n = 1; (m = mail_next(t->actor)) != NULL; n++) {
        seat_add_end(t->seat, SEAT_READ);
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
    mail_sort(a, inbox_take(&a->inbox));
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
    if (m->next == NULL) { /* by far the usual: nothing to sort */
        seat_add_end(t->seat, SEAT_READ);
        return handle(t, m) ? TURN_GONE : TURN_OUT_OF_MAIL;
    }
    mail_sort(a, m);
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
