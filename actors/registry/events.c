/* SPDX-License-Identifier: MIT */
#include "actors/registry/events.h"

#include "actors/registry/inside.h"
#include "actors/registry/views.h"
#include "runtime/text/json.h"

static void tell(struct rt_turn *t, struct registry *r, uint64_t at,
                 const char *type, const struct group_entry *group,
                 const struct agent_entry *agent, struct slice data)
{
    struct feed_event told = {.seq = ++r->seq, .at = at};

    slice_keep(told.type, sizeof(told.type), slice_cstr(type));
    durable_event(r, &told, group, agent, data);
    subscribers_tell(t, r, &told, group, agent, data);
}

void events_tell(struct rt_turn *t, struct registry *r, const char *type,
                 const struct group_entry *group,
                 const struct agent_entry *agent, struct bytes *data)
{
    tell(t, r, rt_wall_ms(t), type, group, agent, bytes_slice(data));
    bytes_finish(data);
}

void events_tell_at(struct rt_turn *t, struct registry *r, uint64_t at,
                    const char *type, struct slice data)
{
    tell(t, r, at, type, NULL, NULL, data);
}

void events_startup(struct rt_turn *t, struct registry *r)
{
    struct bytes data = {0};

    JSON_RAW(&data, "{");
    view_put_server(&data, r);
    JSON_RAW(&data, "}");
    events_tell(t, r, "server:startup", NULL, NULL, &data);
}

void events_group(struct rt_turn *t, struct registry *r, const char *type,
                  const struct group_entry *group)
{
    struct bytes data = {0};

    view_put_group_entry(&data, r, group);
    JSON_RAW(&data, "}");
    events_tell(t, r, type, group, NULL, &data);
    notes_group(t, r, type, group);
}

void events_group_id(struct rt_turn *t, struct registry *r, const char *type,
                     const struct group_entry *group)
{
    struct bytes data = {0};

    JSON_RAW(&data, "{");
    JSON_TEXT(&data, "groupId", slice_cstr(group->id));
    JSON_RAW(&data, "}");
    events_tell(t, r, type, group, NULL, &data);
    notes_group(t, r, type, group);
}

void events_stage(struct rt_turn *t, struct registry *r,
                  const struct group_entry *group)
{
    struct bytes data = {0};

    view_put_group_entry(&data, r, group);
    JSON_UINT(&data, "stageIndex", group->stage);
    JSON_UINT(&data, "totalStages", group->stages);
    JSON_RAW(&data, "}");
    events_tell(t, r, "group:stage_advanced", group, NULL, &data);
    notes_group(t, r, "group:stage_advanced", group);
}

void events_ledger(struct rt_turn *t, struct registry *r,
                   const struct group_entry *group)
{
    struct bytes data = {0};

    json_raw(&data, bytes_slice(&group->ledger->json));
    data.len--; /* its brace */
    JSON_BOOL(&data, "stalled", group->ledger->is_stalled);
    JSON_RAW(&data, "}");
    events_tell(t, r, "group:ledger_updated", group, NULL, &data);
}

/* ---- agents ------------------------------------------------------------ */

static void tell_agent(struct rt_turn *t, struct registry *r, const char *type,
                       struct agent_entry *agent)
{
    struct bytes data = {0};

    view_put_agent(t, r, &data, agent);
    events_tell(t, r, type, agent->group, agent, &data);
}

static void tell_status(struct rt_turn *t, struct registry *r,
                        struct agent_entry *agent)
{
    struct bytes data = {0};

    view_put_entry(t, r, &data, agent);
    events_tell(t, r, "agent:status_update", agent->group, agent, &data);
}

static void tell_result(struct rt_turn *t, struct registry *r,
                        struct agent_entry *agent)
{
    struct bytes data = {0};

    view_put_result(&data, agent);
    events_tell(t, r, "agent:result_reported", agent->group, agent, &data);
}

void events_created(struct rt_turn *t, struct registry *r,
                    struct agent_entry *agent)
{
    tell_agent(t, r, "agent:created", agent);
    notes_agent(t, r, NOTE_AGENT_CREATED, agent);
}

/* A report may come before the news of the start. */
static void note_news(struct rt_turn *t, struct registry *r,
                      const struct agent_entry *agent, bool is_new_state,
                      bool is_new_start)
{
    const struct agent_view *v = agent->view;
    bool is_running = v->state == AGENT_RUNNING;

    if (is_new_start || (is_new_state && is_running))
        notes_agent(t, r, NOTE_AGENT_STARTED, agent);
    if (is_new_state && !is_running)
        notes_agent(t, r, NOTE_AGENT_STATE, agent);
    if (v->news & AGENT_NEWS_STALLED)
        notes_agent(t, r, NOTE_AGENT_STALLED, agent);
    if (v->news & AGENT_NEWS_GONE)
        notes_agent(t, r, NOTE_AGENT_GONE, agent);
}

/* Whether the picture has something of it that the view before had not, and no
 * other event will tell: see actors/store/picture.h. */
static bool is_status_news(const struct agent_view *was,
                           const struct agent_view *is)
{
    static const struct agent_view nothing;

    if (was == NULL)
        was = &nothing;
    return is->state != was->state || is->started_at != was->started_at ||
           (is->news & (AGENT_NEWS_DONE | AGENT_NEWS_REVIVED));
}

/* Always in this order: the status, the report, the end. */
void events_news(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent, const struct agent_view *before)
{
    const struct agent_view *v = agent->view;
    enum agent_state was = before != NULL ? before->state : AGENT_QUEUED;

    if (is_status_news(before, v))
        tell_status(t, r, agent);
    if (v->state == AGENT_CANCELLED && was != AGENT_CANCELLED)
        tell_agent(t, r, "agent:cancelled", agent);
    if ((v->news & AGENT_NEWS_DONE) && v->result != NULL &&
        v->result->is_reported)
        tell_result(t, r, agent);
    if (v->news & AGENT_NEWS_STALLED)
        tell_agent(t, r, "agent:stalled", agent);
    if (v->news & AGENT_NEWS_GONE)
        tell_agent(t, r, "agent:completed", agent);
    note_news(t, r, agent, v->state != was,
              v->started_at != 0 &&
                  (before == NULL || before->started_at == 0));
    notices_agent(t, r, agent, before);
}
