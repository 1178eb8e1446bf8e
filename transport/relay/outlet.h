/*
 * An outlet is a descriptor that the client reads from, and what waits to be
 * written to it. It does not block, and leaves the flags of a descriptor that
 * others may share as they are.
 */
#ifndef TRANSPORT_RELAY_OUTLET_H
#define TRANSPORT_RELAY_OUTLET_H

#include <stdbool.h>
#include <sys/types.h>

#include "actors/bytes.h"

struct outlet {
    int fd;
    bool is_own, is_socket;
    struct bytes queue;
    size_t sent; /* of the queue */
};

/* fd stays the caller's. */
void outlet_init(struct outlet *o, int fd);
void outlet_finish(struct outlet *o);
void outlet_put(struct outlet *o, struct slice text);
size_t outlet_queued(const struct outlet *o);
/* How many bytes left, or -EPIPE and the like: the client is no more. */
ssize_t outlet_flush(struct outlet *o);

#endif
