/* SPDX-License-Identifier: MIT */
#include "actors/registry/agent_entry.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/registry/views.h"
#include "actors/store/agent_record.h"

#define ENTRY(l, member)                                                       \
    ((struct agent_entry *)((char *)(l)-offsetof(struct agent_entry, member)))

struct agent_entry *agent_entry_any(struct registry *r, struct slice id)
{
    struct index_link *l =
        index_find(&r->agents.by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL && !slice_eq(slice_cstr(ENTRY(l, by_id)->task->id), id))
        l = index_next(l);
    return l != NULL ? ENTRY(l, by_id) : NULL;
}

struct agent_entry *agent_entry_find(struct registry *r, struct slice id)
{
    struct agent_entry *agent = agent_entry_any(r, id);

    return agent != NULL && !agent->is_hidden ? agent : NULL;
}

struct agent_entry *agent_entry_at(struct registry *r, uint64_t serial)
{
    struct index_link *l = index_find(&r->agents.by_serial, serial);

    return l != NULL ? ENTRY(l, by_serial) : NULL;
}

struct agent_entry *agent_entry_create(struct registry *r,
                                       struct group_entry *group,
                                       struct order *o, unsigned i)
{
    struct agent_entry *agent = bytes_zalloc(sizeof(*agent));

    agent->group = group;
    agent->order = RT_KEEP(o);
    agent->task = &o->tasks[i];
    agent->serial = o->first + i;
    agent->is_hidden = true;
    view_put_head(agent);
    index_add(&r->agents.by_id, &agent->by_id,
              slice_hash(SLICE_HASH, slice_cstr(agent->task->id)));
    index_add(&r->agents.by_serial, &agent->by_serial, agent->serial);
    agent->older = r->agents.newest;
    *(agent->older != NULL ? &agent->older->newer : &r->agents.oldest) = agent;
    r->agents.newest = agent;
    agent->before = group->last;
    *(agent->before != NULL ? &agent->before->after : &group->first) = agent;
    group->last = agent;
    group->agents++;
    return agent;
}

void agent_entry_destroy(struct rt_turn *t, struct registry *r,
                         struct agent_entry *agent)
{
    struct group_agent who = {.serial = agent->serial};

    watch_forget(agent);
    if (!agent->is_hidden) {
        rt_tell(t, agent->group->actor, GROUP_FORGET, &who, sizeof(who));
        r->agents.not_gone -= !agent->is_gone;
        agent->group->not_gone -= !agent->is_gone;
    }
    r->agents.kept -= agent->group->is_deleted;
    index_remove(&r->agents.by_id, &agent->by_id);
    index_remove(&r->agents.by_serial, &agent->by_serial);
    cancel_forget(t, r, agent);
    *(agent->older != NULL ? &agent->older->newer : &r->agents.oldest) =
        agent->newer;
    *(agent->newer != NULL ? &agent->newer->older : &r->agents.newest) =
        agent->older;
    *(agent->before != NULL ? &agent->before->after : &agent->group->first) =
        agent->after;
    *(agent->after != NULL ? &agent->after->before : &agent->group->last) =
        agent->before;
    agent->group->agents--;
    if (agent->group->orchestrator == agent)
        agent->group->orchestrator = NULL;
    if (agent->view != NULL)
        rt_obj_drop(&agent->view->obj);
    rt_obj_drop(&agent->order->obj);
    progress_stop(r, agent);
    conflicts_forget(r, agent);
    line_times_end(r, agent, NULL);
    samples_end(r, agent, NULL);
    bytes_finish(&agent->said);
    bytes_finish(&agent->head);
    bytes_finish(&agent->line);
    bytes_finish(&agent->answer);
    free(agent);
}

/* ---- what it is like ---------------------------------------------------- */

uint64_t agent_entry_elapsed_ms(struct rt_turn *t,
                                const struct agent_entry *agent)
{
    if (agent->view == NULL || agent->started == 0)
        return 0;
    return agent->view->is_done ? agent->view->elapsed_ms
                                : (rt_now(t) - agent->started) / 1000000;
}

struct slice agent_entry_outcome(const struct agent_entry *agent)
{
    const struct agent_view *v = agent->view;

    if (v == NULL || v->result == NULL)
        return SLICE_EMPTY;
    return agent_record_outcome(slice_cstr(agent_state_name(v->state)),
                                agent_outcome_name(v->result->outcome));
}

/* `completed` and `failed` are wider than the states of those names. */
bool agent_entry_has_status(const struct agent_entry *agent,
                            struct slice status)
{
    enum agent_state state = agent_entry_state(agent);

    if (status.len == 0 || slice_eq(status, SLICE("all")))
        return true;
    if (slice_eq(status, SLICE("completed")))
        return slice_eq(agent_entry_outcome(agent), SLICE("success"));
    if (slice_eq(status, SLICE("failed")))
        return slice_eq(agent_entry_outcome(agent), SLICE("failure"));
    return slice_eq(status, slice_cstr(agent_state_name(state)));
}
