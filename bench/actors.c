/* SPDX-License-Identifier: MIT */
/*
 * The engine's benches, one a run: `actors NAME ARGS... [--workers N]` prints
 * one number. bench/peers has the same programs in Erlang and Go; every hop
 * there and here carries one small message. Times are taken inside, between
 * the first and the last message, so no start-up is counted anywhere.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "runtime/rt.h"

enum kind { GO = 1, PING, PONG, DONE };

/* What the command line asks for; constant once the runtime runs. */
static struct {
    uint64_t n, m;
    struct rt_config config;
} args;

/* Written by the root in its last turn, read after rt_join. */
static double result;

static void finish(struct rt_turn *t, uint64_t begun, uint64_t count)
{
    result = (double)count * 1e9 / (double)(rt_now(t) - begun);
}

/* ---- pingpong: two actors, one message ------------------------------- */

struct pinger {
    struct rt_ref ponger;
    uint64_t left, begun;
};

static enum rt_next ponger_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    (void)state;
    rt_tell(t, m->from, PONG, rt_body(m), sizeof(uint64_t));
    return RT_OK;
}

static const struct rt_behaviour ponger = {.name = "ponger",
                                           .handle = ponger_handle};

static enum rt_next pinger_start(struct rt_turn *t, void *state)
{
    struct pinger *p = state;

    p->ponger = rt_spawn(t, &ponger, NULL);
    p->left = args.n;
    p->begun = rt_now(t);
    rt_tell(t, p->ponger, PING, &p->left, sizeof(p->left));
    return RT_OK;
}

static enum rt_next pinger_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct pinger *p = state;

    (void)m;
    if (--p->left == 0) {
        finish(t, p->begun, args.n);
        return RT_STOP;
    }
    rt_tell(t, p->ponger, PING, &p->left, sizeof(p->left));
    return RT_OK;
}

static const struct rt_behaviour pinger = {.name = "pinger",
                                           .size = sizeof(struct pinger),
                                           .start = pinger_start,
                                           .handle = pinger_handle};

/* ---- ring: a token goes round ---------------------------------------- */

struct ringer {
    struct rt_ref next, first;
};

static enum rt_next ringer_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct ringer *r = state;
    uint64_t hops = *(uint64_t *)rt_body(m);

    if (hops == 0) {
        rt_tell(t, r->first, DONE, NULL, 0);
        return RT_OK;
    }
    hops--;
    rt_tell(t, r->next, PING, &hops, sizeof(hops));
    return RT_OK;
}

static const struct rt_behaviour ringer = {
    .name = "ringer", .size = sizeof(struct ringer), .handle = ringer_handle};

struct ring {
    struct rt_ref first;
    uint64_t begun;
};

/* Built backwards; the root itself is the first member of the ring. */
static enum rt_next ring_start(struct rt_turn *t, void *state)
{
    struct ring *r = state;
    struct ringer init = {.next = rt_self(t), .first = rt_self(t)};

    for (uint64_t i = 1; i < args.n; i++)
        init.next = rt_spawn(t, &ringer, &init);
    r->first = init.next;
    r->begun = rt_now(t);
    rt_tell(t, r->first, PING, &args.m, sizeof(args.m));
    return RT_OK;
}

static enum rt_next ring_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct ring *r = state;
    uint64_t hops = m->kind == DONE ? 0 : *(uint64_t *)rt_body(m);

    if (hops == 0) {
        finish(t, r->begun, args.m);
        return RT_STOP;
    }
    hops--;
    rt_tell(t, r->first, PING, &hops, sizeof(hops));
    return RT_OK;
}

static const struct rt_behaviour ring = {.name = "ring",
                                         .size = sizeof(struct ring),
                                         .start = ring_start,
                                         .handle = ring_handle};

/* ---- forkjoin: create, one message, die ------------------------------ */

struct joiner {
    struct rt_ref boss;
    uint64_t left;
};

static enum rt_next joiner_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct joiner *j = state;

    (void)m;
    if (--j->left == 0)
        rt_tell(t, j->boss, DONE, NULL, 0);
    return RT_OK;
}

static const struct rt_behaviour joiner = {
    .name = "joiner", .size = sizeof(struct joiner), .handle = joiner_handle};

static enum rt_next child_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    struct rt_ref *to = state;

    rt_tell(t, *to, PONG, rt_body(m), sizeof(uint64_t));
    return RT_STOP;
}

static const struct rt_behaviour child = {
    .name = "child", .size = sizeof(struct rt_ref), .handle = child_handle};

struct forker {
    struct rt_ref joiner;
    uint64_t left, begun;
};

/* In slices, so that the children's ends are heard in between. */
static void fork_slice(struct rt_turn *t, struct forker *f)
{
    for (unsigned i = 0; i < 1000 && f->left > 0; i++, f->left--) {
        struct rt_ref ref = rt_spawn(t, &child, &f->joiner);
        rt_tell(t, ref, PING, &f->left, sizeof(f->left));
    }
    if (f->left > 0)
        rt_tell(t, rt_self(t), GO, NULL, 0);
}

static enum rt_next forker_start(struct rt_turn *t, void *state)
{
    struct forker *f = state;
    struct joiner init = {.boss = rt_self(t), .left = args.n};

    f->joiner = rt_spawn(t, &joiner, &init);
    f->left = args.n;
    f->begun = rt_now(t);
    fork_slice(t, f);
    return RT_OK;
}

static enum rt_next forker_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct forker *f = state;

    if (m->kind == GO)
        fork_slice(t, f);
    if (m->kind != DONE)
        return RT_OK;
    finish(t, f->begun, args.n);
    return RT_STOP;
}

static const struct rt_behaviour forker = {.name = "forker",
                                           .size = sizeof(struct forker),
                                           .start = forker_start,
                                           .handle = forker_handle};

/* ---- contend: many senders, one receiver ----------------------------- */

struct source {
    struct rt_ref sink;
    uint64_t left;
};

static enum rt_next source_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct source *s = state;

    (void)m;
    for (unsigned i = 0; i < 1000 && s->left > 0; i++, s->left--)
        rt_tell(t, s->sink, PING, &s->left, sizeof(s->left));
    if (s->left > 0)
        rt_tell(t, rt_self(t), GO, NULL, 0);
    return RT_OK;
}

static const struct rt_behaviour source = {
    .name = "source", .size = sizeof(struct source), .handle = source_handle};

struct sink {
    uint64_t left, begun, sum;
};

static enum rt_next sink_start(struct rt_turn *t, void *state)
{
    struct sink *s = state;
    struct source init = {.sink = rt_self(t), .left = args.m};

    s->left = args.n * args.m;
    s->begun = rt_now(t);
    for (uint64_t i = 0; i < args.n; i++)
        rt_tell(t, rt_spawn(t, &source, &init), GO, NULL, 0);
    return RT_OK;
}

static enum rt_next sink_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct sink *s = state;

    s->sum += *(uint64_t *)rt_body(m);
    if (--s->left > 0)
        return RT_OK;
    if (s->sum != args.n * (args.m * (args.m + 1) / 2))
        return rt_fail(t, -EBADMSG);
    finish(t, s->begun, args.n * args.m);
    return RT_STOP;
}

static const struct rt_behaviour sink = {.name = "sink",
                                         .size = sizeof(struct sink),
                                         .start = sink_start,
                                         .handle = sink_handle};

/* ---- big: all to all ------------------------------------------------------
 */

struct crowd {
    struct rt_ref *members;
    uint64_t done, begun;
};

struct member {
    struct crowd *crowd; /* its list is constant once all have started */
    struct rt_ref boss;
    uint64_t left, random;
};

static void ping_somebody(struct rt_turn *t, struct member *b)
{
    b->random = b->random * 6364136223846793005ull + 1442695040888963407ull;
    rt_tell(t, b->crowd->members[(b->random >> 33) % args.n], PING, &b->left,
            sizeof(b->left));
}

static enum rt_next member_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct member *b = state;

    if (m->kind == PING) {
        rt_tell(t, m->from, PONG, rt_body(m), sizeof(uint64_t));
        return RT_OK;
    }
    if (m->kind == PONG && --b->left == 0)
        rt_tell(t, b->boss, DONE, NULL, 0);
    else
        ping_somebody(t, b);
    return RT_OK;
}

static const struct rt_behaviour member = {
    .name = "member", .size = sizeof(struct member), .handle = member_handle};

static enum rt_next crowd_start(struct rt_turn *t, void *state)
{
    struct crowd *c = state;
    struct member init = {.crowd = c, .boss = rt_self(t), .left = args.m};

    c->members = calloc(args.n, sizeof(*c->members));
    for (uint64_t i = 0; i < args.n; i++) {
        init.random = i;
        c->members[i] = rt_spawn(t, &member, &init);
    }
    c->begun = rt_now(t);
    for (uint64_t i = 0; i < args.n; i++)
        rt_tell(t, c->members[i], GO, NULL, 0);
    return RT_OK;
}

static enum rt_next crowd_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    struct crowd *c = state;

    (void)m;
    if (++c->done < args.n)
        return RT_OK;
    finish(t, c->begun, args.n * args.m);
    return RT_STOP;
}

static void crowd_stop(struct rt_turn *t, void *state)
{
    struct crowd *c = state;

    (void)t;
    free(c->members);
}

static const struct rt_behaviour crowd = {.name = "crowd",
                                          .size = sizeof(struct crowd),
                                          .start = crowd_start,
                                          .handle = crowd_handle,
                                          .stop = crowd_stop};

/* ---- idle: memory of actors that do nothing -------------------------------
 */

static enum rt_next sleeper_handle(struct rt_turn *t, void *state,
                                   struct rt_msg *m)
{
    (void)t;
    *(uint64_t *)state += m->kind;
    return RT_OK;
}

static const struct rt_behaviour sleeper = {
    .name = "sleeper", .size = 64, .handle = sleeper_handle};

static enum rt_next idle_start(struct rt_turn *t, void *state)
{
    uint64_t before = measure_resident();

    (void)state;
    for (uint64_t i = 0; i < args.n; i++)
        rt_spawn(t, &sleeper, NULL);
    result = (double)(measure_resident() - before) / (double)args.n;
    return RT_STOP;
}

static const struct rt_behaviour idle = {
    .name = "idle", .start = idle_start, .handle = sleeper_handle};

/* ---- wakeup and idle_wakeups: a runtime at rest ---------------------------
 */

static enum rt_next stamp_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    uint64_t *answer = *(uint64_t **)rt_body(m);

    (void)state;
    __atomic_store_n(answer, rt_now(t), __ATOMIC_RELEASE);
    return RT_OK;
}

static const struct rt_behaviour stamp = {.name = "stamp",
                                          .handle = stamp_handle};

static void post(void *rt, uint64_t *answer)
{
    rt_tell_any(rt, rt_root_any(rt), PING, &answer, sizeof(answer));
}

static void run_wakeup(void)
{
    struct rt *rt = rt_start(&args.config, &stamp, NULL);

    result = measure_wakeups(args.n, post, rt);
    rt_stop_any(rt);
    rt_join(rt);
}

static void run_idle_wakeups(void)
{
    struct rt *rt = rt_start(&args.config, &stamp, NULL);

    result = measure_idle_switches((unsigned)args.n);
    rt_stop_any(rt);
    rt_join(rt);
}

static void run_wakeup_bare(void)
{
    result = measure_bare_wakeups(args.n);
}

/* ---- the command line -----------------------------------------------------
 */

static const struct bench {
    const char *name;
    int numbers;
    const struct rt_behaviour *root;
    void (*run)(void);
} benches[] = {
    {"pingpong", 1, &pinger, NULL},
    {"ring", 2, &ring, NULL},
    {"forkjoin", 1, &forker, NULL},
    {"contend", 2, &sink, NULL},
    {"big", 2, &crowd, NULL},
    {"idle", 1, &idle, NULL},
    {"wakeup", 1, NULL, run_wakeup},
    {"wakeup_bare", 1, NULL, run_wakeup_bare},
    {"idle_wakeups", 1, NULL, run_idle_wakeups},
};

static int usage(void)
{
    fputs("usage: actors BENCH NUMBER... [--workers N]\nbenches:", stderr);
    for (size_t i = 0; i < sizeof(benches) / sizeof(*benches); i++)
        fprintf(stderr, " %s", benches[i].name);
    fputc('\n', stderr);
    return 2;
}

static int run(const struct bench *bench)
{
    uint64_t leaks = 0;

    if (bench->run != NULL)
        bench->run();
    else
        leaks = rt_join(rt_start(&args.config, bench->root, NULL));
    if (leaks > 0 || result <= 0) {
        fprintf(stderr, "%s: %" PRIu64 " leaks, result %g\n", bench->name,
                leaks, result);
        return 1;
    }
    printf("%.3f\n", result);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[argc - 2], "--workers") == 0) {
        args.config.workers = (unsigned)strtoul(argv[argc - 1], NULL, 10);
        argc -= 2;
    }
    for (size_t i = 0; i < sizeof(benches) / sizeof(*benches); i++) {
        if (argc < 2 || strcmp(argv[1], benches[i].name) != 0)
            continue;
        if (argc != 2 + benches[i].numbers)
            return usage();
        args.n = strtoull(argv[2], NULL, 10);
        args.m = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
        return args.n > 0 ? run(&benches[i]) : usage();
    }
    return usage();
}
