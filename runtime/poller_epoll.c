/* SPDX-License-Identifier: MIT */
#include "runtime/poller.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/os.h"

#define EVENTS 64

struct poller {
    int epoll;
    int bell;
};

struct poller *poller_create(void)
{
    struct poller *poller = os_alloc(sizeof(*poller), 16);

    poller->epoll = epoll_create1(EPOLL_CLOEXEC);
    poller->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (poller->epoll < 0 || poller->bell < 0 ||
        poller_watch(poller, poller->bell, EPOLLIN) != 0)
        os_panic("cannot open a loop's descriptors: errno %d", errno);
    return poller;
}

void poller_destroy(struct poller *poller)
{
    close(poller->bell);
    close(poller->epoll);
    free(poller);
}

/* The counter cannot overflow: it is read before the next sleep. */
void poller_ring(struct poller *poller)
{
    uint64_t one = 1;

    while (write(poller->bell, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
}

static void silence(struct poller *poller)
{
    uint64_t rings;

    while (read(poller->bell, &rings, sizeof(rings)) < 0 && errno == EINTR)
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

void poller_wait(struct poller *poller, uint64_t deadline,
                 poller_ready_fn ready, void *arg)
{
    struct epoll_event event[EVENTS];
    int n = epoll_wait(poller->epoll, event, EVENTS, timeout_ms(deadline));

    for (int i = 0; i < n; i++) {
        if (event[i].data.fd == poller->bell)
            silence(poller);
        else
            ready(arg, event[i].data.fd, event[i].events);
    }
}

int poller_watch(struct poller *poller, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};

    if (epoll_ctl(poller->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
        return 0;
    if (errno == EEXIST &&
        epoll_ctl(poller->epoll, EPOLL_CTL_MOD, fd, &event) == 0)
        return 0;
    return -errno;
}

void poller_unwatch(struct poller *poller, int fd)
{
    epoll_ctl(poller->epoll, EPOLL_CTL_DEL, fd, NULL);
}
