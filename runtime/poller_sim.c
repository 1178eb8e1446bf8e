/* SPDX-License-Identifier: MIT */
/* A loop's sleep in the simulator: a bell, and time that jumps. */
#include "runtime/poller.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/atomic.h"
#include "runtime/os.h"

struct poller {
    uint32_t bell;
};

struct poller *poller_create(void)
{
    struct poller *poller = os_alloc(sizeof(*poller), 16);

    poller->bell = 0;
    return poller;
}

void poller_destroy(struct poller *poller)
{
    free(poller);
}

void poller_ring(struct poller *poller)
{
    atomic_store_release(&poller->bell, 1);
    os_wake(&poller->bell);
}

void poller_wait(struct poller *poller, uint64_t deadline,
                 poller_ready_fn ready, void *arg)
{
    (void)ready;
    (void)arg;
    os_sleep(&poller->bell, 0, deadline);
    atomic_store_relaxed(&poller->bell, 0);
}

int poller_watch(struct poller *poller, int fd, uint32_t events)
{
    (void)poller;
    (void)fd;
    (void)events;
    return -ENOSYS;
}

void poller_unwatch(struct poller *poller, int fd)
{
    (void)poller;
    (void)fd;
}
