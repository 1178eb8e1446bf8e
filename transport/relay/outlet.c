/* SPDX-License-Identifier: MIT */
#include "transport/relay/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/ends.h"

#define KEEP ((size_t)4 << 20) /* of the queue, between bursts */

/*
 * O_NONBLOCK belongs to the open file, which a shell or our parent may share
 * and find changed long after we were killed. So a pipe or terminal is opened
 * a second time; a socket has a flag for each call; a file never blocks.
 */
void outlet_init(struct outlet *o, int fd)
{
    char path[40];
    struct stat st;

    *o = (struct outlet){.fd = fd};
    if (fstat(fd, &st) != 0)
        return;
    o->is_socket = S_ISSOCK(st.st_mode);
    if (!S_ISFIFO(st.st_mode) && !S_ISCHR(st.st_mode))
        return;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    int own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (own >= 0) {
        o->fd = own;
        o->is_own = true;
    }
}

void outlet_finish(struct outlet *o)
{
    if (o->is_own)
        close(o->fd);
    bytes_finish(&o->queue);
    *o = (struct outlet){.fd = -1};
}

void outlet_put(struct outlet *o, struct slice text)
{
    bytes_append(&o->queue, text.ptr, text.len);
}

size_t outlet_queued(const struct outlet *o)
{
    return o->queue.len - o->sent;
}

/* What has left is forgotten once it is the greater part: so each byte is
 * moved once at most, and a queue that never runs dry does not grow. */
static void compact(struct outlet *o)
{
    size_t left = outlet_queued(o);

    if (o->sent < left)
        return;
    memmove(o->queue.ptr, o->queue.ptr + o->sent, left);
    o->queue.len = left;
    o->sent = 0;
}

static ssize_t write_some(const struct outlet *o)
{
    const char *from = o->queue.ptr + o->sent;
    size_t len = outlet_queued(o);

    return o->is_socket ? send(o->fd, from, len, MSG_DONTWAIT | MSG_NOSIGNAL)
                        : write(o->fd, from, len);
}

ssize_t outlet_flush(struct outlet *o)
{
    size_t left = 0;

    while (outlet_queued(o) > 0) {
        ssize_t n = write_some(o);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            return -errno;
        if (n < 0) {
            end_widen(o->fd, outlet_queued(o));
            compact(o);
            return (ssize_t)left;
        }
        o->sent += (size_t)n;
        left += (size_t)n;
    }
    bytes_clear(&o->queue, KEEP);
    o->sent = 0;
    return (ssize_t)left;
}
