/* The simulated machine, for stories: os.h with a beginning and an end. */
#ifndef RUNTIME_OS_SIM_H
#define RUNTIME_OS_SIM_H

#include <stdint.h>

/* What a process exits with when a simulated run fails (os_panic). */
#define OS_SIM_FAILED 3

/* Everything up to os_sim_end is decided by the seed. */
void os_sim_begin(uint64_t seed);
void os_sim_end(void);

/* Where another fiber may go on: before every atomic step, and in a spin. */
void os_sim_point(void);
void os_sim_stall(void);
#define os_sim_write(at, size, releases) os_sim_point()
#define os_sim_swap(at, size) os_sim_point()
#define os_sim_fence() os_sim_point()

#endif
