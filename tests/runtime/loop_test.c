/* SPDX-License-Identifier: MIT */
/* Loops on real threads: descriptors, pinned actors, foreign threads. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/rt.h"
#include "tap.h"

/* Failures inside a turn are counted: Unity's long jump must not leave it. */
static unsigned wrong;

#define EXPECT(condition)                                                      \
    ((condition)                                                               \
         ? (void)0                                                             \
         : (void)(fprintf(stderr, "# line %d: %s\n", __LINE__, #condition),    \
                  __atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST)))

enum kind { GO = 1, COUNT_ME, DONE };

static void run(const struct rt_behaviour *root, const void *init)
{
    struct rt_config config = {.workers = 2, .loops = 2};

    wrong = 0;
    TEST_ASSERT_EQUAL(0, rt_join(rt_start(&config, root, init)));
    TEST_ASSERT_EQUAL(0, wrong);
}

static enum rt_next stop_after_exit(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    (void)t;
    (void)state;
    return m->kind == RT_EXIT ? RT_STOP : RT_OK;
}

/* A root in the pool that starts one actor on a loop and ends with it. */
struct home {
    const struct rt_behaviour *guest;
    const void *init;
};

static enum rt_next home_start(struct rt_turn *t, void *state)
{
    const struct home *h = state;

    rt_spawn_at(t, RT_LOOP(1), h->guest, h->init);
    return RT_OK;
}

static void run_on_loop(const struct rt_behaviour *guest, const void *init)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct home),
                                             .start = home_start,
                                             .handle = stop_after_exit};

    run(&root, &(struct home){.guest = guest, .init = init});
}

/* ---- a pipe
 * ------------------------------------------------------------------- */

#define BYTES 100

struct reader {
    int in, out;
    unsigned got;
};

static enum rt_next reader_start(struct rt_turn *t, void *state)
{
    const struct reader *r = state;

    EXPECT(rt_watch(t, r->in, EPOLLIN) == 0);
    EXPECT(write(r->out, "x", 1) == 1);
    return RT_OK;
}

/* Reads one byte and writes the next; at the end it sees the hang-up. */
static enum rt_next reader_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    const struct rt_ready *ready = rt_body(m);
    struct reader *r = state;
    char byte;

    EXPECT(m->kind == RT_READY && ready->fd == r->in);
    if (r->got == BYTES) {
        EXPECT(ready->events & EPOLLHUP);
        rt_unwatch(t, r->in);
        return RT_STOP;
    }
    EXPECT(ready->events & EPOLLIN);
    if (read(r->in, &byte, 1) != 1)
        return RT_OK; /* told twice of the same byte */
    if (++r->got == BYTES)
        close(r->out);
    else
        EXPECT(write(r->out, "x", 1) == 1);
    return RT_OK;
}

static void test_pipe_until_it_hangs_up(void)
{
    static const struct rt_behaviour reader = {.name = "reader",
                                               .size = sizeof(struct reader),
                                               .start = reader_start,
                                               .handle = reader_handle};
    int fd[2];

    TEST_ASSERT_EQUAL(0, pipe2(fd, O_NONBLOCK | O_CLOEXEC));
    run_on_loop(&reader, &(struct reader){.in = fd[0], .out = fd[1]});
    close(fd[0]);
}

/* ---- changing events, and none after unwatch
 * --------------------------------------
 */

struct changer {
    int fd[2];
    unsigned outs, ins, left;
};

static enum rt_next changer_start(struct rt_turn *t, void *state)
{
    const struct changer *c = state;

    EXPECT(write(c->fd[1], "x", 1) == 1);
    EXPECT(rt_watch(t, c->fd[0], EPOLLOUT) == 0);
    return RT_OK;
}

static enum rt_next changer_handle(struct rt_turn *t, void *state,
                                   struct rt_msg *m)
{
    const struct rt_ready *ready = rt_body(m);
    struct changer *c = state;

    if (m->kind == GO) {
        /* Each round through the loop polls: silence is seen, not timed. */
        if (c->left-- == 0)
            return RT_STOP;
        rt_after(t, 1, GO);
        return RT_OK;
    }
    EXPECT(m->kind == RT_READY && c->left == 0);
    if (ready->events == EPOLLOUT) {
        c->outs++;
        EXPECT(rt_watch(t, c->fd[0], EPOLLIN) == 0);
    } else if (ready->events == EPOLLIN && c->ins++ == 0) {
        EXPECT(c->outs > 0);
        rt_unwatch(t, c->fd[0]);
        c->left = 10;
        rt_after(t, 1, GO);
    }
    return RT_OK;
}

static void test_events_change_and_cease(void)
{
    static const struct rt_behaviour changer = {.name = "changer",
                                                .size = sizeof(struct changer),
                                                .start = changer_start,
                                                .handle = changer_handle};
    struct changer init = {0};

    TEST_ASSERT_EQUAL(
        0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, init.fd));
    run_on_loop(&changer, &init);
    close(init.fd[0]);
    close(init.fd[1]);
}

/* ---- what is refused
 * ------------------------------------------------------------- */

static enum rt_next pool_start(struct rt_turn *t, void *state)
{
    (void)state;
    EXPECT(rt_watch(t, 0, EPOLLIN) == -EINVAL);
    rt_unwatch(t, 0);
    return RT_STOP;
}

static enum rt_next bad_start(struct rt_turn *t, void *state)
{
    static const int bad[] = {5000, 1 << 30, INT_MAX};

    (void)state;
    EXPECT(rt_watch(t, -1, EPOLLIN) == -EINVAL);
    rt_unwatch(t, -1);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        EXPECT(rt_watch(t, bad[i], EPOLLIN) == -EBADF);
        rt_unwatch(t, bad[i]);
    }
    return RT_STOP;
}

/* ---- numbers that are given away again ----------------------------------- */

struct renumbering {
    int ready[2]; /* both, so that they are told of together */
    int quiet;    /* what has the number of one of them since then */
    int ends[3];  /* of each, the one that is written to */
};

static void make_pair(int *in, int *out)
{
    int ends[2] = {-1, -1};

    EXPECT(pipe2(ends, O_CLOEXEC) == 0);
    *in = ends[0];
    *out = ends[1];
}

static enum rt_next renumbering_start(struct rt_turn *t, void *state)
{
    struct renumbering *r = state;

    r->quiet = -1;
    for (int i = 0; i < 2; i++) {
        make_pair(&r->ready[i], &r->ends[i]);
        EXPECT(write(r->ends[i], "", 1) == 1);
        EXPECT(rt_watch(t, r->ready[i], EPOLLIN) == 0);
    }
    return RT_OK;
}

/* The other's message is in our inbox already. */
static void take_number(struct rt_turn *t, struct renumbering *r, int other)
{
    int in;

    rt_unwatch(t, other);
    make_pair(&in, &r->ends[2]);
    EXPECT(dup2(in, other) == other);
    close(in);
    EXPECT(rt_watch(t, other, EPOLLIN) == 0);
    r->quiet = other;
}

static enum rt_next renumbering_handle(struct rt_turn *t, void *state,
                                       struct rt_msg *m)
{
    struct renumbering *r = state;
    const struct rt_ready *ready = rt_body(m);

    if (m->kind == DONE) /* after all that was there before */
        return RT_STOP;
    EXPECT(m->kind == RT_READY && ready->fd != r->quiet);
    if (r->quiet >= 0)
        return RT_STOP;
    rt_unwatch(t, ready->fd);
    take_number(t, r, r->ready[ready->fd == r->ready[0]]);
    rt_tell(t, rt_self(t), DONE, NULL, 0);
    return RT_OK;
}

static void renumbering_stop(struct rt_turn *t, void *state)
{
    struct renumbering *r = state;

    rt_unwatch(t, r->quiet);
    for (int i = 0; i < 2; i++)
        close(r->ready[i]);
    for (int i = 0; i < 3; i++)
        close(r->ends[i]);
}

/* The kernel gives away the lowest number that is free, and so at once. */
static void test_what_was_ready_is_nothing_to_what_has_its_number(void)
{
    static const struct rt_behaviour actor = {.name = "renumbering",
                                              .size =
                                                  sizeof(struct renumbering),
                                              .start = renumbering_start,
                                              .handle = renumbering_handle,
                                              .stop = renumbering_stop};

    run_on_loop(&actor, &(struct renumbering){.quiet = -1});
}

static void test_bad_descriptors_are_refused(void)
{
    static const struct rt_behaviour pool = {
        .name = "pool", .start = pool_start, .handle = stop_after_exit};
    static const struct rt_behaviour bad = {
        .name = "bad", .start = bad_start, .handle = stop_after_exit};

    run(&pool, NULL);
    run_on_loop(&bad, NULL);
}

/* ---- an owner that dies
 * -------------------------------------------------------------
 */

struct forgetful {
    int fd;
};

static enum rt_next forgetful_start(struct rt_turn *t, void *state)
{
    const struct forgetful *f = state;

    EXPECT(rt_watch(t, f->fd, EPOLLIN) == 0);
    return RT_STOP;
}

struct spun {
    struct forgetful init;
    uint64_t sent; /* when the first wait began */
    unsigned waits;
};

static enum rt_next spun_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour forgetful = {.name = "forgetful",
                                                  .size =
                                                      sizeof(struct forgetful),
                                                  .start = forgetful_start,
                                                  .handle = stop_after_exit};
    const struct spun *s = state;

    rt_spawn_at(t, RT_LOOP(1), &forgetful, &s->init);
    return RT_OK;
}

static struct rt *spun_rt; /* for its counters, once rt_start has returned */

/* Every message counts as sent, so a loop that spins cannot hide. How long
 * rt_start takes to return is nobody's to say: what came before counts not. */
static enum rt_next spun_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct rt *rt = __atomic_load_n(&spun_rt, __ATOMIC_ACQUIRE);
    struct spun *s = state;
    struct rt_stats stats;

    if (m->kind != RT_EXIT && rt != NULL) {
        rt_stats_any(rt, &stats);
        if (s->waits++ == 0)
            s->sent = stats.sent;
        if (s->waits > 20) {
            EXPECT(stats.sent - s->sent < 200);
            return RT_STOP;
        }
    }
    rt_after(t, 1, DONE);
    return RT_OK;
}

static void test_dead_owner_does_not_spin_the_loop(void)
{
    static const struct rt_behaviour root = {.name = "root",
                                             .size = sizeof(struct spun),
                                             .start = spun_start,
                                             .handle = spun_handle};
    struct rt_config config = {.workers = 1, .loops = 2};
    struct spun init = {0};
    struct rt *rt;
    int fd[2];

    TEST_ASSERT_EQUAL(0, pipe2(fd, O_CLOEXEC));
    TEST_ASSERT_EQUAL(1, write(fd[1], "x", 1));
    init.init.fd = fd[0];
    wrong = 0;
    rt = rt_start(&config, &root, &init);
    __atomic_store_n(&spun_rt, rt, __ATOMIC_RELEASE);
    TEST_ASSERT_EQUAL(0, rt_join(rt));
    TEST_ASSERT_EQUAL(0, wrong);
    close(fd[0]);
    close(fd[1]);
}

/* ---- many descriptors
 * ------------------------------------------------------------------
 */

#define PAIRS 1000

struct crowd {
    int (*pair)[2];
    unsigned seen;
};

static enum rt_next crowd_start(struct rt_turn *t, void *state)
{
    const struct crowd *c = state;

    for (unsigned i = 0; i < PAIRS; i++)
        EXPECT(rt_watch(t, c->pair[i][0], EPOLLIN) == 0);
    for (unsigned i = 0; i < PAIRS; i++)
        EXPECT(write(c->pair[i][1], "x", 1) == 1);
    return RT_OK;
}

static enum rt_next crowd_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    const struct rt_ready *ready = rt_body(m);
    struct crowd *c = state;
    char byte;

    if (read(ready->fd, &byte, 1) != 1)
        return RT_OK;
    rt_unwatch(t, ready->fd);
    return ++c->seen == PAIRS ? RT_STOP : RT_OK;
}

static void test_thousands_of_descriptors(void)
{
    static const struct rt_behaviour crowd = {.name = "crowd",
                                              .size = sizeof(struct crowd),
                                              .start = crowd_start,
                                              .handle = crowd_handle};
    struct crowd init = {.pair = calloc(PAIRS, sizeof(*init.pair))};
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 2 * PAIRS + 100)
        TEST_IGNORE_MESSAGE("too few descriptors allowed");
    for (unsigned i = 0; i < PAIRS; i++)
        TEST_ASSERT_EQUAL(0, pipe2(init.pair[i], O_NONBLOCK | O_CLOEXEC));
    run_on_loop(&crowd, &init);
    for (unsigned i = 0; i < PAIRS; i++) {
        close(init.pair[i][0]);
        close(init.pair[i][1]);
    }
    free(init.pair);
}

/* ---- pinned actors, and mail from foreign threads
 * ----------------------------------------
 */

#define FOREIGN 3
#define EACH 20000

struct pinned {
    pthread_t thread;
    unsigned got;
};

static enum rt_next pinned_start(struct rt_turn *t, void *state)
{
    (void)t;
    ((struct pinned *)state)->thread = pthread_self();
    return RT_OK;
}

static enum rt_next pinned_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct pinned *p = state;

    (void)t;
    EXPECT(m->kind == COUNT_ME && pthread_equal(p->thread, pthread_self()));
    return ++p->got == FOREIGN * EACH ? RT_STOP : RT_OK;
}

/* The address foreign threads send to, once there is one. */
static struct {
    struct rt *rt;
    uint64_t to;
} foreign;

static enum rt_next foreign_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour pinned = {.name = "pinned",
                                               .size = sizeof(struct pinned),
                                               .start = pinned_start,
                                               .handle = pinned_handle};

    (void)state;
    __atomic_store_n(&foreign.to, rt_spawn_at(t, RT_LOOP(0), &pinned, NULL).id,
                     __ATOMIC_RELEASE);
    return RT_OK;
}

static void *tell_all(void *arg)
{
    struct rt_ref to;

    while ((to.id = __atomic_load_n(&foreign.to, __ATOMIC_ACQUIRE)) == 0)
        sched_yield();
    for (unsigned i = 0; i < EACH; i++)
        EXPECT(rt_tell_any(foreign.rt, to, COUNT_ME, NULL, 0));
    return arg;
}

static void test_foreign_threads_reach_a_pinned_actor(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = foreign_start, .handle = stop_after_exit};
    struct rt_config config = {.workers = 2, .loops = 1};
    pthread_t thread[FOREIGN];

    wrong = 0;
    foreign.to = 0;
    foreign.rt = rt_start(&config, &root, NULL);
    for (unsigned i = 0; i < FOREIGN; i++)
        pthread_create(&thread[i], NULL, tell_all, NULL);
    for (unsigned i = 0; i < FOREIGN; i++)
        pthread_join(thread[i], NULL);
    TEST_ASSERT_EQUAL(0, rt_join(foreign.rt));
    TEST_ASSERT_EQUAL(0, wrong);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_pipe_until_it_hangs_up);
    TEST(test_events_change_and_cease);
    TEST(test_what_was_ready_is_nothing_to_what_has_its_number);
    TEST(test_bad_descriptors_are_refused);
    TEST(test_dead_owner_does_not_spin_the_loop);
    TEST(test_thousands_of_descriptors);
    TEST(test_foreign_threads_reach_a_pinned_actor);
    return TAP_END();
}
