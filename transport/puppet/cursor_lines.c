/* SPDX-License-Identifier: MIT */
/*
 * The lines of Cursor's `agent`, after a capture of version 2026.07.20. An
 * assistant line comes in three forms, and telling them apart is the parser's
 * hardest duty: timestamp_ms alone is a piece of a message, timestamp_ms with
 * model_call_id is the whole message before a tool call, neither of them is
 * the whole last message.
 *
 * The shapes of `retry`, `error` and of an MCP call's answer are not in that
 * capture; they are what other people's parsers accept.
 */
#include "transport/puppet/cursor_lines.h"

#include <stdio.h>
#include <string.h>

static yyjson_mut_val *root_of(yyjson_mut_doc *doc)
{
    return yyjson_mut_doc_get_root(doc);
}

void cursor_add_time(yyjson_mut_doc *doc)
{
    yyjson_mut_obj_add_int(doc, root_of(doc), "timestamp_ms", teller_wall_ms());
}

void cursor_add_session(struct teller *t, yyjson_mut_doc *doc)
{
    yyjson_mut_obj_add_str(doc, root_of(doc), "session_id", t->session_id);
}

void cursor_add_model_call(struct teller *t, yyjson_mut_doc *doc)
{
    char id[TELLER_UUID + 24];

    snprintf(id, sizeof(id), "%s-%u-pupp", t->request_id, t->model_calls);
    yyjson_mut_obj_add_strcpy(doc, root_of(doc), "model_call_id", id);
}

static void add_message(yyjson_mut_doc *doc, const char *role, const char *text,
                        size_t len)
{
    yyjson_mut_val *message =
        yyjson_mut_obj_add_obj(doc, root_of(doc), "message");
    yyjson_mut_obj_add_str(doc, message, "role", role);
    yyjson_mut_val *content = yyjson_mut_obj_add_arr(doc, message, "content");
    yyjson_mut_val *part = yyjson_mut_arr_add_obj(doc, content);
    yyjson_mut_obj_add_str(doc, part, "type", "text");
    yyjson_mut_obj_add_strncpy(doc, part, "text", text, len);
}

static void init(struct teller *t)
{
    yyjson_mut_doc *doc = teller_line("system", "init");
    yyjson_mut_val *root = root_of(doc);

    yyjson_mut_obj_add_str(doc, root, "apiKeySource", "login");
    yyjson_mut_obj_add_str(doc, root, "cwd", text_str(&t->cwd));
    cursor_add_session(t, doc);
    yyjson_mut_obj_add_str(doc, root, "model", t->model);
    yyjson_mut_obj_add_str(doc, root, "permissionMode", "default");
    teller_print(t, doc);
}

static void prompt(struct teller *t)
{
    yyjson_mut_doc *doc = teller_line("user", NULL);

    add_message(doc, "user", text_str(&t->options->prompt),
                t->options->prompt.len);
    cursor_add_session(t, doc);
    teller_print(t, doc);
}

static void think(struct teller *t, const struct speech *s)
{
    for (size_t at = 0, end; at < s->len; at = end) {
        end = teller_piece(s, at);
        yyjson_mut_doc *doc = teller_line("thinking", "delta");
        yyjson_mut_obj_add_strncpy(doc, root_of(doc), "text", s->text + at,
                                   end - at);
        cursor_add_session(t, doc);
        cursor_add_time(doc);
        teller_print(t, doc);
        teller_pause(t, s->delay);
    }
    if (!s->is_complete)
        return;
    yyjson_mut_doc *doc = teller_line("thinking", "completed");
    cursor_add_session(t, doc);
    cursor_add_time(doc);
    teller_print(t, doc);
}

static yyjson_mut_doc *piece(struct teller *t, const char *text, size_t len)
{
    yyjson_mut_doc *doc = teller_line("assistant", NULL);

    add_message(doc, "assistant", text, len);
    cursor_add_session(t, doc);
    cursor_add_time(doc);
    return doc;
}

static void say(struct teller *t, const struct speech *s)
{
    bool is_partial = t->options->is_set[OPTION_PARTIAL];

    for (size_t at = 0, end; is_partial && at < s->len; at = end) {
        end = teller_piece(s, at);
        teller_print(t, piece(t, s->text + at, end - at));
        teller_pause(t, s->delay);
    }
    if (!s->is_complete)
        return;
    yyjson_mut_doc *doc = teller_line("assistant", NULL);
    add_message(doc, "assistant", s->text, s->len);
    cursor_add_session(t, doc);
    if (!s->is_final) {
        cursor_add_model_call(t, doc);
        cursor_add_time(doc);
    }
    teller_print(t, doc);
}

static void filler(struct teller *t, const char *text, struct text *line)
{
    size_t len = strlen(text);
    yyjson_mut_doc *doc = piece(t, text, len);

    if (!t->options->is_set[OPTION_PARTIAL])
        cursor_add_model_call(t, doc);
    teller_write(doc, line);
}

static void limit(struct teller *t, const struct limit *l)
{
    yyjson_mut_doc *doc = teller_line("error", NULL);
    struct text message = {0};

    text_addf(&message, "rate limit: %s (%s)", l->status, l->type);
    yyjson_mut_obj_add_strcpy(doc, root_of(doc), "message", text_str(&message));
    cursor_add_session(t, doc);
    cursor_add_time(doc);
    /* Only a refusal is an error: Cursor has no line for a warning. */
    if (!strcmp(l->status, "rejected"))
        teller_print(t, doc);
    else
        yyjson_mut_doc_free(doc);
    text_finish(&message);
}

static void retry(struct teller *t, const struct retry *r)
{
    yyjson_mut_doc *doc = teller_line("retry", "starting");

    yyjson_mut_obj_add_int(doc, root_of(doc), "attempt", r->attempt);
    yyjson_mut_obj_add_str(doc, root_of(doc), "reason", r->error);
    cursor_add_session(t, doc);
    cursor_add_time(doc);
    teller_print(t, doc);
}

static void result(struct teller *t, const struct ending *e)
{
    yyjson_mut_doc *doc =
        teller_line("result", e->is_error ? "error" : "success");
    yyjson_mut_val *root = root_of(doc);
    int64_t duration = teller_clock_ms() - t->started_ms;

    yyjson_mut_obj_add_int(doc, root, "duration_ms", duration);
    yyjson_mut_obj_add_int(doc, root, "duration_api_ms", duration);
    yyjson_mut_obj_add_bool(doc, root, "is_error", e->is_error);
    yyjson_mut_obj_add_str(doc, root, "result",
                           e->text ? e->text : text_str(&t->narration));
    cursor_add_session(t, doc);
    yyjson_mut_obj_add_str(doc, root, "request_id", t->request_id);
    yyjson_mut_val *usage = yyjson_mut_obj_add_obj(doc, root, "usage");
    yyjson_mut_obj_add_int(doc, usage, "inputTokens", t->usage[USAGE_INPUT]);
    yyjson_mut_obj_add_int(doc, usage, "outputTokens", t->usage[USAGE_OUTPUT]);
    yyjson_mut_obj_add_int(doc, usage, "cacheReadTokens",
                           t->usage[USAGE_CACHE_READ]);
    yyjson_mut_obj_add_int(doc, usage, "cacheWriteTokens",
                           t->usage[USAGE_CACHE_WRITE]);
    teller_print_end(t, doc);
}

const struct lines cursor_lines = {
    .init = init,
    .prompt = prompt,
    .think = think,
    .say = say,
    .tool_started = cursor_tool_started,
    .tool_completed = cursor_tool_completed,
    .filler = filler,
    .limit = limit,
    .retry = retry,
    .result = result,
};
