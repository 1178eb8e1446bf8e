/*
 * A listener is a listening TCP socket whose connections cannot stay for
 * ever: the kernel ends those whose peer is gone, or has stopped reading.
 */
#ifndef TRANSPORT_HTTP_LISTENER_H
#define TRANSPORT_HTTP_LISTENER_H

#include <stdint.h>

struct listener_setup {
    const char *host; /* a numeric address, or localhost */
    uint16_t port;    /* 0: any */
    unsigned tries;   /* more ports from there on */
    unsigned idle_ms; /* in which nothing that was sent is taken */
};

/* 0 and *fd, or a negative errno: -EADDRINUSE when no port was free. */
int listener_open(const struct listener_setup *setup, int *fd, uint16_t *port);

#endif
