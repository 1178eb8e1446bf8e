/* SPDX-License-Identifier: MIT */
#include "transport/io/nonblocking.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define WIDE (1 << 20)

/* What may not be opened anew (a pipe of another user) has to be shared. */
static int share(struct nonblocking *e, int fd)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0)
        return -errno;
    if ((flags & O_NONBLOCK) == 0) {
        if (fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
            return -errno;
        e->flags = flags;
    }
    e->fd = fd;
    return 0;
}

static int open_end(struct nonblocking *e, int fd, int mode)
{
    char path[32];
    struct stat st;

    *e = (struct nonblocking){.fd = fd, .flags = -1};
    if (fstat(fd, &st) != 0)
        return -errno;
    e->is_socket = S_ISSOCK(st.st_mode);
    e->is_file = S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
    if (e->is_socket || e->is_file)
        return 0;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    e->fd = open(path, mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (e->fd < 0)
        return share(e, fd);
    e->is_opened = true;
    return 0;
}

int nonblocking_open_input(struct nonblocking *e, int fd)
{
    return open_end(e, fd, O_RDONLY);
}

int nonblocking_open_output(struct nonblocking *e, int fd)
{
    return open_end(e, fd, O_WRONLY);
}

struct nonblocking nonblocking_of_socket(int fd)
{
    return (struct nonblocking){.fd = fd, .is_socket = true, .flags = -1};
}

void nonblocking_close(struct nonblocking *e)
{
    if (e->is_opened)
        close(e->fd);
    else if (e->flags >= 0)
        fcntl(e->fd, F_SETFL, e->flags);
    *e = (struct nonblocking){.fd = -1, .flags = -1};
}

ssize_t nonblocking_read(const struct nonblocking *e, void *to, size_t size)
{
    ssize_t n;

    do
        n = e->is_socket ? recv(e->fd, to, size, MSG_DONTWAIT)
                         : read(e->fd, to, size);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

ssize_t nonblocking_write(const struct nonblocking *e, const void *from,
                          size_t size)
{
    ssize_t n;

    do
        n = e->is_socket ? send(e->fd, from, size, MSG_DONTWAIT | MSG_NOSIGNAL)
                         : write(e->fd, from, size);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

void nonblocking_widen(const struct nonblocking *e, size_t waiting)
{
    int size = e->is_socket ? -1 : fcntl(e->fd, F_GETPIPE_SZ);

    if (size > 0 && (size_t)size < waiting && size < WIDE)
        fcntl(e->fd, F_SETPIPE_SZ, WIDE);
}
