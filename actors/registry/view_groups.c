/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "actors/store/group_record.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

static void sum_up(struct group_record *sum, const struct registry *r,
                   const struct group_entry *group)
{
    *sum = (struct group_record){0};
    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after) {
        struct group_record_part part;

        if (agent->is_hidden)
            continue;
        part = (struct group_record_part){
            .state = slice_cstr(agent_state_name(agent_entry_state(agent))),
            .outcome = agent_entry_outcome(agent)};
        if (r != NULL)
            part.usage = view_usage_of(r, agent);
        group_record_add(sum, &part);
    }
}

static void put_magentic(struct bytes *out, const struct group_entry *group)
{
    if (group->orchestrator != NULL)
        JSON_TEXT(out, "orchestratorAgentId",
                  slice_cstr(group->orchestrator->task->id));
    JSON_UINT(out, "iteration",
              group->ledger != NULL ? group->ledger->iteration : 0);
    JSON_UINT(out, "maxIterations", order_max_iterations(group->order));
    if (group->ledger != NULL && group->ledger->is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
}

void view_put_description(struct bytes *out, const struct group_entry *group)
{
    struct slice text = bytes_slice(&group->description);

    JSON_TEXT(
        out, "description",
        slice_of(text.ptr, utf8_cut(text.ptr, text.len, VIEW_DESCRIPTION)));
}

static void put_line(struct bytes *out, const struct group_entry *group,
                     const struct group_record *sum, bool is_brief)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", slice_cstr(group->id));
    view_put_description(out, group);
    JSON_TEXT(out, "mode", group_mode_name(group->mode));
    JSON_TEXT(out, "status",
              group->is_deleted ? SLICE("deleted") : SLICE("active"));
    if (!is_brief) {
        JSON_KEY(out, "createdAt");
        json_time(out, group->created_at);
    }
    if (group->parent != NULL)
        JSON_TEXT(out, "parentGroupId", slice_cstr(group->parent->id));
    if (group->mode == GROUP_MAGENTIC)
        put_magentic(out, group);
    if (is_brief)
        group_record_put_brief_counts(out, sum);
    else
        group_record_put_counts(out, sum);
    if (group->stages > 0) {
        JSON_KEY(out, "stage");
        JSON_RAW(out, "{");
        JSON_UINT(out, "index", group->stage);
        JSON_UINT(out, "total", group->stages);
        JSON_RAW(out, "}");
    }
}

void view_put_group(struct bytes *out, const struct group_entry *group,
                    bool is_brief)
{
    struct group_record sum;

    sum_up(&sum, NULL, group);
    put_line(out, group, &sum, is_brief);
}

/* ---- all of it ---------------------------------------------------------- */

static void put_id(struct bytes *out, const struct agent_entry *agent)
{
    json_raw(out, out->ptr[out->len - 1] == '[' ? SLICE("") : SLICE(","));
    json_string(out, slice_cstr(agent->task->id));
}

static void put_ids(struct bytes *out, const struct group_entry *group)
{
    size_t total = 0;

    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after)
        total += !agent->is_hidden;
    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after)
        if (!agent->is_hidden && total-- <= GROUP_RECORD_IDS)
            put_id(out, agent);
    JSON_RAW(out, "]");
}

static void put_stage(struct bytes *out, const struct group_entry *group,
                      unsigned stage)
{
    JSON_RAW(out, "{");
    JSON_UINT(out, "stageIndex", stage);
    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after)
        if (!agent->is_hidden && agent->order->first == group->plan &&
            agent->task->stage == stage)
            put_id(out, agent);
    JSON_RAW(out, "]}");
}

/* Of its newest plan. */
static void put_stages(struct bytes *out, const struct group_entry *group)
{
    JSON_KEY(out, "stages");
    JSON_RAW(out, "[");
    for (unsigned i = 0; i < group->stages; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        put_stage(out, group, i);
    }
    JSON_RAW(out, "]");
}

static void put_cut(struct bytes *out, struct slice name, struct slice text)
{
    json_key(out, name);
    json_string(out,
                slice_of(text.ptr, utf8_cut(text.ptr, text.len, VIEW_TASK)));
}

void view_put_group_entry(struct bytes *out, const struct registry *r,
                          const struct group_entry *group)
{
    struct group_record sum;

    sum_up(&sum, r, group);
    put_line(out, group, &sum, false);
    JSON_BOOL(out, "completed", group->finished_at != 0);
    JSON_KEY(out, "finishedAt");
    json_time(out, group->finished_at);
    group_record_put_usage(out, &sum);
    put_ids(out, group);
    if (group->stages > 0)
        put_stages(out, group);
    if (group->mode != GROUP_MAGENTIC || group->order == NULL)
        return;
    put_cut(out, SLICE("task"), FIELD_TEXT(group->order->args, "task"));
    put_cut(out, SLICE("scope"), FIELD_TEXT(group->order->args, "scope"));
    put_cut(out, SLICE("completionCriteria"),
            FIELD_TEXT(group->order->args, "completionCriteria"));
}

static uint64_t count_groups(struct registry *r)
{
    uint64_t total = 0;

    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer)
        total += !x->is_hidden;
    return total;
}

/* The newest, the newest last. */
void view_answer_groups(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);
    yyjson_val *limit = FIELD(o->args, "limit");
    uint64_t shown = limit != NULL ? field_count(limit) : VIEW_GROUPS;
    uint64_t total = count_groups(r), left = total;
    bool is_first = true;

    JSON_RAW(&a->json, "{\"groups\":[");
    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer) {
        if (x->is_hidden || left-- > shown)
            continue;
        if (!is_first)
            JSON_RAW(&a->json, ",");
        is_first = false;
        view_put_group(&a->json, x, o->is_for_model);
        JSON_RAW(&a->json, "}");
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", total);
    JSON_RAW(&a->json, "}");
    durable_tell(t, r, o, a);
}
