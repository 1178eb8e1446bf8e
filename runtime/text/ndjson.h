/*
 * ndjson cuts a stream of bytes into lines, however the bytes are dealt out.
 *
 * A line that lies whole within a chunk is handed on where it lies; only what
 * spans chunks is copied, once. Every byte is looked at once, so a line of
 * many megabytes costs linear time. A line over the limit is skipped up to its
 * newline and reported with its length: memory stays under twice the limit.
 */
#ifndef RUNTIME_TEXT_NDJSON_H
#define RUNTIME_TEXT_NDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/text/bytes.h"

/* What agent.lineLimit_bytes is unless it is set. */
#define NDJSON_LINE_LIMIT ((size_t)16 << 20)
/* What the buffer of carried bytes may keep between two lines. */
#define NDJSON_KEEP ((size_t)64 << 10)

struct ndjson_line {
    const char *ptr; /* NULL: over the limit, skipped */
    size_t len;      /* without the newline and a CR before it */
    uint64_t offset; /* of its first byte, counted from the stream's start */
};

typedef void (*ndjson_fn)(void *ctx, const struct ndjson_line *line);

struct ndjson {
    size_t limit;
    struct bytes carry;   /* the line so far, when it began in another chunk */
    uint64_t pending;     /* bytes of that line, also those not kept */
    bool is_skipping;     /* the line is over the limit already */
    char last;            /* its last byte: a CR is not part of a line */
    uint64_t line_offset; /* where it began */
    uint64_t bytes;       /* fed in all */
    uint64_t lines;       /* handed on, the skipped ones too */
    uint64_t empty;       /* not handed on */
    uint64_t too_long;    /* skipped */
    uint64_t scanned;     /* looked at by memchr: equals bytes, a test says */
};

/* limit 0 means NDJSON_LINE_LIMIT. */
void ndjson_init(struct ndjson *nd, size_t limit);
void ndjson_finish(struct ndjson *nd);
/* Calls fn once per line ended in these bytes, before it returns. The line's
 * memory is the chunk's or ours: fn may not keep it, nor call feed. */
void ndjson_feed(struct ndjson *nd, const char *bytes, size_t len, ndjson_fn fn,
                 void *ctx);
/* The stream has ended: what follows the last newline is a line too. */
void ndjson_end(struct ndjson *nd, ndjson_fn fn, void *ctx);

#endif
