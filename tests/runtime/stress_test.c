/* SPDX-License-Identifier: MIT */
/*
 * Real threads under load, for the sanitizers: actors come and go with mail
 * in flight from workers, loops and foreign threads, and nothing may leak.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "runtime/rt.h"
#include "tap.h"

#define FOREIGN 3
#define KNOWN 64
#define SPAWNED 20000

enum kind { GO = 1, NOISE, TICK };

/* Addresses anybody may send to, most of them stale. */
struct crowd {
    struct rt *rt;
    uint64_t known[KNOWN];
    uint32_t over;   /* foreign threads are to leave */
    uint64_t absurd; /* counters that cannot be */
    unsigned limit;  /* actors to start before the root ends; 0: no end */
};

static struct rt_ref someone(const struct crowd *c, uint64_t random)
{
    return (struct rt_ref){
        __atomic_load_n(&c->known[random % KNOWN], __ATOMIC_RELAXED)};
}

/* ---- an actor that lives for some messages
 * -------------------------------------- */

struct mayfly {
    struct crowd *crowd;
    unsigned life, depth;
};

static const struct rt_behaviour mayfly;

static void mayfly_spawn(struct rt_turn *t, struct crowd *crowd, unsigned depth)
{
    uint64_t random = rt_random(t);
    struct mayfly init = {
        .crowd = crowd, .life = 1 + random % 4, .depth = depth};
    struct rt_ref ref =
        rt_spawn_at(t, random >> 8 & 7 ? RT_POOL : RT_LOOP(0), &mayfly, &init);

    __atomic_store_n(&crowd->known[random >> 16 & (KNOWN - 1)], ref.id,
                     __ATOMIC_RELAXED);
    rt_tell(t, ref, GO, NULL, 0);
}

static enum rt_next mayfly_start(struct rt_turn *t, void *state)
{
    struct mayfly *f = state;

    if (f->depth > 0)
        mayfly_spawn(t, f->crowd, f->depth - 1);
    if (rt_random(t) % 8 == 0)
        rt_after(t, rt_random(t) % 50, TICK);
    return RT_OK;
}

static enum rt_next mayfly_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct mayfly *f = state;
    uint64_t random = rt_random(t);

    if (m->kind == RT_DOWN || m->kind == RT_EXIT)
        return RT_OK;
    rt_tell(t, someone(f->crowd, random), NOISE, &random, sizeof(random));
    if (random >> 20 & 1)
        rt_monitor(t, someone(f->crowd, random >> 24));
    if (--f->life > 0) {
        rt_tell(t, rt_self(t), GO, NULL, 0);
        return RT_OK;
    }
    return random >> 32 & 1 ? RT_STOP : rt_fail(t, -1);
}

static const struct rt_behaviour mayfly = {.name = "may\"fly\\",
                                           .size = sizeof(struct mayfly),
                                           .start = mayfly_start,
                                           .handle = mayfly_handle};

/* ---- the root keeps some of them alive
 * --------------------------------------------- */

struct root {
    struct crowd *crowd;
    unsigned spawned;
};

static enum rt_next root_start(struct rt_turn *t, void *state)
{
    struct root *r = state;

    for (unsigned i = 0; i < 50; i++, r->spawned++)
        mayfly_spawn(t, r->crowd, i % 3);
    return RT_OK;
}

static enum rt_next root_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct root *r = state;

    if (m->kind != RT_EXIT)
        return RT_OK;
    if (r->crowd->limit != 0 && r->spawned >= r->crowd->limit)
        return RT_STOP;
    r->spawned++;
    mayfly_spawn(t, r->crowd, r->spawned % 3);
    return RT_OK;
}

static const struct rt_behaviour root = {.name = "root",
                                         .size = sizeof(struct root),
                                         .start = root_start,
                                         .handle = root_handle};

/* ---- foreign threads
 * ------------------------------------------------------------------ */

/*
 * Sends a few messages for every actor that was started: as fast as it can it
 * would outrun a lone worker, and mail without end is no test of anything.
 */
static void *disturb(void *arg)
{
    struct crowd *c = arg;
    struct rt_dead_letter letter[8];
    struct rt_stats stats;
    uint64_t random = (uintptr_t)&stats | 1, sent = 0;

    while (!__atomic_load_n(&c->over, __ATOMIC_ACQUIRE)) {
        rt_stats_any(c->rt, &stats);
        if (stats.actors > stats.spawned)
            __atomic_fetch_add(&c->absurd, 1, __ATOMIC_RELAXED);
        if (sent >= 4 * stats.spawned) {
            sched_yield();
            continue;
        }
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        rt_tell_any(c->rt, someone(c, random >> 33), NOISE, &random,
                    sizeof(random));
        sent++;
        if (random >> 60 == 0)
            rt_dead_letters_any(c->rt, letter, 8);
    }
    return NULL;
}

static void run(unsigned workers, unsigned limit, unsigned stop_after)
{
    struct rt_config config = {.workers = workers, .loops = 2};
    struct crowd crowd = {.limit = limit};
    struct root init = {.crowd = &crowd};
    pthread_t thread[FOREIGN];
    struct rt_stats stats;

    crowd.rt = rt_start(&config, &root, &init);
    for (unsigned i = 0; i < FOREIGN; i++)
        pthread_create(&thread[i], NULL, disturb, &crowd);
    while (rt_stats_any(crowd.rt, &stats), stats.spawned < stop_after)
        sched_yield();
    if (limit == 0)
        rt_stop_any(crowd.rt);
    __atomic_store_n(&crowd.over, 1, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < FOREIGN; i++)
        pthread_join(thread[i], NULL);
    TEST_ASSERT_EQUAL_UINT64(0, rt_join(crowd.rt));
    TEST_ASSERT_EQUAL_UINT64(0, crowd.absurd);
}

static void test_actors_come_and_go(void)
{
    static const unsigned workers[] = {1, 2, 4, 8};

    for (unsigned i = 0; i < 4; i++)
        run(workers[i], SPAWNED, SPAWNED);
}

static void test_stop_at_any_moment(void)
{
    for (unsigned i = 0; i < 60; i++)
        run(1u << i % 4, 0, i * i);
}

/* ---- a turn that is too long
 * ------------------------------------------------------- */

#define LONG 1000

struct slow {
    unsigned handled, urgent_at;
};

static enum rt_next slow_start(struct rt_turn *t, void *state)
{
    (void)state;
    for (unsigned i = 0; i < LONG; i++)
        rt_tell(t, rt_self(t), NOISE, NULL, 0);
    return RT_OK;
}

/*
 * Each message takes ten microseconds or more, so the list outlasts a turn on
 * any machine; what is urgent and came during the turn is seen in the next.
 */
static enum rt_next slow_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    uint64_t begun = rt_now(t);
    struct slow *s = state;

    if (m->kind == GO) {
        s->urgent_at = s->handled;
        return RT_OK;
    }
    if (s->handled++ == 0) {
        struct rt_msg *urgent = rt_msg(t, GO, 0);
        urgent->flags = RT_URGENT;
        rt_send(t, rt_self(t), urgent);
    }
    while (rt_now(t) - begun < 10000)
        ;
    if (s->handled < LONG)
        return RT_OK;
    return s->urgent_at > 0 && s->urgent_at < LONG / 2 ? RT_STOP
                                                       : rt_fail(t, -1);
}

static const struct rt_behaviour slow = {.name = "slow",
                                         .size = sizeof(struct slow),
                                         .start = slow_start,
                                         .handle = slow_handle};

static enum rt_next judge_start(struct rt_turn *t, void *state)
{
    (void)state;
    rt_spawn(t, &slow, NULL);
    return RT_OK;
}

static enum rt_next judge_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    const struct rt_end *end = rt_body(m);
    uint32_t **late = state;

    (void)t;
    if (m->kind != RT_EXIT)
        return RT_OK;
    **late = end->why != RT_WHY_NORMAL;
    return RT_STOP;
}

static void test_urgent_mail_cuts_into_a_long_list(void)
{
    static const struct rt_behaviour judge = {.name = "judge",
                                              .size = sizeof(uint32_t *),
                                              .start = judge_start,
                                              .handle = judge_handle};
    struct rt_config config = {.workers = 2};
    uint32_t late = 2, *init = &late;

    TEST_ASSERT_EQUAL_UINT64(0, rt_join(rt_start(&config, &judge, &init)));
    TEST_ASSERT_EQUAL(0, late);
}

/* ---- the trace
 * ------------------------------------------------------------------------- */

static void test_trace_is_json(void)
{
    struct rt_config config = {.workers = 2, .loops = 1, .trace_records = 500};
    struct crowd crowd = {.limit = 2000};
    struct root init = {.crowd = &crowd};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    yyjson_read_err error;
    yyjson_doc *doc;

    crowd.rt = rt_start(&config, &root, &init);
    TEST_ASSERT_EQUAL_UINT64(0, rt_join_traced(crowd.rt, out));
    fclose(out);
    doc = yyjson_read_opts(text, length, 0, NULL, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(doc, error.msg);
    TEST_ASSERT_TRUE(yyjson_arr_size(yyjson_obj_get(yyjson_doc_get_root(doc),
                                                    "traceEvents")) > 500);
    yyjson_doc_free(doc);
    free(text);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_actors_come_and_go);
    TEST(test_stop_at_any_moment);
    TEST(test_urgent_mail_cuts_into_a_long_list);
    TEST(test_trace_is_json);
    return TAP_END();
}
