/* SPDX-License-Identifier: MIT */
/* Apart from the directories, for the warden has this and no printf. */
#include "runtime/text/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A FIFO would have its opener wait for a writer, a terminal would become
 * ours. */
#define SAFE (O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

int folder_file(int dir, const char *name, int flags)
{
    int fd = openat(dir, name, flags | SAFE, 0600);
    struct stat info;

    if (fd < 0)
        return errno == ELOOP ? -ENOENT : -errno;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        return fd;
    close(fd);
    return -ENOENT;
}

int folder_new_file(int dir, const char *name)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | SAFE;
    int fd = openat(dir, name, flags, 0600);

    if (fd < 0 && errno == EEXIST &&
        (unlinkat(dir, name, 0) == 0 || errno == ENOENT))
        fd = openat(dir, name, flags, 0600);
    return fd < 0 ? -errno : fd;
}

size_t folder_read_end(int dir, const char *name, char *to, size_t max)
{
    int fd = folder_file(dir, name, O_RDONLY);
    struct stat info;
    ssize_t n = -1;

    if (fd < 0)
        return 0;
    if (fstat(fd, &info) == 0) {
        off_t from = info.st_size > (off_t)max ? info.st_size - (off_t)max : 0;
        n = pread(fd, to, max, from);
    }
    close(fd);
    return n > 0 ? (size_t)n : 0;
}

/* Where a file system knows nothing of holes, everything was written. A file
 * that ended here and now does not may have a hole there or what was just
 * appended: only one that still has no data up to that size has a hole. */
uint64_t folder_skip_hole(int fd, uint64_t at)
{
    off_t next = lseek(fd, (off_t)at, SEEK_DATA);
    struct stat info;

    if (next < 0 && errno == ENXIO && fstat(fd, &info) == 0 &&
        (uint64_t)info.st_size > at) {
        next = lseek(fd, (off_t)at, SEEK_DATA);
        if (next < 0 && errno == ENXIO)
            next = info.st_size;
    }
    return next >= 0 ? (uint64_t)next : at;
}

ssize_t folder_read(int fd, void *to, size_t size, uint64_t *at)
{
    uint64_t from = folder_skip_hole(fd, *at);
    off_t end = lseek(fd, (off_t)from, SEEK_HOLE);
    ssize_t n;

    if (end > (off_t)from && (uint64_t)end - from < size)
        size = (size_t)((uint64_t)end - from);
    do
        n = pread(fd, to, size, (off_t)from);
    while (n < 0 && errno == EINTR);
    if (n >= 0)
        *at = from + (uint64_t)n;
    return n;
}

int folder_write(int fd, const void *from, size_t size)
{
    const char *at = from;

    while (size > 0) {
        ssize_t n = write(fd, at, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

uint64_t folder_bytes(const struct stat *info)
{
    uint64_t taken = (uint64_t)info->st_blocks * 512,
             size = (uint64_t)info->st_size;

    return taken < size ? taken : size;
}
