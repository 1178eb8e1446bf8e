/*
 * Plain stores of the simulated machine that no release has covered yet.
 *
 * What a fiber stores without a verb of atomic.h it must release before anyone
 * else touches it: until then others might see it, or not, or half of it. So
 * every such store is noted until its fiber's next release (or fence, sleep,
 * wake-up, end, or `free`), and another fiber that reads or writes one that is
 * noted has raced with it; the run fails there, with the places in the program
 * of both (for addr2line).
 *
 * It learns of loads and stores as ThreadSanitizer would: the runtime is
 * compiled for that (RT_WATCHED), and sim_watch.c is what the compiler calls.
 * It sees a missing release in the runs that the seed leads to, without a
 * sanitizer's build; ThreadSanitizer knows who acquired what as well and finds
 * more. Not seen: what libc's functions copy, a fiber's own stack, and code
 * that is not compiled so (of the stories, the actors).
 */
#ifndef RUNTIME_SIM_RACES_H
#define RUNTIME_SIM_RACES_H

#include <stdbool.h>
#include <stddef.h>

#define SIM_RACES_FIBERS 128

/* Forgets all that is noted. */
void sim_races_begin(void);
/* From here on this fiber runs, a number below SIM_RACES_FIBERS, on this stack,
 * which is its own. */
void sim_races_run(unsigned fiber, const void *stack, size_t size);
/* What it stored may be seen by all. */
void sim_races_release(void);
/* Nobody runs: nothing is noted. */
void sim_races_end(void);

/* The fiber loads or stores these bytes, at this place in the program. */
void sim_races_touch(const void *at, size_t size, bool is_store,
                     const void *place);

#endif
