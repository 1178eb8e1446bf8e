/* SPDX-License-Identifier: MIT */
/*
 * The runtime as a whole. Its tree of actors has one root of its own, the
 * guardian, whose children are the clock and, newer, the program's root:
 *
 *   guardian -> clock
 *            -> root -> everything the program starts
 *
 * When the root has ended the guardian ends, and with it the clock. Then no
 * actor is left, so no queue holds any, and the threads can leave. What was
 * handed out and never came back is counted on the way out: the leak test is
 * the exit path.
 */
#include "runtime/rt.h"

#include <assert.h>
#include <stdlib.h>

#include "runtime/actor.h"
#include "runtime/clock.h"
#include "runtime/loop.h"
#include "runtime/msg.h"
#include "runtime/os.h"
#include "runtime/scheduler.h"
#include "runtime/slot.h"
#include "runtime/trace.h"

struct guardian {
    const struct rt_behaviour *root;
    const void *init; /* borrowed: rt_start waits until it is copied */
};

static enum rt_next guardian_start(struct rt_turn *t, void *state)
{
    struct guardian *g = state;
    struct rt *rt = t->seat->rt;

    rt->clock = rt_spawn_at(t, RT_LOOP(0), &clock_behaviour, NULL);
    rt->root = rt_spawn_at(t, rt->config.home, g->root, g->init);
    atomic_store_release(&rt->started, 1);
    os_wake(&rt->started);
    return RT_OK;
}

static enum rt_next guardian_handle(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    (void)state;
    if (m->kind == RT_EXIT && rt_same(m->from, t->seat->rt->root))
        return RT_STOP;
    return RT_OK;
}

static const struct rt_behaviour guardian_behaviour = {
    .name = "guardian",
    .size = sizeof(struct guardian),
    .start = guardian_start,
    .handle = guardian_handle,
};

/* ---- seats ----------------------------------------------------------- */

static void seat_init(struct rt_seat *seat, struct rt *rt, unsigned index)
{
    memset(seat, 0, sizeof(*seat));
    seat->rt = rt;
    pool_cache_init(&seat->pool, rt->pool);
    /* Any odd multiplier keeps the seats' sequences apart; 0 would stick. */
    seat->random = (rt->config.seed + index) * 0x9e3779b97f4a7c15ull | 1;
    seat->timers = index;
    if (rt->config.trace_records > 0)
        seat->trace = trace_create(rt->config.trace_records);
}

/* Returns the blocks it still owes; see pool.h. */
static int64_t seat_finish(struct rt_seat *seat)
{
    trace_destroy(seat->trace);
    return pool_cache_finish(&seat->pool);
}

static void seats_create(struct rt *rt)
{
    unsigned count = rt->worker_count + rt->loop_count;

    rt->seats = os_alloc(count * sizeof(*rt->seats), 64);
    for (unsigned i = 0; i < count; i++)
        seat_init(&rt->seats[i], rt, i);
    seat_init(&rt->outside, rt, RT_SEATS_MAX - 1);
}

static int64_t seats_destroy(struct rt *rt)
{
    int64_t owed = seat_finish(&rt->outside);

    for (unsigned i = 0; i < rt->worker_count + rt->loop_count; i++)
        owed += seat_finish(&rt->seats[i]);
    free(rt->seats);
    return owed;
}

static void add_counts(uint64_t sum[SEAT_COUNTS], const struct rt_seat *seat)
{
    for (unsigned i = 0; i < SEAT_COUNTS; i++)
        sum[i] += atomic_load_relaxed(&seat->count[i]);
}

/* ---- the public face ------------------------------------------------- */

static unsigned bounded(unsigned asked, unsigned otherwise, unsigned most)
{
    unsigned n = asked != 0 ? asked : otherwise;

    return n > most ? most : n;
}

struct rt *rt_start(const struct rt_config *config,
                    const struct rt_behaviour *root, const void *init)
{
    struct rt *rt = os_alloc(sizeof(*rt), 64);
    struct guardian guardian = {.root = root, .init = init};

    memset(rt, 0, sizeof(*rt));
    if (config != NULL)
        rt->config = *config;
    if (rt->config.seed == 0)
        rt->config.seed = os_random();
    rt->worker_count = bounded(rt->config.workers, os_cores(), RT_WORKERS_MAX);
    rt->loop_count = bounded(rt->config.loops, 1, RT_LOOPS_MAX);
    rt->spin = os_spin();
    rt->pool = pool_create();
    slot_init(rt);
    seats_create(rt);
    loop_start(rt);
    scheduler_start(rt);
    rt->guardian = actor_create(&rt->outside, NULL, RT_POOL,
                                &guardian_behaviour, &guardian);
    while (!atomic_load_acquire(&rt->started))
        os_sleep(&rt->started, 0, OS_NEVER);
    return rt;
}

struct rt_ref rt_root_any(const struct rt *rt)
{
    return rt->root;
}

void rt_stop_any(struct rt *rt)
{
    struct rt_msg *m;

    lock_take(&rt->outside_lock);
    m = msg_create(&rt->outside, SYS_STOP, 0);
    m->flags = RT_URGENT;
    msg_deliver(&rt->outside, rt->root, m);
    lock_give(&rt->outside_lock);
}

uint64_t rt_join_traced(struct rt *rt, FILE *out)
{
    struct rt_stats stats;
    int64_t leaks;

    while (!atomic_load_relaxed(&rt->over))
        os_sleep(&rt->over, 0, OS_NEVER);
    /* Seen at the latest with the bells that are rung for it. */
    atomic_store_relaxed(&rt->stopping, 1);
    scheduler_join(rt);
    loop_finish(rt);
    scheduler_finish(rt);
    if (out != NULL)
        trace_write(rt, out);
    rt_stats_any(rt, &stats);
    leaks = (int64_t)stats.actors + seats_destroy(rt);
    leaks -= pool_destroy(rt->pool);
    assert(leaks != 0 || stats.waiting == 0);
    slot_finish(rt);
    free(rt);
    return (uint64_t)leaks;
}

uint64_t rt_join(struct rt *rt)
{
    return rt_join_traced(rt, NULL);
}

static uint64_t count_one(const struct rt *rt, enum seat_count what)
{
    uint64_t sum = atomic_load_acquire(&rt->outside.count[what]);

    for (unsigned i = 0; i < rt->worker_count + rt->loop_count; i++)
        sum += atomic_load_acquire(&rt->seats[i].count[what]);
    return sum;
}

/* Deaths before births: no actor may be seen to die and not to be born, and
 * no message to be read that was not sent. */
void rt_stats_any(struct rt *rt, struct rt_stats *out)
{
    uint64_t sum[SEAT_COUNTS] = {0}, died, read;

    died = count_one(rt, SEAT_DIED);
    read = count_one(rt, SEAT_READ);
    add_counts(sum, &rt->outside);
    for (unsigned i = 0; i < rt->worker_count + rt->loop_count; i++)
        add_counts(sum, &rt->seats[i]);
    *out = (struct rt_stats){.actors = sum[SEAT_BORN] - died,
                             .spawned = sum[SEAT_BORN],
                             .sent = sum[SEAT_SENT],
                             .waiting = sum[SEAT_SENT] - read,
                             .turns = sum[SEAT_TURNS],
                             .steals = sum[SEAT_STEALS],
                             .parks = sum[SEAT_PARKS],
                             .wakes = sum[SEAT_WAKES]};
    for (unsigned i = 0; i < RT_DEAD_REASONS; i++)
        out->dead[i] = sum[SEAT_DEAD + i];
}

void rt_stats(const struct rt_turn *t, struct rt_stats *out)
{
    rt_stats_any(t->seat->rt, out);
}

unsigned rt_dead_letters_any(struct rt *rt, struct rt_dead_letter *out,
                             unsigned max)
{
    uint64_t first;
    unsigned n = 0;

    lock_take(&rt->dead_lock);
    first = rt->dead_total > RT_DEAD_KEPT ? rt->dead_total - RT_DEAD_KEPT : 0;
    if (rt->dead_total - first > max)
        first = rt->dead_total - max;
    while (first < rt->dead_total)
        out[n++] = rt->dead[first++ % RT_DEAD_KEPT];
    lock_give(&rt->dead_lock);
    return n;
}
