/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_record.h"

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

/* Bytes of a text that is told in brief. */
#define BRIEF_TEXT 4000
#define BRIEF_RESPONSE ((size_t)16 << 10)

/* A state says how an agent has ended, but of one that has reported only the
 * report says how. */
struct slice agent_record_outcome(struct slice state, struct slice status)
{
    bool is_good = slice_eq(status, SLICE("success")) &&
                   (slice_eq(state, SLICE("completed")) ||
                    slice_eq(state, SLICE("resultReported")));

    if (status.len == 0)
        return SLICE_EMPTY;
    return is_good ? SLICE("success") : SLICE("failure");
}

/* ---- in lists ---------------------------------------------------------- */

void agent_record_put_head(struct bytes *out, const struct agent_record_line *l)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", l->id);
    JSON_TEXT(out, "groupId", l->group);
    JSON_TEXT(out, "role", l->role);
    JSON_TEXT(out, "model", l->model);
    JSON_KEY(out, "status");
}

/* One that keeps a head has states by their names, which need no escaping; a
 * list of a thousand shows the difference. */
void agent_record_put_line(struct bytes *out, const struct agent_record_line *l)
{
    if (l->head.len > 0) {
        json_raw(out, l->head);
        JSON_RAW(out, "\"");
        json_raw(out, l->state);
        JSON_RAW(out, "\",\"startedAt\":");
    } else {
        agent_record_put_head(out, l);
        json_string(out, l->state);
        JSON_KEY(out, "startedAt");
    }
    json_time(out, l->started_at);
    if (l->outcome.len > 0)
        JSON_TEXT(out, "outcome", l->outcome);
    JSON_UINT(out, "elapsed_ms", l->elapsed_ms);
    JSON_UINT(out, "toolCallCount", l->tool_calls);
}

/* Its first line that says something, without the marks of a heading. */
void agent_record_put_about(struct bytes *out, struct slice prompt)
{
    struct slice line = slice_trim(prompt);
    const char *end = line.len > 0 ? memchr(line.ptr, '\n', line.len) : NULL;

    if (end != NULL)
        line.len = (size_t)(end - line.ptr);
    while (line.len > 0 && (line.ptr[0] == '#' || line.ptr[0] == ' '))
        line = slice_of(line.ptr + 1, line.len - 1);
    line.len = utf8_cut(line.ptr, line.len, AGENT_RECORD_ABOUT);
    JSON_TEXT(out, "about", slice_trim(line));
}

/* ---- its result -------------------------------------------------------- */

static void put_paths(struct bytes *out, const struct agent_record_paths *p)
{
    if (p->json.len > 0) {
        if (!json_compact(out, p->json))
            JSON_RAW(out, "[]");
        return;
    }
    JSON_RAW(out, "[");
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, p->items[i]);
    }
    JSON_RAW(out, "]");
}

void agent_record_put_files(struct bytes *out, const struct agent_record *a)
{
    JSON_KEY(out, "editedFiles");
    put_paths(out, &a->result.edited);
    JSON_KEY(out, "createdFiles");
    put_paths(out, &a->result.created);
}

static void put_ledger(struct bytes *out, const struct agent_record *a)
{
    JSON_KEY(out, "finalLedger");
    if (a->is_brief)
        agent_record_brief_ledger(out, a->result.ledger);
    else if (!a->is_stored)
        json_raw(out, a->result.ledger);
    else if (!json_compact(out, a->result.ledger))
        JSON_RAW(out, "null");
}

static size_t cap(const struct agent_record *a, size_t brief)
{
    return a->is_brief ? brief : SIZE_MAX;
}

static void put_brief_files(struct bytes *out, const struct agent_record *a)
{
    bool is_cut;

    JSON_KEY(out, "editedFiles");
    is_cut = agent_record_brief_paths(out, &a->result.edited);
    JSON_KEY(out, "createdFiles");
    is_cut |= agent_record_brief_paths(out, &a->result.created);
    if (is_cut)
        JSON_RAW(out, ",\"filesTruncated\":true");
}

static void put_result(struct bytes *out, const struct agent_record *a)
{
    const struct agent_record_result *result = &a->result;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", a->line.id);
    JSON_TEXT(out, "groupId", a->line.group);
    JSON_TEXT(out, "status", result->status);
    agent_record_brief_text(out, SLICE("summary"), result->summary,
                            cap(a, BRIEF_TEXT));
    if (agent_record_brief_text(out, SLICE("response"), result->response,
                                cap(a, BRIEF_RESPONSE)))
        JSON_RAW(out, ",\"responseTruncated\":true");
    if (a->is_brief)
        put_brief_files(out, a);
    else
        agent_record_put_files(out, a);
    JSON_UINT(out, "duration_ms", result->duration_ms);
    JSON_TEXT(out, "model", a->line.model);
    JSON_TEXT(out, "role", a->line.role);
    JSON_UINT(out, "toolCallCount", result->tool_calls);
    if (result->error.len > 0)
        agent_record_brief_text(out, SLICE("errorMessage"), result->error,
                                cap(a, BRIEF_TEXT));
    JSON_KEY(out, "timestamp");
    json_time(out, result->finished_at);
    JSON_BOOL(out, "final", result->is_final);
    if (result->ledger.len > 0)
        put_ledger(out, a);
}

void agent_record_put_result(struct bytes *out, const struct agent_record *a)
{
    put_result(out, a);
    JSON_TEXT(out, "outcome", a->line.outcome);
    JSON_RAW(out, "}");
}

void agent_record_put_status(struct bytes *out, const struct agent_record *a)
{
    JSON_KEY(out, "result");
    if (a->result.status.len > 0) {
        put_result(out, a);
        JSON_RAW(out, "}");
    } else {
        JSON_RAW(out, "null");
    }
    JSON_KEY(out, "createdAt");
    json_time(out, a->created_at);
    if (a->retry_of.len > 0)
        JSON_TEXT(out, "retryOf", a->retry_of);
    if (a->is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
}

/* ---- all that is known ------------------------------------------------- */

void agent_record_put_usage(struct bytes *out,
                            const struct agent_record_usage *u)
{
    JSON_KEY(out, "usage");
    JSON_RAW(out, "{");
    JSON_UINT(out, "inputTokens", u->input);
    JSON_UINT(out, "outputTokens", u->output);
    JSON_UINT(out, "cacheReadTokens", u->cache_read);
    JSON_UINT(out, "cacheWriteTokens", u->cache_write);
    if (u->has_cost) {
        JSON_KEY(out, "costUsd");
        json_number(out, (double)u->cost / 1e6);
    }
    JSON_RAW(out, "}");
}

void agent_record_read_usage(struct agent_record_usage *u, yyjson_val *usage)
{
    yyjson_val *cost = FIELD(usage, "costUsd");

    *u = (struct agent_record_usage){
        .input = FIELD_COUNT(usage, "inputTokens"),
        .output = FIELD_COUNT(usage, "outputTokens"),
        .cache_read = FIELD_COUNT(usage, "cacheReadTokens"),
        .cache_write = FIELD_COUNT(usage, "cacheWriteTokens"),
        .cost = (uint64_t)(yyjson_get_num(cost) * 1e6 + 0.5),
        .has_cost = yyjson_is_num(cost)};
}

static void put_directory(struct bytes *out, const struct agent_record *a)
{
    JSON_KEY(out, "dir");
    JSON_RAW(out, "\"");
    json_escaped(out, a->live->state_dir);
    JSON_RAW(out, "/agents/");
    json_escaped(out, a->line.id);
    JSON_RAW(out, "\"");
}

void agent_record_put_rest(struct bytes *out, const struct agent_record *a)
{
    const struct agent_record_live *live = a->live;

    JSON_TEXT(out, "backend", a->backend);
    JSON_TEXT(out, "prompt", a->prompt);
    JSON_TEXT(out, "workingDirectory", a->directory);
    if (a->has_stage)
        JSON_UINT(out, "stageIndex", a->stage);
    if (live != NULL)
        JSON_UINT(out, "pid", live->pid);
    JSON_TEXT(out, "sessionId", a->session_id);
    JSON_TEXT(out, "cliModel", a->cli_model);
    if (live != NULL) {
        JSON_TEXT(out, "tool", live->tool);
        JSON_TEXT(out, "toolTitle", live->title);
        JSON_KEY(out, "toolAt");
        json_time(out, live->tool_at);
    }
    agent_record_put_usage(out, &a->usage);
    JSON_UINT(out, "messages", a->messages);
    JSON_UINT(out, "lines", a->lines);
    if (live != NULL) {
        JSON_UINT(out, "bytes", live->bytes);
        JSON_UINT(out, "unknownLines", live->unknown_lines);
        JSON_UINT(out, "skippedLines", live->skipped_lines);
    }
    JSON_BOOL(out, "gone", a->is_gone);
    if (live != NULL)
        put_directory(out, a);
}
