/* The simulated machine, for stories: os.h with a beginning and an end. */
#ifndef RUNTIME_OS_SIM_H
#define RUNTIME_OS_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a process exits with when a simulated run fails (os_panic). */
#define OS_SIM_FAILED 3

/* Everything up to os_sim_end is decided by the seed. */
void os_sim_begin(uint64_t seed);
void os_sim_end(void);

/* Where another fiber may go on: before every atomic step, and in a spin. */
void os_sim_point(void);
void os_sim_stall(void);

/* The same before an atomic store, which others may see late. */
void os_sim_write(void *at, size_t size, bool releases);
/* Before a swap that all see at once, or never. */
void os_sim_swap(void *at, size_t size);
/* Lets all see what this fiber has stored. */
void os_sim_fence(void);

#endif
