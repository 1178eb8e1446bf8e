/* SPDX-License-Identifier: MIT */
/* Supervision on the simulated machine: who is started again, and when not. */
#include <errno.h>
#include <string.h>

#include "simulated.h"
#include "tap.h"

#define SEEDS 200
#define COUNT 4
#define MS 1000000ull

enum kind { FAIL = 1, STOP, STARTED, SETTLED, NEXT };
enum { BEGUN = 100, ENDED = 200 };

/* ---- a child that notes its starts and ends
 * --------------------------------------- */

static const unsigned numbers[COUNT] = {0, 1, 2, 3};

static enum rt_next child_start(struct rt_turn *t, void *state)
{
    (void)t;
    note(BEGUN + *(unsigned *)state);
    return RT_OK;
}

static enum rt_next child_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    (void)state;
    if (m->kind == FAIL)
        return rt_fail(t, -EPROTO);
    return m->kind == STOP ? RT_STOP : RT_OK;
}

static void child_stop(struct rt_turn *t, void *state)
{
    (void)t;
    note(ENDED + *(unsigned *)state);
}

static const struct rt_behaviour child = {.name = "child",
                                          .size = sizeof(unsigned),
                                          .start = child_start,
                                          .handle = child_handle,
                                          .stop = child_stop};

/* ---- the root: a script of ends, each sent when all is quiet
 * ------------------------
 */

struct scenario {
    enum rt_strategy strategy;
    enum rt_restart restart[COUNT];
    unsigned max_restarts;
    uint64_t window_ms;
    uint64_t pause_ms; /* between the steps */
    struct {
        uint16_t kind; /* 0: the script is over */
        unsigned child;
        bool at_once; /* the next step does not wait */
    } step[8];
};

struct root {
    const struct scenario *scenario;
    struct rt_ref supervisor, child[COUNT];
    unsigned step, started;
};

static void start_supervisor(struct rt_turn *t, struct root *r)
{
    const struct scenario *s = r->scenario;
    struct rt_child children[COUNT];
    struct rt_supervisor spec = {.children = children,
                                 .count = COUNT,
                                 .strategy = s->strategy,
                                 .max_restarts = s->max_restarts,
                                 .window_ms = s->window_ms,
                                 .tell = rt_self(t),
                                 .tell_kind = STARTED};

    for (unsigned i = 0; i < COUNT; i++)
        children[i] = (struct rt_child){.behaviour = &child,
                                        .init = &numbers[i],
                                        .home = i % 3,
                                        .restart = s->restart[i]};
    r->supervisor = rt_supervise(t, &spec);
}

static enum rt_next root_start(struct rt_turn *t, void *state)
{
    start_supervisor(t, state);
    rt_after(t, 10, NEXT);
    return RT_OK;
}

/* Virtual time moves only when nobody is awake: after a pause all is quiet. */
static enum rt_next next_step(struct rt_turn *t, struct root *r)
{
    bool at_once;

    if (r->scenario->step[r->step].kind == 0)
        return RT_STOP;
    note(SETTLED);
    do {
        uint16_t kind = r->scenario->step[r->step].kind;
        struct rt_ref who = r->child[r->scenario->step[r->step].child];
        at_once = r->scenario->step[r->step++].at_once;
        if (kind == FAIL || kind == STOP)
            rt_tell(t, who, kind, NULL, 0);
    } while (at_once);
    rt_after(t, r->scenario->pause_ms, NEXT);
    return RT_OK;
}

static enum rt_next root_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct root *r = state;
    const struct rt_end *end = rt_body(m);

    if (m->kind == STARTED) {
        const struct rt_started *s = rt_body(m);
        r->child[s->index] = s->ref;
        CHECK(r->started >= COUNT || s->index == r->started);
        r->started++;
    } else if (m->kind == NEXT) {
        return next_step(t, r);
    } else if (m->kind == RT_EXIT) {
        CHECK(rt_same(m->from, r->supervisor));
        CHECK(end->why == RT_WHY_FAILED && end->error == -EPROTO);
        note(1);
        return RT_STOP;
    }
    return RT_OK;
}

static void play(const struct scenario *scenario, void (*after)(void))
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct root),
                                             .start = root_start,
                                             .handle = root_handle};
    struct root init = {.scenario = scenario};

    simulate(&(struct simulated){
        .root = &root, .init = &init, .seeds = SEEDS, .after = after});
}

/*
 * Checks the notes between the first two SETTLED: ends in this order, then
 * starts of these children in any (they run where they run).
 */
static void check_step(const unsigned *ends, unsigned end_count, unsigned begun)
{
    unsigned i = 0, seen = 0;

    while (noted(i) != SETTLED)
        i++;
    for (i++; i < note_count() && noted(i) != SETTLED; i++) {
        if (noted(i) >= ENDED) {
            CHECK(end_count > 0 && noted(i) == ENDED + *ends);
            CHECK(seen == 0);
            ends++;
            end_count--;
        } else {
            CHECK(noted(i) >= BEGUN && !(seen & 1u << (noted(i) - BEGUN)));
            seen |= 1u << (noted(i) - BEGUN);
        }
    }
    CHECK(end_count == 0 && seen == begun);
}

#define STEP(begun, ...)                                                       \
    check_step((const unsigned[]){__VA_ARGS__},                                \
               sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned),     \
               begun)

/* Two steps: the child ends, and time in which nothing more may happen. */
#define ONE_END(what, who)                                                     \
    .max_restarts = 5, .window_ms = 60000, .pause_ms = 100,                    \
    .step = {{what, who}, {NEXT}}

static void one_for_one(void)
{
    STEP(1u << 1, 1);
}

static void test_one_for_one_starts_one(void)
{
    play(&(struct scenario){.strategy = RT_ONE_FOR_ONE, ONE_END(FAIL, 1)},
         one_for_one);
    play(&(struct scenario){.strategy = RT_ONE_FOR_ONE, ONE_END(STOP, 1)},
         one_for_one);
}

static void one_for_all(void)
{
    STEP(15, 1, 3, 2, 0);
}

static void test_one_for_all_starts_all(void)
{
    play(&(struct scenario){.strategy = RT_ONE_FOR_ALL, ONE_END(FAIL, 1)},
         one_for_all);
}

static void rest_for_one(void)
{
    STEP(14, 1, 3, 2);
}

static void test_rest_for_one_starts_the_later(void)
{
    play(&(struct scenario){.strategy = RT_REST_FOR_ONE, ONE_END(FAIL, 1)},
         rest_for_one);
}

/* ---- restart
 * ------------------------------------------------------------------------ */

static void nothing_begun(void)
{
    STEP(0, 1);
}

static void test_transient_returns_after_failure_only(void)
{
    struct scenario s = {.restart = {[1] = RT_TRANSIENT}, ONE_END(STOP, 1)};

    play(&s, nothing_begun);
    s.step[0].kind = FAIL;
    play(&s, one_for_one);
}

static void test_temporary_never_returns(void)
{
    struct scenario s = {.restart = {[1] = RT_TEMPORARY}, ONE_END(STOP, 1)};

    for (s.strategy = 0; s.strategy <= RT_REST_FOR_ONE; s.strategy++) {
        s.step[0].kind = STOP;
        play(&s, nothing_begun);
        s.step[0].kind = FAIL;
        play(&s, nothing_begun);
    }
}

static void all_but_the_temporary(void)
{
    STEP(15 & ~(1u << 2), 1, 3, 2, 0);
}

static void test_temporary_stopped_with_the_others_stays_down(void)
{
    struct scenario s = {.strategy = RT_ONE_FOR_ALL,
                         .restart = {[2] = RT_TEMPORARY},
                         ONE_END(FAIL, 1)};

    play(&s, all_but_the_temporary);
}

/* ---- intensity
 * ------------------------------------------------------------------------
 */

static unsigned count_of(unsigned what)
{
    unsigned n = 0;

    for (unsigned i = 0; i < note_count(); i++)
        n += noted(i) == what;
    return n;
}

/* The first start, two restarts, and then it gives up. */
static void gave_up(void)
{
    CHECK(count_of(BEGUN) == 3 && count_of(1) == 1);
    for (unsigned i = 1; i < COUNT; i++)
        CHECK(count_of(BEGUN + i) == 1 && count_of(ENDED + i) == 1);
}

static void test_too_many_restarts_fail_upwards(void)
{
    struct scenario s = {.max_restarts = 2,
                         .window_ms = 1000,
                         .pause_ms = 100,
                         .step = {{FAIL}, {FAIL}, {FAIL}, {NEXT}}};

    play(&s, gave_up);
    s.window_ms = 1ull << 63; /* for ever, more or less */
    play(&s, gave_up);
}

static void forgave(void)
{
    CHECK(count_of(BEGUN) == 6 && count_of(1) == 0);
}

static void test_window_forgives(void)
{
    play(
        &(struct scenario){
            .max_restarts = 2,
            .window_ms = 150,
            .pause_ms = 100,
            .step = {{FAIL}, {FAIL}, {FAIL}, {FAIL}, {FAIL}, {NEXT}}},
        forgave);
}

static void gave_up_at_once(void)
{
    CHECK(count_of(BEGUN) == 1 && count_of(1) == 1);
}

static void test_no_restart_allowed(void)
{
    play(&(struct scenario){.pause_ms = 100, .step = {{FAIL}, {NEXT}}},
         gave_up_at_once);
}

/* ---- several at once
 * ---------------------------------------------------------------------
 */

/* Whatever the order of the crashes, in the end each child runs once. */
static void balanced(void)
{
    CHECK(count_of(1) == 0);
    for (unsigned i = 0; i < COUNT; i++)
        CHECK(count_of(BEGUN + i) == count_of(ENDED + i) &&
              count_of(BEGUN + i) >= 2);
}

static void test_crashes_at_once(void)
{
    struct scenario s = {
        .max_restarts = 8,
        .window_ms = 1000,
        .pause_ms = 100,
        .step = {{FAIL, 0, true}, {FAIL, 2, true}, {FAIL, 3, true}, {FAIL, 1}}};

    for (s.strategy = 0; s.strategy <= RT_REST_FOR_ONE; s.strategy++)
        play(&s, balanced);
}

static void test_stopped_while_restarting(void)
{
    struct scenario s = {.max_restarts = 8,
                         .window_ms = 1000,
                         .step = {{FAIL, 0, true}, {FAIL, 3, true}}};

    for (s.strategy = 0; s.strategy <= RT_REST_FOR_ONE; s.strategy++)
        play(&s, NULL);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_one_for_one_starts_one);
    TEST(test_one_for_all_starts_all);
    TEST(test_rest_for_one_starts_the_later);
    TEST(test_transient_returns_after_failure_only);
    TEST(test_temporary_never_returns);
    TEST(test_temporary_stopped_with_the_others_stays_down);
    TEST(test_too_many_restarts_fail_upwards);
    TEST(test_window_forgives);
    TEST(test_no_restart_allowed);
    TEST(test_crashes_at_once);
    TEST(test_stopped_while_restarting);
    return TAP_END();
}
