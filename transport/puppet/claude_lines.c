/* SPDX-License-Identifier: MIT */
/*
 * The lines of Claude Code, after a capture of version 2.1.201. What one API
 * message holds (thinking, text, a tool call) comes as one assistant line per
 * block, all with the same message.id and the same usage; the message ends
 * with the tool's answer, which is a user line.
 */
#include "transport/puppet/claude_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/puppet/models.h"

static yyjson_mut_val *root_of(yyjson_mut_doc *doc)
{
    return yyjson_mut_doc_get_root(doc);
}

static void add_uuid(yyjson_mut_doc *doc, const char *key, const char *prefix)
{
    char id[TELLER_UUID + 8];
    char uuid[TELLER_UUID];

    teller_uuid(uuid);
    snprintf(id, sizeof(id), "%s%s", prefix, uuid);
    yyjson_mut_obj_add_strcpy(doc, root_of(doc), key, id);
}

static void add_session(struct teller *t, yyjson_mut_doc *doc)
{
    yyjson_mut_obj_add_str(doc, root_of(doc), "session_id", t->session_id);
}

void claude_add_tail(struct teller *t, yyjson_mut_doc *doc)
{
    add_session(t, doc);
    add_uuid(doc, "uuid", "");
}

static void add_strings(yyjson_mut_doc *doc, const char *key,
                        const char *const *strings)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root_of(doc), key);

    for (; *strings; strings++)
        yyjson_mut_arr_add_str(doc, list, *strings);
}

static void init(struct teller *t)
{
    static const char *const tools[] = {"Task", "Bash", "Edit",  "Glob",
                                        "Grep", "Read", "Write", NULL};
    static const char *const commands[] = {"compact", "context", NULL};
    const struct options *o = t->options;
    const char *mode = o->values[OPTION_PERMISSION_MODE];
    yyjson_mut_doc *doc = teller_line("system", "init");
    yyjson_mut_val *root = root_of(doc);

    if (o->is_set[OPTION_SKIP_PERMISSIONS])
        mode = "bypassPermissions";
    yyjson_mut_obj_add_str(doc, root, "cwd", text_str(&t->cwd));
    add_session(t, doc);
    add_strings(doc, "tools", tools);
    yyjson_mut_val *servers = yyjson_mut_obj_add_arr(doc, root, "mcp_servers");
    if (t->server) {
        yyjson_mut_val *server = yyjson_mut_arr_add_obj(doc, servers);
        yyjson_mut_obj_add_str(doc, server, "name", t->server);
        yyjson_mut_obj_add_str(doc, server, "status", "pending");
    }
    yyjson_mut_obj_add_str(doc, root, "model", t->model);
    yyjson_mut_obj_add_str(doc, root, "permissionMode",
                           mode ? mode : "default");
    add_strings(doc, "slash_commands", commands);
    yyjson_mut_obj_add_str(doc, root, "apiKeySource", "none");
    yyjson_mut_obj_add_str(doc, root, "claude_code_version",
                           MODELS_CLAUDE_VERSION);
    add_uuid(doc, "uuid", "");
    teller_print(t, doc);
}

/* The prompt is not echoed by claude -p. */
static void prompt(struct teller *t)
{
    (void)t;
}

static bool is_partial(const struct teller *t)
{
    return t->options->is_set[OPTION_PARTIAL];
}

static yyjson_mut_doc *event_line(yyjson_mut_val **event, const char *type)
{
    yyjson_mut_doc *doc = teller_line("stream_event", NULL);

    *event = yyjson_mut_obj_add_obj(doc, root_of(doc), "event");
    yyjson_mut_obj_add_str(doc, *event, "type", type);
    return doc;
}

static void print_event(struct teller *t, yyjson_mut_doc *doc)
{
    add_session(t, doc);
    yyjson_mut_obj_add_null(doc, root_of(doc), "parent_tool_use_id");
    add_uuid(doc, "uuid", "");
    teller_print(t, doc);
}

static void add_usage(struct teller *t, yyjson_mut_doc *doc, yyjson_mut_val *o)
{
    yyjson_mut_val *usage = yyjson_mut_obj_add_obj(doc, o, "usage");

    yyjson_mut_obj_add_int(doc, usage, "input_tokens", t->usage[USAGE_INPUT]);
    yyjson_mut_obj_add_int(doc, usage, "cache_creation_input_tokens",
                           t->usage[USAGE_CACHE_WRITE]);
    yyjson_mut_obj_add_int(doc, usage, "cache_read_input_tokens",
                           t->usage[USAGE_CACHE_READ]);
    yyjson_mut_obj_add_int(doc, usage, "output_tokens", t->usage[USAGE_OUTPUT]);
}

static void add_head(struct teller *t, yyjson_mut_doc *doc,
                     yyjson_mut_val *message)
{
    yyjson_mut_obj_add_str(doc, message, "model", t->model);
    yyjson_mut_obj_add_str(doc, message, "id", t->message_id);
    yyjson_mut_obj_add_str(doc, message, "type", "message");
    yyjson_mut_obj_add_str(doc, message, "role", "assistant");
}

static void open_message(struct teller *t)
{
    yyjson_mut_val *event, *message;
    char uuid[TELLER_UUID];

    if (t->is_message_open)
        return;
    teller_uuid(uuid);
    snprintf(t->message_id, sizeof(t->message_id), "msg_01%s", uuid);
    t->is_message_open = true;
    t->block = 0;
    if (!is_partial(t))
        return;
    yyjson_mut_doc *doc = teller_line("system", "status");
    yyjson_mut_obj_add_str(doc, root_of(doc), "status", "requesting");
    add_uuid(doc, "uuid", "");
    add_session(t, doc);
    teller_print(t, doc);
    doc = event_line(&event, "message_start");
    message = yyjson_mut_obj_add_obj(doc, event, "message");
    add_head(t, doc, message);
    yyjson_mut_obj_add_arr(doc, message, "content");
    add_usage(t, doc, message);
    print_event(t, doc);
}

void claude_close_message(struct teller *t, const char *reason)
{
    yyjson_mut_val *event;

    if (!t->is_message_open)
        return;
    t->is_message_open = false;
    if (!is_partial(t))
        return;
    yyjson_mut_doc *doc = event_line(&event, "message_delta");
    yyjson_mut_val *delta = yyjson_mut_obj_add_obj(doc, event, "delta");
    yyjson_mut_obj_add_str(doc, delta, "stop_reason", reason);
    add_usage(t, doc, event);
    print_event(t, doc);
    doc = event_line(&event, "message_stop");
    print_event(t, doc);
}

/* start or stop of a content block. Returns the document, not yet printed. */
static yyjson_mut_doc *block_event(struct teller *t, const char *type,
                                   yyjson_mut_val **event)
{
    yyjson_mut_doc *doc = event_line(event, type);

    yyjson_mut_obj_add_int(doc, *event, "index", t->block);
    return doc;
}

static yyjson_mut_doc *delta_line(struct teller *t, const char *kind,
                                  const char *text, size_t len)
{
    bool is_text = !strcmp(kind, "text");
    yyjson_mut_val *event;
    yyjson_mut_doc *doc = block_event(t, "content_block_delta", &event);
    yyjson_mut_val *delta = yyjson_mut_obj_add_obj(doc, event, "delta");

    yyjson_mut_obj_add_str(doc, delta, "type",
                           is_text ? "text_delta" : "thinking_delta");
    yyjson_mut_obj_add_strncpy(doc, delta, is_text ? "text" : "thinking", text,
                               len);
    return doc;
}

yyjson_mut_doc *claude_assistant_line(struct teller *t, yyjson_mut_val **block)
{
    yyjson_mut_doc *doc = teller_line("assistant", NULL);
    yyjson_mut_val *message =
        yyjson_mut_obj_add_obj(doc, root_of(doc), "message");

    add_head(t, doc, message);
    yyjson_mut_val *content = yyjson_mut_obj_add_arr(doc, message, "content");
    *block = yyjson_mut_arr_add_obj(doc, content);
    yyjson_mut_obj_add_null(doc, message, "stop_reason");
    add_usage(t, doc, message);
    yyjson_mut_obj_add_null(doc, root_of(doc), "parent_tool_use_id");
    claude_add_tail(t, doc);
    add_uuid(doc, "request_id", "req_");
    return doc;
}

void claude_start_block(struct teller *t, const char *kind)
{
    yyjson_mut_val *event;

    open_message(t);
    if (!is_partial(t))
        return;
    yyjson_mut_doc *doc = block_event(t, "content_block_start", &event);
    yyjson_mut_val *block = yyjson_mut_obj_add_obj(doc, event, "content_block");
    yyjson_mut_obj_add_str(doc, block, "type", kind);
    yyjson_mut_obj_add_str(doc, block, kind, "");
    print_event(t, doc);
}

void claude_start_tool(struct teller *t, const struct call *c, const char *name,
                       yyjson_mut_val *input)
{
    yyjson_mut_val *event;

    open_message(t);
    if (!is_partial(t))
        return;
    yyjson_mut_doc *doc = block_event(t, "content_block_start", &event);
    yyjson_mut_val *block = yyjson_mut_obj_add_obj(doc, event, "content_block");
    yyjson_mut_obj_add_str(doc, block, "type", "tool_use");
    yyjson_mut_obj_add_str(doc, block, "id", c->id);
    yyjson_mut_obj_add_str(doc, block, "name", name);
    yyjson_mut_obj_add_obj(doc, block, "input");
    print_event(t, doc);
    char *json = yyjson_mut_val_write(input, 0, NULL);
    doc = block_event(t, "content_block_delta", &event);
    yyjson_mut_val *delta = yyjson_mut_obj_add_obj(doc, event, "delta");
    yyjson_mut_obj_add_str(doc, delta, "type", "input_json_delta");
    yyjson_mut_obj_add_strcpy(doc, delta, "partial_json", json ? json : "");
    free(json);
    print_event(t, doc);
}

void claude_stop_block(struct teller *t)
{
    yyjson_mut_val *event;

    if (is_partial(t))
        print_event(t, block_event(t, "content_block_stop", &event));
    t->block++;
}

static void utter(struct teller *t, const struct speech *s, const char *kind)
{
    yyjson_mut_val *block;

    claude_start_block(t, kind);
    for (size_t at = 0, end; is_partial(t) && at < s->len; at = end) {
        end = teller_piece(s, at);
        print_event(t, delta_line(t, kind, s->text + at, end - at));
        teller_pause(t, s->delay);
    }
    if (!s->is_complete)
        return;
    yyjson_mut_doc *doc = claude_assistant_line(t, &block);
    yyjson_mut_obj_add_str(doc, block, "type", kind);
    yyjson_mut_obj_add_strncpy(doc, block, kind, s->text, s->len);
    if (strcmp(kind, "text"))
        yyjson_mut_obj_add_str(doc, block, "signature", "cHVwcGV0");
    teller_print(t, doc);
    claude_stop_block(t);
}

static void think(struct teller *t, const struct speech *s)
{
    utter(t, s, "thinking");
}

static void say(struct teller *t, const struct speech *s)
{
    utter(t, s, "text");
}

static void filler(struct teller *t, const char *text, struct text *line)
{
    yyjson_mut_val *block;
    yyjson_mut_doc *doc;

    open_message(t);
    if (is_partial(t)) {
        doc = delta_line(t, "text", text, strlen(text));
        add_session(t, doc);
        yyjson_mut_obj_add_null(doc, root_of(doc), "parent_tool_use_id");
        add_uuid(doc, "uuid", "");
    } else {
        doc = claude_assistant_line(t, &block);
        yyjson_mut_obj_add_str(doc, block, "type", "text");
        yyjson_mut_obj_add_strcpy(doc, block, "text", text);
    }
    teller_write(doc, line);
}

static void limit(struct teller *t, const struct limit *l)
{
    yyjson_mut_doc *doc = teller_line("rate_limit_event", NULL);
    yyjson_mut_val *info =
        yyjson_mut_obj_add_obj(doc, root_of(doc), "rate_limit_info");

    yyjson_mut_obj_add_str(doc, info, "status", l->status);
    yyjson_mut_obj_add_int(doc, info, "resetsAt", l->resets_at);
    yyjson_mut_obj_add_str(doc, info, "rateLimitType", l->type);
    yyjson_mut_obj_add_str(doc, info, "overageStatus", "rejected");
    yyjson_mut_obj_add_bool(doc, info, "isUsingOverage", false);
    claude_add_tail(t, doc);
    teller_print(t, doc);
}

static void retry(struct teller *t, const struct retry *r)
{
    yyjson_mut_doc *doc = teller_line("system", "api_retry");
    yyjson_mut_val *root = root_of(doc);

    yyjson_mut_obj_add_int(doc, root, "attempt", r->attempt);
    yyjson_mut_obj_add_int(doc, root, "max_retries", r->max);
    yyjson_mut_obj_add_int(doc, root, "retry_delay_ms", r->delay);
    yyjson_mut_obj_add_int(doc, root, "error_status", r->status);
    yyjson_mut_obj_add_str(doc, root, "error", r->error);
    claude_add_tail(t, doc);
    teller_print(t, doc);
}

static void add_model_usage(struct teller *t, yyjson_mut_doc *doc, double cost)
{
    yyjson_mut_val *all =
        yyjson_mut_obj_add_obj(doc, root_of(doc), "modelUsage");
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, all, t->model);

    yyjson_mut_obj_add_int(doc, one, "inputTokens", t->usage[USAGE_INPUT]);
    yyjson_mut_obj_add_int(doc, one, "outputTokens", t->usage[USAGE_OUTPUT]);
    yyjson_mut_obj_add_int(doc, one, "cacheReadInputTokens",
                           t->usage[USAGE_CACHE_READ]);
    yyjson_mut_obj_add_int(doc, one, "cacheCreationInputTokens",
                           t->usage[USAGE_CACHE_WRITE]);
    yyjson_mut_obj_add_real(doc, one, "costUSD", cost);
    yyjson_mut_obj_add_int(doc, one, "contextWindow", 200000);
}

static void result(struct teller *t, const struct ending *e)
{
    yyjson_mut_doc *doc = teller_line("result", "success");
    yyjson_mut_val *root = root_of(doc);
    int64_t duration = teller_clock_ms() - t->started_ms;
    double cost = (double)t->usage[USAGE_INPUT] * 1e-6 +
                  (double)t->usage[USAGE_OUTPUT] * 5e-6;

    claude_close_message(t, "end_turn");
    /* An error is a "success" with is_error: so the real one has it. */
    yyjson_mut_obj_add_bool(doc, root, "is_error", e->is_error);
    if (e->status)
        yyjson_mut_obj_add_int(doc, root, "api_error_status", e->status);
    else
        yyjson_mut_obj_add_null(doc, root, "api_error_status");
    yyjson_mut_obj_add_int(doc, root, "duration_ms", duration);
    yyjson_mut_obj_add_int(doc, root, "duration_api_ms", duration);
    yyjson_mut_obj_add_uint(doc, root, "num_turns", t->turns + t->calls);
    yyjson_mut_obj_add_str(doc, root, "result",
                           e->text ? e->text : text_str(&t->last));
    yyjson_mut_obj_add_str(doc, root, "stop_reason", "end_turn");
    add_session(t, doc);
    yyjson_mut_obj_add_real(doc, root, "total_cost_usd", cost);
    add_usage(t, doc, root);
    add_model_usage(t, doc, cost);
    yyjson_mut_obj_add_val(doc, root, "permission_denials",
                           yyjson_mut_val_mut_copy(doc, root_of(t->denials)));
    yyjson_mut_obj_add_str(doc, root, "terminal_reason", e->reason);
    add_uuid(doc, "uuid", "");
    teller_print_end(t, doc);
}

const struct lines claude_lines = {
    .init = init,
    .prompt = prompt,
    .think = think,
    .say = say,
    .tool_started = claude_tool_started,
    .tool_completed = claude_tool_completed,
    .filler = filler,
    .limit = limit,
    .retry = retry,
    .result = result,
};
