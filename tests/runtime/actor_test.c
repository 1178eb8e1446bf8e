/* SPDX-License-Identifier: MIT */
/* Actors' lives on the simulated machine: starting, ending, being watched. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/os_sim.h"
#include "simulated.h"
#include "tap.h"

#define SEEDS 300

enum kind { GO = 1, FAIL, STOP, END };

/* ---- an actor that notes what befalls it ----------------------------------
 */

enum { STARTED = 1000, MAIL = 2000, EXIT = 3000, DOWN = 4000, STOPPED = 5000 };

struct member {
    unsigned id;
    unsigned children; /* how many to start, numbered id * 10 + 1 ... */
    unsigned home;
    int fails_in_start; /* an error, or 0 */
};

static enum rt_next member_start(struct rt_turn *t, void *state);
static enum rt_next member_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m);
static void member_stop(struct rt_turn *t, void *state);

static const struct rt_behaviour member = {.name = "member",
                                           .size = sizeof(struct member),
                                           .start = member_start,
                                           .handle = member_handle,
                                           .stop = member_stop};

static enum rt_next member_start(struct rt_turn *t, void *state)
{
    struct member *a = state;

    note(STARTED + a->id);
    for (unsigned i = 1; i <= a->children; i++) {
        struct member child = {.id = a->id * 10 + i};
        child.home = i % 2 ? RT_POOL : RT_LOOP(1);
        rt_spawn_at(t, child.home, &member, &child);
    }
    return a->fails_in_start != 0 ? rt_fail(t, a->fails_in_start) : RT_OK;
}

static enum rt_next member_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    const struct member *a = state;

    if (m->kind == RT_EXIT)
        return RT_OK;
    note(MAIL + a->id);
    if (m->kind == FAIL)
        return rt_fail(t, -EPROTO);
    return m->kind == STOP ? RT_STOP : RT_OK;
}

static void member_stop(struct rt_turn *t, void *state)
{
    const struct member *a = state;

    note(STOPPED + a->id);
    CHECK(rt_spawn(t, &member, a).id == 0);
    CHECK(rt_supervise(t, &(struct rt_supervisor){0}).id == 0);
}

/* ---- starting --------------------------------------------------------------
 */

static enum rt_next start_with_mail(struct rt_turn *t, void *state)
{
    struct rt_ref child =
        rt_spawn(t, &member, &(struct member){.id = 7, .home = RT_POOL});

    (void)state;
    rt_tell(t, child, GO, NULL, 0);
    rt_tell(t, child, STOP, NULL, 0);
    return RT_OK;
}

static enum rt_next stop_after_exit(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    (void)t;
    (void)state;
    return m->kind == RT_EXIT ? RT_STOP : RT_OK;
}

static void noted_start_first(void)
{
    NOTED(STARTED + 7, MAIL + 7, MAIL + 7, STOPPED + 7);
}

static void test_start_runs_before_mail(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = start_with_mail, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_start_first});
}

struct zeroed {
    unsigned char byte[5000];
};

static enum rt_next zeroed_start(struct rt_turn *t, void *state)
{
    struct zeroed *z = state;

    for (size_t i = 0; i < sizeof(z->byte); i++)
        CHECK(z->byte[i] == 0);
    memset(z->byte, 0xff, sizeof(z->byte)); /* for the next to find */
    CHECK(rt_parent(t).id != 0 && !rt_same(rt_parent(t), rt_self(t)));
    rt_tell(t, rt_parent(t), GO, &(struct rt_ref){rt_self(t).id},
            sizeof(struct rt_ref));
    return RT_STOP;
}

static const struct rt_behaviour zeroed = {
    .name = "zeroed", .size = sizeof(struct zeroed), .start = zeroed_start};

struct zeroer {
    struct rt_ref child;
    unsigned told, exits;
};

static enum rt_next zeroer_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct zeroer *z = state;

    CHECK(rt_same(m->from, z->child));
    if (m->kind == GO)
        CHECK(rt_same(*(struct rt_ref *)rt_body(m), z->child));
    z->told += m->kind == GO;
    z->exits += m->kind == RT_EXIT;
    if (z->told == 5 && z->exits == 5)
        return RT_STOP;
    if (z->told == z->exits)
        z->child = rt_spawn(t, &zeroed, NULL);
    return RT_OK;
}

static enum rt_next zeroer_start(struct rt_turn *t, void *state)
{
    ((struct zeroer *)state)->child = rt_spawn(t, &zeroed, NULL);
    return RT_OK;
}

static void test_state_is_zeroed_and_addresses_agree(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct zeroer),
                                             .start = zeroer_start,
                                             .handle = zeroer_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS});
}

/* ---- ending
 * ------------------------------------------------------------------ */

static enum rt_next tree_start(struct rt_turn *t, void *state)
{
    (void)state;
    for (unsigned i = 1; i <= 2; i++)
        rt_spawn(t, &member, &(struct member){.id = i, .children = 3});
    return RT_STOP;
}

static enum rt_next ignore(struct rt_turn *t, void *state, struct rt_msg *m)
{
    (void)t;
    (void)state;
    (void)m;
    return RT_OK;
}

static void tree_stop(struct rt_turn *t, void *state)
{
    (void)t;
    (void)state;
    note(STOPPED);
}

/* Starts come as they may; the ends are in order, and once each. */
static void noted_ends_in_order(void)
{
    static const unsigned ends[] = {23, 22, 21, 2, 13, 12, 11, 1, 0};
    unsigned n = 0, starts = 0;

    for (unsigned i = 0; i < note_count(); i++) {
        if (noted(i) >= STOPPED)
            CHECK(n < 9 && noted(i) == STOPPED + ends[n++]);
        else
            starts++;
    }
    CHECK(n == 9 && starts == 8);
}

static void test_ends_children_newest_first(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .start = tree_start,
                                             .handle = ignore,
                                             .stop = tree_stop};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_ends_in_order});
}

enum { NORMAL, FAILED, ORDERED, IN_START, WITH_CHILDREN, ENDS };

struct ends {
    struct rt_ref child[ENDS];
    unsigned seen;
};

static enum rt_next ends_start(struct rt_turn *t, void *state)
{
    struct ends *e = state;

    for (unsigned i = 0; i < ENDS; i++) {
        struct member init = {.id = i, .children = i == WITH_CHILDREN ? 3 : 0};
        init.fails_in_start = i == IN_START ? -EIO : 0;
        e->child[i] = rt_spawn_at(t, i % 3, &member, &init);
    }
    rt_tell(t, e->child[NORMAL], STOP, NULL, 0);
    rt_tell(t, e->child[FAILED], FAIL, NULL, 0);
    rt_stop(t, e->child[ORDERED]);
    rt_tell(t, e->child[WITH_CHILDREN], FAIL, NULL, 0);
    return RT_OK;
}

static enum rt_next ends_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    static const struct rt_end expected[ENDS] = {
        [NORMAL] = {.why = RT_WHY_NORMAL},
        [FAILED] = {.why = RT_WHY_FAILED, .error = -EPROTO},
        [ORDERED] = {.why = RT_WHY_STOPPED},
        [IN_START] = {.why = RT_WHY_FAILED, .error = -EIO},
        [WITH_CHILDREN] = {.why = RT_WHY_FAILED, .error = -EPROTO}};
    struct ends *e = state;
    const struct rt_end *end = rt_body(m);
    unsigned i = 0;

    (void)t;
    CHECK(m->kind == RT_EXIT);
    while (i < ENDS && !rt_same(e->child[i], m->from))
        i++;
    CHECK(i < ENDS);
    CHECK(end->why == expected[i].why && end->error == expected[i].error);
    e->child[i] = RT_NOBODY; /* each ends once */
    return ++e->seen == ENDS ? RT_STOP : RT_OK;
}

static void test_exit_says_why(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct ends),
                                             .start = ends_start,
                                             .handle = ends_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS});
}

static enum rt_next drain_start(struct rt_turn *t, void *state)
{
    struct rt_ref child = rt_spawn(t, &member, &(struct member){.id = 1});

    (void)state;
    for (unsigned i = 0; i < 200; i++)
        rt_tell(t, child, GO, NULL, 0);
    rt_drain(t, child);
    rt_tell(t, child, GO, NULL, 0);
    return RT_OK;
}

static void noted_drained(void)
{
    CHECK(note_count() == 202);
    CHECK(noted(0) == STARTED + 1 && noted(201) == STOPPED + 1);
}

static void test_drain_handles_what_came_before(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = drain_start, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_drained});
}

/* Parent and child share a loop: the child cannot run before all is sent. */
static enum rt_next stop_start(struct rt_turn *t, void *state)
{
    struct rt_ref child =
        rt_spawn_at(t, RT_LOOP(1), &member, &(struct member){.id = 1});

    (void)state;
    for (unsigned i = 0; i < 2000; i++)
        rt_tell(t, child, GO, NULL, 0);
    rt_stop(t, child);
    return RT_OK;
}

static const struct rt_behaviour stopper = {
    .name = "stopper", .start = stop_start, .handle = stop_after_exit};

static enum rt_next stopper_start(struct rt_turn *t, void *state)
{
    (void)state;
    rt_spawn_at(t, RT_LOOP(1), &stopper, NULL);
    return RT_OK;
}

static void noted_stopped(void)
{
    NOTED(STARTED + 1, STOPPED + 1);
}

static void test_stop_comes_before_waiting_mail(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = stopper_start, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_stopped});
}

/* ---- turns
 * ------------------------------------------------------------------- */

static enum rt_next selfish_handle(struct rt_turn *t, void *state,
                                   struct rt_msg *m)
{
    (void)state;
    rt_tell(t, rt_self(t), GO, NULL, 0);
    return m->kind == RT_EXIT ? RT_STOP : RT_OK;
}

static enum rt_next selfish_start(struct rt_turn *t, void *state)
{
    struct rt_ref other = rt_spawn(t, &member, &(struct member){.id = 1});

    (void)state;
    rt_tell(t, rt_self(t), GO, NULL, 0);
    rt_tell(t, other, STOP, NULL, 0);
    return RT_OK;
}

static void test_self_sender_starves_nobody(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = selfish_start, .handle = selfish_handle};

    simulate(&(struct simulated){.root = &root, .seeds = SEEDS, .workers = 1});
}

/* ---- what asserts
 * ---------------------------------------------------------------
 */

static enum rt_next misuse_msg(struct rt_turn *t, void *state)
{
    (void)state;
    rt_msg(t, RT_SYSTEM, 0);
    return RT_STOP;
}

static enum rt_next misuse_after(struct rt_turn *t, void *state)
{
    (void)state;
    rt_after(t, 1, RT_EXIT);
    return RT_STOP;
}

/* The notice of an end is the ended actor itself: it cannot be passed on. */
static enum rt_next misuse_start(struct rt_turn *t, void *state)
{
    (void)state;
    rt_spawn(t, &member, &(struct member){.fails_in_start = -EIO});
    return RT_OK;
}

static enum rt_next misuse_take(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    (void)state;
    if (m->kind == RT_EXIT)
        rt_send(t, rt_self(t), rt_take(t, m));
    return RT_STOP;
}

static bool aborts(enum rt_next (*start)(struct rt_turn *, void *),
                   enum rt_next (*handle)(struct rt_turn *, void *,
                                          struct rt_msg *))
{
    const struct rt_behaviour root = {
        .name = "root", .start = start, .handle = handle};
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        fclose(stderr); /* the assertion is expected */
        simulate(&(struct simulated){.root = &root, .seeds = 1});
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void test_system_kinds_are_the_runtimes(void)
{
    TEST_ASSERT_TRUE(aborts(misuse_msg, ignore));
    TEST_ASSERT_TRUE(aborts(misuse_after, ignore));
}

static void test_exit_notice_cannot_be_taken(void)
{
    TEST_ASSERT_TRUE(aborts(misuse_start, misuse_take));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_start_runs_before_mail);
    TEST(test_state_is_zeroed_and_addresses_agree);
    TEST(test_ends_children_newest_first);
    TEST(test_exit_says_why);
    TEST(test_drain_handles_what_came_before);
    TEST(test_stop_comes_before_waiting_mail);
    TEST(test_self_sender_starves_nobody);
    TEST(test_system_kinds_are_the_runtimes);
    TEST(test_exit_notice_cannot_be_taken);
    return TAP_END();
}
