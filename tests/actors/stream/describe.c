/* SPDX-License-Identifier: MIT */
#include "tests/actors/stream/describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct bytes *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct bytes *out, const char *format, ...)
{
    char line[256];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    bytes_append(out, line, (size_t)n);
}

static void put_slice(struct bytes *out, const char *name, struct slice s)
{
    put(out, " %s=", name);
    if (s.len > 200) {
        put(out, "<%zu bytes>", s.len);
        return;
    }
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\n')
            bytes_append(out, "\\n", 2);
        else
            bytes_append(out, s.ptr + i, 1);
    }
}

static void put_some(struct bytes *out, const char *name, struct slice s)
{
    if (s.len > 0)
        put_slice(out, name, s);
}

static void put_count(struct bytes *out, const char *name, uint64_t n)
{
    if (n > 0)
        put(out, " %s=%" PRIu64, name, n);
}

static void text(struct bytes *out, const struct event_text *m)
{
    static const char *const forms[] = {"delta", "full", "end", "void"};

    put(out, " %s", forms[m->form]);
    if (m->is_continued)
        put(out, " more");
    put_some(out, "text", m->text);
}

static void started(struct bytes *out, const struct event_started *m)
{
    put_some(out, "session", m->session_id);
    put_some(out, "model", m->model);
    put_some(out, "cwd", m->cwd);
    put_some(out, "version", m->version);
    if (m->mcp)
        put(out, " mcp");
    if (m->is_after_result)
        put(out, " after_result");
}

static void tool_end(struct bytes *out, const struct event_tool_end *m)
{
    static const char *const states[] = {"ok", "error", "rejected", "denied",
                                         "unsaid"};

    put(out, " %s", states[m->status]);
    put_some(out, "id", m->call_id);
    put_some(out, "name", m->name);
    put_some(out, "message", m->message);
    put_count(out, "bytes", m->bytes);
    if (m->has_exit)
        put(out, " exit=%" PRId64, m->exit_code);
    put_some(out, "diff", m->diff);
}

static void usage(struct bytes *out, const struct event_usage *m)
{
    static const char *const scopes[] = {"message", "model", "total"};

    put(out, " %s", scopes[m->scope]);
    put_some(out, "model", m->model);
    put_count(out, "in", m->input);
    put_count(out, "out", m->output);
    put_count(out, "cache_r", m->cache_read);
    put_count(out, "cache_w", m->cache_write);
    if (m->has_cost)
        put(out, " cost=%.7f", m->cost_usd);
}

static void ask(struct bytes *out, const struct event_ask *m)
{
    static const char *const states[] = {"open", "answered", "withdrawn"};

    put(out, " %s%s", states[m->state], m->needs_us ? " needs_us" : "");
    put_some(out, "id", m->request_id);
    put_some(out, "what", m->what);
    put_some(out, "tool", m->tool);
    put_some(out, "call", m->call_id);
}

static void child_task(struct bytes *out, const struct event_child_task *m)
{
    static const char *const phases[] = {"started", "progress", "updated",
                                         "ended"};

    put(out, " %s", phases[m->phase]);
    put_some(out, "id", m->task_id);
    put_some(out, "call", m->call_id);
    put_some(out, "role", m->role);
    put_some(out, "status", m->status);
    put_some(out, "summary", m->summary);
    put_some(out, "output", m->output_file);
    put_count(out, "tokens", m->tokens);
}

static void note(struct bytes *out, const struct event_note *m)
{
    static const char *const kinds[] = {"unknown",  "not_json", "too_long",
                                        "bad_utf8", "status",   "error"};

    put(out, " %s", kinds[m->note]);
    put_some(out, "type", m->type);
    put_some(out, "text", m->text);
    if (m->note == EVENT_NOTE_TOO_LONG)
        put_count(out, "bytes", m->bytes);
}

static void result(struct bytes *out, const struct event_result *m)
{
    put(out, m->ok ? " ok" : " failed");
    put_some(out, "reason", m->reason);
    put_count(out, "api", m->api_status);
    if (m->has_duration)
        put(out, " ms=%" PRIu64, m->duration_ms);
    put_count(out, "turns", m->turns);
    put_some(out, "text", m->text);
}

static void other(struct bytes *out, const struct event *ev)
{
    static const char *const ops[] = {"add", "edit", "delete"};

    if (ev->kind == EVENT_TOOL_START) {
        put_some(out, "id", ev->tool_start.call_id);
        put_slice(out, "name", ev->tool_start.name);
        put_some(out, "title", ev->tool_start.title);
    } else if (ev->kind == EVENT_FILE_CHANGE) {
        put(out, " %s%s", ops[ev->file_change.op],
            ev->file_change.is_first ? " first" : "");
        put_slice(out, "path", ev->file_change.path);
    } else if (ev->kind == EVENT_RATE_LIMIT) {
        put_slice(out, "status", ev->rate_limit.status);
        put_some(out, "scope", ev->rate_limit.scope);
        put_count(out, "resets", ev->rate_limit.resets_at);
    } else if (ev->kind == EVENT_RETRY) {
        put(out, " %" PRIu64 "/%" PRIu64, ev->retry.attempt,
            ev->retry.max_attempts);
        put_count(out, "ms", ev->retry.delay_ms);
        put_count(out, "status", ev->retry.status);
        put_some(out, "reason", ev->retry.reason);
    }
}

void describe_event(void *ctx, const struct event *ev)
{
    struct bytes *out = ctx;

    put(out, "%s", event_kind_name(ev->kind));
    put_some(out, "parent", ev->parent);
    if (ev->kind == EVENT_TEXT || ev->kind == EVENT_THINKING ||
        ev->kind == EVENT_PROMPT)
        text(out, &ev->text);
    else if (ev->kind == EVENT_STARTED)
        started(out, &ev->started);
    else if (ev->kind == EVENT_TOOL_END)
        tool_end(out, &ev->tool_end);
    else if (ev->kind == EVENT_USAGE)
        usage(out, &ev->usage);
    else if (ev->kind == EVENT_ASK)
        ask(out, &ev->ask);
    else if (ev->kind == EVENT_CHILD_TASK)
        child_task(out, &ev->child_task);
    else if (ev->kind == EVENT_NOTE)
        note(out, &ev->note);
    else if (ev->kind == EVENT_RESULT)
        result(out, &ev->result);
    else
        other(out, ev);
    bytes_append(out, "\n", 1);
}

struct replay replay_text(const struct backend *b, const char *text_,
                          size_t len, size_t chunk, size_t line_limit)
{
    struct transcript_limits limits = {.line_bytes = line_limit};
    struct replay r = {.tr = transcript_create(b, &limits)};

    r.state = transcript_state(r.tr);
    if (chunk == 0)
        chunk = len ? len : 1;
    for (size_t i = 0; i < len; i += chunk) {
        size_t n = len - i < chunk ? len - i : chunk;
        /* A copy of its own: a read beyond the chunk is then a fault. */
        char *copy = bytes_alloc(n);
        memcpy(copy, text_ + i, n);
        transcript_feed(r.tr, copy, n, describe_event, &r.log);
        free(copy);
    }
    transcript_end(r.tr, describe_event, &r.log);
    return r;
}

struct replay replay_str(const struct backend *b, const char *text_)
{
    return replay_text(b, text_, strlen(text_), 0, 0);
}

void replay_finish(struct replay *r)
{
    transcript_destroy(r->tr);
    bytes_finish(&r->log);
}

const char *replay_log(struct replay *r)
{
    bytes_reserve(&r->log, 1);
    r->log.ptr[r->log.len] = '\0';
    return r->log.ptr;
}

struct bytes read_fixture(const char *name)
{
    char path[1024], buf[4096];
    struct bytes out = {0};
    size_t n;

    snprintf(path, sizeof(path), "%s/%s", FIXTURES, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        abort();
    }
    while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
        bytes_append(&out, buf, n);
    fclose(file);
    return out;
}
