/* SPDX-License-Identifier: MIT */
/*
 * A story for the simulator: senders, timers, crashes, restarts, monitors,
 * stale addresses and a stop in the middle of it all, on the real runtime.
 *
 *   story [--seeds N] [--first N] [--seed N]
 *
 * Each seed is a run of its own, checked at its end: every counted message
 * arrived once and in order, every monitor was answered once, nobody was left
 * waiting, nothing leaked. A failing seed is printed and reruns exactly.
 *
 *   root -> supervisor -> workers that crash and are started again
 *        -> senders, each with a target of its own or a shared one
 *        -> a watcher that monitors everybody, and sends pests to some
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/atomic.h"
#include "runtime/os.h"
#include "runtime/os_sim.h"
#include "runtime/rt.h"

#define SENDERS 4
#define EACH 12
#define WORKERS 3

enum kind {
    GO = 1,
    NUMBER, /* body: struct number */
    TICK,
    STARTED, /* body: struct rt_started */
    WATCH,   /* body: struct rt_ref */
    SETTLE,  /* to the watcher: say when all monitors are answered */
    SETTLED,
    LAST, /* a sender's last words */
    DONE,
    CRASH,
    NOISE,
    NEVER /* a timer taken back before it is due */
};

struct number {
    uint32_t sender, value;
};

/* What the run has shown; written by the root's children through messages,
 * and by everybody's last turn. Read when all has ended. */
static struct {
    uint64_t monitors, downs;
    bool complete; /* the root saw everything it waited for */
} seen;

static void tally(uint64_t *count)
{
    atomic_add_relaxed(count, 1);
}

#define CHECK(condition)                                                       \
    ((condition) ? (void)0 : os_panic("line %d: %s", __LINE__, #condition))

/* ---- the receiver: counts what comes, in order per sender -----------------
 */

struct receiver {
    uint32_t next[SENDERS];
    uint32_t total;
};

static enum rt_next receiver_handle(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    struct receiver *r = state;
    const struct number *n = rt_body(m);

    CHECK(m->kind == NUMBER);
    CHECK(n->sender < SENDERS && n->value == r->next[n->sender]);
    r->next[n->sender]++;
    if (++r->total == SENDERS * EACH)
        rt_tell(t, rt_parent(t), DONE, NULL, 0);
    return RT_OK;
}

static const struct rt_behaviour receiver = {.name = "receiver",
                                             .size = sizeof(struct receiver),
                                             .handle = receiver_handle};

/* ---- a sender: sends in bursts, resting between them -----------------------
 */

struct sender {
    struct rt_ref to;
    uint32_t id, sent;
    uint64_t timer;
};

static void send_chain(struct rt_turn *t, struct sender *s)
{
    struct rt_msg *first = NULL, **end = &first;

    for (unsigned i = 0; i < 3 && s->sent < EACH; i++, s->sent++) {
        struct rt_msg *m = rt_msg(t, NUMBER, sizeof(struct number));
        *(struct number *)rt_body(m) =
            (struct number){.sender = s->id, .value = s->sent};
        *end = m;
        end = &m->next;
    }
    *end = NULL;
    CHECK(rt_send_chain(t, s->to, first));
}

static enum rt_next sender_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    struct sender *s = state;

    CHECK(m->kind != NEVER);
    if (m->kind == CRASH || m->kind == NOISE)
        return RT_OK;
    if (m->kind == TICK)
        CHECK(((struct rt_alarm *)rt_body(m))->id == s->timer);
    if (rt_random(t) % 3 == 0) {
        send_chain(t, s);
    } else if (s->sent < EACH) {
        struct number n = {.sender = s->id, .value = s->sent++};
        CHECK(rt_tell(t, s->to, NUMBER, &n, sizeof(n)));
    }
    if (s->sent == EACH) {
        rt_tell(t, rt_parent(t), LAST, NULL, 0);
        return RT_STOP;
    }
    if (rt_random(t) % 4 == 0) {
        rt_cancel(t, rt_after(t, 50, NEVER));
        s->timer = rt_after(t, rt_random(t) % 20, TICK);
    } else {
        rt_tell(t, rt_self(t), GO, NULL, 0);
    }
    return RT_OK;
}

static const struct rt_behaviour sender = {
    .name = "sender", .size = sizeof(struct sender), .handle = sender_handle};

/* ---- a worker: fails now and then, with children of its own ----------------
 */

struct worker {
    struct rt_obj *held;
};

static void obj_free(struct rt_obj *o)
{
    free(o);
}

static enum rt_next leaf_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    (void)t;
    (void)state;
    (void)m;
    return RT_OK;
}

static const struct rt_behaviour leaf = {.name = "leaf", .handle = leaf_handle};

static enum rt_next worker_start(struct rt_turn *t, void *state)
{
    struct worker *w = state;
    struct rt_ref child = rt_spawn(t, &leaf, NULL);

    w->held = malloc(sizeof(*w->held));
    rt_obj_init(w->held, obj_free);
    for (unsigned i = 0; i < 3; i++) {
        struct rt_msg *m = rt_msg(t, GO, sizeof(w->held));
        m->flags = RT_CARRIES;
        *(struct rt_obj **)rt_body(m) = rt_obj_keep(w->held);
        rt_send(t, child, m);
    }
    rt_spawn_at(t, RT_LOOP(0), &leaf, NULL);
    rt_after(t, 1 + rt_random(t) % 30, TICK);
    return RT_OK;
}

static enum rt_next worker_handle(struct rt_turn *t, void *state,
                                  struct rt_msg *m)
{
    (void)state;
    if (m->kind == RT_EXIT || m->kind == NOISE)
        return RT_OK;
    if (m->kind == CRASH || rt_random(t) % 4 == 0)
        return rt_fail(t, -EIO);
    rt_after(t, 1 + rt_random(t) % 30, TICK);
    return RT_OK;
}

static void worker_stop(struct rt_turn *t, void *state)
{
    struct worker *w = state;

    (void)t;
    rt_obj_drop(w->held);
}

static const struct rt_behaviour worker = {.name = "worker",
                                           .size = sizeof(struct worker),
                                           .start = worker_start,
                                           .handle = worker_handle,
                                           .stop = worker_stop};

/* ---- a pest: writes to somebody until it is refused ------------------ */

static enum rt_next pest_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct rt_ref *victim = state;

    (void)m;
    for (unsigned i = 0; i < 4; i++)
        if (!rt_tell(t, *victim, NOISE, NULL, 0))
            return RT_STOP;
    rt_after(t, rt_random(t) % 4, GO);
    return RT_OK;
}

static const struct rt_behaviour pest = {
    .name = "pest", .size = sizeof(struct rt_ref), .handle = pest_handle};

/* ---- the watcher: monitors whom it is told, pinned to a loop ----------------
 */

struct watcher {
    uint64_t open;
    struct rt_ref asker;
};

static enum rt_next watcher_handle(struct rt_turn *t, void *state,
                                   struct rt_msg *m)
{
    struct watcher *w = state;

    if (m->kind == WATCH) {
        struct rt_ref who = *(struct rt_ref *)rt_body(m);
        rt_monitor(t, who);
        w->open++;
        tally(&seen.monitors);
        if (rt_random(t) % 2 == 0)
            rt_tell(t, rt_spawn(t, &pest, &who), GO, NULL, 0);
        if (rt_random(t) % 4 == 0)
            rt_tell(t, who, CRASH, NULL, 0);
    } else if (m->kind == RT_EXIT) {
        return RT_OK; /* a pest has been refused */
    } else if (m->kind == RT_DOWN) {
        CHECK(w->open > 0);
        w->open--;
        tally(&seen.downs);
    } else {
        CHECK(m->kind == SETTLE);
        w->asker = m->from;
    }
    if (w->open == 0 && w->asker.id != 0)
        rt_tell(t, w->asker, SETTLED, NULL, 0);
    return RT_OK;
}

static const struct rt_behaviour watcher = {.name = "watcher",
                                            .size = sizeof(struct watcher),
                                            .handle = watcher_handle};

/* ---- the root -------------------------------------------------------- */

struct root {
    struct rt_ref watcher, receiver, supervisor;
    struct rt_ref last; /* of a sender that will have died */
    unsigned exits, last_words;
    bool received, stops_early, supervisor_ended;
};

static void start_workers(struct rt_turn *t, struct root *r)
{
    struct rt_child child = {.behaviour = &worker};
    struct rt_child children[WORKERS];
    struct rt_supervisor spec = {
        .children = children,
        .count = WORKERS,
        .strategy = (enum rt_strategy)(rt_random(t) % 3),
        .max_restarts = 4,
        .window_ms = 1000,
        .tell = rt_self(t),
        .tell_kind = STARTED,
    };

    for (unsigned i = 0; i < WORKERS; i++) {
        child.restart = (enum rt_restart)(rt_random(t) % 3);
        child.home = rt_random(t) % 2 ? RT_POOL : RT_LOOP(1);
        children[i] = child;
    }
    r->supervisor = rt_supervise(t, &spec);
}

static enum rt_next root_start(struct rt_turn *t, void *state)
{
    struct root *r = state;

    r->stops_early = rt_random(t) % 3 == 0;
    r->watcher = rt_spawn_at(t, RT_LOOP(0), &watcher, NULL);
    r->receiver = rt_spawn(t, &receiver, NULL);
    for (uint32_t i = 0; i < SENDERS; i++) {
        struct sender init = {.to = r->receiver, .id = i};
        unsigned home = rt_random(t) % 4 == 0 ? RT_LOOP(1) : RT_POOL;
        r->last = rt_spawn_at(t, home, &sender, &init);
        rt_tell(t, r->watcher, WATCH, &r->last, sizeof(r->last));
        rt_tell(t, r->last, GO, NULL, 0);
    }
    start_workers(t, r);
    if (r->stops_early)
        rt_after(t, rt_random(t) % 40, DONE);
    return RT_OK;
}

/* All senders and the supervisor have ended and all was received. */
static bool is_complete(const struct root *r)
{
    return r->received && r->exits == SENDERS + 1;
}

static enum rt_next root_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    struct root *r = state;

    if (m->kind == STARTED) {
        const struct rt_started *s = rt_body(m);
        rt_tell(t, r->watcher, WATCH, &s->ref, sizeof(s->ref));
    } else if (m->kind == DONE && rt_same(m->from, r->receiver)) {
        r->received = true;
        /* Workers that are never restarted do not end by themselves. */
        rt_stop(t, r->supervisor);
    } else if (m->kind == DONE) {
        return RT_STOP; /* early: with everything in flight */
    } else if (m->kind == LAST) {
        r->last_words++;
    } else if (m->kind == RT_EXIT) {
        CHECK(!rt_same(m->from, r->receiver));
        r->exits++;
        CHECK(r->exits <= r->last_words + rt_same(m->from, r->supervisor) +
                              r->supervisor_ended);
        r->supervisor_ended |= rt_same(m->from, r->supervisor);
    }
    if (m->kind == SETTLED) {
        CHECK(is_complete(r) && seen.downs == seen.monitors);
        seen.complete = true;
        return RT_STOP;
    }
    if (is_complete(r)) {
        CHECK(!rt_tell(t, r->last, GO, NULL, 0));
        rt_tell(t, r->watcher, SETTLE, NULL, 0);
    }
    return RT_OK;
}

static const struct rt_behaviour root = {.name = "root",
                                         .size = sizeof(struct root),
                                         .start = root_start,
                                         .handle = root_handle};

/* Returns whether the story came to its end, and was not stopped before. */
static bool run(uint64_t seed)
{
    struct rt_config config = {.workers = 1 + seed % 4, .loops = 2};
    struct rt *rt;
    uint64_t leaks;

    memset(&seen, 0, sizeof(seen));
    os_sim_begin(seed);
    rt = rt_start(&config, &root, NULL);
    if (seed % 7 == 0)
        rt_stop_any(rt);
    leaks = rt_join(rt);
    os_sim_end();
    if (leaks != 0)
        os_panic("%" PRIu64 " messages, actors or states leaked", leaks);
    return seen.complete;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, count = 1000, complete = 0;

    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seeds") == 0)
            count = value;
        if (strcmp(argv[i], "--first") == 0)
            first = value;
        if (strcmp(argv[i], "--seed") == 0) {
            first = value;
            count = 1;
        }
    }
    for (uint64_t seed = first; seed < first + count; seed++)
        complete += run(seed);
    printf("# seeds %" PRIu64 " to %" PRIu64 ": all ended, %" PRIu64
           " of them after the whole story\n",
           first, first + count - 1, complete);
    return 0;
}
