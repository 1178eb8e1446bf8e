/* SPDX-License-Identifier: MIT */
#include "runtime/warden/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sysexits.h>
#include <unistd.h>

#include "runtime/text/folder.h"
#include "runtime/text/warden_file.h"
#include "runtime/warden/clock.h"

#define TEMPORARY WARDEN_FILE_EXIT ".tmp"

/* Makes it if it is not there. */
static int lock(struct claim *c, const char *name)
{
    c->file = folder_file(c->dir, name, O_RDWR | O_CREAT);
    if (c->file < 0)
        return EX_CANTCREAT;
    if (flock(c->file, LOCK_EX | LOCK_NB) == 0)
        return EX_OK;
    return errno == EWOULDBLOCK ? EX_TEMPFAIL : EX_CANTCREAT;
}

/* ---- three files --------------------------------------------------------- */

static int take_three(struct claim *c)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int refused = lock(c, WARDEN_FILE_LOCK), started;

    if (refused != EX_OK)
        return refused;
    started = openat(c->dir, WARDEN_FILE_STARTED, flags, 0600);
    if (started < 0)
        return errno == EEXIST ? EX_TEMPFAIL : EX_CANTCREAT;
    close(started);
    return EX_OK;
}

static int save_three(const struct claim *c, const char *record, size_t len)
{
    int fd = folder_new_file(c->dir, TEMPORARY);
    int error;

    if (fd < 0)
        return fd;
    error = folder_write(fd, record, len);
    close(fd);
    if (error == 0 &&
        renameat(c->dir, TEMPORARY, c->dir, WARDEN_FILE_EXIT) != 0)
        error = -errno;
    return error;
}

/* ---- one ----------------------------------------------------------------- */

/* One of an earlier version may be at work here, or has been. */
static bool was_taken_before(int dir)
{
    struct stat info;

    return fstatat(dir, WARDEN_FILE_STARTED, &info, AT_SYMLINK_NOFOLLOW) == 0 ||
           (fstatat(dir, WARDEN_FILE_LOCK, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            warden_file_is_held(dir) != 0);
}

/* Under the lock nobody else writes: what is there was there before. */
static int take_one(struct claim *c)
{
    int refused;

    if (was_taken_before(c->dir))
        return EX_TEMPFAIL;
    refused = lock(c, WARDEN_FILE);
    if (refused != EX_OK)
        return refused;
    if (!warden_file_is_blank(c->file))
        return EX_TEMPFAIL;
    if (warden_file_put_started(c->file, c->marked) == 0)
        return EX_OK;
    return warden_file_take_back(c->file) == 0 ? EX_CANTCREAT : EX_TEMPFAIL;
}

/* The name is the agent's to give to something else. */
static bool is_in_place(const struct claim *c)
{
    struct stat ours, there;

    return fstat(c->file, &ours) == 0 &&
           fstatat(c->dir, WARDEN_FILE, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

static int save_one(const struct claim *c, const char *record, size_t len)
{
    bool is_ours = is_in_place(c);
    int fd = is_ours ? c->file : folder_new_file(c->dir, WARDEN_FILE);
    int error;

    if (fd < 0)
        return fd;
    error = warden_file_put_exit(fd, c->marked, record, len);
    if (!is_ours)
        close(fd);
    return error;
}

int claim_take(struct claim *c, int dir, bool is_one)
{
    *c = (struct claim){.dir = dir,
                        .file = -1,
                        .is_one = is_one,
                        .marked = (uint64_t)clock_wall()};
    return is_one ? take_one(c) : take_three(c);
}

int claim_save(const struct claim *c, const char *record, size_t len)
{
    return c->is_one ? save_one(c, record, len) : save_three(c, record, len);
}
