/* SPDX-License-Identifier: MIT */
#include "runtime/poller.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/os.h"

#define EVENTS 64

struct poll {
    int epoll;
    int bell;
};

struct poll *poll_create(void)
{
    struct poll *poll = os_alloc(sizeof(*poll), 16);

    poll->epoll = epoll_create1(EPOLL_CLOEXEC);
    poll->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (poll->epoll < 0 || poll->bell < 0 ||
        poll_watch(poll, poll->bell, EPOLLIN) != 0)
        os_panic("cannot open a loop's descriptors: errno %d", errno);
    return poll;
}

void poll_destroy(struct poll *poll)
{
    close(poll->bell);
    close(poll->epoll);
    free(poll);
}

/* The counter cannot overflow: it is read before the next sleep. */
void poll_ring(struct poll *poll)
{
    uint64_t one = 1;

    while (write(poll->bell, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
}

static void silence(struct poll *poll)
{
    uint64_t rings;

    while (read(poll->bell, &rings, sizeof(rings)) < 0 && errno == EINTR)
        ;
}

/* Rounded up: a loop that wakes too early would only sleep again. */
static int timeout_ms(uint64_t deadline)
{
    uint64_t now, ms;

    if (deadline == OS_NEVER)
        return -1;
    now = os_now();
    if (deadline <= now)
        return 0;
    ms = (deadline - now + 999999) / 1000000;
    return ms > 3600000 ? 3600000 : (int)ms;
}

void poll_wait(struct poll *poll, uint64_t deadline, poll_ready_fn ready,
               void *arg)
{
    struct epoll_event event[EVENTS];
    int n = epoll_wait(poll->epoll, event, EVENTS, timeout_ms(deadline));

    for (int i = 0; i < n; i++) {
        if (event[i].data.fd == poll->bell)
            silence(poll);
        else
            ready(arg, event[i].data.fd, event[i].events);
    }
}

int poll_watch(struct poll *poll, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};

    if (epoll_ctl(poll->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
        return 0;
    if (errno == EEXIST &&
        epoll_ctl(poll->epoll, EPOLL_CTL_MOD, fd, &event) == 0)
        return 0;
    return -errno;
}

void poll_unwatch(struct poll *poll, int fd)
{
    epoll_ctl(poll->epoll, EPOLL_CTL_DEL, fd, NULL);
}
