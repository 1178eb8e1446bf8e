/* SPDX-License-Identifier: MIT */
#include "runtime/warden/clock.h"

#include <time.h>

static int64_t milliseconds(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_now(void)
{
    return milliseconds(CLOCK_MONOTONIC);
}

int64_t clock_wall(void)
{
    return milliseconds(CLOCK_REALTIME);
}
