/*
 * A hierarchical timing wheel: six levels of 64 slots, a millisecond a tick.
 * Adding, removing and firing cost the same however many timers there are.
 * It knows no clock; the caller says what time it is.
 */
#ifndef RUNTIME_WHEEL_H
#define RUNTIME_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/list.h"

#define WHEEL_LEVELS 6
#define WHEEL_SLOTS 64
#define WHEEL_NEVER UINT64_MAX

/* Embedded in what is to be timed. */
struct wheel_timer {
    LIST_LINK(struct wheel_timer) link;
    uint64_t deadline; /* ms */
    uint16_t slot;     /* level * WHEEL_SLOTS + slot */
};

struct wheel_slot {
    LIST(struct wheel_timer) timers;
};

struct wheel {
    uint64_t now; /* ms: everything before has fired */
    uint64_t occupied[WHEEL_LEVELS];
    struct wheel_slot slot[WHEEL_LEVELS][WHEEL_SLOTS];
};

void wheel_init(struct wheel *wheel, uint64_t now);
/* A deadline that has passed fires at the next wheel_advance. */
void wheel_add(struct wheel *wheel, struct wheel_timer *timer,
               uint64_t deadline);
void wheel_remove(struct wheel *wheel, struct wheel_timer *timer);

/* When wheel_advance must be called next at the latest, or WHEEL_NEVER. */
uint64_t wheel_next(const struct wheel *wheel);

/*
 * Moves time on and calls `fire` for every timer that is due, in order of
 * deadlines to the millisecond. The timer is no longer in the wheel then, and
 * may be freed.
 */
void wheel_advance(struct wheel *wheel, uint64_t now,
                   void (*fire)(void *arg, struct wheel_timer *), void *arg);

#endif
