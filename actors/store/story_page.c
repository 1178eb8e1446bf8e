/* SPDX-License-Identifier: MIT */
#include "actors/store/story_page.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/text/array.h"
#include "runtime/text/json.h"

/* How much is read at once to find the end of the last line. */
#define REST ((size_t)64 << 10)
#define NOWHERE UINT64_MAX

struct story_page {
    struct story_page_setup setup;
    uint64_t block; /* its number, the next to be read */
    /* The bytes of the last window: the next one shares two blocks with it. */
    char *window;
    size_t window_len;
    uint64_t window_at;
    uint64_t read;         /* bytes, in all */
    bool has_block;        /* one is done */
    struct bytes *entries; /* as JSON, in the order they were come upon */
    size_t count, bytes;
    uint64_t last;                  /* where the last of them begins */
    uint64_t previous, next, up_to; /* or NOWHERE */
};

struct story_page *story_page_create(const struct story_page_setup *setup)
{
    struct story_page *p = bytes_zalloc(sizeof(*p));
    uint64_t size = setup->source.size;

    p->setup = *setup;
    if (setup->block == 0)
        p->setup.block = STORY_BLOCK;
    if (setup->at > size)
        p->setup.at = size;
    p->previous = p->next = p->up_to = p->last = NOWHERE;
    p->block = p->setup.at / p->setup.block;
    if (setup->is_backward && p->setup.at > 0)
        p->block = (p->setup.at - 1) / p->setup.block;
    return p;
}

void story_page_destroy(struct story_page *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->count; i++)
        bytes_finish(&p->entries[i]);
    free(p->entries);
    free(p->window);
    free(p);
}

/* ---- the window -------------------------------------------------------- */

/* All of [at, at + len) that there is; how much. */
static ssize_t read_all(struct story_page *p, uint64_t at, char *to, size_t len)
{
    const struct story_source *source = &p->setup.source;
    size_t done = 0;

    while (done < len) {
        ssize_t n = source->read(source->ctx, at + done, to + done, len - done);

        if (n < 0)
            return n;
        if (n == 0)
            break;
        done += (size_t)n;
        p->read += (size_t)n;
    }
    return (ssize_t)done;
}

/* What the last window has of the new one. */
static size_t take_over(const struct story_page *p, uint64_t at, char *to,
                        size_t len, size_t *offset)
{
    uint64_t end = p->window_at + p->window_len, stop = at + len;
    uint64_t first = at > p->window_at ? at : p->window_at;

    if (end < stop)
        stop = end;
    if (p->window == NULL || first >= stop)
        return 0;
    *offset = (size_t)(first - at);
    memcpy(to + *offset, p->window + (first - p->window_at),
           (size_t)(stop - first));
    return (size_t)(stop - first);
}

static int read_window(struct story_page *p, uint64_t at, size_t len)
{
    char *bytes = bytes_alloc(len + STORY_LINE_MAX + REST);
    size_t offset = 0, have = take_over(p, at, bytes, len, &offset);
    ssize_t n = read_all(p, at, bytes, have > 0 ? offset : len);

    if (n >= 0 && have > 0 && (size_t)n == offset) {
        have += offset;
        n = read_all(p, at + have, bytes + have, len - have);
        n = n < 0 ? n : n + (ssize_t)have;
    }
    if (n < 0) {
        free(bytes);
        return (int)n;
    }
    free(p->window);
    p->window = bytes;
    p->window_at = at;
    p->window_len = (size_t)n;
    return 0;
}

/* Up to the end of the line that reaches out of it. A line too long for what
 * is left of the page is for the next: a block is told whole or not at all. */
static int read_rest(struct story_page *p, bool *is_last)
{
    size_t planned = p->window_len;

    *is_last = p->window_at + p->window_len >= p->setup.source.size;
    while (!*is_last && p->window_len < planned + STORY_LINE_MAX &&
           (p->window_len == 0 || p->window[p->window_len - 1] != '\n')) {
        char *to = p->window + p->window_len, *end;
        ssize_t n = read_all(p, p->window_at + p->window_len, to, REST);

        if (n < 0)
            return (int)n;
        if (p->has_block && p->read > STORY_PAGE_READ_MAX)
            return -EFBIG;
        end = memchr(to, '\n', (size_t)n);
        p->window_len += end != NULL ? (size_t)(end + 1 - to) : (size_t)n;
        *is_last =
            n == 0 || p->window_at + p->window_len >= p->setup.source.size;
    }
    return 0;
}

static int make_story(struct story_page *p, struct story **out)
{
    struct story_window w;
    int rc;

    story_window_plan(&w, p->setup.block, p->block, p->setup.source.size);
    rc = read_window(p, w.at, w.len);
    if (rc == 0)
        rc = read_rest(p, &w.is_last);
    if (rc != 0)
        return rc;
    w.bytes = p->window;
    w.len = p->window_len;
    w.is_over = w.is_last && p->setup.source.is_gone;
    *out = story_create(p->setup.backend, &w);
    return 0;
}

/* ---- entries ----------------------------------------------------------- */

/* Entries of one line stay together. */
static bool is_full(const struct story_page *p, uint64_t offset)
{
    return offset != p->last &&
           (p->count >= p->setup.limit || p->bytes >= STORY_PAGE_BYTES_MAX);
}

static void take(struct story_page *p, const struct story *s, size_t i)
{
    struct bytes *entry;

    ARRAY_GROW(p->entries, p->count);
    entry = &p->entries[p->count++];
    *entry = (struct bytes){0};
    story_put(entry, s, i, p->setup.times,
              p->setup.limit == 1 ? STORY_TEXT_WHOLE : STORY_TEXT_MAX);
    p->bytes += entry->len;
    p->last = story_offset(s, i);
}

static bool is_spent(const struct story_page *p)
{
    return p->read + p->setup.block > STORY_PAGE_READ_MAX ||
           p->bytes >= STORY_PAGE_BYTES_MAX || p->count >= p->setup.limit;
}

/* Whether it goes on. */
static bool go_forward(struct story_page *p, const struct story *s)
{
    for (size_t i = 0; i < story_count(s); i++) {
        uint64_t offset = story_offset(s, i);

        if (offset < p->setup.at)
            continue;
        if (is_full(p, offset)) {
            p->next = offset;
            return false;
        }
        take(p, s, i);
    }
    p->block++;
    if (p->block * p->setup.block >= p->setup.source.size) {
        p->up_to = story_up_to(s);
        return false;
    }
    p->next = is_spent(p) ? p->block * p->setup.block : NOWHERE;
    return p->next == NOWHERE;
}

static bool go_backward(struct story_page *p, const struct story *s)
{
    if ((p->block + 1) * p->setup.block >= p->setup.source.size &&
        p->setup.at >= p->setup.source.size)
        p->up_to = story_up_to(s);
    for (size_t i = story_count(s); i-- > 0;) {
        uint64_t offset = story_offset(s, i);

        if (offset >= p->setup.at)
            continue;
        if (is_full(p, offset)) {
            p->previous = p->last;
            return false;
        }
        take(p, s, i);
    }
    if (p->block == 0)
        return false;
    p->previous = is_spent(p) ? p->block * p->setup.block : NOWHERE;
    p->block--;
    return p->previous == NOWHERE;
}

/* What lies on the side that was not read. */
static void look_back(struct story_page *p)
{
    if (!p->setup.is_backward)
        p->previous = p->setup.at > 0 ? p->setup.at : NOWHERE;
    else if (p->setup.at < p->setup.source.size)
        p->next = p->setup.at;
}

/* It ends before a block that it cannot have any more. */
static int end_before(struct story_page *p)
{
    if (p->setup.is_backward)
        p->previous = (p->block + 1) * p->setup.block;
    else
        p->next = p->block * p->setup.block;
    look_back(p);
    return 0;
}

int story_page_step(struct story_page *p)
{
    struct story *s = NULL;
    bool is_on;
    int rc = make_story(p, &s);

    if (rc == -EFBIG)
        return end_before(p);
    if (rc != 0)
        return rc == -EAGAIN ? 1 : rc;
    is_on = p->setup.is_backward ? go_backward(p, s) : go_forward(p, s);
    p->has_block = true;
    story_destroy(s);
    if (!is_on)
        look_back(p);
    return is_on;
}

/* ---- JSON -------------------------------------------------------------- */

static void put_place(struct bytes *out, struct slice name, uint64_t at)
{
    json_key(out, name);
    if (at == NOWHERE)
        JSON_RAW(out, "null");
    else
        json_uint(out, at);
}

void story_page_put(const struct story_page *p, struct bytes *out)
{
    JSON_KEY(out, "entries");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < p->count; i++) {
        size_t at = p->setup.is_backward ? p->count - 1 - i : i;

        if (i > 0)
            JSON_RAW(out, ",");
        json_raw(out, bytes_slice(&p->entries[at]));
    }
    JSON_RAW(out, "]");
    put_place(out, SLICE("previous"), p->previous);
    put_place(out, SLICE("next"), p->next);
    put_place(out, SLICE("upTo"), p->up_to);
    JSON_UINT(out, "size", p->setup.source.size);
    JSON_BOOL(out, "isComplete", p->setup.source.is_gone && p->next == NOWHERE);
}
