/* SPDX-License-Identifier: MIT */
#include "transport/http/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 1024
/* What one reading may find at most: so one client cannot keep the loop, nor
 * make it keep megabytes of requests that are sent ahead. */
#define UNREAD (128 << 10)

union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

static void set(int fd, int level, int name, int value)
{
    /* Without it a connection only stays longer than it should. */
    (void)setsockopt(fd, level, name, &value, sizeof(value));
}

/* Inherited by everything that is accepted. */
static void bound(int fd, unsigned idle_ms)
{
    int seconds = (int)(idle_ms + 999) / 1000;

    set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    set(fd, SOL_SOCKET, SO_RCVBUF, UNREAD);
    /* A peer that is silent is asked whether it is there. */
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, seconds);
    /* One that is there must take what it is sent. */
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, (int)idle_ms);
}

static int listen_at(union address *a, unsigned idle_ms, int *out)
{
    socklen_t len =
        a->any.sa_family == AF_INET ? sizeof(a->four) : sizeof(a->six);
    int fd =
        socket(a->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int error;

    if (fd < 0)
        return -errno;
    bound(fd, idle_ms);
    if (bind(fd, &a->any, len) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, &a->any, &len) != 0) {
        error = -errno;
        close(fd);
        return error;
    }
    *out = fd;
    return 0;
}

static bool parse(const char *host, union address *a)
{
    *a = (union address){0};
    if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    a->any.sa_family = AF_INET;
    if (inet_pton(AF_INET, host, &a->four.sin_addr) == 1)
        return true;
    a->any.sa_family = AF_INET6;
    return inet_pton(AF_INET6, host, &a->six.sin6_addr) == 1;
}

int listener_open(const struct listener_setup *setup, int *fd, uint16_t *port)
{
    int error = -EADDRINUSE;
    union address a;

    if (!parse(setup->host, &a))
        return -EINVAL;
    for (unsigned i = 0; i <= setup->tries && error == -EADDRINUSE; i++) {
        if (setup->port + i > UINT16_MAX)
            break;
        a.six.sin6_port = htons((uint16_t)(setup->port + i));
        error = listen_at(&a, setup->idle_ms, fd);
    }
    *port = ntohs(a.six.sin6_port); /* where IPv4 has it too */
    return error;
}
