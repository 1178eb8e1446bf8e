/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt_stage.h"

#include <stdlib.h>
#include <string.h>

#include "actors/launch/prompt_fill.h"

/* No agent is shown with less than this, unless it is all there is; it holds
 * the note on what was cut and some of the summary. */
#define LEAST 512
#define PIECES 6
/* Bytes of the ids of those that are not shown. */
#define IDS 600
#define SEPARATOR "\n\n"

/* What is said of one agent, and how much of it fits. */
struct entry {
    struct slice pieces[PIECES];
    size_t head; /* bytes of its first line */
    size_t need, grant;
};

static void put_head(const struct prompt_result *r,
                     const struct prompt_text *text, struct bytes *out)
{
    const struct prompt_value values[] = {{"agentId", r->agent_id},
                                          {"role", r->role},
                                          {"status", r->status},
                                          {NULL, SLICE_EMPTY}};

    prompt_fill_list(out, text->previous_agent, values);
}

static void put_cut(const struct prompt_result *r,
                    const struct prompt_text *text, size_t bytes,
                    struct bytes *out)
{
    char number[24];
    const struct prompt_value values[] = {
        {"agentId", r->agent_id},
        {"bytes", prompt_number(number, (long long)bytes)},
        {NULL, SLICE_EMPTY}};

    prompt_fill_list(out, text->cut, values);
}

/* The last `count` of them, which are named as far as there is space: their
 * reader has no tool that lists agents. */
static void put_more(const struct prompt_input *in,
                     const struct prompt_text *text, size_t count,
                     struct bytes *out)
{
    struct bytes ids = {0};
    char number[24];

    for (size_t i = in->previous_count - count; i < in->previous_count; i++) {
        struct slice id = in->previous[i].agent_id;

        if (ids.len + id.len + 2 > IDS)
            break;
        bytes_append(&ids, ", ", ids.len > 0 ? 2 : 0);
        bytes_append(&ids, id.ptr, id.len);
    }
    const struct prompt_value values[] = {
        {"ids", bytes_slice(&ids)},
        {"count", prompt_number(number, (long long)count)},
        {NULL, SLICE_EMPTY}};
    prompt_fill_list(out, text->more, values);
    bytes_finish(&ids);
}

static struct slice or_missing(struct slice s, bool is_reported,
                               const char *missing)
{
    return s.len || is_reported ? s : slice_cstr(missing);
}

static void measure(const struct prompt_result *r,
                    const struct prompt_text *text, struct entry *e)
{
    struct bytes head = {0};
    struct slice none = SLICE_EMPTY;

    put_head(r, text, &head);
    e->head = head.len;
    bytes_finish(&head);
    e->pieces[0] = slice_cstr(text->summary);
    e->pieces[1] = or_missing(r->summary, r->is_reported, text->no_summary);
    e->pieces[2] = r->error.len ? slice_cstr(text->error) : none;
    e->pieces[3] = r->error;
    e->pieces[4] = slice_cstr(text->response);
    e->pieces[5] = or_missing(r->response, r->is_reported, text->no_response);
    e->need = 0;
    for (size_t i = 0; i < PIECES; i++)
        e->need += e->pieces[i].len;
}

/*
 * How many can be shown at all, and in *left how many bytes their texts may
 * have. Those of the closing note are kept only while it may be needed.
 */
static size_t choose(const struct prompt_input *in,
                     const struct prompt_text *text,
                     const struct entry *entries, size_t *left)
{
    struct bytes more = {0};
    size_t n = in->previous_count, shown = 0, fixed, least = 0;

    put_more(in, text, n, &more);
    more.len += IDS; /* whichever of them it names */
    fixed = strlen(text->previous_head) + strlen(text->previous_tail);
    for (; shown < n; shown++) {
        const struct entry *e = &entries[shown];
        size_t head = e->head + (shown ? strlen(SEPARATOR) : 0);
        size_t tail = shown + 1 < n ? strlen(SEPARATOR) + more.len : 0;
        size_t floor = least + (e->need < LEAST ? e->need : LEAST);
        if (fixed + head + floor + tail > in->inject_limit)
            break;
        fixed += head;
        least = floor;
    }
    if (shown < n)
        fixed += strlen(SEPARATOR) + more.len;
    *left = in->inject_limit > fixed ? in->inject_limit - fixed : 0;
    bytes_finish(&more);
    return shown;
}

/* Grants the small needs whole, then the rest in equal parts. */
static void share(struct entry *entries, size_t count, size_t left)
{
    size_t waiting = count;
    bool is_settled = false;

    while (waiting && !is_settled) {
        size_t part = left / waiting;
        is_settled = true;
        for (size_t i = 0; i < count; i++) {
            struct entry *e = &entries[i];
            if (e->grant || e->need > part)
                continue;
            e->grant = e->need;
            left -= e->need;
            waiting--;
            is_settled = false;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!entries[i].grant)
            entries[i].grant = left / waiting;
}

static void put_body(const struct prompt_result *r,
                     const struct prompt_text *text, const struct entry *e,
                     struct bytes *out)
{
    struct bytes note = {0};
    size_t start = out->len, cap = start + e->grant;
    bool is_whole = true;

    if (e->need > e->grant) {
        put_cut(r, text, e->need, &note);
        cap -= note.len < e->grant ? note.len : e->grant;
    }
    for (size_t i = 0; i < PIECES && is_whole; i++)
        is_whole = bytes_append_capped(out, e->pieces[i], cap);
    if (!is_whole && note.len <= e->grant)
        put_cut(r, text, e->need - (out->len - start), out);
    bytes_finish(&note);
}

void prompt_stage(const struct prompt_input *in, const struct prompt_text *text,
                  struct bytes *out)
{
    size_t n = in->previous_count, left;
    struct entry *entries = bytes_zalloc(n * sizeof(*entries));

    for (size_t i = 0; i < n; i++)
        measure(&in->previous[i], text, &entries[i]);
    size_t shown = choose(in, text, entries, &left);
    share(entries, shown, left);
    prompt_put(out, text->previous_head);
    for (size_t i = 0; i < shown; i++) {
        if (i)
            prompt_put(out, SEPARATOR);
        put_head(&in->previous[i], text, out);
        put_body(&in->previous[i], text, &entries[i], out);
    }
    if (shown < n) {
        if (shown)
            prompt_put(out, SEPARATOR);
        put_more(in, text, n - shown, out);
    }
    prompt_put(out, text->previous_tail);
    free(entries);
}
