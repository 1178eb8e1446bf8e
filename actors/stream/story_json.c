/* SPDX-License-Identifier: MIT */
#include "actors/stream/story_inside.h"

#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

/* What an entry is written with. */
struct writing {
    struct bytes *out;
    const struct story_times *times;
    size_t text_max;
    bool is_cut;
};

/* ---- times ------------------------------------------------------------- */

/* When the byte before `end` had been read; 0: not known. */
static uint64_t read_at(const struct story_times *times, uint64_t end)
{
    size_t low = 0, high = times != NULL ? times->count : 0;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (times->items[mid].up_to < end)
            low = mid + 1;
        else
            high = mid;
    }
    return times != NULL && low < times->count ? times->items[low].at : 0;
}

static uint64_t started_at(const struct writing *w, const struct story_entry *e)
{
    return e->at > 0 ? e->at : read_at(w->times, e->first_end);
}

/* ---- texts ------------------------------------------------------------- */

static void put_text(struct writing *w, struct slice name, struct slice text)
{
    size_t len = utf8_cut(text.ptr, text.len, w->text_max);

    json_key(w->out, name);
    json_string(w->out, slice_of(text.ptr, len));
    if (len < text.len)
        w->is_cut = true;
}
#define PUT(w, literal, text) put_text(w, SLICE(literal), text)

/* Texts are never empty by a cut, so an empty one is what there is not. */
static void put_or_null(struct writing *w, struct slice name, bool is_there,
                        struct slice text)
{
    if (is_there) {
        put_text(w, name, text);
        return;
    }
    json_key(w->out, name);
    JSON_RAW(w->out, "null");
}
#define PUT_OR_NULL(w, literal, is_there, text)                                \
    put_or_null(w, SLICE(literal), is_there, text)

static void put_count_or_null(struct writing *w, struct slice name,
                              bool is_there, uint64_t count)
{
    json_key(w->out, name);
    if (is_there)
        json_uint(w->out, count);
    else
        JSON_RAW(w->out, "null");
}

/* ---- arguments --------------------------------------------------------- */

/* One argument of many bytes: a text is cut, all else left out. */
static void put_argument(struct writing *w, yyjson_val *val, size_t max)
{
    struct slice text = field_text(val);
    struct bytes own = {0};

    if (text.len > max) {
        json_string(w->out,
                    slice_of(text.ptr, utf8_cut(text.ptr, text.len, max)));
        return;
    }
    json_val(&own, val);
    if (yyjson_is_str(val) || own.len <= max)
        json_raw(w->out, bytes_slice(&own));
    else
        JSON_RAW(w->out, "null");
    bytes_finish(&own);
}

/* Each gets its share, so that a long text does not hide the path beside it. */
static void put_cut_arguments(struct writing *w, struct slice json)
{
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_obj_iter members = yyjson_obj_iter_with(root);
    size_t count = yyjson_obj_size(root), end = w->out->len + 2 * w->text_max;
    yyjson_val *key;

    w->is_cut = true;
    JSON_RAW(w->out, "{");
    while ((key = yyjson_obj_iter_next(&members)) && w->out->len < end) {
        json_key(w->out, field_text(key));
        put_argument(w, yyjson_obj_iter_get_val(key),
                     w->text_max / (count < 8 ? count : 8));
    }
    JSON_RAW(w->out, "}");
    yyjson_doc_free(doc);
}

static void put_arguments(struct writing *w, struct slice json)
{
    JSON_KEY(w->out, "arguments");
    if (json.len == 0)
        JSON_RAW(w->out, "null");
    else if (json.len <= w->text_max)
        json_raw(w->out, json);
    else
        put_cut_arguments(w, json);
}

/* ---- kinds ------------------------------------------------------------- */

static void put_status(struct writing *w, const struct story_tool *tool)
{
    static const struct slice names[EVENT_TOOL_STATUSES] = {
        SLICE_INIT("ok"), SLICE_INIT("error"), SLICE_INIT("rejected"),
        SLICE_INIT("denied"), SLICE_INIT("unsaid")};

    PUT_OR_NULL(w, "status", tool->has_ended, names[tool->status]);
    JSON_BOOL(w->out, "isError",
              tool->has_ended && tool->status != EVENT_TOOL_OK &&
                  tool->status != EVENT_TOOL_UNSAID);
    PUT(w, "message", tool->message);
    JSON_KEY(w->out, "exitCode");
    if (tool->has_exit)
        json_number(w->out, (double)tool->exit_code);
    else
        JSON_RAW(w->out, "null");
}

static void put_duration(struct writing *w, const struct story_entry *e)
{
    const struct story_tool *tool = &e->tool;
    uint64_t from = tool->has_start ? started_at(w, e) : 0, to = 0;

    if (tool->has_ended)
        to = tool->ended_at > 0 ? tool->ended_at : read_at(w->times, e->end);
    put_count_or_null(w, SLICE("duration_ms"), from > 0 && to > 0,
                      to > from ? to - from : 0);
}

static void put_tool(struct writing *w, const struct story_entry *e)
{
    const struct story_tool *tool = &e->tool;

    JSON_KEY(w->out, "tool");
    JSON_RAW(w->out, "{");
    PUT(w, "callId", tool->call_id);
    PUT(w, "name", tool->name);
    PUT(w, "kind", tool_kind_name(tool->kind));
    PUT(w, "title", tool->title);
    put_arguments(w, tool->arguments);
    PUT_OR_NULL(w, "result", tool->has_result, tool->result);
    put_status(w, tool);
    put_duration(w, e);
    JSON_UINT(w->out, "argumentBytes", tool->arguments.len);
    JSON_UINT(w->out, "resultBytes", tool->result_bytes);
    JSON_RAW(w->out, "}");
}

static void put_file(struct writing *w, const struct story_file *file)
{
    static const struct slice ops[] = {
        SLICE_INIT("created"), SLICE_INIT("edited"), SLICE_INIT("deleted")};

    JSON_KEY(w->out, "file");
    JSON_RAW(w->out, "{");
    PUT(w, "path", file->path);
    PUT(w, "change", ops[file->op]);
    put_count_or_null(w, SLICE("added"), file->has_counts, file->added);
    put_count_or_null(w, SLICE("removed"), file->has_counts, file->removed);
    PUT_OR_NULL(w, "diff", file->diff.len > 0, file->diff);
    PUT(w, "callId", file->call_id);
    JSON_RAW(w->out, "}");
}

static void put_retry(struct writing *w, const struct story_entry *e)
{
    PUT(w, "text", bytes_slice(&e->text));
    JSON_KEY(w->out, "retry");
    JSON_RAW(w->out, "{");
    JSON_UINT(w->out, "attempt", e->retry.attempt);
    JSON_UINT(w->out, "maxAttempts", e->retry.max_attempts);
    JSON_UINT(w->out, "delay_ms", e->retry.delay_ms);
    JSON_UINT(w->out, "status", e->retry.status);
    JSON_RAW(w->out, "}");
}

static void put_notice(struct writing *w, const struct story_entry *e)
{
    PUT(w, "text", bytes_slice(&e->text));
    PUT(w, "notice", e->notice.name);
    if (e->notice.has_outcome)
        JSON_BOOL(w->out, "ok", e->notice.is_ok);
    if (e->notice.reason.len > 0)
        PUT(w, "reason", e->notice.reason);
}

static void put_body(struct writing *w, const struct story_entry *e)
{
    switch (e->kind) {
    case STORY_NOTHING:
        break;
    case STORY_TEXT:
    case STORY_THINKING:
        PUT(w, "text", bytes_slice(&e->text));
        break;
    case STORY_TOOL:
        put_tool(w, e);
        break;
    case STORY_FILE:
        put_file(w, &e->file);
        break;
    case STORY_RETRY:
        put_retry(w, e);
        break;
    case STORY_NOTICE:
        put_notice(w, e);
        break;
    }
}

void story_put(struct bytes *out, const struct story *s, size_t i,
               const struct story_times *times, size_t text_max)
{
    static const struct slice kinds[] = {
        SLICE_INIT(""),      SLICE_INIT("text"), SLICE_INIT("thinking"),
        SLICE_INIT("tool"),  SLICE_INIT("file"), SLICE_INIT("retry"),
        SLICE_INIT("notice")};
    const struct story_entry *e = &s->entries[s->first + i];
    struct writing w = {.out = out, .times = times, .text_max = text_max};

    JSON_RAW(out, "{");
    JSON_UINT(out, "offset", e->offset);
    JSON_UINT(out, "end", e->end);
    JSON_KEY(out, "at");
    json_time(out, started_at(&w, e));
    PUT(&w, "kind", kinds[e->kind]);
    if (e->is_open)
        JSON_BOOL(out, "isOpen", true);
    if (e->is_continued)
        JSON_BOOL(out, "isContinued", true);
    if (e->parent.len > 0)
        PUT(&w, "parent", e->parent);
    put_body(&w, e);
    if (w.is_cut)
        JSON_BOOL(out, "isCut", true);
    JSON_RAW(out, "}");
}
