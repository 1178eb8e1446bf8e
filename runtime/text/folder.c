/* SPDX-License-Identifier: MIT */
#include "runtime/text/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* What O_PATH gives cannot be changed but by its name in /proc, which is the
 * thing itself and no link to follow. */
static int open_shut(int dir, const char *name)
{
    int shut = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    char path[64];
    int fd = -1, error = 0;

    if (shut < 0)
        return -errno;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", shut);
    if (chmod(path, 0700) != 0 || (fd = open(path, FOLDER & ~O_NOFOLLOW)) < 0)
        error = -errno;
    close(shut);
    return error != 0 ? error : fd;
}

int folder_open_in(int dir, const char *name)
{
    int fd = openat(dir, name, FOLDER);
    struct stat info;

    if (fd < 0)
        return errno == EACCES ? open_shut(dir, name) : -errno;
    if (fstat(fd, &info) == 0 && (info.st_mode & 0700) != 0700)
        fchmod(fd, 0700);
    return fd;
}

int folder_open(const char *path)
{
    return folder_open_in(AT_FDCWD, path);
}

int folder_make_in(int dir, const char *name)
{
    if (mkdirat(dir, name, 0700) != 0 && errno != EEXIST)
        return -errno;
    return folder_open_in(dir, name);
}

int folder_reach(int dir, const char *name, const char **last)
{
    char part[NAME_MAX + 1];
    int at = dup(dir);

    if (at < 0)
        return -errno;
    for (const char *end; (end = strchr(name, '/')) != NULL; name = end + 1) {
        size_t len = (size_t)(end - name);
        int next = -ENAMETOOLONG;

        if (len < sizeof(part)) {
            memcpy(part, name, len);
            part[len] = 0;
            next = folder_make_in(at, part);
        }
        close(at);
        if (next < 0)
            return next;
        at = next;
    }
    *last = name;
    return at;
}
