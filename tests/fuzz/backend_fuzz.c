/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/backend_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "actors/stream/transcript.h"
#include "runtime/text/utf8.h"
#include "tests/actors/stream/describe.h"

/* Low, so that small inputs reach it. */
#define LINE_LIMIT 4096

static void run(const struct backend *b, const char *text, size_t len,
                size_t chunk, struct bytes *log, uint64_t *digest)
{
    struct transcript_limits limits = {.line_bytes = LINE_LIMIT};
    struct transcript *tr = transcript_create(b, &limits);

    for (size_t i = 0; i < len; i += chunk) {
        size_t n = len - i < chunk ? len - i : chunk;
        char *copy = bytes_alloc(n);
        memcpy(copy, text + i, n);
        transcript_feed(tr, copy, n, describe_event, log);
        free(copy);
    }
    transcript_end(tr, describe_event, log);
    *digest = transcript_digest(tr);
    transcript_destroy(tr);
}

/* Whatever went in, what comes out is UTF-8. */
static void check_utf8(const struct bytes *log)
{
    struct bytes mended = {0};

    if (utf8_repair(log->ptr, log->len, &mended) != 0)
        abort();
    bytes_finish(&mended);
}

int backend_fuzz(const struct backend *b, const uint8_t *data, size_t size)
{
    struct bytes whole = {0}, parts = {0};
    uint64_t whole_digest, parts_digest;

    if (size < 2)
        return 0;
    const char *text = (const char *)data + 1;
    run(b, text, size - 1, size - 1, &whole, &whole_digest);
    run(b, text, size - 1, (size_t)data[0] + 1, &parts, &parts_digest);
    if (whole_digest != parts_digest ||
        !slice_eq(bytes_slice(&whole), bytes_slice(&parts)))
        abort();
    check_utf8(&whole);
    bytes_finish(&whole);
    bytes_finish(&parts);
    return 0;
}
