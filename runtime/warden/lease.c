/* SPDX-License-Identifier: MIT */
#include "runtime/warden/lease.h"

#include "runtime/warden/clock.h"

void lease_init(struct lease *l, int64_t ms, int64_t now)
{
    *l = (struct lease){.ms = ms, .from = now};
}

void lease_hold(struct lease *l, int64_t ms)
{
    l->is_held = true;
    if (ms >= 0)
        l->ms = ms;
}

void lease_release(struct lease *l, int64_t now)
{
    if (l->is_held)
        l->from = now;
    l->is_held = false;
}

int64_t lease_end(const struct lease *l)
{
    return l->is_held ? CLOCK_NEVER : l->from + l->ms;
}
