/* SPDX-License-Identifier: MIT */
#include "actors/stream/story_inside.h"

#include "runtime/text/array.h"

/* ---- what is kept ------------------------------------------------------ */

/* Of the warm-up nothing is told, so nothing long of it is kept. */
struct slice story_keep(struct story *s, struct slice text)
{
    if (s->phase == STORY_WARM || text.len == 0)
        return SLICE_EMPTY;
    return slice_of(arena_copy(&s->arena, text.ptr, text.len), text.len);
}

struct slice story_keep_id(struct story *s, struct slice id)
{
    return slice_of(arena_copy(&s->arena, id.ptr, id.len), id.len);
}

static void add_text(struct story *s, struct story_entry *e, struct slice text)
{
    if (s->phase != STORY_WARM)
        bytes_append(&e->text, text.ptr, text.len);
}

/* NULL: nothing new is begun there, or the line has had its share. */
struct story_entry *story_begin(struct story *s, const struct event *ev,
                                enum story_kind kind)
{
    struct story_entry *e;

    if (s->phase == STORY_AHEAD || s->line_entries == STORY_LINE_ENTRIES)
        return NULL;
    s->line_entries++;
    ARRAY_GROW(s->entries, s->count);
    e = &s->entries[s->count++];
    *e = (struct story_entry){.kind = kind,
                              .offset = ev->offset,
                              .first_end = s->line_end,
                              .end = s->line_end,
                              .at = ev->at};
    e->parent = story_keep(s, ev->parent);
    return e;
}

/* ---- texts ------------------------------------------------------------- */

static struct story_entry *open_text(const struct story *s,
                                     enum story_kind kind)
{
    return s->open[kind] > 0 ? &s->entries[s->open[kind] - 1] : NULL;
}

static void on_delta(struct story *s, const struct event *ev,
                     enum story_kind kind)
{
    struct story_entry *e = open_text(s, kind);

    if (e == NULL) {
        e = story_begin(s, ev, kind);
        if (e == NULL)
            return;
        e->is_open = true;
        e->is_continued = s->is_split[kind];
        s->is_split[kind] = false;
        s->open[kind] = s->count;
    }
    if (s->phase == STORY_AHEAD)
        return;
    add_text(s, e, ev->text.text);
    e->end = s->line_end;
}

/* The copy at the end has what deltas have lost, but is the whole: a piece of
 * it stays what the deltas were. */
static void on_end(struct story *s, const struct event *ev,
                   enum story_kind kind)
{
    struct story_entry *e = open_text(s, kind);

    s->open[kind] = 0;
    s->is_split[kind] = false;
    if (e == NULL || s->phase == STORY_AHEAD)
        return;
    e->is_open = false;
    e->end = s->line_end;
    if (!e->is_continued && ev->text.text.len > 0) {
        e->text.len = 0;
        add_text(s, e, ev->text.text);
    }
    if (ev->text.is_continued)
        e->is_continued = true;
}

static void on_void(struct story *s, enum story_kind kind)
{
    struct story_entry *e = open_text(s, kind);

    if (e != NULL)
        e->kind = STORY_NOTHING;
    s->open[kind] = 0;
    s->is_split[kind] = false;
}

static void on_text(struct story *s, const struct event *ev)
{
    enum story_kind kind = ev->kind == EVENT_TEXT ? STORY_TEXT : STORY_THINKING;
    struct story_entry *e;

    if (ev->text.form == EVENT_DELTA) {
        on_delta(s, ev, kind);
    } else if (ev->text.form == EVENT_VOID) {
        on_void(s, kind);
    } else if (ev->text.form == EVENT_END) {
        on_end(s, ev, kind);
    } else if (slice_trim(ev->text.text).len > 0 &&
               (e = story_begin(s, ev, kind)) != NULL) {
        add_text(s, e, ev->text.text);
        e->is_continued = ev->text.is_continued;
    }
}

/* ---- the rest ---------------------------------------------------------- */

static struct story_entry *notice(struct story *s, const struct event *ev,
                                  struct slice name, struct slice text)
{
    struct story_entry *e =
        s->phase == STORY_OWN ? story_begin(s, ev, STORY_NOTICE) : NULL;

    if (e == NULL)
        return NULL;
    e->notice.name = name;
    e->notice.reason = SLICE_EMPTY;
    add_text(s, e, text);
    return e;
}

static void on_retry(struct story *s, const struct event *ev)
{
    struct story_entry *e =
        s->phase == STORY_OWN ? story_begin(s, ev, STORY_RETRY) : NULL;

    if (e == NULL)
        return;
    e->retry = ev->retry;
    e->retry.reason = SLICE_EMPTY;
    add_text(s, e, ev->retry.reason);
}

/* What was under way stays a fragment; a call may yet end, in the background.
 */
static void on_result(struct story *s, const struct event *ev)
{
    struct story_entry *e;

    for (enum story_kind kind = STORY_TEXT; kind <= STORY_THINKING; kind++) {
        if (open_text(s, kind) != NULL)
            open_text(s, kind)->is_open = false;
        s->open[kind] = 0;
        s->is_split[kind] = false;
    }
    for (size_t i = 0; i < s->call_count; i++)
        s->entries[s->calls[i]].is_open = false;
    e = notice(s, ev, SLICE("result"),
               ev->result.ok ? SLICE_EMPTY : ev->result.text);
    if (e == NULL)
        return;
    e->notice.has_outcome = true;
    e->notice.is_ok = ev->result.ok;
    e->notice.reason = story_keep(s, ev->result.reason);
}

static void on_note(struct story *s, const struct event *ev)
{
    static const struct slice names[EVENT_NOTE_KINDS] = {
        [EVENT_NOTE_UNKNOWN] = SLICE_INIT("unknown"),
        [EVENT_NOTE_NOT_JSON] = SLICE_INIT("notJson"),
        [EVENT_NOTE_TOO_LONG] = SLICE_INIT("tooLong"),
        [EVENT_NOTE_ERROR] = SLICE_INIT("error")};
    const struct event_note *m = &ev->note;

    if (names[m->note].len > 0)
        notice(s, ev, names[m->note], m->text.len > 0 ? m->text : m->type);
}

static void on_child_task(struct story *s, const struct event *ev)
{
    const struct event_child_task *m = &ev->child_task;
    struct story_entry *e;

    if (m->phase != EVENT_TASK_STARTED && m->phase != EVENT_TASK_ENDED)
        return;
    e = notice(s, ev, SLICE("childTask"), m->summary);
    if (e != NULL)
        e->notice.reason = m->phase == EVENT_TASK_STARTED
                               ? SLICE("started")
                               : story_keep(s, m->status);
}

/* What a limit allows is no news. */
static void on_rate_limit(struct story *s, const struct event *ev)
{
    struct story_entry *e;

    if (slice_eq(ev->rate_limit.status, SLICE("allowed")))
        return;
    e = notice(s, ev, SLICE("rateLimit"), ev->rate_limit.scope);
    if (e != NULL)
        e->notice.reason = story_keep(s, ev->rate_limit.status);
}

void story_on_event(void *ctx, const struct event *ev)
{
    struct story *s = ctx;

    switch (ev->kind) {
    case EVENT_TEXT:
    case EVENT_THINKING:
        on_text(s, ev);
        break;
    case EVENT_TOOL_START:
        story_on_tool_start(s, ev);
        break;
    case EVENT_TOOL_END:
        story_on_tool_end(s, ev);
        break;
    case EVENT_FILE_CHANGE:
        story_on_file_change(s, ev);
        break;
    case EVENT_STARTED:
        notice(s, ev, SLICE("started"), ev->started.model);
        break;
    case EVENT_RATE_LIMIT:
        on_rate_limit(s, ev);
        break;
    case EVENT_RETRY:
        on_retry(s, ev);
        break;
    case EVENT_ASK:
        if (ev->ask.state == EVENT_ASK_OPEN)
            notice(s, ev, SLICE("ask"),
                   ev->ask.tool.len > 0 ? ev->ask.tool : ev->ask.what);
        break;
    case EVENT_CHILD_TASK:
        on_child_task(s, ev);
        break;
    case EVENT_NOTE:
        on_note(s, ev);
        break;
    case EVENT_RESULT:
        on_result(s, ev);
        break;
    case EVENT_PROMPT:
    case EVENT_USAGE:
    case EVENT_KINDS:
        break;
    }
}

/* ---- blocks ------------------------------------------------------------ */

/* A text under way ends with its block, and a new one goes on with it. */
static void split(struct story *s, enum story_kind kind)
{
    struct story_entry *e = open_text(s, kind);

    if (e == NULL)
        return;
    e->is_open = false;
    s->is_split[kind] = true;
}

void story_enter(struct story *s, enum story_phase phase)
{
    bool was_warm = s->phase == STORY_WARM;

    split(s, STORY_TEXT);
    split(s, STORY_THINKING);
    if (was_warm) {
        s->first = s->count;
        s->open[STORY_TEXT] = s->open[STORY_THINKING] = 0;
    }
    s->phase = phase;
}

bool story_is_waiting(const struct story *s)
{
    return s->own_calls > 0 || s->open[STORY_TEXT] > 0 ||
           s->open[STORY_THINKING] > 0;
}
