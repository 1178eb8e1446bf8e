/*
 * The recent are the last numbered events of the feed, framed: for subscribers
 * that come back after a moment, and those that are still catching up.
 * Embedded.
 */
#ifndef TRANSPORT_FEED_RECENT_H
#define TRANSPORT_FEED_RECENT_H

#include "transport/http/framing.h"

/* Whatever is reached first; the oldest goes. */
#define RECENT_EVENTS 4096
#define RECENT_BYTES ((size_t)4 << 20)

struct recent_event {
    uint64_t seq;
    uint64_t group; /* hash of the group's id, or 0 */
    uint64_t agent; /* likewise */
    struct framing_frame *frame;
};

/* Zeroed memory knows nothing. */
struct recent {
    struct recent_event *ring; /* of RECENT_EVENTS, or NULL */
    size_t head, count, bytes;
    bool is_known; /* every event after `since` is here, or has yet to come */
    uint64_t since;
};

void recent_finish(struct recent *r);
/* Everything after this number will come: true of what is known already, or
 * the beginning of knowledge. */
void recent_begin(struct recent *r, uint64_t since);
/* Keeps the frame. One whose number is not new is ignored; one that leaves a
 * gap is a new beginning. */
void recent_add(struct recent *r, const struct recent_event *e);
/* Whether nothing after this number is missing, ... */
bool recent_covers(const struct recent *r, uint64_t since);
/* ... and whether it is known that there was such a number. */
bool recent_has(const struct recent *r, uint64_t seq);
/* The first after this number, or NULL. */
const struct recent_event *recent_after(const struct recent *r, uint64_t seq);

#endif
