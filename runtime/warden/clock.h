/*
 * The two clocks: one for intervals, which never jumps, and one to show.
 */
#ifndef RUNTIME_WARDEN_CLOCK_H
#define RUNTIME_WARDEN_CLOCK_H

#include <stdint.h>

/* A moment that never comes: the identity of "the earlier of two". */
#define CLOCK_NEVER INT64_MAX

/* Milliseconds of the monotonic clock, rounded down. */
int64_t clock_now(void);

/* Milliseconds since 1970, for people. */
int64_t clock_wall(void);

#endif
