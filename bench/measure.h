/* Measuring a process at rest: its memory, its sleep, its waking up. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>

/* Bytes of resident memory of this process. */
uint64_t measure_resident(void);

/* Context switches a second of all threads, over so many seconds of sleep. */
double measure_idle_switches(unsigned seconds);

/*
 * Median nanoseconds from a post to its answer, each after a pause in which
 * everything falls asleep. `post` makes another thread store its monotonic
 * time (nanoseconds) in *answer.
 */
double measure_wakeups(uint64_t count, void (*post)(void *, uint64_t *answer),
                       void *arg);

/* The same of a bare thread on a futex: what the system itself takes. */
double measure_bare_wakeups(uint64_t count);

#endif
