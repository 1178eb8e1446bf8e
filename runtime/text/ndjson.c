/* SPDX-License-Identifier: MIT */
/*
 * The limit is on a line's text, but whether a CR belongs to it is known only
 * at the newline. So up to limit + 1 bytes are carried, and the verdict on a
 * line depends on its length and last byte alone, never on the chunking.
 */
#include "runtime/text/ndjson.h"

#include <string.h>

void ndjson_init(struct ndjson *nd, size_t limit)
{
    *nd = (struct ndjson){.limit = limit ? limit : NDJSON_LINE_LIMIT};
}

void ndjson_finish(struct ndjson *nd)
{
    bytes_finish(&nd->carry);
}

static void carry(struct ndjson *nd, const char *ptr, size_t len)
{
    if (len == 0)
        return;
    nd->pending += len;
    nd->last = ptr[len - 1];
    if (nd->pending > (uint64_t)nd->limit + 1) {
        nd->is_skipping = true;
        bytes_clear(&nd->carry, NDJSON_KEEP);
    }
    if (!nd->is_skipping)
        bytes_append(&nd->carry, ptr, len);
}

static void hand_on(struct ndjson *nd, const char *ptr, uint64_t len, char last,
                    ndjson_fn fn, void *ctx)
{
    struct ndjson_line line = {.ptr = ptr, .offset = nd->line_offset};

    if (len > 0 && last == '\r')
        len--;
    if (len == 0) {
        nd->empty++;
        return;
    }
    line.len = (size_t)len;
    if (len > nd->limit) {
        line.ptr = NULL;
        nd->too_long++;
    }
    nd->lines++;
    fn(ctx, &line);
}

static void hand_on_carried(struct ndjson *nd, ndjson_fn fn, void *ctx)
{
    hand_on(nd, nd->carry.ptr, nd->pending, nd->last, fn, ctx);
    bytes_clear(&nd->carry, NDJSON_KEEP);
    nd->pending = 0;
    nd->is_skipping = false;
}

void ndjson_feed(struct ndjson *nd, const char *bytes, size_t len, ndjson_fn fn,
                 void *ctx)
{
    const char *p = bytes, *end = bytes + len;

    while (p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((nl ? nl : end) - p);
        nd->scanned += n + (nl != NULL);
        nd->bytes += n + (nl != NULL);
        if (!nl) {
            carry(nd, p, n);
            return;
        }
        if (nd->pending > 0) {
            carry(nd, p, n);
            hand_on_carried(nd, fn, ctx);
        } else {
            hand_on(nd, p, n, n ? p[n - 1] : '\0', fn, ctx);
        }
        p = nl + 1;
        nd->line_offset = nd->bytes;
    }
}

void ndjson_end(struct ndjson *nd, ndjson_fn fn, void *ctx)
{
    if (nd->pending > 0)
        hand_on_carried(nd, fn, ctx);
    nd->line_offset = nd->bytes;
}
