/*
 * Pending calls are the tools' calls that a relay has in flight: sent to the
 * hub, or waiting for one. The wire's handle of a call leads straight to it.
 */
#ifndef TRANSPORT_RELAY_PENDING_CALLS_H
#define TRANSPORT_RELAY_PENDING_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/text/bytes.h"

struct pending_call {
    uint64_t handle; /* the session's; 0: this place is free */
    uint64_t wire;   /* the hub's */
    bool is_sent;    /* by pending_calls_mark_sent */
    bool is_wait;
    bool may_repeat;  /* it changes nothing: another hub may be asked again */
    bool is_again;    /* its payload says so */
    unsigned repeats; /* in a row, each after the sudden death of a hub */
    int64_t sent_at;  /* monotonic ms, to the last hub */
    struct bytes payload; /* kept while it may have to be sent */
};

struct pending_calls {
    struct pending_call *places;
    uint32_t *free; /* a stack of indices */
    size_t cap, free_count;
    size_t waits;  /* of those in flight */
    size_t unsent; /* bytes of those that wait for a hub */
};

void pending_calls_init(struct pending_calls *c, size_t cap);
void pending_calls_finish(struct pending_calls *c);
/* handle is not 0, and it fits: the session takes no more. */
struct pending_call *pending_calls_add(struct pending_calls *c, uint64_t handle,
                                       bool is_wait);
/* Says whether the hub has it, once the payload is written. */
void pending_calls_mark_sent(struct pending_calls *c, struct pending_call *call,
                             bool is_sent);
void pending_calls_remove(struct pending_calls *c, struct pending_call *call);
size_t pending_calls_count(const struct pending_calls *c);
/* NULL if there is no such call (any more). */
struct pending_call *pending_calls_by_wire(struct pending_calls *c,
                                           uint64_t wire);
/* The one with the least handle above `after` (0: the first), or NULL: all of
 * them in the order they came, also while they are removed. */
struct pending_call *pending_calls_next(struct pending_calls *c,
                                        uint64_t after);

#endif
