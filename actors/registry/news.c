/* SPDX-License-Identifier: MIT */
/*
 * What groups tell. The table is changed first, then the store, the feed and
 * whoever waits are told, and the answer to the order goes out last: so nobody
 * is told something that a question would not find yet.
 */
#include "actors/registry/inside.h"

#include <stdlib.h>

static void free_census(struct rt_obj *o)
{
    free(o);
}

void registry_tell_census(struct rt_turn *t, struct registry *r)
{
    struct registry_census *census = bytes_zalloc(sizeof(*census));

    rt_obj_init(&census->obj, free_census);
    census->not_gone = r->not_gone;
    registry_say(t, r, rt_parent(t), REGISTRY_CENSUS, &census->obj);
    rt_obj_drop(&census->obj);
}

static void tell_census(struct rt_turn *t, struct registry *r, unsigned before)
{
    if ((before == 0) != (r->not_gone == 0))
        registry_tell_census(t, r);
}

/* Whoever ordered them may have come to its end meanwhile. */
static bool is_orphaned(struct registry *r, struct order *o)
{
    struct agent_entry *caller;

    if (o->caller->agent_id[0] == 0)
        return false;
    caller = registry_caller(r, o);
    return caller == NULL || caller->is_gone ||
           agent_entry_state(caller) == AGENT_CANCELLED ||
           agent_entry_state(caller) == AGENT_TIMED_OUT;
}

static void tell_accepted(struct rt_turn *t, struct registry *r,
                          struct group_entry *group, struct order *o)
{
    for (unsigned i = 0; i < o->count; i++)
        event_created(t, r, agent_entry_at(r, o->first + i));
    if (group->mode == GROUP_MAGENTIC)
        event_group(t, r, "group:updated", group);
}

static void on_accepted(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct group_entry *group = group_entry_at(r, o->group);
    unsigned before = r->not_gone;

    if (group->is_hidden) {
        group->is_hidden = false;
        durable_group(r, group);
        event_group(t, r, "group:created", group);
    }
    for (unsigned i = 0; i < o->count; i++) {
        struct agent_entry *c = agent_entry_at(r, o->first + i);

        c->is_hidden = false;
        r->not_gone++;
        group->not_gone++;
        if (o->kind == ORDER_RUN_MAGENTIC)
            group->orchestrator = c;
        if (is_orphaned(r, o))
            agent_entry_cancel(t, c, SLICE("its orchestrator has ended"));
    }
    durable_order(r, o);
    tell_accepted(t, r, group, o);
    if (o->kind == ORDER_RUN_SEQUENTIAL) {
        group->stage = 0;
        group->stages = o->stages;
        durable_plan(r, group);
        event_stage(t, r, group);
    }
    tell_census(t, r, before);
}

static void on_refused(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct group_entry *group = group_entry_at(r, o->group);

    if (o->kind == ORDER_RUN_SEQUENTIAL)
        group->has_plan = false;
    if (o->kind == ORDER_RUN_MAGENTIC) {
        group_entry_destroy(t, r, group);
        return;
    }
    for (unsigned i = 0; i < o->count; i++)
        agent_entry_destroy(t, r, agent_entry_at(r, o->first + i));
}

static void take_view(struct rt_turn *t, struct agent_entry *c,
                      struct agent_view *v)
{
    c->view = RT_KEEP(v);
    agent_entry_changed(c);
    if (v->started_at != 0 && c->started == 0)
        c->started = rt_now(t) - v->elapsed_ms * 1000000;
    if (v->progress.tool_calls > c->tool_calls)
        c->tool_calls = v->progress.tool_calls;
}

void registry_on_news(struct rt_turn *t, struct registry *r,
                      struct agent_view *v)
{
    struct agent_entry *c = agent_entry_at(r, v->def->serial);
    unsigned before = r->not_gone;
    struct agent_view *was;
    bool is_over;

    if (c == NULL)
        return;
    was = c->view;
    r->streams.started += v->started_at != 0 && c->started == 0;
    take_view(t, c, v);
    registry_spend(t, r, c);
    durable_news(t, r, c, was);
    if ((v->news & AGENT_NEWS_DONE) && v->result->is_reported)
        registry_say(t, r, c->group->actor, GROUP_KEPT, &v->obj);
    event_news(t, r, c, was);
    if (was != NULL)
        rt_obj_drop(&was->obj);
    if ((v->news & AGENT_NEWS_GONE) && !c->is_gone) {
        c->is_gone = true;
        agent_entry_be_still(r, c);
        r->not_gone--;
        /* A plan says by itself when it has come to its end. */
        if (--c->group->not_gone == 0 && c->group->mode != GROUP_SEQUENTIAL)
            event_group_id(t, r, "group:completed", c->group);
    }
    is_over = c->is_gone || v->state == AGENT_CANCELLED ||
              v->state == AGENT_TIMED_OUT;
    if (is_over && c->group->orchestrator == c)
        registry_end_family(t, r, c->group);
    agent_entry_tell_watchers(t, r, c);
    registry_cancel_look(t, r);
    if (c->is_gone && c->group->is_deleted)
        registry_trim(t, r);
    tell_census(t, r, before);
}

void registry_on_step(struct rt_turn *t, struct registry *r,
                      const struct agent_step *step)
{
    struct agent_entry *c = agent_entry_at(r, step->serial);

    if (c == NULL)
        return;
    agent_entry_take_step(t, r, c, step);
    if (step->live.progress.tool_calls <= c->tool_calls)
        return;
    c->tool_calls = step->live.progress.tool_calls;
    agent_entry_changed(c);
}

void registry_on_plan(struct rt_turn *t, struct registry *r,
                      const struct group_plan *plan)
{
    struct group_entry *group = group_entry_at(r, plan->group);

    if (group == NULL)
        return;
    group->stage = plan->stage;
    if (plan->is_over)
        group->has_plan = false;
    durable_plan(r, group);
    if (plan->is_over)
        event_group_id(t, r, "group:completed", group);
    else
        event_stage(t, r, group);
}

void registry_on_ledger(struct rt_turn *t, struct registry *r, struct ledger *l)
{
    struct group_entry *group = group_entry_at(r, l->group);
    bool was_stalled;

    if (group == NULL)
        return;
    was_stalled = group->ledger != NULL && group->ledger->is_stalled;
    if (group->ledger != NULL)
        rt_obj_drop(&group->ledger->obj);
    group->ledger = RT_KEEP(l);
    durable_ledger(t, r, group);
    event_ledger(t, r, group);
    if (l->is_stalled && !was_stalled)
        event_group_id(t, r, "group:stalled", group);
}

/* What a group or a ledger answers is told here first. */
void registry_on_answer(struct rt_turn *t, struct registry *r, struct answer *a)
{
    struct order *o = a->order;
    bool is_run = o->kind == ORDER_RUN_AGENTS ||
                  o->kind == ORDER_RUN_SEQUENTIAL ||
                  o->kind == ORDER_RUN_MAGENTIC;

    if (is_run && a->is_error)
        on_refused(t, r, o);
    else if (is_run)
        on_accepted(t, r, o);
    else if (a->with != NULL)
        registry_on_ledger(t, r, (struct ledger *)a->with);
    registry_deliver(t, r, a);
}
