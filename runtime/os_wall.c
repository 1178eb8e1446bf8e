/* SPDX-License-Identifier: MIT */
/* By itself, so that a program may be linked with a clock of its own: a test
 * of what happens when somebody sets it. */
#include <time.h>

#include "runtime/os.h"

uint64_t os_wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
