/* SPDX-License-Identifier: MIT */
#include "transport/io/outbox.h"

#include <errno.h>
#include <string.h>

#define KEEP ((size_t)4 << 20) /* of the memory, between bursts */

void outbox_put(struct outbox *o, struct slice text)
{
    bytes_append(&o->bytes, text.ptr, text.len);
}

size_t outbox_left(const struct outbox *o)
{
    return o->bytes.len - o->sent;
}

void outbox_clear(struct outbox *o)
{
    bytes_clear(&o->bytes, KEEP);
    o->sent = 0;
}

void outbox_finish(struct outbox *o)
{
    bytes_finish(&o->bytes);
    o->sent = 0;
}

/* What has left is forgotten once it is the greater part: so each byte is
 * moved once at most, and a queue that never runs dry does not grow. */
static void compact(struct outbox *o)
{
    size_t left = outbox_left(o);

    if (o->sent < left)
        return;
    memmove(o->bytes.ptr, o->bytes.ptr + o->sent, left);
    o->bytes.len = left;
    o->sent = 0;
}

ssize_t outbox_flush(struct outbox *o, const struct nonblocking *to)
{
    size_t gone = 0;

    while (outbox_left(o) > 0) {
        ssize_t n =
            nonblocking_write(to, o->bytes.ptr + o->sent, outbox_left(o));

        if (n == -EAGAIN) {
            nonblocking_widen(to, outbox_left(o));
            compact(o);
            return (ssize_t)gone;
        }
        if (n < 0)
            return n;
        o->sent += (size_t)n;
        gone += (size_t)n;
    }
    outbox_clear(o);
    return (ssize_t)gone;
}
