/*
 * Stores of the simulated machine that other fibers do not see yet.
 *
 * A store or swap by the verbs of atomic.h is seen at once by the fiber that
 * made it. When it is switched away from, the seed decides which of its stores
 * have left; the others are taken out of memory, and put back when it goes on.
 * So others may see a store later than one made after it, and a load of this
 * fiber may come before a store that it made earlier, unless an order forbids:
 *
 *   - a release leaves after all that its fiber stored before it
 *   - a fence, a sleep, waking another and the end of a fiber let all leave
 *   - what another stores into the same word lets it leave first, since every
 *     word has one order for all; so does another's swap, which must find it
 *
 * Loads are never late: a missing acquire is ThreadSanitizer's to find. Plain
 * stores are sim_races.h's.
 */
#ifndef RUNTIME_SIM_STORES_H
#define RUNTIME_SIM_STORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fiber is about to store here. */
void sim_stores_add(const void *fiber, void *at, size_t size, bool is_release);
/* It is about to swap here what must be seen at once. */
void sim_stores_meet(const void *fiber, void *at, size_t size);
/* All its stores leave. */
void sim_stores_leave(const void *fiber);
/* Another fiber goes on; a bit of `luck` lets a store leave. */
void sim_stores_switch(const void *from, const void *to, uint64_t luck);

#endif
