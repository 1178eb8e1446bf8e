/*
 * What a loop sleeps on: descriptors, a bell that any thread may ring, and a
 * deadline. poller_epoll.c is the real one; in the simulator (poller_sim.c) there
 * is a bell and virtual time, and no descriptor can be watched.
 */
#ifndef RUNTIME_POLLER_H
#define RUNTIME_POLLER_H

#include <stdint.h>

struct poll;

/* Called for each descriptor that is ready. */
typedef void (*poll_ready_fn)(void *arg, int fd, uint32_t events);

struct poll *poll_create(void);
void poll_destroy(struct poll *poll);

/* Any thread. A ring that comes before poll_wait is not lost. */
void poll_ring(struct poll *poll);
/* Sleeps until the bell, a descriptor or the deadline (os_now's time). */
void poll_wait(struct poll *poll, uint64_t deadline, poll_ready_fn ready,
               void *arg);

/* 0 or a negative errno. A descriptor already there gets the new events. */
int poll_watch(struct poll *poll, int fd, uint32_t events);
void poll_unwatch(struct poll *poll, int fd);

#endif
