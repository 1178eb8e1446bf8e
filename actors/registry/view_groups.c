/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

/* Only those there are: a list has a hundred of these. */
static void put_states(struct bytes *out, const unsigned counts[AGENT_STATES])
{
    JSON_KEY(out, "states");
    JSON_RAW(out, "{");
    for (int i = 0; i < AGENT_STATES; i++)
        if (counts[i] > 0) {
            json_key(out, slice_cstr(agent_state_name((enum agent_state)i)));
            json_uint(out, counts[i]);
        }
    JSON_RAW(out, "}");
}

static void put_counts(struct bytes *out, const struct group_entry *group)
{
    unsigned counts[AGENT_STATES] = {0}, total = 0, done = 0, failed = 0;

    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after) {
        if (agent->is_hidden)
            continue;
        total++;
        counts[agent_entry_state(agent)]++;
        done += agent_entry_is_done(agent);
        failed += agent_entry_has_status(agent, SLICE("failed"));
    }
    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "total", total);
    JSON_UINT(out, "queued", counts[AGENT_QUEUED]);
    JSON_UINT(out, "running", counts[AGENT_RUNNING]);
    JSON_UINT(out, "done", done);
    JSON_UINT(out, "succeeded", done - failed);
    JSON_UINT(out, "failed", failed);
    put_states(out, counts);
    JSON_RAW(out, "}");
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

void view_put_group(struct bytes *out, const struct group_entry *group)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", slice_cstr(group->id));
    view_put_description(out, group);
    JSON_TEXT(out, "mode", group_mode_name(group->mode));
    JSON_TEXT(out, "status",
              group->is_deleted ? SLICE("deleted") : SLICE("active"));
    JSON_KEY(out, "createdAt");
    json_time(out, group->created_at);
    if (group->parent != NULL)
        JSON_TEXT(out, "parentGroupId", slice_cstr(group->parent->id));
    if (group->mode == GROUP_MAGENTIC)
        put_magentic(out, group);
    put_counts(out, group);
    if (group->stages > 0) {
        JSON_KEY(out, "stage");
        JSON_RAW(out, "{");
        JSON_UINT(out, "index", group->stage);
        JSON_UINT(out, "total", group->stages);
        JSON_RAW(out, "}");
    }
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
        view_put_group(&a->json, x);
        JSON_RAW(&a->json, "}");
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", total);
    JSON_RAW(&a->json, "}");
    durable_tell(t, r, o, a);
}
