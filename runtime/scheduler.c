/* SPDX-License-Identifier: MIT */
/*
 * Workers: each runs one actor after another.
 *
 *   lifo     the actor woken last, private: a pair that plays ping-pong stays
 *            on one core and wakes no other
 *   ring     a bounded FIFO the owner fills and all workers take from
 *   backlog  what the ring cannot hold, private; never spilled to a shared
 *            list, which would cost three orders of magnitude under overflow
 *   inject   actors woken from outside the workers, shared
 *
 * Sleeping. The dearest thing here is not a message (tens of nanoseconds) but
 * waking a sleeping core (tens of microseconds), hence: wake one worker and
 * only when none is searching already; the last searcher that finds work
 * wakes the next if there is more. No wake-up is lost, because
 *
 *   submitter: queue, full fence, read `searching` and `parked`
 *   parker:    set its bit in `parked`, leave `searching`, full fence, look
 *              at every queue once more, sleep while its bit is set
 *
 * Whichever fence comes second sees the other's writes. The last searcher does
 * as the parker does: it leaves `searching`, full fence, looks for more. The
 * bit is the truth; the bell only lets the kernel notice that it changed.
 *
 * Orders. What `parked` and `searching` say of the queues rests on the fences.
 * A searcher that leaves as the last one must see who has parked: leaving to
 * park releases the bit, leaving with work acquires it. The bell releases what
 * made it ring, and who reads it anew sees its bit cleared, or the end.
 *
 * A worker that queues one actor of its own looks at `parked` without a fence,
 * the dearest instruction here. It may miss one that parks just then, but the
 * actor is not lost: the worker itself runs its queues dry before it sleeps.
 * Many at once, or what others had been woken for, are worth the fence.
 */
#include "runtime/scheduler.h"

#include <stdlib.h>

#include "runtime/loop.h"
#include "runtime/os.h"
#include "runtime/plant.h"
#include "runtime/trace.h"

#define RING 256
#define LIFO_RUN 64    /* times in a row before the ring has its turn */
#define INJECT_TICK 61 /* looks between looks at the shared list */
#define STEAL_MAX 128

struct worker {
    ck_ring_t ring;
    ck_ring_buffer_t slot[RING];
    struct rt_seat *seat __attribute__((aligned(64)));
    struct rt_actor *lifo;
    struct rt_actor *backlog, *backlog_last;
    unsigned lifo_run, tick;
    unsigned id;
    uint32_t bell __attribute__((aligned(64)));
    struct os_thread *thread;
} __attribute__((aligned(64)));

static struct rt_actor *link_of(struct rt_actor *a)
{
    return (struct rt_actor *)a->exit.next;
}

static void set_link(struct rt_actor *a, struct rt_actor *next)
{
    a->exit.next = (struct rt_msg *)next;
}

/* ---- waking ---------------------------------------------------------- */

static void wake_one(struct rt_seat *seat)
{
    struct rt *rt = seat->rt;
    uint64_t parked;

    atomic_fence();
    /* Signed: the woken may find work and leave before it is counted in. */
    if ((int32_t)atomic_load_relaxed(&rt->searching) > 0)
        return;
    parked = atomic_load_relaxed(&rt->parked);
    while (parked != 0) {
        unsigned id = (unsigned)__builtin_ctzll(parked);
        if (!atomic_cas_relaxed(&rt->parked, &parked, parked & (parked - 1)))
            continue;
        atomic_add_relaxed(&rt->searching, 1); /* on behalf of the woken */
        atomic_add_release(&rt->workers[id].bell, 1);
        os_wake(&rt->workers[id].bell);
        seat_add(seat, SEAT_WAKES);
        trace_mark(seat, TRACE_WAKE, "wake", RT_NOBODY);
        return;
    }
}

/* Without a fence: see above. */
static void wake_if_parked(struct rt_seat *seat)
{
    if (atomic_load_relaxed(&seat->rt->parked) != 0)
        wake_one(seat);
}

/* ---- queues ---------------------------------------------------------- */

static void enqueue(struct worker *w, struct rt_actor *a)
{
    if (w->backlog == NULL && ck_ring_enqueue_spmc(&w->ring, w->slot, a))
        return;
    set_link(a, NULL);
    if (w->backlog == NULL)
        w->backlog = a;
    else
        set_link(w->backlog_last, a);
    w->backlog_last = a;
}

/* The ring is empty: takes one actor and a ring full of the backlog. */
static struct rt_actor *refill(struct worker *w)
{
    struct rt_actor *first = w->backlog, *a;

    if (first == NULL)
        return NULL;
    a = link_of(first);
    while (a != NULL) {
        struct rt_actor *next = link_of(a);
        if (!ck_ring_enqueue_spmc(&w->ring, w->slot, a))
            break;
        a = next;
    }
    w->backlog = a;
    wake_one(w->seat);
    return first;
}

static void inject(struct rt_seat *seat, struct rt_actor *a)
{
    ck_stack_push_upmc(&seat->rt->inject, (ck_stack_entry_t *)&a->exit.next);
    wake_one(seat);
}

/* Takes all that was injected, oldest first. */
static struct rt_actor *from_inject(struct worker *w)
{
    struct rt *rt = w->seat->rt;
    struct rt_actor *a, *first = NULL;

    if (atomic_load_relaxed(&rt->inject.head) == NULL)
        return NULL;
    a = (struct rt_actor *)ck_stack_batch_pop_upmc(&rt->inject);
    while (a != NULL) {
        struct rt_actor *next = link_of(a);
        set_link(a, first);
        first = a;
        a = next;
    }
    if (first == NULL)
        return NULL;
    a = link_of(first);
    while (a != NULL) {
        struct rt_actor *next = link_of(a);
        enqueue(w, a);
        a = next;
        if (next == NULL)
            wake_one(w->seat);
    }
    return first;
}

void scheduler_submit(struct rt_seat *seat, struct rt_actor *a)
{
    struct worker *w = seat->worker;
    struct rt_actor *displaced;

    if (a->home != RT_POOL) {
        loop_submit(seat, a);
    } else if (w == NULL) {
        inject(seat, a);
    } else {
        displaced = w->lifo;
        w->lifo = a;
        if (displaced != NULL) {
            enqueue(w, displaced);
            wake_if_parked(seat);
        }
    }
}

/* ---- finding work ---------------------------------------------------- */

static struct rt_actor *next_own(struct worker *w)
{
    struct rt_actor *a = NULL;

    if (w->tick-- == 0) {
        w->tick = INJECT_TICK;
        if ((a = from_inject(w)) != NULL)
            return a;
    }
    if (w->lifo != NULL && w->lifo_run < LIFO_RUN) {
        a = w->lifo;
        w->lifo = NULL;
        w->lifo_run++;
        return a;
    }
    w->lifo_run = 0;
    if (ck_ring_dequeue_spmc(&w->ring, w->slot, &a))
        return a;
    if ((a = refill(w)) != NULL)
        return a;
    if (w->lifo != NULL) {
        a = w->lifo;
        w->lifo = NULL;
        return a;
    }
    return from_inject(w);
}

/* Takes one actor to run and up to half of the rest for its own ring. */
static struct rt_actor *steal_from(struct worker *w, struct worker *victim)
{
    struct rt_actor *first, *more;
    unsigned half;

    if (!ck_ring_dequeue_spmc(&victim->ring, victim->slot, &first))
        return NULL;
    seat_add(w->seat, SEAT_STEALS);
    half = ck_ring_size(&victim->ring) / 2;
    for (unsigned i = 0; i < half && i < STEAL_MAX; i++) {
        if (!ck_ring_trydequeue_spmc(&victim->ring, victim->slot, &more))
            break;
        enqueue(w, more);
    }
    /* On the way from ring to ring no worker saw them. */
    wake_one(w->seat);
    return first;
}

static struct rt_actor *steal(struct worker *w)
{
    struct rt *rt = w->seat->rt;
    unsigned n = rt->worker_count;
    unsigned start = (unsigned)(seat_random(w->seat) % n);

    for (unsigned i = 0; i < n; i++) {
        struct worker *victim = &rt->workers[(start + i) % n];
        struct rt_actor *a = NULL;
        if (victim != w && (a = steal_from(w, victim)) != NULL)
            return a;
    }
    return NULL;
}

static struct rt_actor *look(struct worker *w)
{
    struct rt_actor *a = next_own(w);

    return a != NULL ? a : steal(w);
}

/* Clears the worker's bit. False when a waker had done so already. */
static bool unpark(struct worker *w)
{
    struct rt *rt = w->seat->rt;
    uint64_t bit = 1ull << w->id, parked = atomic_load_relaxed(&rt->parked);

    while (parked & bit)
        if (atomic_cas_relaxed(&rt->parked, &parked, parked & ~bit))
            return true;
    return false;
}

static void sleep_parked(struct worker *w)
{
    struct rt *rt = w->seat->rt;
    uint64_t bit = 1ull << w->id;

    seat_add(w->seat, SEAT_PARKS);
    trace_mark(w->seat, TRACE_PARK, "park", RT_NOBODY);
    for (;;) {
        uint32_t seen = atomic_load_acquire(&w->bell);
        if (!(atomic_load_relaxed(&rt->parked) & bit) ||
            atomic_load_relaxed(&rt->stopping))
            return;
        os_sleep(&w->bell, seen, OS_NEVER);
    }
}

/* Whether anything is queued where any worker may take it. */
static bool is_work_left(struct rt *rt)
{
    unsigned i = 0;

    while (i < rt->worker_count && ck_ring_size(&rt->workers[i].ring) == 0)
        i++;
    return i < rt->worker_count || atomic_load_relaxed(&rt->inject.head);
}

/*
 * With work found and searching no more. Submitters saw a searcher and woke
 * none: what they have queued since is for the next one. Mostly that is
 * nothing, and to wake a worker for it would take longer than what was found.
 */
static void pass_search_on(struct worker *w)
{
    atomic_fence();
    if (is_work_left(w->seat->rt))
        wake_if_parked(w->seat);
}

static void leave_search(struct worker *w)
{
    if ((int32_t)atomic_add_acquire(&w->seat->rt->searching, (uint32_t)-1) <= 1)
        pass_search_on(w);
}

/*
 * Out of work. The worker counts as searching from here until it has found
 * some or its bit in `parked` is set; a waker counts the woken in again.
 */
static struct rt_actor *search(struct worker *w)
{
    struct rt *rt = w->seat->rt;
    struct rt_actor *a;

    atomic_add_relaxed(&rt->searching, 1);
    for (;;) {
        for (unsigned i = 0; i <= rt->spin; i++) {
            if ((a = look(w)) != NULL) {
                leave_search(w);
                return a;
            }
            atomic_stall();
        }
        atomic_add_relaxed(&rt->parked, 1ull << w->id); /* it is not set */
        atomic_add_release(&rt->searching, (uint32_t)-1);
        if (PLANT != PLANT_NO_FENCE)
            atomic_fence();
        if (PLANT != PLANT_LOST_PARK && (a = look(w)) != NULL) {
            if (unpark(w))
                pass_search_on(w); /* it had counted until just now */
            else
                leave_search(w);
            return a;
        }
        sleep_parked(w);
        if (atomic_load_relaxed(&rt->stopping))
            return NULL;
    }
}

/* ---- the thread ------------------------------------------------------ */

static void worker_main(void *arg)
{
    struct worker *w = arg;
    struct rt_actor *a;

    for (;;) {
        if ((a = next_own(w)) == NULL && (a = search(w)) == NULL)
            return;
        if (actor_turn(w->seat, a)) {
            enqueue(w, a);
            wake_if_parked(w->seat);
        }
    }
}

void scheduler_start(struct rt *rt)
{
    size_t bytes = rt->worker_count * sizeof(*rt->workers);

    rt->workers = os_alloc(bytes, 64);
    memset(rt->workers, 0, bytes);
    for (unsigned i = 0; i < rt->worker_count; i++) {
        struct worker *w = &rt->workers[i];
        ck_ring_init(&w->ring, RING);
        w->id = i;
        w->seat = &rt->seats[i];
        w->seat->worker = w;
    }
    for (unsigned i = 0; i < rt->worker_count; i++)
        rt->workers[i].thread =
            os_thread_start("rt-worker", worker_main, &rt->workers[i]);
}

void scheduler_join(struct rt *rt)
{
    for (unsigned i = 0; i < rt->worker_count; i++) {
        atomic_add_release(&rt->workers[i].bell, 1);
        os_wake(&rt->workers[i].bell);
    }
    for (unsigned i = 0; i < rt->worker_count; i++)
        os_thread_join(rt->workers[i].thread);
}

void scheduler_finish(struct rt *rt)
{
    free(rt->workers);
}
