/* SPDX-License-Identifier: MIT */
#include "actors/stream/story_inside.h"

#include <stdlib.h>

void story_window_plan(struct story_window *w, uint64_t each, uint64_t block,
                       uint64_t size)
{
    uint64_t from = block * each;

    *w = (struct story_window){.warm = block > 0 ? from - each : 0,
                               .from = from,
                               .to = from + each,
                               .ahead = from + 2 * each};
    w->at = w->warm > 0 ? w->warm - 1 : 0;
    w->len = w->ahead < size ? (size_t)(w->ahead - w->at)
             : size > w->at  ? (size_t)(size - w->at)
                             : 0;
}

void story_destroy(struct story *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->count; i++)
        bytes_finish(&s->entries[i].text);
    free(s->entries);
    arena_finish(&s->arena);
    free(s);
}

/* The first line that begins at or behind `warm`. */
static size_t first_line(const struct story_window *w)
{
    const char *end;

    if (w->warm == 0)
        return 0;
    end = memchr(w->bytes, '\n', w->len);
    return end != NULL ? (size_t)(end + 1 - w->bytes) : w->len;
}

static void take_line(struct story *s, struct parser *p, const char *text,
                      size_t len, uint64_t offset)
{
    struct ndjson_line line = {.ptr = text, .len = len, .offset = offset};

    if (len > 0 && text[len - 1] == '\r')
        line.len--;
    if (line.len == 0)
        return;
    if (line.len > STORY_LINE_MAX)
        line.ptr = NULL;
    s->line_entries = 0;
    parser_line(p, &line, story_on_event, s);
}

static enum story_phase phase_of(const struct story_window *w, uint64_t offset)
{
    return offset < w->from ? STORY_WARM
           : offset < w->to ? STORY_OWN
                            : STORY_AHEAD;
}

/*
 * A line without an end is one if nothing will come behind it. Else, at the end
 * of what was written, it is left for later; and where more was written, it is
 * longer than a line may be.
 */
static bool is_line(const struct story_window *w, size_t len)
{
    return w->is_last ? w->is_over : len > STORY_LINE_MAX;
}

static void take_lines(struct story *s, struct parser *p,
                       const struct story_window *w)
{
    for (size_t at = first_line(w); at < w->len;) {
        const char *text = w->bytes + at;
        const char *end = memchr(text, '\n', w->len - at);
        size_t len = end != NULL ? (size_t)(end - text) : w->len - at;
        enum story_phase phase = phase_of(w, w->at + at);

        if (w->at + at >= w->ahead || (end == NULL && !is_line(w, len)))
            return;
        if (phase != s->phase)
            story_enter(s, phase);
        if (phase == STORY_AHEAD && !story_is_waiting(s))
            return;
        s->up_to = s->line_end = w->at + at + len + (end != NULL);
        take_line(s, p, text, len, w->at + at);
        at += len + (end != NULL);
    }
}

/* Nothing that was under way is, once nothing more will come. */
static void settle(struct story *s, const struct story_window *w)
{
    if (s->phase == STORY_WARM)
        story_enter(s, STORY_OWN);
    for (size_t i = s->first; w->is_over && i < s->count; i++)
        s->entries[i].is_open = false;
}

static void leave_out(struct story *s)
{
    size_t kept = s->first;

    for (size_t i = s->first; i < s->count; i++) {
        struct story_entry *e = &s->entries[i];

        if (e->kind == STORY_NOTHING)
            bytes_finish(&e->text);
        else
            s->entries[kept++] = *e;
    }
    s->count = kept;
}

struct story *story_create(const struct backend *backend,
                           const struct story_window *w)
{
    struct story *s = bytes_zalloc(sizeof(*s));
    struct parser *p = parser_create(backend);

    p->wants_time = true;
    s->up_to = w->from;
    s->last_call = SLICE_EMPTY;
    if (w->from == 0)
        story_enter(s, STORY_OWN);
    take_lines(s, p, w);
    parser_destroy(p);
    settle(s, w);
    leave_out(s);
    return s;
}

size_t story_count(const struct story *s)
{
    return s->count - s->first;
}

uint64_t story_offset(const struct story *s, size_t i)
{
    return s->entries[s->first + i].offset;
}

uint64_t story_up_to(const struct story *s)
{
    return s->up_to;
}
