/* SPDX-License-Identifier: MIT */
/* An agent as the picture has it, and events that go on with the picture. */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

static void put_cut(struct bytes *out, struct slice name, struct slice text,
                    size_t max)
{
    if (text.len == 0)
        return;
    json_key(out, name);
    json_string(out, slice_of(text.ptr, utf8_cut(text.ptr, text.len, max)));
}

/* What it said last; of one whose stream this hub has not read, what it ended
 * with. */
static struct slice last_words(const struct agent_entry *agent)
{
    if (agent->said.len == 0 && agent->view != NULL &&
        agent->view->result != NULL)
        return agent->view->result->response;
    return bytes_slice(&agent->said);
}

static void put_files(struct bytes *out, const struct agent_entry *agent)
{
    const struct agent_result *result =
        agent->view != NULL ? agent->view->result : NULL;
    uint64_t edited = result != NULL ? result->edited.count : 0;
    uint64_t created = result != NULL ? result->created.count : 0;

    if (agent->live != NULL && agent->live->edited > edited)
        edited = agent->live->edited;
    if (agent->live != NULL && agent->live->created > created)
        created = agent->live->created;
    JSON_UINT(out, "editedFileCount", edited);
    JSON_UINT(out, "createdFileCount", created);
}

/* What the picture has and show_agent has not, or has elsewhere. */
void view_put_more(struct bytes *out, const struct agent_entry *agent)
{
    const struct agent_result *result =
        agent->view != NULL ? agent->view->result : NULL;

    JSON_KEY(out, "finishedAt");
    json_time(out, result != NULL ? result->finished_at : 0);
    agent_record_put_about(out, view_asked_of(agent));
    put_cut(out, SLICE("lastAssistantMessage"), last_words(agent), AGENT_SAID);
    if (result != NULL) {
        put_cut(out, SLICE("summary"), result->summary, VIEW_SUMMARY);
        put_cut(out, SLICE("errorMessage"), result->error, VIEW_SUMMARY);
    }
    put_files(out, agent);
}

void view_put_entry(struct rt_turn *t, const struct registry *r,
                    struct bytes *out, struct agent_entry *agent)
{
    const struct agent_view *v = agent->view;
    const struct agent_live now = view_look(agent);

    view_put_line(t, out, agent);
    JSON_KEY(out, "createdAt");
    json_time(out, agent->order->created_at);
    JSON_TEXT(out, "backend", slice_cstr(agent->task->role->backend->name));
    JSON_TEXT(out, "workingDirectory", slice_cstr(agent->task->directory));
    if (agent->order->kind == ORDER_RUN_SEQUENTIAL)
        JSON_UINT(out, "stageIndex", agent->task->stage);
    if (agent->task->retry.of.len > 0)
        JSON_TEXT(out, "retryOf", agent->task->retry.of);
    JSON_BOOL(out, "stalled", v != NULL && v->is_stalled);
    JSON_BOOL(out, "gone", v != NULL && v->is_gone);
    view_put_more(out, agent);
    JSON_TEXT(out, "tool", slice_cstr(now.tool));
    JSON_TEXT(out, "toolTitle", slice_cstr(now.title));
    JSON_KEY(out, "toolAt");
    json_time(out, now.tool_at);
    view_put_usage(out, r, agent, &now.usage);
    if (!agent_entry_is_done(agent))
        conflicts_put(out, agent);
    JSON_RAW(out, "}");
}
