/* SPDX-License-Identifier: MIT */
#include "actors/stream/story_inside.h"

#include "runtime/text/field.h"
#include "runtime/text/json.h"

/* ---- calls ------------------------------------------------------------- */

static struct slice keep_json(struct story *s, const struct yyjson_val *val)
{
    struct bytes out = {0};
    struct slice kept = SLICE_EMPTY;

    if (val != NULL && s->phase != STORY_WARM) {
        json_val(&out, (yyjson_val *)(uintptr_t)val);
        kept = story_keep(s, bytes_slice(&out));
    }
    bytes_finish(&out);
    return kept;
}

static size_t find_call(const struct story *s, struct slice id)
{
    size_t i = 0;

    while (i < s->call_count &&
           !slice_eq(s->entries[s->calls[i]].tool.call_id, id))
        i++;
    return i;
}

static void forget_call(struct story *s, size_t i)
{
    s->own_calls -= s->calls[i] >= s->first && s->phase != STORY_WARM;
    s->call_count--;
    memmove(&s->calls[i], &s->calls[i + 1],
            (s->call_count - i) * sizeof(s->calls[0]));
}

static void name_tool(struct story *s, struct story_tool *tool,
                      struct slice name, const struct yyjson_val *args)
{
    char plain[TOOL_NAME_CAP];

    tool->kind = tool_name(plain, name, args);
    tool->name = story_keep(s, slice_cstr(plain));
    tool->arguments = keep_json(s, args);
}

void story_on_tool_start(struct story *s, const struct event *ev)
{
    const struct event_tool_start *m = &ev->tool_start;
    struct story_entry *e;

    if (m->call_id.len > 0 && find_call(s, m->call_id) < s->call_count)
        return;
    e = story_begin(s, ev, STORY_TOOL);
    if (e == NULL)
        return;
    e->is_open = true;
    e->tool.has_start = true;
    e->tool.call_id = story_keep_id(s, m->call_id);
    e->tool.title = story_keep(s, slice_first_line(m->title));
    e->tool.message = e->tool.result = SLICE_EMPTY;
    name_tool(s, &e->tool, m->name, m->args);
    if (s->call_count == STORY_CALLS)
        forget_call(s, 0);
    s->calls[s->call_count++] = s->count - 1;
    s->own_calls += s->phase == STORY_OWN;
}

/* The blocks of a content: {text}, or as Cursor has MCP's, {text: {text}}. */
static void put_blocks(struct bytes *out, yyjson_val *content)
{
    yyjson_val *block;
    size_t i, n;

    yyjson_arr_foreach(content, i, n, block)
    {
        yyjson_val *text = FIELD(block, "text");
        struct slice own =
            field_text(yyjson_is_obj(text) ? FIELD(text, "text") : text);

        if (out->len > 0)
            bytes_append(out, "\n", 1);
        if (own.len == 0)
            own = FIELD_TEXT(block, "type");
        bytes_append(out, own.ptr, own.len);
    }
}

static void put_outcome(struct bytes *out, yyjson_val *outcome)
{
    static const struct slice texts[] = {
        SLICE_INIT("content"),    SLICE_INIT("output"),
        SLICE_INIT("markdown"),   SLICE_INIT("message"),
        SLICE_INIT("diffString"), SLICE_INIT("errorMessage"),
        SLICE_INIT("reason"),     {0}};
    yyjson_val *content = FIELD(outcome, "content");
    struct slice text = field_first_text(outcome, texts);
    struct slice error = FIELD_TEXT(outcome, "stderr");

    if (yyjson_is_str(FIELD(outcome, "stdout"))) {
        text = FIELD_TEXT(outcome, "stdout");
        bytes_append(out, text.ptr, text.len);
        bytes_append(out, error.ptr, error.len);
    } else if (yyjson_is_arr(content)) {
        put_blocks(out, content);
    } else if (text.len > 0 || yyjson_is_str(content)) {
        bytes_append(out, text.ptr, text.len);
    } else {
        json_val(out, outcome);
    }
}

static void take_result(struct story *s, struct story_tool *tool,
                        const struct yyjson_val *of)
{
    yyjson_val *outcome = (yyjson_val *)(uintptr_t)of;
    struct slice text = field_text(outcome);
    struct bytes out = {0};

    if (outcome == NULL || s->phase == STORY_WARM)
        return;
    if (yyjson_is_arr(outcome))
        put_blocks(&out, outcome);
    else if (yyjson_is_obj(outcome))
        put_outcome(&out, outcome);
    else
        bytes_append(&out, text.ptr, text.len);
    tool->has_result = true;
    tool->result_bytes = out.len;
    tool->result = story_keep(s, bytes_slice(&out));
    bytes_finish(&out);
}

/* One whose start is not to be seen is told where it ends. */
static struct story_entry *ended_call(struct story *s, const struct event *ev)
{
    const struct event_tool_end *m = &ev->tool_end;
    size_t i = find_call(s, m->call_id);
    struct story_entry *e;

    if (i < s->call_count) {
        e = &s->entries[s->calls[i]];
        forget_call(s, i);
        return e;
    }
    e = story_begin(s, ev, STORY_TOOL);
    if (e == NULL)
        return NULL;
    e->tool.call_id = story_keep_id(s, m->call_id);
    e->tool.title = SLICE_EMPTY;
    name_tool(s, &e->tool, m->name, m->args);
    return e;
}

void story_on_tool_end(struct story *s, const struct event *ev)
{
    const struct event_tool_end *m = &ev->tool_end;
    struct story_entry *e = ended_call(s, ev);

    s->last_call = story_keep_id(s, m->call_id);
    if (e == NULL)
        return;
    e->is_open = false;
    e->end = s->line_end;
    e->tool.has_ended = true;
    e->tool.ended_at = ev->at;
    e->tool.status = m->status;
    e->tool.message = story_keep(s, m->message);
    e->tool.has_exit = m->has_exit;
    e->tool.exit_code = m->exit_code;
    take_result(s, &e->tool, m->outcome);
}

/* ---- files ------------------------------------------------------------- */

static void put_hunk(struct bytes *out, yyjson_val *hunk,
                     struct story_file *file)
{
    yyjson_val *line;
    size_t i, n;

    bytes_format(out, "%s@@ -%llu,%llu +%llu,%llu @@", out->len > 0 ? "\n" : "",
                 (unsigned long long)FIELD_COUNT(hunk, "oldStart"),
                 (unsigned long long)FIELD_COUNT(hunk, "oldLines"),
                 (unsigned long long)FIELD_COUNT(hunk, "newStart"),
                 (unsigned long long)FIELD_COUNT(hunk, "newLines"));
    yyjson_arr_foreach(FIELD(hunk, "lines"), i, n, line)
    {
        struct slice text = field_text(line);

        bytes_append(out, "\n", 1);
        bytes_append(out, text.ptr, text.len);
        file->added += text.len > 0 && text.ptr[0] == '+';
        file->removed += text.len > 0 && text.ptr[0] == '-';
    }
}

/* A new file is all additions. */
static void put_content(struct bytes *out, struct slice content,
                        struct story_file *file)
{
    while (content.len > 0) {
        struct slice line = slice_first_line(content);
        size_t used = line.len + (line.len < content.len);

        bytes_append(out, out->len > 0 ? "\n+" : "+", out->len > 0 ? 2 : 1);
        bytes_append(out, line.ptr, line.len);
        file->added++;
        content = slice_of(content.ptr + used, content.len - used);
    }
}

static void take_diff(struct story *s, struct story_file *file,
                      const struct event_diff *diff)
{
    yyjson_val *patch = (yyjson_val *)(uintptr_t)diff->patch, *hunk;
    struct bytes out = {0};
    size_t i, n;

    file->has_counts = true;
    file->diff = SLICE_EMPTY;
    if (diff->unified.len > 0) {
        file->has_counts = diff->has_counts;
        file->added = diff->added;
        /* An empty file counts as an empty line there. */
        file->removed = file->op == EVENT_FILE_ADD ? 0 : diff->removed;
        file->diff = story_keep(s, diff->unified);
    } else if (yyjson_arr_size(patch) > 0) {
        yyjson_arr_foreach(patch, i, n, hunk) put_hunk(&out, hunk, file);
    } else if (file->op == EVENT_FILE_ADD && diff->content.len > 0) {
        put_content(&out, diff->content, file);
    } else {
        file->has_counts = false;
    }
    if (out.len > 0)
        file->diff = story_keep(s, bytes_slice(&out));
    bytes_finish(&out);
}

void story_on_file_change(struct story *s, const struct event *ev)
{
    const struct event_file_change *m = &ev->file_change;
    struct story_entry *e;

    if (s->phase != STORY_OWN || (e = story_begin(s, ev, STORY_FILE)) == NULL)
        return;
    e->file.path = story_keep(s, m->path);
    e->file.op = m->op;
    e->file.call_id = story_keep(s, s->last_call);
    take_diff(s, &e->file, &m->diff);
}
