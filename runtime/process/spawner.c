/* SPDX-License-Identifier: MIT */
#include "runtime/process/spawner.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/list.h"
#include "runtime/os.h"
#include "runtime/process/births.h"
#include "runtime/process/env_tree.h"
#include "runtime/process/workdir.h"

#define KILL_PAUSE_MS 20
#define KILL_LONGEST_PAUSE_MS 4000
#define MS UINT64_C(1000000)

enum { SPAWNER_KILL_AGAIN = 0x190, SPAWNER_CLEAR_MORE, SPAWNER_BIRTHS_LATE };

struct spawner {
    const struct process_config *config;
    struct births births;
    /* Of those trees, those that were still alive. */
    LIST(struct kill_tree) kills;
    uint64_t timer; /* of the next look, or 0 */
    LIST(struct clearing) clearings;
    bool has_judged; /* whether memory can be limited; at the first need */
    bool has_base;   /* it can */
    char base[PATH_MAX];
};

struct kill_tree {
    LIST_LINK(struct kill_tree) link;
    struct env_tree tree;
    struct rt_ref asker;
    uint64_t ticket;
    uint64_t due, give_up; /* the next look, the last one: monotonic ns */
    uint64_t pause_ms;     /* between the last look and the next */
    uint64_t faces;        /* of those that were there */
};

struct clearing {
    LIST_LINK(struct clearing) link;
    struct process_spec *spec; /* kept */
};

/* ---- starting ------------------------------------------------------------ */

/* Whether its tree can be held to its limit; what is in the way was told. A
 * zygote would be in the way: it is where we are. */
static bool is_limited(struct rt_turn *t, struct spawner *s,
                       const struct process_spec *spec)
{
    struct process_memory memory;

    if (spec->memory_max == 0)
        return false;
    if (!s->has_judged) {
        births_end_zygote(t, &s->births);
        memory.verdict = cgroup_take("/proc", s->base);
        s->has_judged = true;
        s->has_base = memory.verdict == CGROUP_FIT;
        if (s->has_base)
            cgroup_sweep(s->base);
        rt_tell(t, s->config->told, PROCESS_MEMORY, &memory, sizeof(memory));
    }
    return s->has_base;
}

static void on_start(struct rt_turn *t, struct spawner *s, struct rt_msg *m)
{
    const struct spawner_start *order = rt_body(m);
    char cgroup[PATH_MAX];
    bool has_cgroup = is_limited(t, s, order->spec) &&
                      cgroup_of(s->base, order->spec->id, cgroup);

    births_begin(t, &s->births, m->from, order, has_cgroup ? cgroup : NULL);
}

/* ---- killing what a dead warden left ---------------------------------- */

/* One of an earlier hub's too, if we are where that was. */
static void forget_cgroup(struct spawner *s, const char *agent)
{
    char base[PATH_MAX];

    if (s->has_base)
        cgroup_remove(s->base, agent);
    else if (cgroup_judge("/proc", getpid(), base) == CGROUP_FIT)
        cgroup_remove(base, agent);
}

/*
 * What was killed may have been forking: only an empty look is the end. New
 * faces mean that something still forks, and it is met again soon; the same
 * ones that the kernel is not done with them, or cannot be, and looking oftener
 * would not help.
 */
static void after_look(struct rt_turn *t, struct spawner *s,
                       struct kill_tree *k)
{
    struct spawner_killed answer = {.ticket = k->ticket, .left = k->tree.found};
    uint64_t pause = k->pause_ms * 2;

    if (k->tree.found > 0 && rt_now(t) < k->give_up) {
        if (k->tree.faces != k->faces)
            pause = KILL_PAUSE_MS;
        k->pause_ms =
            pause < KILL_LONGEST_PAUSE_MS ? pause : KILL_LONGEST_PAUSE_MS;
        k->faces = k->tree.faces;
        k->due = rt_now(t) + k->pause_ms * MS;
        return;
    }
    forget_cgroup(s, k->tree.agent);
    rt_tell(t, k->asker, SPAWNER_KILLED, &answer, sizeof(answer));
    LIST_REMOVE(&s->kills, k, link);
    free(k);
}

static void arm(struct rt_turn *t, struct spawner *s)
{
    uint64_t now = rt_now(t), due = UINT64_MAX;

    if (s->timer != 0)
        rt_cancel(t, s->timer);
    s->timer = 0;
    LIST_EACH (k, &s->kills, link)
        if (k->due < due)
            due = k->due;
    if (due != UINT64_MAX)
        s->timer = rt_after(t, due > now ? (due - now) / MS + 1 : 0,
                            SPAWNER_KILL_AGAIN);
}

/* All that are due in one look: when a hub's wardens died they all did. */
static void on_kill_again(struct rt_turn *t, struct spawner *s)
{
    uint64_t now = rt_now(t);
    struct index trees = {0};

    LIST_EACH (k, &s->kills, link)
        if (k->due <= now)
            env_tree_add(&trees, &k->tree);
    if (index_any(&trees) != NULL)
        env_tree_kill(&trees, s->config->socket);
    LIST_EACH (k, &s->kills, link)
        if (k->due <= now)
            after_look(t, s, k);
    index_finish(&trees);
    arm(t, s);
}

static void on_kill(struct rt_turn *t, struct spawner *s, struct rt_msg *m)
{
    const struct spawner_kill *order = rt_body(m);
    struct kill_tree *k = os_alloc(sizeof(*k), 16);
    uint64_t now = rt_now(t);

    *k = (struct kill_tree){.asker = m->from,
                            .ticket = order->ticket,
                            .due = now,
                            .give_up = now + s->config->give_up_ms * MS};
    memcpy(k->tree.agent, order->id, sizeof(order->id));
    LIST_PREPEND(&s->kills, k, link);
    arm(t, s);
}

/* ---- clearing up --------------------------------------------------------- */

/* A portion at a time, for an agent may have left a million files there, and
 * others are to be started. */
static void on_clear_more(struct rt_turn *t, struct spawner *s)
{
    struct clearing *c = s->clearings.first;

    if (c != NULL && !workdir_clear(c->spec)) {
        LIST_REMOVE(&s->clearings, c, link);
        rt_obj_drop(&c->spec->obj);
        free(c);
    }
    if (s->clearings.first != NULL)
        rt_tell(t, rt_self(t), SPAWNER_CLEAR_MORE, NULL, 0);
}

static void on_clear(struct rt_turn *t, struct spawner *s,
                     struct process_spec *spec)
{
    struct clearing *c = os_alloc(sizeof(*c), 16);

    *c = (struct clearing){.spec = RT_KEEP(spec)};
    if (s->clearings.first == NULL)
        rt_tell(t, rt_self(t), SPAWNER_CLEAR_MORE, NULL, 0);
    LIST_APPEND(&s->clearings, c, link);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct spawner *s = state;

    if (m->kind == SPAWNER_START)
        on_start(t, s, m);
    else if (m->kind == RT_READY)
        births_on_ready(t, &s->births);
    else if (m->kind == SPAWNER_BIRTHS_LATE)
        births_on_late(t, &s->births);
    else if (m->kind == SPAWNER_KILL)
        on_kill(t, s, m);
    else if (m->kind == SPAWNER_KILL_AGAIN)
        on_kill_again(t, s);
    else if (m->kind == SPAWNER_CLEAR)
        on_clear(t, s, RT_OBJ(m, struct process_spec));
    else if (m->kind == SPAWNER_CLEAR_MORE)
        on_clear_more(t, s);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct spawner *s = state;

    births_finish(t, &s->births);
    LIST_EACH (k, &s->kills, link)
        free(k);
    LIST_EACH (c, &s->clearings, link) {
        workdir_clear(c->spec); /* which is all of it, as a rule */
        rt_obj_drop(&c->spec->obj);
        free(c);
    }
}

static const struct rt_behaviour behaviour = {.name = "spawner",
                                              .size = sizeof(struct spawner),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref spawner_start(struct rt_turn *t, unsigned home,
                            const struct process_config *config)
{
    return rt_spawn_at(
        t, home, &behaviour,
        &(struct spawner){
            .config = config,
            .births = {.config = config, .late_kind = SPAWNER_BIRTHS_LATE}});
}
