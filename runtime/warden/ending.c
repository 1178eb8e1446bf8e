/* SPDX-License-Identifier: MIT */
#include "runtime/warden/ending.h"

#define SWEEP_FIRST_MS 2
#define SWEEP_LAST_MS 1000

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void ending_init(struct ending *e)
{
    e->is_killing = false;
    e->kill_at = e->give_up_at = INT64_MAX;
    tree_init(&e->tree);
}

size_t ending_begin(struct ending *e, int64_t grace, int64_t now)
{
    e->kill_at = now + grace;
    return grace > 0 ? tree_term(&e->tree) : 0;
}

void ending_hurry(struct ending *e, int64_t grace, int64_t now)
{
    e->kill_at = earlier(e->kill_at, now + grace);
}

int64_t ending_at(const struct ending *e)
{
    return e->is_killing ? e->sweep_at : e->kill_at;
}

/*
 * New faces mean that something still forks, and it is met at once; only known
 * ones mean that the kernel is not done with them, and asking oftener would
 * not help.
 */
size_t ending_kill(struct ending *e, int64_t give_up_ms, int64_t now)
{
    size_t fresh;

    if (!e->is_killing) {
        e->is_killing = true;
        e->sweep_ms = SWEEP_FIRST_MS;
        e->give_up_at = now + give_up_ms;
        tree_init(&e->tree);
    }
    fresh = tree_kill(&e->tree);
    e->sweep_ms =
        fresh > 0 ? SWEEP_FIRST_MS : earlier(e->sweep_ms * 2, SWEEP_LAST_MS);
    e->sweep_at = now + e->sweep_ms;
    return fresh;
}

bool ending_is_vain(const struct ending *e, int64_t now)
{
    return e->is_killing && now >= e->give_up_at;
}
