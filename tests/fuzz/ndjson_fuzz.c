/* SPDX-License-Identifier: MIT */
/* However the bytes are dealt out, the same lines come out of them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/ndjson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct lines {
    uint64_t hash;
    uint64_t next; /* no line may begin before the end of the one before */
};

static void on_line(void *ctx, const struct ndjson_line *line)
{
    struct lines *l = ctx;
    const uint64_t facts[] = {line->offset, line->len, line->ptr != NULL};

    if (line->offset < l->next || line->len == 0)
        abort();
    l->next = line->offset + line->len;
    l->hash = slice_hash(l->hash, slice_of((const char *)facts, sizeof(facts)));
    if (line->ptr)
        l->hash = slice_hash(l->hash, slice_of(line->ptr, line->len));
}

static uint64_t run(const char *text, size_t len, size_t chunk, size_t limit)
{
    struct ndjson nd;
    struct lines l = {.hash = SLICE_HASH};

    ndjson_init(&nd, limit);
    for (size_t i = 0; i < len; i += chunk) {
        size_t n = len - i < chunk ? len - i : chunk;
        char *copy = bytes_alloc(n);
        memcpy(copy, text + i, n);
        ndjson_feed(&nd, copy, n, on_line, &l);
        free(copy);
    }
    ndjson_end(&nd, on_line, &l);
    if (nd.bytes != len || nd.scanned != len)
        abort();
    ndjson_finish(&nd);
    return l.hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t chunk = (size_t)data[0] + 1, limit = (size_t)data[1] + 1;
    const char *text = (const char *)data + 2;
    size_t len = size - 2;
    if (len > 0 && run(text, len, chunk, limit) != run(text, len, len, limit))
        abort();
    return 0;
}
