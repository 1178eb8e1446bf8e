/*
 * What a loop sleeps on: descriptors, a bell that any thread may ring, and a
 * deadline. poller_epoll.c is the real one; in the simulator (poller_sim.c)
 * there is a bell and virtual time, and no descriptor can be watched.
 */
#ifndef RUNTIME_POLLER_H
#define RUNTIME_POLLER_H

#include <stdint.h>

struct poller;

/* Called for each descriptor that is ready. */
typedef void (*poller_ready_fn)(void *arg, int fd, uint32_t events);

struct poller *poller_create(void);
void poller_destroy(struct poller *poller);

/* Any thread. A ring that comes before poller_wait is not lost. */
void poller_ring(struct poller *poller);
/* Sleeps until the bell, a descriptor or the deadline (os_now's time). */
void poller_wait(struct poller *poller, uint64_t deadline,
                 poller_ready_fn ready, void *arg);

/* 0 or a negative errno. A descriptor already there gets the new events. */
int poller_watch(struct poller *poller, int fd, uint32_t events);
void poller_unwatch(struct poller *poller, int fd);

#endif
