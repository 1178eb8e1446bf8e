/* SPDX-License-Identifier: MIT */
#include "transport/hub/hub_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Between taking the lock and writing its pid a holder does nothing else. */
#define HOLDER_TRIES 200
#define HOLDER_PAUSE_NS 5000000

/* A lock on a file that another has replaced meanwhile is worth nothing. */
bool hub_lock_is_held(const struct hub_lock *l)
{
    struct stat ours, there;

    return fstat(l->fd, &ours) == 0 && stat(l->path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

static pid_t read_holder(int fd)
{
    const struct timespec pause = {.tv_nsec = HOLDER_PAUSE_NS};
    char text[32];

    for (int i = 0; i < HOLDER_TRIES; i++) {
        ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
        if (n > 0 && text[n - 1] == '\n') {
            text[n] = 0;
            return (pid_t)strtol(text, NULL, 10);
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* What an earlier holder wrote goes first: never the pid of a dead one. */
static int write_holder(int fd)
{
    char text[32];
    int len = snprintf(text, sizeof(text), "%d\n", (int)getpid());

    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)len, 0) != len)
        return errno != 0 ? -errno : -EIO;
    return 0;
}

int hub_lock_take(struct hub_lock *l, const char *path, pid_t *holder)
{
    int error;

    *holder = 0;
    *l = (struct hub_lock){.fd = -1, .path = strdup(path)};
    if (l->path == NULL)
        return -ENOMEM;
    do {
        if (l->fd >= 0)
            close(l->fd);
        l->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (l->fd < 0)
            return -errno;
        error = flock(l->fd, LOCK_EX | LOCK_NB) == 0 ? 0 : -errno;
    } while (error == 0 && !hub_lock_is_held(l));
    if (error == 0)
        return write_holder(l->fd);
    if (error == -EWOULDBLOCK)
        *holder = read_holder(l->fd);
    return error;
}

void hub_lock_close(struct hub_lock *l)
{
    if (l->fd >= 0)
        close(l->fd);
    free(l->path);
    *l = (struct hub_lock){.fd = -1};
}
