/* SPDX-License-Identifier: MIT */
/*
 * The life of a message: a pool, a sender, an inbox, a handler, a pool. Those
 * that find no actor end here as dead letters, so that none is ever lost
 * without a trace.
 */
#include "runtime/msg.h"

#include <assert.h>
#include <stdlib.h>

#include "runtime/inbox.h"
#include "runtime/scheduler.h"
#include "runtime/slot.h"

struct rt_msg *msg_create(struct rt_seat *seat, uint16_t kind, size_t size)
{
    size_t whole = sizeof(struct rt_msg) + size;
    unsigned class = pool_class(whole);
    struct rt_msg *m = pool_get(&seat->pool, class, whole);

    m->from = RT_NOBODY;
    m->kind = kind;
    m->flags = 0;
    m->pool = (uint8_t) class;
    return m;
}

void msg_destroy(struct rt_seat *seat, struct rt_msg *m)
{
    if (UNLIKELY(m->flags & RT_CARRIES))
        rt_obj_drop(RT_OBJ(m, struct rt_obj));
    if (UNLIKELY(m->pool == ACTOR_SLOT))
        slot_put(seat, (struct rt_actor *)m);
    else
        pool_put(&seat->pool, m->pool, m);
}

/*
 * A monitor that finds its actor dead turns around: it carries the answer,
 * and when the asker has died too it is an ordinary dead letter.
 */
static void answer_monitor(struct rt_seat *seat, struct rt_ref dead,
                           struct rt_msg *m)
{
    struct rt_ref asker = m->from;

    m->from = dead;
    m->kind = RT_DOWN;
    *(struct rt_end *)rt_body(m) = (struct rt_end){.why = RT_WHY_NOBODY};
    msg_deliver(seat, asker, m);
}

void msg_bury(struct rt_seat *seat, struct rt_ref to, struct rt_msg *m,
              enum rt_dead reason)
{
    struct rt *rt = seat->rt;

    if (m->kind == SYS_MONITOR) {
        answer_monitor(seat, to, m);
        return;
    }
    /* A stop, a timer or a farewell that comes too late is no news. */
    if (m->kind < RT_SYSTEM && !(m->flags & MSG_TIMER)) {
        seat_add(seat, SEAT_DEAD + reason);
        lock_take(&rt->dead_lock);
        rt->dead[rt->dead_total++ % RT_DEAD_KEPT] = (struct rt_dead_letter){
            .to = to, .from = m->from, .kind = m->kind, .reason = reason};
        lock_give(&rt->dead_lock);
    }
    msg_destroy(seat, m);
}

/* Buries a chain in the order it was meant to arrive in. */
static bool refuse(struct rt_seat *seat, struct rt_ref to,
                   struct rt_msg *newest, struct rt_msg *oldest,
                   enum rt_dead reason)
{
    struct rt_msg *turned = NULL;

    oldest->next = NULL;
    while (newest != NULL) {
        struct rt_msg *next = newest->next;
        newest->next = turned;
        turned = newest;
        newest = next;
    }
    while (turned != NULL) {
        struct rt_msg *next = turned->next;
        seat_add_end(seat, SEAT_READ);
        msg_bury(seat, to, turned, reason);
        turned = next;
    }
    return false;
}

/* `count` messages, linked newest first. */
static inline bool deliver(struct rt_seat *seat, struct rt_ref to,
                           struct rt_msg *newest, struct rt_msg *oldest,
                           uint64_t count)
{
    struct rt_actor *actor = slot_find(seat->rt, to);
    enum inbox_push pushed;

    seat_add_many(seat, SEAT_SENT, count);
    if (UNLIKELY(actor == NULL))
        return refuse(seat, to, newest, oldest, RT_DEAD_STALE);
    pushed = inbox_push(&actor->inbox, newest, oldest);
    if (UNLIKELY(pushed == INBOX_REFUSED))
        return refuse(seat, to, newest, oldest, RT_DEAD_CLOSED);
    if (pushed == INBOX_WOKEN)
        scheduler_submit(seat, actor);
    return true;
}

bool msg_deliver(struct rt_seat *seat, struct rt_ref to, struct rt_msg *m)
{
    m->generation = slot_generation(to);
    return deliver(seat, to, m, m, 1);
}

struct rt_msg *rt_msg_raw(struct rt_turn *t, uint16_t kind, size_t size)
{
    assert(kind < RT_SYSTEM);
    return msg_create(t->seat, kind, size);
}

bool rt_send(struct rt_turn *t, struct rt_ref to, struct rt_msg *m)
{
    m->from = t->actor->exit.from;
    return msg_deliver(t->seat, to, m);
}

bool msg_tell(struct rt_turn *t, struct rt_ref to, uint16_t kind,
              const void *body, size_t size)
{
    struct rt_msg *m = msg_create(t->seat, kind, size);

    if (size > 0)
        memcpy(rt_body(m), body, size);
    return rt_send(t, to, m);
}

/* The caller's order is oldest first, an inbox's is newest first. */
bool rt_send_chain(struct rt_turn *t, struct rt_ref to, struct rt_msg *oldest)
{
    struct rt_msg *newest = NULL, *m = oldest;
    uint64_t count = 0;

    while (m != NULL) {
        struct rt_msg *next = m->next;
        m->from = t->actor->exit.from;
        m->generation = slot_generation(to);
        m->next = newest;
        newest = m;
        m = next;
        count++;
    }
    return newest == NULL || deliver(t->seat, to, newest, oldest, count);
}

struct rt_msg *rt_take(struct rt_turn *t, struct rt_msg *m)
{
    assert(m->pool != ACTOR_SLOT);
    t->taken = m;
    return m;
}

void rt_free(struct rt_turn *t, struct rt_msg *m)
{
    if (m != NULL)
        msg_destroy(t->seat, m);
}

bool rt_tell_any(struct rt *rt, struct rt_ref to, uint16_t kind,
                 const void *body, size_t size)
{
    struct rt_msg *m;
    bool accepted;

    assert(kind < RT_SYSTEM);
    lock_take(&rt->outside_lock);
    m = msg_create(&rt->outside, kind, size);
    if (size > 0)
        memcpy(rt_body(m), body, size);
    accepted = msg_deliver(&rt->outside, to, m);
    lock_give(&rt->outside_lock);
    return accepted;
}

void rt_obj_free(struct rt_obj *o)
{
    free(o);
}

void rt_obj_init(struct rt_obj *o, void (*free)(struct rt_obj *))
{
    *o = (struct rt_obj){.refs = 1, .free = free};
}

struct rt_obj *rt_obj_keep(struct rt_obj *o)
{
    atomic_add_relaxed(&o->refs, 1);
    return o;
}

/* Who frees it has seen the end of what all others did with it. */
void rt_obj_drop(struct rt_obj *o)
{
    if (o != NULL && atomic_add_acq_rel(&o->refs, (uint32_t)-1) == 1)
        o->free(o);
}
