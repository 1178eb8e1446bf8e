/* SPDX-License-Identifier: MIT */
#include "simulated.h"

#include <inttypes.h>

#include "runtime/atomic.h"
#include "runtime/os_sim.h"

#define NOTES 4096

static struct {
    unsigned what[NOTES];
    unsigned count;
} notes;

void note(unsigned what)
{
    unsigned i = atomic_add_relaxed(&notes.count, 1);

    CHECK(i < NOTES);
    atomic_store_relaxed(&notes.what[i], what);
}

unsigned note_count(void)
{
    return atomic_load_relaxed(&notes.count);
}

unsigned noted(unsigned i)
{
    CHECK(i < note_count());
    return atomic_load_relaxed(&notes.what[i]);
}

void noted_are(const unsigned *what, unsigned count)
{
    for (unsigned i = 0; i < count && i < note_count(); i++)
        if (noted(i) != what[i])
            os_panic("note %u is %u, not %u", i, noted(i), what[i]);
    if (note_count() != count)
        os_panic("%u notes, not %u", note_count(), count);
}

static void simulate_one(const struct simulated *s, uint64_t seed)
{
    struct rt_config config = {.loops = 2};
    uint64_t leaks;
    struct rt *rt;

    config.workers = s->workers != 0 ? s->workers : 1 + seed % 4;
    notes.count = 0;
    if (s->before != NULL)
        s->before();
    os_sim_begin(seed);
    rt = rt_start(&config, s->root, s->init);
    if (s->during != NULL)
        s->during(rt);
    leaks = rt_join(rt);
    if (leaks != 0)
        os_panic("%" PRIu64 " messages, actors or states leaked", leaks);
    os_sim_end();
    if (s->after != NULL)
        s->after();
}

void simulate(const struct simulated *s)
{
    for (uint64_t seed = 1; seed <= s->seeds; seed++)
        simulate_one(s, seed);
}
