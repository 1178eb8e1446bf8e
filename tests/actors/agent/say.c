/* SPDX-License-Identifier: MIT */
#include "tests/actors/agent/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <yyjson.h>

struct line {
    yyjson_mut_doc *doc;
    yyjson_mut_val *root;
};

static struct line line_begin(const char *event, const char *id)
{
    struct line l = {.doc = yyjson_mut_doc_new(NULL)};

    l.root = yyjson_mut_obj(l.doc);
    yyjson_mut_doc_set_root(l.doc, l.root);
    yyjson_mut_obj_add_str(l.doc, l.root, "event", event);
    if (id != NULL)
        yyjson_mut_obj_add_strcpy(l.doc, l.root, "id", id);
    return l;
}

/* Text that is not UTF-8 makes no line: the tests take that for a fault. */
static void line_end(struct line *l)
{
    char *text = yyjson_mut_write(l->doc, YYJSON_WRITE_NOFLAG, NULL);

    puts(text != NULL ? text : "{\"event\":\"unwritable\"}");
    fflush(stdout);
    free(text);
    yyjson_mut_doc_free(l->doc);
}

static void number(struct line *l, const char *key, uint64_t value)
{
    yyjson_mut_obj_add_uint(l->doc, l->root, key, value);
}

static void truth(struct line *l, const char *key, bool value)
{
    yyjson_mut_obj_add_bool(l->doc, l->root, key, value);
}

static void text(struct line *l, const char *key, const char *value)
{
    yyjson_mut_obj_add_strcpy(l->doc, l->root, key, value);
}

static void add_slice(struct line *l, const char *key, struct slice s)
{
    yyjson_mut_obj_add_strncpy(l->doc, l->root, key, s.len > 0 ? s.ptr : "",
                               s.len);
}

void say_left(const struct process_left *left)
{
    struct line l = line_begin("left", left->id);

    number(&l, "count", left->count);
    line_end(&l);
}

void say_stream(const struct agent_stream *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct line l = line_begin("stream", s->def->id);

        text(&l, "kind", event_kind_name(s->events[i].kind));
        add_slice(&l, "line", agent_stream_line(s, i));
        line_end(&l);
    }
}

static void add_paths(struct line *l, const char *key, struct agent_paths paths)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(l->doc, l->root, key);

    for (size_t i = 0; i < paths.count; i++)
        yyjson_mut_arr_add_strncpy(l->doc, list, paths.items[i].ptr,
                                   paths.items[i].len);
}

static void add_result(const struct line *outer, const struct agent_result *r)
{
    static const char *const outcomes[] = {"success", "failure", "timeout",
                                           "cancelled"};
    struct line l = {.doc = outer->doc};

    if (r == NULL)
        return;
    l.root = yyjson_mut_obj_add_obj(outer->doc, outer->root, "result");
    text(&l, "status", outcomes[r->outcome]);
    truth(&l, "reported", r->is_reported);
    add_slice(&l, "summary", r->summary);
    add_slice(&l, "response", r->response);
    add_slice(&l, "error", r->error);
    add_paths(&l, "edited", r->edited);
    add_paths(&l, "created", r->created);
    number(&l, "duration", r->duration_ms);
    number(&l, "toolCalls", r->tool_calls);
    number(&l, "finishedAt", r->finished_at);
}

static void add_news(struct line *l, unsigned news)
{
    static const char *const names[] = {"state", "done", "gone", "stalled",
                                        "revived"};
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(l->doc, l->root, "news");

    for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (news >> i & 1)
            yyjson_mut_arr_add_str(l->doc, list, names[i]);
}

void say_view(const char *event, const struct agent_view *v)
{
    struct line l = line_begin(event, v->id);

    text(&l, "state", agent_state_name(v->state));
    add_news(&l, v->news);
    truth(&l, "done", v->is_done);
    truth(&l, "gone", v->is_gone);
    truth(&l, "stalled", v->is_stalled);
    number(&l, "pid", (uint64_t)v->pid);
    number(&l, "startedAt", v->started_at);
    number(&l, "elapsed", v->elapsed_ms);
    number(&l, "lines", v->progress.lines);
    number(&l, "bytes", v->progress.bytes);
    number(&l, "toolCalls", v->progress.tool_calls);
    number(&l, "messages", v->progress.messages);
    text(&l, "session", v->session_id);
    text(&l, "model", v->model);
    text(&l, "tool", v->tool);
    number(&l, "inputTokens", v->usage.input);
    number(&l, "outputTokens", v->usage.output);
    number(&l, "unknown", v->unknown_lines);
    number(&l, "skipped", v->skipped_lines);
    add_result(&l, v->result);
    line_end(&l);
}

void say(const char *event, const char *id)
{
    struct line l = line_begin(event, id);

    line_end(&l);
}

void say_text(const char *event, const char *key, const char *value)
{
    struct line l = line_begin(event, NULL);

    text(&l, key, value);
    line_end(&l);
}

void say_number(const char *event, const char *key, uint64_t value)
{
    struct line l = line_begin(event, NULL);

    number(&l, key, value);
    line_end(&l);
}
