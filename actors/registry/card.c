/* SPDX-License-Identifier: MIT */
/*
 * What is told of an agent. A list of a thousand is asked for often, so what
 * never changes of an agent's entry is kept as text.
 */
#include "actors/registry/inside.h"

#include "runtime/text/json.h"

#define ANSWER_MAX 2048

uint64_t agent_entry_elapsed_ms(struct rt_turn *t, const struct agent_entry *c)
{
    if (c->view == NULL || c->started == 0)
        return 0;
    return c->view->is_done ? c->view->elapsed_ms
                            : (rt_now(t) - c->started) / 1000000;
}

/* The eight fields that a list has; the object stays open. Of one that is
 * done nothing changes any more, until it reports again. */
void agent_entry_put_line(struct rt_turn *t, struct bytes *out,
                          struct agent_entry *c)
{
    size_t from = out->len;

    if (c->line.len > 0) {
        json_raw(out, bytes_slice(&c->line));
        return;
    }
    json_raw(out, bytes_slice(&c->head));
    JSON_RAW(out, "\"");
    json_raw(out, slice_cstr(agent_state_name(agent_entry_state(c))));
    JSON_RAW(out, "\",\"startedAt\":");
    json_time(out, c->view != NULL ? c->view->started_at : 0);
    JSON_UINT(out, "elapsed_ms", agent_entry_elapsed_ms(t, c));
    JSON_UINT(out, "toolCallCount", c->tool_calls);
    if (agent_entry_is_done(c))
        bytes_append(&c->line, out->ptr + from, out->len - from);
}

/* The seeds' words are wider than the states of the same name. */
bool agent_entry_is_wanted(const struct agent_entry *c, struct slice status)
{
    enum agent_state state = agent_entry_state(c);
    bool is_reported = state == AGENT_RESULT_REPORTED;
    bool is_good = is_reported && c->view->result != NULL &&
                   c->view->result->outcome == AGENT_SUCCESS;

    if (status.len == 0 || slice_eq(status, SLICE("all")))
        return true;
    if (slice_eq(status, SLICE("completed")))
        return state == AGENT_COMPLETED || is_good;
    if (slice_eq(status, SLICE("failed")))
        return state == AGENT_FAILED || state == AGENT_TIMED_OUT ||
               state == AGENT_CANCELLED || (is_reported && !is_good);
    return slice_eq(status, slice_cstr(agent_state_name(state)));
}

void agent_entry_put_result(struct bytes *out, const struct agent_entry *c)
{
    const struct agent_result *result = c->view->result;
    const struct role *role = c->task->role->role;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", slice_cstr(c->task->id));
    JSON_TEXT(out, "groupId", slice_cstr(c->group->id));
    JSON_TEXT(out, "status", agent_outcome_name(result->outcome));
    JSON_TEXT(out, "summary", result->summary);
    JSON_TEXT(out, "response", result->response);
    JSON_KEY(out, "editedFiles");
    agent_paths_put(out, &result->edited);
    JSON_KEY(out, "createdFiles");
    agent_paths_put(out, &result->created);
    JSON_UINT(out, "duration_ms", result->duration_ms);
    JSON_TEXT(out, "model", slice_cstr(role->model));
    JSON_TEXT(out, "role", slice_cstr(role->id));
    JSON_UINT(out, "toolCallCount", result->tool_calls);
    if (result->error.len > 0)
        JSON_TEXT(out, "errorMessage", result->error);
    JSON_KEY(out, "timestamp");
    json_time(out, result->finished_at);
    if (c->group->orchestrator == c && c->group->ledger != NULL) {
        JSON_KEY(out, "finalLedger");
        json_raw(out, bytes_slice(&c->group->ledger->json));
    }
    JSON_RAW(out, "}");
}

static void put_rest(struct bytes *out, const struct agent_entry *c)
{
    JSON_KEY(out, "result");
    if (c->view != NULL && c->view->result != NULL)
        agent_entry_put_result(out, c);
    else
        JSON_RAW(out, "null");
    JSON_KEY(out, "createdAt");
    json_time(out, c->order->created_at);
    if (c->view != NULL && c->view->is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
}

/* Clients ask again and again. What is long is not kept twice, and what an
 * orchestrator ends with is also its group's ledger. */
void agent_entry_put_status(struct rt_turn *t, struct bytes *out,
                            struct agent_entry *c)
{
    size_t from;

    agent_entry_put_line(t, out, c);
    if (c->answer.len > 0) {
        json_raw(out, bytes_slice(&c->answer));
        return;
    }
    from = out->len;
    put_rest(out, c);
    if (agent_entry_is_done(c) && c->group->orchestrator != c &&
        out->len - from <= ANSWER_MAX)
        bytes_append(&c->answer, out->ptr + from, out->len - from);
}

void agent_entry_put_usage(struct bytes *out, const struct registry *r,
                           const struct agent_entry *c,
                           const struct transcript_usage *u)
{
    uint64_t cost;

    JSON_KEY(out, "usage");
    JSON_RAW(out, "{");
    JSON_UINT(out, "inputTokens", u->input);
    JSON_UINT(out, "outputTokens", u->output);
    JSON_UINT(out, "cacheReadTokens", u->cache_read);
    JSON_UINT(out, "cacheWriteTokens", u->cache_write);
    if (agent_entry_price(r, c, u, &cost)) {
        JSON_KEY(out, "costUsd");
        json_number(out, (double)cost / 1e6);
    }
    JSON_RAW(out, "}");
}

static void put_view(struct bytes *out, const struct registry *r,
                     const struct agent_entry *c)
{
    static const struct agent_view nothing;
    const struct agent_view *v = c->view != NULL ? c->view : &nothing;

    JSON_UINT(out, "pid", (uint64_t)v->pid);
    JSON_TEXT(out, "sessionId", slice_cstr(v->session_id));
    JSON_TEXT(out, "cliModel", slice_cstr(v->model));
    JSON_TEXT(out, "tool", slice_cstr(v->tool));
    agent_entry_put_usage(out, r, c, &v->usage);
    JSON_UINT(out, "messages", v->progress.messages);
    JSON_UINT(out, "lines", v->progress.lines);
    JSON_UINT(out, "bytes", v->progress.bytes);
    JSON_UINT(out, "unknownLines", v->unknown_lines);
    JSON_UINT(out, "skippedLines", v->skipped_lines);
}

/* For people: all that is known. */
void agent_entry_put_all(struct bytes *out, const struct registry *r,
                         const struct agent_entry *c)
{
    JSON_TEXT(out, "backend", slice_cstr(c->task->role->backend->name));
    JSON_TEXT(out, "prompt", c->task->prompt);
    JSON_TEXT(out, "workingDirectory", slice_cstr(c->task->directory));
    if (c->order->kind == ORDER_RUN_SEQUENTIAL)
        JSON_UINT(out, "stageIndex", c->task->stage);
    put_view(out, r, c);
    JSON_BOOL(out, "gone", c->is_gone);
    JSON_KEY(out, "dir");
    JSON_RAW(out, "\"");
    json_escaped(out, slice_cstr(r->context->state_dir));
    JSON_RAW(out, "/agents/");
    json_escaped(out, slice_cstr(c->task->id));
    JSON_RAW(out, "\"");
}

void agent_entry_put_state(struct rt_turn *t, struct registry *r,
                           struct bytes *out, struct agent_entry *c)
{
    agent_entry_put_status(t, out, c);
    agent_entry_put_all(out, r, c);
    JSON_RAW(out, "}");
}
