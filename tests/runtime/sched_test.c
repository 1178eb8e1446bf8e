/* SPDX-License-Identifier: MIT */
/* The scheduler on the simulated machine: no worker sleeps beside work. */
#include "runtime/atomic.h"
#include "runtime/os_sim.h"
#include "simulated.h"
#include "tap.h"

#define WORKERS 3
#define ROUNDS 3
/* Far more than any thread needs to be woken and to find its work. */
#define PATIENCE 100000

/* More than it takes all of them to find that there is none. */
#define REST 1000

enum kind { GO = 1 };

static struct {
    struct rt_ref member[WORKERS];
    uint32_t spawned, arrived[ROUNDS];
} meeting;

/*
 * Waits in its turn, which no real handler may do, until all the others are
 * in theirs: that can only be when each worker has taken one.
 */
static enum rt_next member_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    uint32_t *arrived = &meeting.arrived[*(unsigned *)rt_body(m)];
    unsigned patience = PATIENCE;

    (void)t;
    (void)state;
    atomic_add_relaxed(arrived, 1);
    while (atomic_load_relaxed(arrived) < WORKERS) {
        if (patience-- == 0)
            os_panic("a worker sleeps while an actor waits to run");
        os_sim_stall();
    }
    return RT_OK;
}

static enum rt_next host_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour member = {.name = "member",
                                               .handle = member_handle};

    (void)state;
    for (unsigned i = 0; i < WORKERS; i++)
        meeting.member[i] = rt_spawn(t, &member, NULL);
    atomic_store_release(&meeting.spawned, 1);
    return RT_OK;
}

static enum rt_next host_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    (void)t;
    (void)state;
    (void)m;
    return RT_OK;
}

static void meet(struct rt *rt)
{
    while (!atomic_load_acquire(&meeting.spawned))
        os_sim_stall();
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < WORKERS; i++)
            CHECK(
                rt_tell_any(rt, meeting.member[i], GO, &round, sizeof(round)));
        while (atomic_load_relaxed(&meeting.arrived[round]) < WORKERS)
            os_sim_stall();
    }
    rt_stop_any(rt);
}

static void reset(void)
{
    meeting.spawned = 0;
    for (unsigned i = 0; i < ROUNDS; i++)
        meeting.arrived[i] = 0;
}

static void test_every_worker_takes_its_share(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = host_start, .handle = host_handle};

    simulate(&(struct simulated){.root = &root,
                                 .seeds = 3000,
                                 .workers = WORKERS,
                                 .before = reset,
                                 .during = meet});
}

/* ---- one message, and nothing else -------------------------------------- */

static enum rt_next lone_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    (void)t;
    (void)state;
    atomic_add_relaxed(&meeting.arrived[*(unsigned *)rt_body(m)], 1);
    return RT_OK;
}

/* Until all workers sleep. */
static void rest(void)
{
    for (unsigned i = 0; i < REST; i++)
        os_sim_stall();
}

static uint64_t wakes_of(struct rt *rt)
{
    struct rt_stats stats;

    rt_stats_any(rt, &stats);
    return stats.wakes;
}

static void post_alone(struct rt *rt)
{
    rest();
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t before = wakes_of(rt);

        CHECK(rt_tell_any(rt, rt_root_any(rt), GO, &round, sizeof(round)));
        while (atomic_load_relaxed(&meeting.arrived[round]) == 0)
            os_sim_stall();
        rest();
        CHECK(wakes_of(rt) == before + 1);
    }
    rt_stop_any(rt);
}

/* The one that is woken has nothing to wake the next for. */
static void test_a_lone_message_wakes_one_worker(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .handle = lone_handle};

    simulate(&(struct simulated){.root = &root,
                                 .seeds = 300,
                                 .workers = WORKERS,
                                 .before = reset,
                                 .during = post_alone});
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_every_worker_takes_its_share);
    TEST(test_a_lone_message_wakes_one_worker);
    return TAP_END();
}
