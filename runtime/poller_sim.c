/* SPDX-License-Identifier: MIT */
/* A loop's sleep in the simulator: a bell, and time that jumps. */
#include "runtime/poller.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/atomic.h"
#include "runtime/os.h"

struct poll {
    uint32_t bell;
};

struct poll *poll_create(void)
{
    struct poll *poll = os_alloc(sizeof(*poll), 16);

    poll->bell = 0;
    return poll;
}

void poll_destroy(struct poll *poll)
{
    free(poll);
}

void poll_ring(struct poll *poll)
{
    ck_pr_store_32(&poll->bell, 1);
    os_wake(&poll->bell);
}

void poll_wait(struct poll *poll, uint64_t deadline, poll_ready_fn ready,
               void *arg)
{
    (void)ready;
    (void)arg;
    os_sleep(&poll->bell, 0, deadline);
    ck_pr_store_32(&poll->bell, 0);
}

int poll_watch(struct poll *poll, int fd, uint32_t events)
{
    (void)poll;
    (void)fd;
    (void)events;
    return -ENOSYS;
}

void poll_unwatch(struct poll *poll, int fd)
{
    (void)poll;
    (void)fd;
}
