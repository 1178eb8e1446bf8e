/*
 * A frame cuts what a peer sends into messages: one JSON text a line.
 *
 * It is runtime/text/ndjson.h with two things that a connection needs: the
 * taker may stop after any message (the rest of the chunk is then still the
 * caller's, so that a peer that asks faster than it reads fills no memory), and
 * lines of blanks are no messages.
 */
#ifndef TRANSPORT_IO_FRAME_H
#define TRANSPORT_IO_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/text/ndjson.h"

#define FRAME_LIMIT ((size_t)64 << 20)

/* text.ptr is NULL for a message over the limit: it was skipped, text.len is
 * its length. Return false to be given no more of this chunk. */
typedef bool (*frame_fn)(void *ctx, struct slice text);

struct frame {
    struct ndjson lines;
    frame_fn fn;
    void *ctx;
    bool is_stopped;
};

/* limit 0 means FRAME_LIMIT. Embedded; finish accepts zeroed memory. */
void frame_init(struct frame *f, size_t limit, frame_fn fn, void *ctx);
void frame_finish(struct frame *f);
/* Returns how many of the bytes were taken: all, unless fn said stop. fn may
 * not keep the text, nor call frame_feed. */
size_t frame_feed(struct frame *f, const char *bytes, size_t len);
/* The stream has ended: text after the last newline is a message too. */
void frame_end(struct frame *f);

#endif
