/* SPDX-License-Identifier: MIT */
#include "transport/io/frame.h"

#include <string.h>

void frame_init(struct frame *f, size_t limit, frame_fn fn, void *ctx)
{
    *f = (struct frame){.fn = fn, .ctx = ctx};
    ndjson_init(&f->lines, limit ? limit : FRAME_LIMIT);
}

void frame_finish(struct frame *f)
{
    ndjson_finish(&f->lines);
}

static void on_line(void *ctx, const struct ndjson_line *line)
{
    struct frame *f = ctx;
    struct slice text = {.ptr = line->ptr, .len = line->len};

    if (text.ptr) {
        text = slice_trim(text);
        if (text.len == 0)
            return;
    }
    f->is_stopped = !f->fn(f->ctx, text);
}

/*
 * ndjson hands on every line of what it is fed, so it is fed line by line. The
 * newline is looked for twice; memchr is far from what a message costs.
 */
size_t frame_feed(struct frame *f, const char *bytes, size_t len)
{
    size_t taken = 0;

    f->is_stopped = false;
    while (taken < len && !f->is_stopped) {
        const char *p = bytes + taken;
        const char *nl = memchr(p, '\n', len - taken);
        size_t n = nl ? (size_t)(nl - p) + 1 : len - taken;
        ndjson_feed(&f->lines, p, n, on_line, f);
        taken += n;
    }
    return taken;
}

void frame_end(struct frame *f)
{
    ndjson_end(&f->lines, on_line, f);
}
