/* SPDX-License-Identifier: MIT */
#include "actors/registry/news.h"

#include <stdlib.h>

#include "actors/registry/events.h"
#include "actors/registry/inside.h"
#include "actors/registry/permission.h"

static void free_census(struct rt_obj *o)
{
    free(o);
}

void news_tell_census(struct rt_turn *t, struct registry *r)
{
    struct registry_census *census = bytes_zalloc(sizeof(*census));

    rt_obj_init(&census->obj, free_census);
    census->not_gone = r->agents.not_gone;
    durable_say(t, r, rt_parent(t), REGISTRY_CENSUS, &census->obj);
    rt_obj_drop(&census->obj);
}

static void tell_census(struct rt_turn *t, struct registry *r, unsigned before)
{
    if ((before == 0) != (r->agents.not_gone == 0))
        news_tell_census(t, r);
}

/* The orchestrator that ordered them may have come to its end meanwhile. */
static bool is_orphaned(struct registry *r, struct order *o)
{
    struct agent_entry *caller;

    if (o->caller->agent_id[0] == 0)
        return false;
    caller = permission_caller(r, o);
    return caller == NULL || caller->is_gone ||
           agent_entry_state(caller) == AGENT_CANCELLED ||
           agent_entry_state(caller) == AGENT_TIMED_OUT;
}

static void tell_accepted(struct rt_turn *t, struct registry *r,
                          struct group_entry *group, struct order *o)
{
    for (unsigned i = 0; i < o->count; i++)
        events_created(t, r, agent_entry_at(r, o->first + i));
    if (group->mode == GROUP_MAGENTIC)
        events_group(t, r, "group:updated", group);
}

static void on_accepted(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct group_entry *group = group_entry_at(r, o->group);
    unsigned before = r->agents.not_gone;

    group->finished_at = 0;
    if (group->is_hidden) {
        group->is_hidden = false;
        durable_group(r, group);
        events_group(t, r, "group:created", group);
    }
    for (unsigned i = 0; i < o->count; i++) {
        struct agent_entry *agent = agent_entry_at(r, o->first + i);

        agent->is_hidden = false;
        r->agents.not_gone++;
        group->not_gone++;
        if (o->kind == ORDER_RUN_MAGENTIC)
            group->orchestrator = agent;
        if (is_orphaned(r, o))
            cancel_agent(t, agent, SLICE("its orchestrator has ended"));
    }
    durable_order(r, o);
    tell_accepted(t, r, group, o);
    if (o->kind == ORDER_RUN_SEQUENTIAL) {
        group->has_plan = true;
        group->plan = o->first;
        group->stage = 0;
        group->stages = o->stages;
        durable_plan(r, group);
        events_stage(t, r, group);
    }
    tell_census(t, r, before);
}

static void on_refused(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct group_entry *group = group_entry_at(r, o->group);

    if (group->is_hidden) {
        group_entry_destroy(t, r, group);
        return;
    }
    for (unsigned i = 0; i < o->count; i++)
        agent_entry_destroy(t, r, agent_entry_at(r, o->first + i));
}

static void tell_completed(struct rt_turn *t, struct registry *r,
                           struct group_entry *group)
{
    group->finished_at = rt_wall_ms(t);
    events_group(t, r, "group:completed", group);
    notices_group(t, r, group);
}

static void take_view(struct rt_turn *t, struct agent_entry *agent,
                      struct agent_view *v)
{
    agent->view = RT_KEEP(v);
    agent_entry_changed(agent);
    if (v->started_at != 0 && agent->started == 0)
        agent->started = rt_now(t) - v->elapsed_ms * 1000000;
    if (v->progress.tool_calls > agent->tool_calls)
        agent->tool_calls = v->progress.tool_calls;
}

void news_on_view(struct rt_turn *t, struct registry *r, struct agent_view *v)
{
    struct agent_entry *agent = agent_entry_at(r, v->def->serial);
    unsigned before = r->agents.not_gone;
    struct agent_view *was;
    bool is_over;

    if (agent == NULL)
        return;
    was = agent->view;
    r->progress.total.started += v->started_at != 0 && agent->started == 0;
    take_view(t, agent, v);
    spend_count(t, r, agent);
    if (v->is_done)
        conflicts_leave(r, agent);
    durable_news(t, r, agent, was);
    if ((v->news & AGENT_NEWS_DONE) && v->result->is_reported)
        durable_say(t, r, agent->group->actor, GROUP_KEPT, &v->obj);
    events_news(t, r, agent, was);
    if (was != NULL)
        rt_obj_drop(&was->obj);
    if ((v->news & AGENT_NEWS_GONE) && !agent->is_gone) {
        agent->is_gone = true;
        progress_stop(r, agent);
        r->agents.not_gone--;
        /* A plan says by itself when it has come to its end. */
        if (--agent->group->not_gone == 0 &&
            agent->group->mode != GROUP_SEQUENTIAL)
            tell_completed(t, r, agent->group);
    }
    is_over = agent->is_gone || v->state == AGENT_CANCELLED ||
              v->state == AGENT_TIMED_OUT;
    if (is_over && agent->group->orchestrator == agent)
        cancel_family(t, agent->group);
    watch_tell(t, r, agent);
    cancel_news(t, r, agent);
    if (agent->is_gone && agent->group->is_deleted)
        group_entries_trim(t, r);
    tell_census(t, r, before);
}

void news_on_step(struct rt_turn *t, struct registry *r,
                  const struct agent_step *step)
{
    struct agent_entry *agent = agent_entry_at(r, step->serial);

    if (agent == NULL)
        return;
    progress_take(t, r, agent, step);
    if (step->live.progress.tool_calls > agent->tool_calls) {
        agent->tool_calls = step->live.progress.tool_calls;
        agent_entry_changed(agent);
    }
    if (!agent->is_gone)
        samples_take(t, r, agent);
}

void news_on_plan(struct rt_turn *t, struct registry *r,
                  const struct group_plan *plan)
{
    struct group_entry *group = group_entry_at(r, plan->group);

    /* A plan that the next one waited for ends without a word: the group has
     * not. */
    if (group == NULL || plan->plan != group->plan)
        return;
    group->stage = plan->stage;
    if (plan->is_over)
        group->has_plan = false;
    durable_plan(r, group);
    if (plan->is_over)
        tell_completed(t, r, group);
    else
        events_stage(t, r, group);
}

void news_on_ledger(struct rt_turn *t, struct registry *r, struct ledger *l)
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
    events_ledger(t, r, group);
    if (l->is_stalled && !was_stalled)
        events_group(t, r, "group:stalled", group);
}

/* What a group or a ledger answers is told here first. */
void news_on_answer(struct rt_turn *t, struct registry *r, struct answer *a)
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
        news_on_ledger(t, r, (struct ledger *)a->with);
    durable_deliver(t, r, a);
}
