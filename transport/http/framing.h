/*
 * Framing is the way out of a WebSocket: frames that wait for their turn. A
 * server's frames are not masked, so one text has the same bytes for every
 * client: it is framed once, and a queue holds pointers. All on one thread.
 */
#ifndef TRANSPORT_HTTP_FRAMING_H
#define TRANSPORT_HTTP_FRAMING_H

#include "runtime/text/bytes.h"

/* Constant, counted. */
struct framing_frame {
    size_t refs;
    size_t len; /* with its header */
    char bytes[];
};

/* A text as one frame; the caller has its one reference. */
struct framing_frame *framing_text(struct slice text);
/* Frames that are framed already. */
struct framing_frame *framing_raw(struct slice bytes);
struct framing_frame *framing_keep(struct framing_frame *f);
/* Accepts NULL. */
void framing_drop(struct framing_frame *f);

/* Zeroed memory is an empty queue. */
struct framing {
    struct framing_frame **ring;
    size_t capacity, head, count; /* room is a power of two */
    size_t flying;                /* of count: given to the system */
    size_t bytes;                 /* of all that are in it */
};

void framing_finish(struct framing *q);
/* Both keep the frame: behind all others, or before all that wait. */
void framing_push(struct framing *q, struct framing_frame *f);
void framing_push_first(struct framing *q, struct framing_frame *f);
/* The one at this place; the first has 0. */
struct framing_frame *framing_at(const struct framing *q, size_t i);
/* Those that fly have arrived. */
void framing_land(struct framing *q);
/* Forgets all that wait; what flies must stay. */
void framing_shed(struct framing *q);

#endif
