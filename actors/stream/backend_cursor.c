/* SPDX-License-Identifier: MIT */
/*
 * Cursor's CLI (cursor-agent, agent), --output-format stream-json, with or
 * without --stream-partial-output.
 *
 * With partial output every run of text comes as deltas (timestamp_ms and no
 * model_call_id) and is then repeated: before a tool call with model_call_id,
 * at the end without timestamp_ms. Without it, lines of those two last kinds
 * are the only ones and each is a message. So a copy is a repeat if deltas
 * are open, else a message, unless it says again what was said last.
 */
#include "actors/stream/backend.h"
#include "runtime/text/field.h"

struct cursor {
    struct parser base;
    bool is_partial; /* deltas have been seen in this stream */
};

static struct cursor *cursor_of(struct parser *p)
{
    return (struct cursor *)p;
}

static void on_init(struct parser *p, yyjson_val *root)
{
    parser_started(p, (struct event_started){
                          .session_id = FIELD_TEXT(root, "session_id"),
                          .model = FIELD_TEXT(root, "model"),
                          .cwd = FIELD_TEXT(root, "cwd"),
                          .version = FIELD_TEXT(root, "version"),
                          .mcp = FIELD(root, "mcp_servers"),
                      });
}

/* An error is told as a string, or as an object with a message. */
static struct slice error_text(yyjson_val *holder)
{
    static const struct slice keys[] = {
        SLICE_INIT("message"), SLICE_INIT("error"), SLICE_INIT("errorMessage"),
        SLICE_INIT("reason"),  SLICE_INIT("text"),  {0},
    };

    if (yyjson_is_str(holder))
        return field_text(holder);
    struct slice text = field_first_text(holder, keys);
    if (text.len > 0)
        return text;
    return field_first_text(FIELD(holder, "error"), keys);
}

static void on_system(struct parser *p, yyjson_val *root)
{
    struct slice subtype = FIELD_TEXT(root, "subtype");

    if (slice_eq(subtype, SLICE("init")))
        on_init(p, root);
    else if (slice_eq(subtype, SLICE("error")))
        parser_note(p, EVENT_NOTE_ERROR, SLICE("system/error"),
                    error_text(root));
    else
        parser_unknown(p, SLICE("system"), subtype);
}

static void on_thinking(struct parser *p, yyjson_val *root)
{
    struct slice subtype = FIELD_TEXT(root, "subtype");

    if (slice_eq(subtype, SLICE("delta")))
        parser_thought(p, EVENT_DELTA, FIELD_TEXT(root, "text"));
    else if (slice_eq(subtype, SLICE("completed")))
        parser_thought(p, EVENT_END, SLICE_EMPTY);
    else
        parser_unknown(p, SLICE("thinking"), subtype);
}

static void on_assistant(struct parser *p, yyjson_val *root)
{
    struct cursor *c = cursor_of(p);
    struct slice text =
        parser_content(p, FIELD(FIELD(root, "message"), "content"));
    struct slice id = FIELD_TEXT(root, "model_call_id");
    yyjson_val *when = FIELD(root, "timestamp_ms");

    if (id.len == 0 && when && !yyjson_is_null(when)) {
        c->is_partial = true;
        parser_delta(p, text, id);
    } else if (p->has_deltas) {
        parser_close(p, text, id);
    } else if (!c->is_partial || !parser_is_repeat(p, text)) {
        parser_full(p, text, id);
    }
}

/* The member of tool_call that is the call itself, and the tool's name. */
static yyjson_val *find_call(yyjson_val *tool_call, struct slice *name)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(tool_call);
    yyjson_val *key;

    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_val *val = yyjson_obj_iter_get_val(key);
        *name = field_text(key);
        if (slice_ends(*name, SLICE("ToolCall")))
            return val;
        if (slice_eq(*name, SLICE("function"))) {
            *name = FIELD_TEXT(val, "name");
            return val;
        }
    }
    *name = SLICE_EMPTY;
    return NULL;
}

static struct slice call_id(yyjson_val *root, yyjson_val *tool_call)
{
    struct slice id = FIELD_TEXT(root, "call_id");

    if (id.len == 0)
        id = FIELD_TEXT(tool_call, "toolCallId");
    return slice_first_line(id);
}

static void on_call_started(struct parser *p, yyjson_val *root)
{
    yyjson_val *tool_call = FIELD(root, "tool_call");
    struct event ev = {.kind = EVENT_TOOL_START};
    struct event_tool_start *start = &ev.tool_start;
    yyjson_val *call = find_call(tool_call, &start->name);
    yyjson_val *args = FIELD(call, "args");

    /* Text still open here had no repeat; the model has moved on from it. */
    parser_close(p, SLICE_EMPTY, SLICE_EMPTY);
    start->call_id = call_id(root, tool_call);
    start->path = FIELD_TEXT(args, "path");
    start->title = parser_title(args);
    start->args = args;
    parser_emit(p, &ev);
}

/* The outcome inside result: one member, and perhaps flags beside it. */
static yyjson_val *find_outcome(yyjson_val *result, struct event_tool_end *end)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(result);
    yyjson_val *key, *val;

    if ((val = FIELD(result, "success"))) {
        end->status = EVENT_TOOL_OK;
        return val;
    }
    if ((val = FIELD(result, "rejected"))) {
        end->status = EVENT_TOOL_REJECTED;
        return val;
    }
    if ((val = FIELD(result, "permissionDenied"))) {
        end->status = EVENT_TOOL_DENIED;
        return val;
    }
    end->status = result ? EVENT_TOOL_ERROR : EVENT_TOOL_UNSAID;
    while ((key = yyjson_obj_iter_next(&members))) {
        val = yyjson_obj_iter_get_val(key);
        if (yyjson_is_obj(val))
            return val;
    }
    return result;
}

static uint64_t text_bytes(yyjson_val *outcome)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(outcome);
    yyjson_val *key;
    uint64_t sum = 0;

    while ((key = yyjson_obj_iter_next(&members)))
        sum += field_text(yyjson_obj_iter_get_val(key)).len;
    return sum;
}

/* "--- /dev/null" heads a new file's diff; in the body it could be a line. */
static bool is_from_nothing(struct slice diff)
{
    static const struct slice mark = SLICE_INIT("--- /dev/null\n+++ ");

    while (slice_starts(diff, SLICE("diff ")) ||
           slice_starts(diff, SLICE("Index: ")) ||
           slice_starts(diff, SLICE("new file mode")) ||
           slice_starts(diff, SLICE("index ")) ||
           slice_starts(diff, SLICE("====="))) {
        size_t n = slice_first_line(diff).len;
        if (n == diff.len)
            return false;
        diff = slice_of(diff.ptr + n + 1, diff.len - n - 1);
    }
    return slice_starts(diff, mark);
}

/* The counts have an empty file as one empty line, as the diff has it. */
static struct event_diff diff_of(const struct event_tool_end *end,
                                 yyjson_val *args, yyjson_val *outcome)
{
    yyjson_val *added = FIELD(outcome, "linesAdded");

    return (struct event_diff){.unified = end->diff,
                               .content = FIELD_TEXT(args, "fileText"),
                               .has_counts = yyjson_is_num(added),
                               .added = field_count(added),
                               .removed = FIELD_COUNT(outcome, "linesRemoved")};
}

static void tell_file(struct parser *p, const struct event_tool_end *end,
                      struct slice path, const struct event_diff *diff)
{
    if (slice_eq(end->name, SLICE("editToolCall")))
        parser_file(p, path,
                    is_from_nothing(end->diff) ? FILES_ADD : FILES_EDIT, diff);
    else if (slice_eq(end->name, SLICE("writeToolCall")))
        parser_file(p, path, FILES_WRITE, diff);
    else if (slice_eq(end->name, SLICE("readToolCall")))
        parser_file(p, path, FILES_READ, NULL);
    else if (slice_eq(end->name, SLICE("deleteToolCall")))
        parser_file(p, path, FILES_DELETE, NULL);
}

static void on_call_completed(struct parser *p, yyjson_val *root)
{
    yyjson_val *tool_call = FIELD(root, "tool_call");
    struct event ev = {.kind = EVENT_TOOL_END};
    struct event_tool_end *end = &ev.tool_end;
    yyjson_val *call = find_call(tool_call, &end->name);
    yyjson_val *result = FIELD(call, "result");
    yyjson_val *outcome =
        find_outcome(result ? result : FIELD(tool_call, "result"), end);
    yyjson_val *exit_code = FIELD(outcome, "exitCode");
    yyjson_val *args = FIELD(call, "args");
    struct slice path = FIELD_TEXT(args, "path");
    struct event_diff diff;

    end->call_id = call_id(root, tool_call);
    end->outcome = outcome;
    end->args = args;
    end->bytes = text_bytes(outcome);
    end->diff = FIELD_TEXT(outcome, "diffString");
    end->has_exit = yyjson_is_int(exit_code);
    end->exit_code = yyjson_get_sint(exit_code);
    end->message =
        end->status == EVENT_TOOL_OK ? SLICE_EMPTY : error_text(outcome);
    parser_emit(p, &ev);
    if (end->status != EVENT_TOOL_OK)
        return;
    diff = diff_of(end, args, outcome);
    tell_file(p, end, path.len > 0 ? path : FIELD_TEXT(outcome, "path"), &diff);
}

static void on_tool_call(struct parser *p, yyjson_val *root)
{
    struct slice subtype = FIELD_TEXT(root, "subtype");

    if (slice_eq(subtype, SLICE("started")))
        on_call_started(p, root);
    else if (slice_eq(subtype, SLICE("completed")))
        on_call_completed(p, root);
    else
        parser_unknown(p, SLICE("tool_call"), subtype);
}

/* camelCase now, snake_case in older builds; in `usage` or beside the result.
 */
static void tell_usage(struct parser *p, yyjson_val *root)
{
    static const struct slice input[] = {
        SLICE_INIT("inputTokens"), SLICE_INIT("input_tokens"), {0}};
    static const struct slice output[] = {
        SLICE_INIT("outputTokens"), SLICE_INIT("output_tokens"), {0}};
    static const struct slice cache_read[] = {
        SLICE_INIT("cacheReadTokens"),
        SLICE_INIT("cache_read_tokens"),
        SLICE_INIT("cache_read_input_tokens"),
        {0}};
    static const struct slice cache_write[] = {
        SLICE_INIT("cacheWriteTokens"),
        SLICE_INIT("cache_write_tokens"),
        SLICE_INIT("cache_creation_input_tokens"),
        {0}};
    yyjson_val *usage = FIELD(root, "usage");
    yyjson_val *from = yyjson_is_obj(usage) ? usage : root;
    struct event ev = {.kind = EVENT_USAGE};

    ev.usage = (struct event_usage){
        .scope = EVENT_USAGE_TOTAL,
        .input = field_first_count(from, input),
        .output = field_first_count(from, output),
        .cache_read = field_first_count(from, cache_read),
        .cache_write = field_first_count(from, cache_write),
        .model = SLICE_EMPTY,
    };
    if (from == usage || ev.usage.input > 0 || ev.usage.output > 0)
        parser_emit(p, &ev);
}

static void on_result(struct parser *p, yyjson_val *root)
{
    struct slice subtype = FIELD_TEXT(root, "subtype");
    yyjson_val *duration = FIELD(root, "duration_ms");
    bool is_success = subtype.len == 0 || slice_eq(subtype, SLICE("success"));
    struct event_result result = {
        .ok = is_success && !yyjson_is_true(FIELD(root, "is_error")),
        .text = FIELD_TEXT(root, "result"),
        .reason = SLICE_EMPTY,
        .session_id = FIELD_TEXT(root, "session_id"),
        .has_duration = yyjson_is_num(duration),
        .duration_ms = field_count(duration),
    };

    if (result.ok) {
        parser_close(p, SLICE_EMPTY, SLICE_EMPTY);
    } else {
        result.reason = is_success ? SLICE("error") : subtype;
        if (result.text.len == 0)
            result.text = error_text(root);
    }
    tell_usage(p, root);
    parser_result(p, result);
}

static void on_retry(struct parser *p, yyjson_val *root)
{
    struct event ev = {.kind = EVENT_RETRY};

    ev.retry = (struct event_retry){
        .attempt = FIELD_COUNT(root, "attempt"),
        .max_attempts = FIELD_COUNT(root, "max_retries"),
        .delay_ms = FIELD_COUNT(root, "retry_delay_ms"),
        .reason = error_text(root),
    };
    parser_emit(p, &ev);
}

/* The CLI answers these itself: ending the run here would kill plan mode. */
static void on_interaction(struct parser *p, yyjson_val *root)
{
    struct slice subtype = FIELD_TEXT(root, "subtype");
    struct event ev = {.kind = EVENT_ASK};
    bool is_request = slice_eq(subtype, SLICE("request"));

    if (!is_request && !slice_eq(subtype, SLICE("response"))) {
        parser_unknown(p, SLICE("interaction_query"), subtype);
        return;
    }
    ev.ask = (struct event_ask){
        .state = is_request ? EVENT_ASK_OPEN : EVENT_ASK_ANSWERED,
        .request_id = FIELD_TEXT(root, "request_id"),
        .what = FIELD_TEXT(root, "query_type"),
        .tool = SLICE_EMPTY,
        .call_id = SLICE_EMPTY,
    };
    parser_emit(p, &ev);
}

static void on_user(struct parser *p, yyjson_val *root)
{
    parser_prompt(p,
                  parser_content(p, FIELD(FIELD(root, "message"), "content")));
}

static void on_connection(struct parser *p, yyjson_val *root)
{
    parser_note(p, EVENT_NOTE_STATUS, SLICE("connection"),
                FIELD_TEXT(root, "subtype"));
}

static void on_error(struct parser *p, yyjson_val *root)
{
    parser_note(p, EVENT_NOTE_ERROR, SLICE("error"), error_text(root));
}

/* Most frequent first: a long answer is nearly all assistant and thinking. */
static const struct {
    struct slice type;
    void (*handle)(struct parser *p, yyjson_val *root);
} handlers[] = {
    {SLICE_INIT("assistant"), on_assistant},
    {SLICE_INIT("thinking"), on_thinking},
    {SLICE_INIT("tool_call"), on_tool_call},
    {SLICE_INIT("system"), on_system},
    {SLICE_INIT("user"), on_user},
    {SLICE_INIT("result"), on_result},
    {SLICE_INIT("interaction_query"), on_interaction},
    {SLICE_INIT("connection"), on_connection},
    {SLICE_INIT("retry"), on_retry},
    {SLICE_INIT("error"), on_error},
};

static void line(struct parser *p, yyjson_val *root, struct slice type)
{
    for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
        if (slice_eq(type, handlers[i].type)) {
            handlers[i].handle(p, root);
            return;
        }
    }
    parser_unknown(p, type, FIELD_TEXT(root, "subtype"));
}

/* Its installer makes both, links to one file called cursor-agent. xAI's Grok
 * Build installs an `agent` too. */
static const char *const programs[] = {"agent", "cursor-agent", NULL};
static const char *const marks[] = {"Cursor Agent", "CURSOR_API_KEY", NULL};

const struct backend backend_cursor = {
    .name = "cursor",
    .programs = programs,
    .shared_name = "agent",
    .marks = marks,
    .parser_size = sizeof(struct cursor),
    .line = line,
};
