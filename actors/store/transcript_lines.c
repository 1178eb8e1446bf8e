/* SPDX-License-Identifier: MIT */
#include "actors/store/transcript_lines.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

/* Lines on their way into an answer. */
struct putting {
    const struct transcript_lines *l;
    size_t used; /* bytes that are in lines */
    size_t end;  /* of what may be */
    bool is_end; /* nothing follows that, now or ever */
    bool is_cut; /* the last is a piece of one */
    unsigned count, limit;
    struct slice search; /* what a line must have in it; or empty */
    struct bytes *out, offsets;
};

static bool is_letter_of(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Latin letters in any case. */
static bool has_words(struct slice text, struct slice words)
{
    size_t same;

    for (size_t at = 0; at + words.len <= text.len; at++) {
        for (same = 0; same < words.len; same++)
            if (!is_letter_of(text.ptr[at + same], words.ptr[same]))
                break;
        if (same == words.len)
            return true;
    }
    return false;
}

static void put_text(struct putting *p, struct slice line)
{
    if (p->is_cut || !json_compact(p->out, line))
        json_string(p->out, line);
}

/* Searched as it is told: what a CLI has escaped is not found otherwise. */
static void put_line(struct putting *p, struct slice line)
{
    uint64_t at = p->l->at + p->used;
    size_t before = p->out->len;

    p->used += line.len;
    line = slice_trim(line);
    if (line.len == 0)
        return;
    if (p->count > 0)
        JSON_RAW(p->out, ",");
    put_text(p, line);
    if (!has_words(slice_of(p->out->ptr + before, p->out->len - before),
                   p->search)) {
        p->out->len = before;
        return;
    }
    if (p->count++ > 0)
        JSON_RAW(&p->offsets, ",");
    json_uint(&p->offsets, at);
}

/* What has no end yet is left for the next page, unless that would not help. */
static void put_rest(struct putting *p)
{
    const char *text = p->l->text + p->used;
    size_t rest = p->end - p->used;

    p->is_cut = p->used == 0 && rest == TRANSCRIPT_PAGES_PAGE && !p->is_end;
    if (p->is_cut)
        put_line(p, slice_of(text, utf8_cut(text, rest, rest - 1)));
    else if (p->is_end)
        put_line(p, slice_of(text, rest));
}

static void put_lines(struct putting *p)
{
    while (p->used < p->end && p->count < p->limit) {
        const char *at = p->l->text + p->used;
        const char *end = memchr(at, '\n', p->end - p->used);

        if (end == NULL) {
            put_rest(p);
            return;
        }
        put_line(p, slice_of(at, (size_t)(end + 1 - at)));
    }
}

/* ---- backward ---------------------------------------------------------- */

/* Where the line that ends before `end` begins; false: not in what was read. */
static bool line_before(const struct transcript_lines *l, size_t end,
                        size_t *start)
{
    const char *newline = end > 1 ? memrchr(l->text, '\n', end - 1) : NULL;

    *start = newline != NULL ? (size_t)(newline + 1 - l->text) : 0;
    return newline != NULL || l->at == 0;
}

/* The piece of a line that is there is put as one. What was read may begin in
 * the midst of a character, and a piece does not. */
static void take_piece(struct putting *p, size_t start)
{
    p->is_cut = true;
    p->used = start;
    while (start == 0 && p->used < 3 && p->used + 1 < p->end &&
           (p->l->text[p->used] & 0xc0) == 0x80)
        p->used++;
}

/*
 * Sets where to begin, so that the last lines are put. Where a page ends within
 * a line, its end has been told, piece by piece; but the end of what is being
 * written is left for later.
 */
static void step_back(struct putting *p)
{
    bool is_within = p->l->at + p->l->len < p->l->size;
    const char *last = memrchr(p->l->text, '\n', p->end);
    size_t whole = last != NULL ? (size_t)(last + 1 - p->l->text) : 0, start;

    if (whole < p->end && !p->is_end && (is_within || whole == 0)) {
        take_piece(p, whole);
        return;
    }
    if (!p->is_end)
        p->end = whole;
    p->used = p->end;
    for (unsigned i = 0; i < p->limit && p->used > 0; i++) {
        if (!line_before(p->l, p->used, &start))
            break;
        p->used = start;
    }
    if (p->used == p->end && p->end > 0)
        take_piece(p, 0);
}

static void put_backward(struct putting *p, uint64_t *first)
{
    step_back(p);
    *first = p->l->at + p->used;
    if (p->is_cut)
        put_line(p, slice_of(p->l->text + p->used, p->end - p->used));
    else
        put_lines(p);
}

/* ---- the answer -------------------------------------------------------- */

static void put_tail(struct putting *p, const struct transcript_page *page,
                     uint64_t first)
{
    uint64_t next = p->l->at + p->used;

    JSON_RAW(p->out, "]");
    if (page->is_backward)
        JSON_UINT(p->out, "from", first);
    JSON_KEY(p->out, "offsets");
    JSON_RAW(p->out, "[");
    json_raw(p->out, bytes_slice(&p->offsets));
    JSON_RAW(p->out, "]");
    JSON_KEY(p->out, "previous");
    if (first > 0)
        json_uint(p->out, first);
    else
        JSON_RAW(p->out, "null");
    JSON_UINT(p->out, "next", next);
    JSON_UINT(p->out, "size", p->l->size);
    JSON_BOOL(p->out, "isComplete", page->is_gone && next >= p->l->size);
    if (p->is_cut)
        JSON_BOOL(p->out, "isCut", true);
    JSON_RAW(p->out, "}");
    bytes_finish(&p->offsets);
}

void transcript_lines_put(struct bytes *out, const struct transcript_page *page,
                          const struct transcript_lines *l)
{
    struct putting p = {.l = l,
                        .end = l->len,
                        .is_end = page->is_gone && l->at + l->len >= l->size,
                        .limit = page->limit > 0 ? page->limit
                                                 : TRANSCRIPT_PAGES_LINES,
                        .search = FIELD_TEXT(page->order->args, "search"),
                        .out = out};
    uint64_t first = page->at < l->size ? page->at : l->size;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", slice_cstr(page->id));
    if (!page->is_backward)
        JSON_UINT(out, "from", first);
    JSON_KEY(out, "lines");
    JSON_RAW(out, "[");
    /* Who goes on from its beginning must not have missed one in it. */
    if (page->is_backward && p.search.len > 0)
        p.limit = UINT_MAX;
    if (page->is_backward)
        put_backward(&p, &first);
    else
        put_lines(&p);
    put_tail(&p, page, first);
}
