/* SPDX-License-Identifier: MIT */
/*
 * Where wardens tell that their CLI runs, before they connect, or instead: of
 * a brief CLI the record tells the rest. Each zygote has a socket for it, which
 * ends when the last warden of it has told, or has left without. One that
 * cannot tell here connects at once.
 */
#include "runtime/process/processes.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/warden/order.h"

#define AT_ONCE 64

void news_open(struct rt_turn *t, struct processes *ps, struct spawner_news *n)
{
    if (processes_watch(t, ps, n->fd, FD_NEWS, NULL) == 0)
        n->fd = -1;
}

void news_close(struct rt_turn *t, struct processes *ps, int fd)
{
    processes_unwatch(t, ps, fd);
    close(fd);
}

/* News is written whole, and so is read whole. */
void news_on_ready(struct rt_turn *t, struct processes *ps, int fd)
{
    struct order_news news[AT_ONCE];
    ssize_t n = recv(fd, news, sizeof(news), MSG_DONTWAIT);

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        news_close(t, ps, fd);
        return;
    }
    for (size_t i = 0; i < (size_t)n / sizeof(*news); i++) {
        struct child *c = processes_by_ticket(ps, news[i].ticket);

        if (c != NULL)
            child_on_runs(t, c, news[i].cli, news[i].started_at);
    }
}
