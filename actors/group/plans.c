/* SPDX-License-Identifier: MIT */
/*
 * Which plan has its turn. A new one is accepted as soon as all agents of the
 * last one are done; their trees may take their time, and may still write
 * files, so it begins when they are gone. Until then its agents ask for no
 * place: a place that is held and not used would be lost to all others.
 */
#include <stdlib.h>

#include "actors/group/inside.h"
#include "runtime/text/bytes.h"

bool group_is_held_up(const struct group *g, uint64_t plan)
{
    for (size_t i = 0; i < g->member_count; i++) {
        const struct member *m = &g->members[i];

        if (m->serial >= plan)
            break;
        if (m->order != NULL && !m->is_gone)
            return true;
    }
    return false;
}

static void tell_gone(struct rt_turn *t, struct group *g, const struct order *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        struct member *m = group_member(g, o->first + i);

        if (m != NULL && m->is_gone && m->past != NULL)
            group_tell_stage(t, g, m, m->past);
    }
}

/* The stage actor walks it from its beginning: it is told of all that are
 * gone already. */
void group_begin_plan(struct rt_turn *t, struct group *g, const struct order *o)
{
    unsigned *sizes = group_stage_sizes(o);
    struct slice policy = FIELD_TEXT(o->args, "onFailure");
    struct stage_plan plan = {.plan = o->first,
                              .stages = o->stages,
                              .sizes = sizes,
                              .stops_on_failure =
                                  slice_eq(policy, SLICE("stop"))};

    if (g->before != NULL)
        rt_obj_drop(&g->before->obj);
    g->before = NULL;
    g->plan = o->first;
    g->stage = stage_spawn(t, &plan);
    free(sizes);
    tell_gone(t, g, o);
}

void group_hold_plan(struct group *g, struct order *o)
{
    struct asked *entry = bytes_zalloc(sizeof(*entry));

    for (unsigned i = 0; i < o->count; i++) {
        struct member *m = group_member(g, o->first + i);

        if (m != NULL && m->place == MEMBER_IN_LINE)
            m->place = MEMBER_LATER;
    }
    entry->order = RT_KEEP(o);
    LIST_APPEND(&g->plans, entry, link);
}

/* What was accepted gets its places, like a later stage. */
static void join_line(struct rt_turn *t, struct group *g, const struct order *o)
{
    struct slots_ask a = {
        .ticket = o->first, .kind = SLOTS_AGENTS, .is_entitled = true};

    for (unsigned i = 0; i < o->count; i++) {
        struct member *m = group_member(g, o->first + i);

        if (m == NULL || m->place != MEMBER_LATER || m->task->stage != 0)
            continue;
        m->place = MEMBER_IN_LINE;
        a.count++;
    }
    g->first_later = 0;
    if (a.count > 0)
        group_ask(t, g, &a);
}

void group_try_plans(struct rt_turn *t, struct group *g)
{
    LIST_EACH (next, &g->plans, link) {
        struct order *o = next->order;

        if (group_is_held_up(g, o->first))
            return;
        LIST_REMOVE(&g->plans, next, link);
        free(next);
        group_begin_plan(t, g, o);
        join_line(t, g, o);
        rt_obj_drop(&o->obj);
    }
}

void group_keep_gone(struct group *g, struct member *m, struct agent_view *v)
{
    bool waits = false;

    LIST_EACH (plan, &g->plans, link)
        waits |= plan->order == m->order;
    if (waits && m->past == NULL)
        m->past = RT_KEEP(v);
}
