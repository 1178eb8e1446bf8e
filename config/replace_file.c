/* SPDX-License-Identifier: MIT */
#include "config/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/text/bytes.h"
#include "runtime/text/folder.h"

#define NEW_MODE 0644

/* A project may be shared by a group: the owner must not become us, but
 * only root can keep another's. */
static int dress(int fd, const struct stat *was)
{
    if (fchmod(fd, was ? was->st_mode & 07777 : NEW_MODE) < 0)
        return -errno;
    if (was && fchown(fd, was->st_uid, was->st_gid) < 0 && errno != EPERM)
        return -errno;
    return 0;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* link, unlike rename, does not overwrite a file that has just been made. */
static int move(const char *temp, const char *path, const struct stat *was)
{
    struct stat now;

    if (!was) {
        if (link(temp, path) < 0)
            return errno == EEXIST ? -ESTALE : -errno;
        unlink(temp);
        return 0;
    }
    if (stat(path, &now) < 0 || !is_same(&now, was))
        return -ESTALE;
    return rename(temp, path) < 0 ? -errno : 0;
}

static void sync_directory(const char *path)
{
    char *copy = bytes_text("%s", path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

int replace_file(const char *path, const char *text, size_t len,
                 const struct stat *was, struct config_error *e)
{
    char *temp = bytes_text("%s.XXXXXX", path);
    int fd = mkostemp(temp, O_CLOEXEC);
    int rc = fd < 0 ? -errno : 0;
    if (fd >= 0) {
        rc = folder_write(fd, text, len);
        if (!rc && fsync(fd) < 0)
            rc = -errno;
        if (!rc)
            rc = dress(fd, was);
        close(fd);
        if (!rc)
            rc = move(temp, path, was);
        if (rc)
            unlink(temp);
    }
    free(temp);
    if (!rc)
        sync_directory(path);
    else if (rc == -ESTALE)
        ERROR_PLAIN(e, EDIT_FILE_CHANGED, path);
    else
        error_os(e, path, rc);
    return rc;
}
