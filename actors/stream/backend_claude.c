/* SPDX-License-Identifier: MIT */
/*
 * Claude Code, -p --output-format stream-json --verbose, with or without
 * --include-partial-messages.
 *
 * A result is not always the last line: a background task may start a new
 * turn, with a new init and a new result. The last result wins.
 */
#include "actors/stream/backend.h"
#include "actors/stream/claude.h"
#include "runtime/text/field.h"

static void on_init(struct parser *p, yyjson_val *root)
{
    parser_started(p, (struct event_started){
                          .session_id = FIELD_TEXT(root, "session_id"),
                          .model = FIELD_TEXT(root, "model"),
                          .cwd = FIELD_TEXT(root, "cwd"),
                          .version = FIELD_TEXT(root, "claude_code_version"),
                          .mcp = FIELD(root, "mcp_servers"),
                      });
}

static void on_api_retry(struct parser *p, yyjson_val *root)
{
    struct event ev = {.kind = EVENT_RETRY};

    ev.retry = (struct event_retry){
        .attempt = FIELD_COUNT(root, "attempt"),
        .max_attempts = FIELD_COUNT(root, "max_retries"),
        .delay_ms = FIELD_COUNT(root, "retry_delay_ms"),
        .status = FIELD_COUNT(root, "error_status"),
        .reason = FIELD_TEXT(root, "error"),
    };
    parser_emit(p, &ev);
}

/* An update may be all that tells of an end. */
static bool is_end(struct slice status)
{
    static const struct slice ends[] = {
        SLICE_INIT("completed"), SLICE_INIT("failed"), SLICE_INIT("killed"),
        SLICE_INIT("stopped"), SLICE_INIT("cancelled")};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (slice_eq(status, ends[i]))
            return true;
    return false;
}

static void tell_task(struct parser *p, yyjson_val *root,
                      enum event_task_phase phase)
{
    yyjson_val *usage = FIELD(root, "usage");
    yyjson_val *patch = FIELD(root, "patch");
    struct event ev = {.kind = EVENT_CHILD_TASK};
    struct slice summary = FIELD_TEXT(root, "summary");
    struct slice role = FIELD_TEXT(root, "subagent_type");

    ev.child_task = (struct event_child_task){
        .phase = phase,
        .task_id = FIELD_TEXT(root, "task_id"),
        .call_id = FIELD_TEXT(root, "tool_use_id"),
        .role = role.len > 0 ? role : FIELD_TEXT(root, "task_type"),
        .status = FIELD_TEXT(patch ? patch : root, "status"),
        .summary = summary.len > 0 ? summary : FIELD_TEXT(root, "description"),
        .output_file = FIELD_TEXT(root, "output_file"),
        .tokens = FIELD_COUNT(usage, "total_tokens"),
        .tool_uses = FIELD_COUNT(usage, "tool_uses"),
        .duration_ms = FIELD_COUNT(usage, "duration_ms"),
    };
    ev.child_task.is_over =
        phase == EVENT_TASK_ENDED ||
        (phase == EVENT_TASK_UPDATED && is_end(ev.child_task.status));
    parser_emit(p, &ev);
}

static void on_system(struct parser *p, yyjson_val *root)
{
    struct slice sub = FIELD_TEXT(root, "subtype");

    if (slice_eq(sub, SLICE("init")))
        on_init(p, root);
    else if (slice_eq(sub, SLICE("api_retry")))
        on_api_retry(p, root);
    else if (slice_eq(sub, SLICE("task_started")))
        tell_task(p, root, EVENT_TASK_STARTED);
    else if (slice_eq(sub, SLICE("task_progress")))
        tell_task(p, root, EVENT_TASK_PROGRESS);
    else if (slice_eq(sub, SLICE("task_updated")))
        tell_task(p, root, EVENT_TASK_UPDATED);
    else if (slice_eq(sub, SLICE("task_notification")))
        tell_task(p, root, EVENT_TASK_ENDED);
    else if (slice_eq(sub, SLICE("status")) ||
             slice_eq(sub, SLICE("compact_boundary")) ||
             slice_eq(sub, SLICE("background_tasks_changed")) ||
             slice_eq(sub, SLICE("thinking_tokens")))
        parser_note(p, EVENT_NOTE_STATUS, sub, FIELD_TEXT(root, "status"));
    else
        parser_unknown(p, SLICE("system"), sub);
}

/* With costs per model the sum is told from them: it covers child agents. */
static void tell_total(struct parser *p, yyjson_val *root)
{
    yyjson_val *models = FIELD(root, "modelUsage");
    yyjson_val *cost = FIELD(root, "total_cost_usd");
    yyjson_obj_iter members = yyjson_obj_iter_with(models);
    yyjson_val *key;
    struct event total = {.kind = EVENT_USAGE};

    if (yyjson_obj_size(models) == 0)
        total.usage = claude_usage(FIELD(root, "usage"));
    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_val *val = yyjson_obj_iter_get_val(key);
        yyjson_val *usd = FIELD(val, "costUSD");
        struct event ev = {.kind = EVENT_USAGE};
        ev.usage = (struct event_usage){
            .scope = EVENT_USAGE_MODEL,
            .input = FIELD_COUNT(val, "inputTokens"),
            .output = FIELD_COUNT(val, "outputTokens"),
            .cache_read = FIELD_COUNT(val, "cacheReadInputTokens"),
            .cache_write = FIELD_COUNT(val, "cacheCreationInputTokens"),
            .has_cost = yyjson_is_num(usd),
            .cost_usd = yyjson_get_num(usd),
            .model = field_text(key),
        };
        parser_emit(p, &ev);
        total.usage.input += ev.usage.input;
        total.usage.output += ev.usage.output;
        total.usage.cache_read += ev.usage.cache_read;
        total.usage.cache_write += ev.usage.cache_write;
    }
    total.usage.scope = EVENT_USAGE_TOTAL;
    total.usage.has_cost = yyjson_is_num(cost);
    total.usage.cost_usd = yyjson_get_num(cost);
    if (models || FIELD(root, "usage") || cost)
        parser_emit(p, &total);
}

/*
 * Failures come as subtype success too, with is_error; and with is_error
 * false but another subtype or terminal_reason. All three must be right.
 */
static struct slice why_failed(yyjson_val *root)
{
    struct slice subtype = FIELD_TEXT(root, "subtype");
    struct slice reason = FIELD_TEXT(root, "terminal_reason");

    if (reason.len > 0 && !slice_eq(reason, SLICE("completed")))
        return reason;
    if (!slice_eq(subtype, SLICE("success")))
        return subtype.len > 0 ? subtype : SLICE("error");
    return yyjson_is_true(FIELD(root, "is_error")) ? SLICE("error")
                                                   : SLICE_EMPTY;
}

static void on_result(struct parser *p, yyjson_val *root)
{
    yyjson_val *duration = FIELD(root, "duration_ms");
    struct slice reason = why_failed(root);
    struct event_result result = {
        .ok = reason.len == 0,
        .text = FIELD_TEXT(root, "result"),
        .reason = reason,
        .session_id = FIELD_TEXT(root, "session_id"),
        .has_duration = yyjson_is_num(duration),
        .duration_ms = field_count(duration),
        .turns = FIELD_COUNT(root, "num_turns"),
        .api_status = FIELD_COUNT(root, "api_error_status"),
    };

    if (result.ok)
        parser_close(p, SLICE_EMPTY, SLICE_EMPTY);
    else if (result.text.len == 0)
        result.text = field_text(yyjson_arr_get_first(FIELD(root, "errors")));
    tell_total(p, root);
    parser_result(p, result);
}

static void on_rate_limit(struct parser *p, yyjson_val *root)
{
    yyjson_val *info = FIELD(root, "rate_limit_info");
    struct event ev = {.kind = EVENT_RATE_LIMIT};

    ev.rate_limit = (struct event_rate_limit){
        .status = FIELD_TEXT(info, "status"),
        .scope = FIELD_TEXT(info, "rateLimitType"),
        .resets_at = FIELD_COUNT(info, "resetsAt"),
    };
    parser_emit(p, &ev);
}

static void tell_ask(struct parser *p, enum event_ask_state state,
                     struct slice id, yyjson_val *request)
{
    struct event ev = {.kind = EVENT_ASK};

    ev.ask = (struct event_ask){
        .state = state,
        .needs_us = true,
        .request_id = id,
        .what = FIELD_TEXT(request, "subtype"),
        .tool = FIELD_TEXT(request, "tool_name"),
        .call_id = FIELD_TEXT(request, "tool_use_id"),
    };
    parser_emit(p, &ev);
}

static void on_control_request(struct parser *p, yyjson_val *root)
{
    tell_ask(p, EVENT_ASK_OPEN, FIELD_TEXT(root, "request_id"),
             FIELD(root, "request"));
}

static void on_control_cancel(struct parser *p, yyjson_val *root)
{
    tell_ask(p, EVENT_ASK_WITHDRAWN, FIELD_TEXT(root, "request_id"), NULL);
}

/* The answer to a request of ours; not one of the agent's questions. */
static void on_control_response(struct parser *p, yyjson_val *root)
{
    parser_note(p, EVENT_NOTE_STATUS, SLICE("control_response"),
                FIELD_TEXT(FIELD(root, "response"), "subtype"));
}

static void on_tool_progress(struct parser *p, yyjson_val *root)
{
    parser_note(p, EVENT_NOTE_STATUS, SLICE("tool_progress"),
                FIELD_TEXT(root, "tool_name"));
}

/* Most frequent first. */
static const struct {
    struct slice type;
    void (*handle)(struct parser *p, yyjson_val *root);
} handlers[] = {
    {SLICE_INIT("stream_event"), claude_stream_event},
    {SLICE_INIT("assistant"), claude_assistant},
    {SLICE_INIT("user"), claude_user},
    {SLICE_INIT("system"), on_system},
    {SLICE_INIT("tool_progress"), on_tool_progress},
    {SLICE_INIT("rate_limit_event"), on_rate_limit},
    {SLICE_INIT("result"), on_result},
    {SLICE_INIT("control_request"), on_control_request},
    {SLICE_INIT("control_cancel_request"), on_control_cancel},
    {SLICE_INIT("control_response"), on_control_response},
};

static void line(struct parser *p, yyjson_val *root, struct slice type)
{
    p->parent = FIELD_TEXT(root, "parent_tool_use_id");
    for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
        if (slice_eq(type, handlers[i].type)) {
            handlers[i].handle(p, root);
            return;
        }
    }
    parser_unknown(p, type, FIELD_TEXT(root, "subtype"));
}

static void stop(struct parser *p)
{
    claude_files_finish(&((struct claude *)p)->files);
}

static const char *const programs[] = {"claude", NULL};

const struct backend backend_claude = {
    .name = "claude",
    .programs = programs,
    .parser_size = sizeof(struct claude),
    .is_result_provisional = true,
    .line = line,
    .stop = stop,
};
