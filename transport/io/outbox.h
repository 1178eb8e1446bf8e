/*
 * An outbox is what waits to be written to a descriptor that never blocks:
 * text is put at its end and leaves from its front.
 */
#ifndef TRANSPORT_IO_OUTBOX_H
#define TRANSPORT_IO_OUTBOX_H

#include <sys/types.h>

#include "runtime/text/bytes.h"
#include "transport/io/nonblocking.h"

/* Zeroed memory is an empty one. */
struct outbox {
    struct bytes bytes; /* to be appended to, and not otherwise changed */
    size_t sent;        /* of them */
};

void outbox_put(struct outbox *o, struct slice text);
/* How many bytes have not left. */
size_t outbox_left(const struct outbox *o);
/* Writes what the end takes: how many bytes left by this call, or -EPIPE and
 * the like. */
ssize_t outbox_flush(struct outbox *o, const struct nonblocking *to);
/* Forgets what has not left, and most of the memory a burst took. */
void outbox_clear(struct outbox *o);
void outbox_finish(struct outbox *o);

#endif
