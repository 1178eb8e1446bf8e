/*
 * The lease: how long a warden goes on without a hub. It counts while no hub
 * holds it; a hub holds it from its welcome until its connection is lost.
 */
#ifndef RUNTIME_WARDEN_LEASE_H
#define RUNTIME_WARDEN_LEASE_H

#include <stdbool.h>
#include <stdint.h>

struct lease {
    int64_t ms;
    int64_t from;
    bool is_held;
};

/* Counts from now. */
void lease_init(struct lease *l, int64_t ms, int64_t now);

/* Stops the count. A negative ms leaves the length as it is. */
void lease_hold(struct lease *l, int64_t ms);

/* Counts from now if it was held; else it goes on counting from before. */
void lease_release(struct lease *l, int64_t now);

/* When it is over: CLOCK_NEVER while held. */
int64_t lease_end(const struct lease *l);

#endif
