/* SPDX-License-Identifier: MIT */
/*
 * A supervisor: keeps children running by three words. `restart` says which
 * ends count, `strategy` who is started again with the one that ended, and
 * max_restarts in window_ms when to give up and fail upwards.
 *
 * A child is down, running, doomed, or ordered to stop. The doomed are ordered
 * to stop one after the other; when there are none left, everything that is
 * wanted and down is started, in the order of the specification: that one rule
 * serves all strategies.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/os.h"
#include "runtime/rt.h"

#define MS 1000000ull

enum child_state { CHILD_DOWN, CHILD_RUNNING, CHILD_DOOMED, CHILD_STOPPING };

struct child {
    struct rt_child spec;
    struct rt_ref ref;
    enum child_state state;
    bool wanted;
};

struct supervisor {
    struct rt_supervisor spec;
    struct child *children;
    uint64_t *restarts; /* when: the last max_restarts of them, a ring */
    uint64_t restarted;
};

static void start_child(struct rt_turn *t, struct supervisor *s, unsigned i)
{
    struct child *c = &s->children[i];
    struct rt_started told;

    c->ref = rt_spawn_at(t, c->spec.home, c->spec.behaviour, c->spec.init);
    c->state = CHILD_RUNNING;
    told = (struct rt_started){.index = i, .ref = c->ref};
    if (s->spec.tell.id != 0)
        rt_tell(t, s->spec.tell, s->spec.tell_kind, &told, sizeof(told));
}

static void start_wanted(struct rt_turn *t, struct supervisor *s)
{
    for (unsigned i = 0; i < s->spec.count; i++)
        if (s->children[i].wanted && s->children[i].state == CHILD_DOWN)
            start_child(t, s, i);
}

/* A temporary child is never started again, nor with the others. */
static void doom_others(struct supervisor *s, unsigned ended)
{
    unsigned first = s->spec.strategy == RT_ONE_FOR_ALL ? 0 : ended;

    if (s->spec.strategy == RT_ONE_FOR_ONE)
        return;
    for (unsigned i = first; i < s->spec.count; i++) {
        struct child *c = &s->children[i];
        if (c->state != CHILD_RUNNING)
            continue;
        c->state = CHILD_DOOMED;
        c->wanted = c->spec.restart != RT_TEMPORARY;
    }
}

/*
 * The newest first, and the next when it has ended, as everywhere: later
 * children may lean on earlier ones. False when none is left to wait for.
 */
static bool stop_doomed(struct rt_turn *t, struct supervisor *s)
{
    struct child *newest = NULL;

    for (unsigned i = 0; i < s->spec.count; i++) {
        if (s->children[i].state == CHILD_STOPPING)
            return true;
        if (s->children[i].state == CHILD_DOOMED)
            newest = &s->children[i];
    }
    if (newest == NULL)
        return false;
    newest->state = CHILD_STOPPING;
    rt_stop(t, newest->ref);
    return true;
}

/* False when there were too many restarts of late. */
static bool count_restart(struct rt_turn *t, struct supervisor *s)
{
    uint64_t now = rt_now(t), *oldest;

    if (s->spec.max_restarts == 0)
        return false;
    oldest = &s->restarts[s->restarted % s->spec.max_restarts];
    if (s->restarted >= s->spec.max_restarts &&
        (now - *oldest) / MS < s->spec.window_ms)
        return false;
    *oldest = now;
    s->restarted++;
    return true;
}

static bool is_wanted_after(const struct child *c, const struct rt_end *end)
{
    if (c->spec.restart == RT_TRANSIENT)
        return end->why == RT_WHY_FAILED;
    return c->spec.restart == RT_PERMANENT;
}

static enum rt_next on_exit_of(struct rt_turn *t, struct supervisor *s,
                               unsigned i, const struct rt_end *end)
{
    struct child *c = &s->children[i];
    bool by_itself = c->state == CHILD_RUNNING;

    c->state = CHILD_DOWN;
    if (by_itself) {
        c->wanted = is_wanted_after(c, end);
        if (c->wanted) {
            if (!count_restart(t, s))
                return rt_fail(t, end->error);
            doom_others(s, i);
        }
    }
    if (!stop_doomed(t, s))
        start_wanted(t, s);
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    start_wanted(t, state);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct supervisor *s = state;

    if (m->kind != RT_EXIT)
        return RT_OK;
    for (unsigned i = 0; i < s->spec.count; i++)
        if (rt_same(s->children[i].ref, m->from))
            return on_exit_of(t, s, i, rt_body(m));
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct supervisor *s = state;

    (void)t;
    free(s->children);
    free(s->restarts);
}

static const struct rt_behaviour behaviour = {.name = "supervisor",
                                              .size = sizeof(struct supervisor),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref rt_supervise(struct rt_turn *t, const struct rt_supervisor *spec)
{
    struct supervisor s = {.spec = *spec};
    struct rt_ref ref;

    s.children = os_alloc((spec->count + 1) * sizeof(*s.children), 16);
    s.restarts = os_alloc((spec->max_restarts + 1) * sizeof(*s.restarts), 16);
    for (unsigned i = 0; i < spec->count; i++)
        s.children[i] =
            (struct child){.spec = spec->children[i], .wanted = true};
    ref = rt_spawn(t, &behaviour, &s);
    if (ref.id == 0)
        stop(t, &s);
    return ref;
}
