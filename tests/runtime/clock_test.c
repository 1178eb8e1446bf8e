/* SPDX-License-Identifier: MIT */
/* Timers in the simulator's time, which jumps to the next deadline. */
#include <string.h>

#include "simulated.h"
#include "tap.h"

#define SEEDS 200
#define MS 1000000ull
#define YEAR 31556952000ull

enum kind { TICK = 1, NEVER, GO, DONE };

/* ---- when
 * -------------------------------------------------------------------- */

#define SPREAD 200

struct timed {
    uint64_t id[SPREAD], asked_at[SPREAD], ms[SPREAD];
    unsigned fired;
    uint64_t last;
};

static enum rt_next spread_start(struct rt_turn *t, void *state)
{
    static const uint64_t edges[] = {0, 1, 2, 63, 64, 65, 4095, 4096, 4097};
    struct timed *s = state;

    for (unsigned i = 0; i < SPREAD; i++) {
        s->ms[i] = i < 9 ? edges[i] : rt_random(t) % (1ull << i % 40);
        s->asked_at[i] = rt_now(t);
        s->id[i] = rt_after(t, s->ms[i], TICK);
    }
    return RT_OK;
}

static enum rt_next spread_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct timed *s = state;
    uint64_t id = ((struct rt_alarm *)rt_body(m))->id, due;
    unsigned i = 0;

    while (i < SPREAD && s->id[i] != id)
        i++;
    CHECK(i < SPREAD && m->kind == TICK);
    s->id[i] = 0;
    due = s->asked_at[i] + s->ms[i] * MS;
    CHECK(rt_now(t) >= due && rt_now(t) <= due + MS);
    CHECK(due >= s->last);
    s->last = due;
    return ++s->fired == SPREAD ? RT_STOP : RT_OK;
}

static void test_fires_in_order_and_in_time(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct timed),
                                             .start = spread_start,
                                             .handle = spread_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS});
}

struct many {
    unsigned fired;
};

#define MANY 10000

static enum rt_next many_start(struct rt_turn *t, void *state)
{
    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        rt_after(t, rt_random(t) % 5000, TICK);
        if (i % 10 == 0)
            rt_cancel(t, rt_after(t, 1 + rt_random(t) % 5000, NEVER));
    }
    return RT_OK;
}

static enum rt_next many_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct many *s = state;

    (void)t;
    CHECK(m->kind == TICK);
    return ++s->fired == MANY ? RT_STOP : RT_OK;
}

static void test_many_timers(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct many),
                                             .start = many_start,
                                             .handle = many_handle};

    simulate(&(struct simulated){.root = &root, .seeds = 4});
}

static enum rt_next huge_start(struct rt_turn *t, void *state)
{
    (void)state;
    rt_after(t, UINT64_MAX, NEVER);
    rt_after(t, UINT64_MAX / 2, NEVER);
    rt_after(t, UINT64_MAX / 2 + 1, NEVER);
    rt_after(t, 1000 * YEAR, NEVER);
    rt_after(t, 10 * YEAR, TICK);
    return RT_OK;
}

static enum rt_next huge_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    (void)state;
    CHECK(m->kind == TICK);
    CHECK(rt_now(t) >= 10 * YEAR * MS && rt_now(t) < 11 * YEAR * MS);
    return RT_STOP;
}

static void test_years(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = huge_start, .handle = huge_handle};

    simulate(&(struct simulated){.root = &root, .seeds = 50});
}

/* ---- taking back
 * ---------------------------------------------------------------- */

static enum rt_next cancel_start(struct rt_turn *t, void *state)
{
    uint64_t *late = state, id = rt_after(t, 10, NEVER);

    rt_cancel(t, id);
    rt_cancel(t, id);
    rt_cancel(t, 0);
    *late = rt_after(t, 20, TICK);
    rt_cancel(t, rt_after(t, 0, NEVER));
    return RT_OK;
}

static enum rt_next cancel_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    uint64_t *late = state;

    CHECK(m->kind != NEVER);
    if (m->kind == DONE)
        return RT_STOP;
    CHECK(((struct rt_alarm *)rt_body(m))->id == *late);
    rt_cancel(t, *late); /* it has fired */
    rt_after(t, 1, DONE);
    return RT_OK;
}

static void test_cancelled_timers_are_silent(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(uint64_t),
                                             .start = cancel_start,
                                             .handle = cancel_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS});
}

/* Many thieves, because owners share the chains of the clock's table. */
#define THIEVES 200

static enum rt_next thief_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    (void)state;
    rt_cancel(t, *(uint64_t *)rt_body(m));
    return RT_STOP;
}

struct robbed {
    uint64_t timer;
    unsigned exits;
};

static enum rt_next robbed_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour thief = {.name = "thief",
                                              .handle = thief_handle};
    struct robbed *r = state;

    r->timer = rt_after(t, 1000, DONE);
    for (unsigned i = 0; i < THIEVES; i++)
        rt_tell(t, rt_spawn(t, &thief, NULL), GO, &r->timer, sizeof(r->timer));
    rt_after(t, 2000, NEVER);
    return RT_OK;
}

static enum rt_next robbed_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct robbed *r = state;

    (void)t;
    r->exits += m->kind == RT_EXIT;
    CHECK(m->kind != NEVER);
    if (m->kind != DONE)
        return RT_OK;
    CHECK(r->exits == THIEVES);
    return RT_STOP;
}

static void test_another_actors_timer_cannot_be_taken(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct robbed),
                                             .start = robbed_start,
                                             .handle = robbed_handle};

    simulate(&(struct simulated){.root = &root, .seeds = 20});
}

/* ---- the dead
 * ---------------------------------------------------------------------
 */

static enum rt_next mortal_start(struct rt_turn *t, void *state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        rt_after(t, i * i * 100000000ull, NEVER);
    return RT_STOP;
}

static enum rt_next mortal_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    (void)t;
    (void)state;
    CHECK(m->kind == TICK);
    return RT_OK;
}

static void mortal_stop(struct rt_turn *t, void *state)
{
    (void)state;
    rt_after(t, YEAR, NEVER);
}

static enum rt_next survivor_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour mortal = {.name = "mortal",
                                               .start = mortal_start,
                                               .handle = mortal_handle,
                                               .stop = mortal_stop};

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        rt_spawn_at(t, i % 3, &mortal, NULL);
    rt_after(t, 100, DONE);
    rt_after(t, 100 * YEAR, NEVER);
    return RT_OK;
}

static enum rt_next survivor_handle(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    (void)state;
    if (m->kind != DONE)
        return RT_OK;
    CHECK(rt_now(t) < 2000 * MS);
    return RT_STOP;
}

static void test_timers_die_with_their_actor(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = survivor_start, .handle = survivor_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS});
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_fires_in_order_and_in_time);
    TEST(test_many_timers);
    TEST(test_years);
    TEST(test_cancelled_timers_are_silent);
    TEST(test_another_actors_timer_cannot_be_taken);
    TEST(test_timers_die_with_their_actor);
    return TAP_END();
}
