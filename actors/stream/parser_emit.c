/* SPDX-License-Identifier: MIT */
/* What back-ends say to a parser: one small event each. */
#include <string.h>

#include "actors/stream/parser.h"
#include "runtime/text/field.h"
#include "runtime/text/utf8.h"

void parser_emit(struct parser *p, struct event *ev)
{
    ev->offset = p->offset;
    ev->line = p->line;
    ev->at = p->at;
    ev->parent = p->parent;
    p->fn(p->ctx, ev);
}

void parser_started(struct parser *p, struct event_started started)
{
    struct event ev = {.kind = EVENT_STARTED};
    uint64_t hash = slice_hash(SLICE_HASH, started.session_id);

    hash = slice_hash(slice_hash(hash, SLICE("\n")), started.model);
    hash = slice_hash(slice_hash(hash, SLICE("\n")), started.cwd) | 1;
    if (hash == p->started_hash && !p->has_result)
        return;
    files_set_cwd(&p->files, started.cwd);
    started.is_after_result = p->has_result;
    p->started_hash = hash;
    p->has_result = false;
    ev.started = started;
    parser_emit(p, &ev);
}

static void forget(struct parser *p)
{
    bytes_clear(&p->message, PARSER_KEEP);
    p->has_deltas = false;
    p->is_message_cut = false;
}

void parser_result(struct parser *p, struct event_result result)
{
    struct event ev = {.kind = EVENT_RESULT, .result = result};

    p->has_result = true;
    parser_emit(p, &ev);
    /* What is still open is a fragment and no part of what may follow. */
    forget(p);
}

void parser_note(struct parser *p, enum event_note_kind kind, struct slice type,
                 struct slice text)
{
    struct event ev = {.kind = EVENT_NOTE};

    ev.note = (struct event_note){.note = kind, .type = type, .text = text};
    ev.note.bytes = text.len;
    ev.note.text.len = utf8_cut(text.ptr, text.len, PARSER_QUOTE_CAP);
    parser_emit(p, &ev);
}

void parser_unknown(struct parser *p, struct slice type, struct slice subtype)
{
    size_t n = utf8_cut(type.ptr, type.len, PARSER_TYPE_CAP / 2);

    memcpy(p->type, type.ptr, n);
    if (subtype.len > 0) {
        p->type[n++] = '/';
        size_t m = utf8_cut(subtype.ptr, subtype.len, sizeof(p->type) - n);
        memcpy(p->type + n, subtype.ptr, m);
        n += m;
    }
    parser_note(p, EVENT_NOTE_UNKNOWN, slice_of(p->type, n), SLICE_EMPTY);
}

static void emit_text(struct parser *p, enum event_kind kind,
                      enum event_form form, struct slice text, struct slice id)
{
    struct event ev = {.kind = kind};

    ev.text = (struct event_text){.form = form, .text = text, .message_id = id};
    if (kind == EVENT_TEXT && form != EVENT_DELTA) {
        ev.text.is_cut = text.ptr == p->message.ptr && p->is_message_cut;
        ev.text.is_continued = p->is_continued;
        p->is_continued = false;
    }
    parser_emit(p, &ev);
}

void parser_prompt(struct parser *p, struct slice text)
{
    emit_text(p, EVENT_PROMPT, EVENT_FULL, text, SLICE_EMPTY);
}

void parser_delta(struct parser *p, struct slice text, struct slice id)
{
    if (text.len == 0)
        return;
    p->has_deltas = true;
    if (!bytes_append_capped(&p->message, text, PARSER_MESSAGE_CAP))
        p->is_message_cut = true;
    emit_text(p, EVENT_TEXT, EVENT_DELTA, text, id);
}

static void remember(struct parser *p, struct slice whole)
{
    struct slice last = slice_trim(whole);

    p->last_len = last.len;
    p->last_hash = slice_hash(SLICE_HASH, last);
}

void parser_close(struct parser *p, struct slice whole, struct slice id)
{
    struct slice joined = bytes_slice(&p->message);

    if (!p->has_deltas)
        return;
    /*
     * A last copy may hold every message of the run, the open one at its
     * end: then the deltas are the message. Else the copy has what the
     * deltas have lost (half an emoji at a cut, text over the cap).
     */
    struct slice copy = slice_trim(whole);
    if (copy.len == 0 || slice_ends(copy, slice_trim(joined)))
        whole = joined;
    remember(p, whole);
    emit_text(p, EVENT_TEXT, EVENT_END, whole, id);
    forget(p);
}

void parser_void(struct parser *p)
{
    if (!p->has_deltas)
        return;
    emit_text(p, EVENT_TEXT, EVENT_VOID, SLICE_EMPTY, SLICE_EMPTY);
    forget(p);
}

void parser_full(struct parser *p, struct slice text, struct slice id)
{
    if (slice_trim(text).len == 0)
        return;
    remember(p, text);
    emit_text(p, EVENT_TEXT, EVENT_FULL, text, id);
}

bool parser_is_repeat(const struct parser *p, struct slice text)
{
    text = slice_trim(text);
    if (p->last_len == 0 || text.len < p->last_len)
        return false;
    struct slice tail =
        slice_of(text.ptr + text.len - p->last_len, p->last_len);
    return slice_hash(SLICE_HASH, tail) == p->last_hash;
}

void parser_thought(struct parser *p, enum event_form form, struct slice text)
{
    if (form == EVENT_DELTA) {
        if (text.len == 0)
            return;
        p->has_thought = true;
    } else if (form == EVENT_END) {
        if (!p->has_thought)
            return;
        p->has_thought = false;
    }
    emit_text(p, EVENT_THINKING, form, text, SLICE_EMPTY);
}

void parser_file(struct parser *p, struct slice path, enum files_op op,
                 const struct event_diff *diff)
{
    static const enum event_file_op told[] = {
        [FILES_ADD] = EVENT_FILE_ADD,
        [FILES_EDIT] = EVENT_FILE_EDIT,
        [FILES_DELETE] = EVENT_FILE_DELETE,
    };
    struct event ev = {.kind = EVENT_FILE_CHANGE};

    if (path.len == 0)
        return;
    op = files_note(&p->files, path, op, &ev.file_change.is_first);
    if (op == FILES_READ)
        return;
    ev.file_change.path = path;
    ev.file_change.op = told[op];
    if (diff != NULL)
        ev.file_change.diff = *diff;
    parser_emit(p, &ev);
}

struct slice parser_content(struct parser *p, yyjson_val *content)
{
    yyjson_val *block;
    size_t i, n, found = 0;
    struct slice one = SLICE_EMPTY;

    if (yyjson_is_str(content))
        return field_text(content);
    p->scratch.len = 0;
    yyjson_arr_foreach(content, i, n, block)
    {
        if (!slice_eq(FIELD_TEXT(block, "type"), SLICE("text")))
            continue;
        struct slice text = FIELD_TEXT(block, "text");
        if (found++ == 0) {
            one = text;
            continue;
        }
        if (found == 2)
            bytes_append(&p->scratch, one.ptr, one.len);
        bytes_append(&p->scratch, text.ptr, text.len);
    }
    return found > 1 ? bytes_slice(&p->scratch) : one;
}

struct slice parser_title(yyjson_val *args)
{
    static const struct slice keys[] = {
        SLICE_INIT("command"),     SLICE_INIT("path"),
        SLICE_INIT("file_path"),   SLICE_INIT("notebook_path"),
        SLICE_INIT("pattern"),     SLICE_INIT("globPattern"),
        SLICE_INIT("query"),       SLICE_INIT("searchTerm"),
        SLICE_INIT("url"),         SLICE_INIT("toolName"),
        SLICE_INIT("description"), SLICE_INIT("name"),
        SLICE_INIT("prompt"),      {0},
    };

    return field_first_text(args, keys);
}
