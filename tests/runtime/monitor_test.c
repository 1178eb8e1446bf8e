/* SPDX-License-Identifier: MIT */
/* Monitors and stale addresses, on the simulated machine. */
#include <errno.h>

#include "simulated.h"
#include "tap.h"

#define SEEDS 300

enum kind { GO = 1, FAIL, ANSWER };

static enum rt_next leaf_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    (void)state;
    return m->kind == FAIL ? rt_fail(t, -EIO) : RT_OK;
}

static const struct rt_behaviour leaf = {.name = "leaf", .handle = leaf_handle};

static enum rt_next ignore(struct rt_turn *t, void *state, struct rt_msg *m)
{
    (void)t;
    (void)state;
    (void)m;
    return RT_OK;
}

/* ---- one watcher, one watched
 * ------------------------------------------------- */

struct watcher {
    struct rt_ref who;
    unsigned downs, exits;
};

static enum rt_next twice_start(struct rt_turn *t, void *state)
{
    struct watcher *w = state;

    w->who = rt_spawn_at(t, RT_LOOP(1), &leaf, NULL);
    for (unsigned i = 0; i < 3; i++)
        rt_monitor(t, w->who);
    rt_demonitor(t, w->who);
    rt_tell(t, w->who, FAIL, NULL, 0);
    return RT_OK;
}

/* Two of three monitors stand; behind the exit a third finds nobody. */
static enum rt_next twice_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    struct watcher *w = state;
    const struct rt_end *end = rt_body(m);

    CHECK(rt_same(m->from, w->who));
    if (m->kind == RT_EXIT) {
        w->exits++;
    } else {
        CHECK(m->kind == RT_DOWN);
        w->downs++;
        CHECK(end->why == (w->downs == 3 ? RT_WHY_NOBODY : RT_WHY_FAILED));
        CHECK(end->error == (w->downs == 3 ? 0 : -EIO));
    }
    if (w->downs == 2 && w->exits == 1)
        rt_monitor(t, w->who);
    return w->downs == 3 ? RT_STOP : RT_OK;
}

static void test_one_down_for_each_monitor(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct watcher),
                                             .start = twice_start,
                                             .handle = twice_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS});
}

static enum rt_next nobody_start(struct rt_turn *t, void *state)
{
    (void)state;
    rt_monitor(t, RT_NOBODY);
    return RT_OK;
}

static enum rt_next nobody_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    const struct rt_end *end = rt_body(m);

    (void)t;
    (void)state;
    CHECK(m->kind == RT_DOWN && rt_same(m->from, RT_NOBODY));
    CHECK(end->why == RT_WHY_NOBODY);
    return RT_STOP;
}

static void test_monitoring_nobody_is_answered(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = nobody_start, .handle = nobody_handle};

    simulate(&(struct simulated){.root = &root, .seeds = 100});
}

/* ---- a watched actor that is ending, and watchers that end first
 * ---------------- */

static enum rt_next ending_start(struct rt_turn *t, void *state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        rt_spawn_at(t, i, &leaf, NULL);
    return rt_fail(t, -EPROTO); /* and waits for its children */
}

static enum rt_next impatient_start(struct rt_turn *t, void *state)
{
    const struct rt_ref *who = state;

    rt_monitor(t, *who);
    return RT_STOP;
}

static enum rt_next stopping_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour ending = {
        .name = "ending", .start = ending_start, .handle = ignore};
    static const struct rt_behaviour impatient = {.name = "impatient",
                                                  .size = sizeof(struct rt_ref),
                                                  .start = impatient_start,
                                                  .handle = ignore};
    struct watcher *w = state;

    w->who = rt_spawn(t, &ending, NULL);
    for (unsigned i = 0; i < 3; i++)
        rt_spawn_at(t, i, &impatient, &w->who);
    rt_monitor(t, w->who);
    return RT_OK;
}

static enum rt_next stopping_handle(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    struct watcher *w = state;
    const struct rt_end *end = rt_body(m);

    (void)t;
    w->exits += m->kind == RT_EXIT;
    if (m->kind == RT_DOWN) {
        w->downs++;
        CHECK(rt_same(m->from, w->who));
        CHECK(end->why == RT_WHY_NOBODY ||
              (end->why == RT_WHY_FAILED && end->error == -EPROTO));
    }
    return w->downs == 1 && w->exits == 4 ? RT_STOP : RT_OK;
}

static void test_monitor_of_the_ending_and_by_the_ended(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct watcher),
                                             .start = stopping_start,
                                             .handle = stopping_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS});
}

/* ---- slots that change hands
 * ----------------------------------------------------- */

#define TENANTS 12
#define CALLERS 3

/*
 * A landlord starts a tenant, hears of its end and starts the next, in the
 * same slot. Callers send to and monitor whom they were told of, which may
 * have died and been followed meanwhile.
 */
struct tenant {
    unsigned number;
};

static enum rt_next tenant_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    const struct tenant *a = state;

    (void)t;
    if (m->kind == GO)
        CHECK(*(unsigned *)rt_body(m) == a->number);
    return RT_OK;
}

struct call {
    struct rt_ref who;
    unsigned number;
};

struct caller {
    struct rt_ref open[TENANTS]; /* monitored and not yet answered */
    unsigned asked, answered;
};

static enum rt_next caller_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct caller *c = state;

    if (m->kind == GO) {
        const struct call *call = rt_body(m);
        c->open[c->asked++] = call->who;
        rt_monitor(t, call->who);
        rt_tell(t, call->who, GO, &call->number, sizeof(call->number));
        return RT_OK;
    }
    CHECK(m->kind == RT_DOWN);
    for (unsigned i = 0; i < c->asked; i++) {
        if (!rt_same(c->open[i], m->from))
            continue;
        c->open[i] = RT_NOBODY;
        return ++c->answered == TENANTS ? RT_STOP : RT_OK;
    }
    os_panic("an end of somebody who was never monitored");
}

struct landlord {
    struct rt_ref caller[CALLERS];
    unsigned tenants, callers_gone;
};

static void let(struct rt_turn *t, struct landlord *l)
{
    static const struct rt_behaviour tenant = {.name = "tenant",
                                               .size = sizeof(struct tenant),
                                               .handle = tenant_handle};
    struct tenant init = {.number = l->tenants++};
    struct call call = {.number = init.number};

    call.who = rt_spawn(t, &tenant, &init);
    for (unsigned i = 0; i < CALLERS; i++)
        rt_tell(t, l->caller[i], GO, &call, sizeof(call));
    rt_stop(t, call.who);
}

static enum rt_next landlord_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour caller = {.name = "caller",
                                               .size = sizeof(struct caller),
                                               .handle = caller_handle};
    struct landlord *l = state;

    for (unsigned i = 0; i < CALLERS; i++)
        l->caller[i] = rt_spawn_at(t, i % 3, &caller, NULL);
    let(t, l);
    return RT_OK;
}

static enum rt_next landlord_handle(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    struct landlord *l = state;

    CHECK(m->kind == RT_EXIT);
    for (unsigned i = 0; i < CALLERS; i++)
        if (rt_same(m->from, l->caller[i]))
            return ++l->callers_gone == CALLERS ? RT_STOP : RT_OK;
    if (l->tenants < TENANTS)
        let(t, l);
    return RT_OK;
}

static void test_slot_reuse_deceives_nobody(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct landlord),
                                             .start = landlord_start,
                                             .handle = landlord_handle};

    simulate(&(struct simulated){.root = &root, .seeds = 3000});
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_one_down_for_each_monitor);
    TEST(test_monitoring_nobody_is_answered);
    TEST(test_monitor_of_the_ending_and_by_the_ended);
    TEST(test_slot_reuse_deceives_nobody);
    return TAP_END();
}
