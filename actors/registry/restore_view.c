/* SPDX-License-Identifier: MIT */
#include "actors/registry/inside.h"
#include "actors/registry/restore.h"

enum agent_state restore_state_of(struct slice name)
{
    int state = 0;

    while (
        state < AGENT_STATES - 1 &&
        !slice_eq(slice_cstr(agent_state_name((enum agent_state)state)), name))
        state++;
    return (enum agent_state)state;
}

enum agent_outcome restore_outcome_of(struct slice name)
{
    int outcome = AGENT_SUCCESS;

    while (outcome < AGENT_CANCELLED_OUTCOME &&
           !slice_eq(agent_outcome_name((enum agent_outcome)outcome), name))
        outcome++;
    return (enum agent_outcome)outcome;
}

static yyjson_doc *list_of(struct slice text)
{
    return text.len > 0 ? yyjson_read(text.ptr, text.len, 0) : NULL;
}

static struct agent_result *result_of(const struct agent_record *a)
{
    yyjson_doc *edited = list_of(a->result.edited.json),
               *created = list_of(a->result.created.json);
    struct agent_result parts = {
        .outcome = restore_outcome_of(a->result.status),
        .is_reported = a->result.is_reported,
        .summary = a->result.summary,
        .response = a->result.response,
        .error = a->result.error,
        .edited = agent_paths_read(yyjson_doc_get_root(edited)),
        .created = agent_paths_read(yyjson_doc_get_root(created)),
        .duration_ms = a->result.duration_ms,
        .tool_calls = a->line.tool_calls,
        .finished_at = a->result.finished_at};
    struct agent_result *result = agent_result_create(&parts);

    agent_paths_free(&parts.edited);
    agent_paths_free(&parts.created);
    yyjson_doc_free(edited);
    yyjson_doc_free(created);
    return result;
}

struct agent_view *restore_view_of(const struct agent_record *a,
                                   const struct order_task *task)
{
    struct agent_view v = {
        .state = restore_state_of(a->line.state),
        .is_done = a->result.status.len > 0,
        .is_gone = a->gone_at != 0,
        .started_at = a->line.started_at,
        .elapsed_ms = a->line.elapsed_ms,
        .progress = {.tool_calls = a->line.tool_calls,
                     .messages = a->messages,
                     .lines = a->lines},
        .usage = {.input = a->usage.input,
                  .output = a->usage.output,
                  .cache_read = a->usage.cache_read,
                  .cache_write = a->usage.cache_write,
                  .cost_usd =
                      a->usage.has_cost ? (double)a->usage.cost / 1e6 : 0}};
    struct agent_view *made;

    if (v.state == AGENT_QUEUED && !v.is_done)
        return NULL;
    v.def = agent_def_create(&(struct agent_def){
        .id = task->id, .serial = a->serial, .backend = task->role->backend});
    slice_keep(v.session_id, sizeof(v.session_id), a->session_id);
    slice_keep(v.model, sizeof(v.model), a->cli_model);
    if (v.is_done)
        v.result = result_of(a);
    made = agent_view_create(&v);
    rt_obj_drop(&v.def->obj);
    if (v.result != NULL)
        rt_obj_drop(&v.result->obj);
    return made;
}
