/* SPDX-License-Identifier: MIT */
/*
 * The numbered stream of what happened, in the seeds' words. Progress within
 * a state is not part of it: the transcript is its record.
 */
#include "actors/registry/inside.h"

#include "runtime/text/json.h"

/* Once, when this hub knows what there is. */
void event_startup(struct rt_turn *t, struct registry *r)
{
    struct bytes data = {0};

    JSON_RAW(&data, "{");
    registry_put_server(&data, r);
    JSON_RAW(&data, "}");
    registry_event(t, r, "server:startup", NULL, NULL, &data);
}

/* A group as the seeds define it. */
static void put_group(struct bytes *out, const struct group_entry *group)
{
    bool is_first = true;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", slice_cstr(group->id));
    JSON_TEXT(out, "description", bytes_slice(&group->description));
    JSON_TEXT(out, "status",
              group->is_deleted ? SLICE("deleted") : SLICE("active"));
    JSON_TEXT(out, "mode", group_mode_name(group->mode));
    JSON_KEY(out, "createdAt");
    json_time(out, group->created_at);
    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    for (struct agent_entry *c = group->first; c != NULL; c = c->after) {
        if (c->is_hidden)
            continue;
        if (!is_first)
            JSON_RAW(out, ",");
        is_first = false;
        json_string(out, slice_cstr(c->task->id));
    }
    JSON_RAW(out, "]");
    if (group->parent != NULL)
        JSON_TEXT(out, "parentGroupId", slice_cstr(group->parent->id));
    if (group->orchestrator != NULL)
        JSON_TEXT(out, "orchestratorAgentId",
                  slice_cstr(group->orchestrator->task->id));
    JSON_RAW(out, "}");
}

void event_group(struct rt_turn *t, struct registry *r, const char *type,
                 const struct group_entry *group)
{
    struct bytes data = {0};

    put_group(&data, group);
    registry_event(t, r, type, group, NULL, &data);
}

void event_group_id(struct rt_turn *t, struct registry *r, const char *type,
                    const struct group_entry *group)
{
    struct bytes data = {0};

    JSON_RAW(&data, "{");
    JSON_TEXT(&data, "groupId", slice_cstr(group->id));
    JSON_RAW(&data, "}");
    registry_event(t, r, type, group, NULL, &data);
}

void event_stage(struct rt_turn *t, struct registry *r,
                 const struct group_entry *group)
{
    struct bytes data = {0};

    JSON_RAW(&data, "{");
    JSON_TEXT(&data, "groupId", slice_cstr(group->id));
    JSON_UINT(&data, "stageIndex", group->stage);
    JSON_UINT(&data, "totalStages", group->stages);
    JSON_RAW(&data, "}");
    registry_event(t, r, "group:stage_advanced", group, NULL, &data);
}

void event_ledger(struct rt_turn *t, struct registry *r,
                  const struct group_entry *group)
{
    struct bytes data = {0};

    json_raw(&data, bytes_slice(&group->ledger->json));
    registry_event(t, r, "group:ledger_updated", group, NULL, &data);
}

/* ---- agents ------------------------------------------------------------ */

static void event_agent(struct rt_turn *t, struct registry *r, const char *type,
                        struct agent_entry *c)
{
    struct bytes data = {0};

    agent_entry_put_state(t, r, &data, c);
    registry_event(t, r, type, c->group, c, &data);
}

static void event_status(struct rt_turn *t, struct registry *r,
                         struct agent_entry *c)
{
    struct bytes data = {0};

    agent_entry_put_progress(t, r, &data, c);
    registry_event(t, r, "agent:status_update", c->group, c, &data);
}

static void event_result(struct rt_turn *t, struct registry *r,
                         struct agent_entry *c)
{
    struct bytes data = {0};

    agent_entry_put_result(&data, c);
    registry_event(t, r, "agent:result_reported", c->group, c, &data);
}

void event_created(struct rt_turn *t, struct registry *r, struct agent_entry *c)
{
    event_agent(t, r, "agent:created", c);
}

/* In the order of the seeds: the status, the report, the end. */
void event_news(struct rt_turn *t, struct registry *r, struct agent_entry *c,
                const struct agent_view *before)
{
    const struct agent_view *v = c->view;
    enum agent_state was = before != NULL ? before->state : AGENT_QUEUED;

    if (v->state != was)
        event_status(t, r, c);
    if (v->state == AGENT_CANCELLED && was != AGENT_CANCELLED)
        event_agent(t, r, "agent:cancelled", c);
    if ((v->news & AGENT_NEWS_DONE) && v->result != NULL &&
        v->result->is_reported)
        event_result(t, r, c);
    if (v->news & AGENT_NEWS_STALLED)
        event_agent(t, r, "agent:stalled", c);
    if (v->news & AGENT_NEWS_GONE)
        event_agent(t, r, "agent:completed", c);
}
