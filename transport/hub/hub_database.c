/* SPDX-License-Identifier: MIT */
#include "transport/hub/hub_database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/store/candidate.h"
#include "config/messages.h"
#include "config/reason.h"
#include "runtime/text/bytes.h"

#define NOTE 96

/* A name, a size and a date can be made up; these cannot. */
static void describe(int fd, char note[NOTE])
{
    struct statx st = {0};

    statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &st);
    snprintf(note, NOTE, "%u:%u %llu %lld.%09u\n", st.stx_dev_major,
             st.stx_dev_minor, (unsigned long long)st.stx_ino,
             (long long)st.stx_btime.tv_sec, st.stx_btime.tv_nsec);
}

static bool is_noted(const char *path, const char *note)
{
    char was[NOTE] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n = fd >= 0 ? read(fd, was, sizeof(was) - 1) : -1;

    if (fd >= 0)
        close(fd);
    return n > 0 && strcmp(was, note) == 0;
}

static int write_note(const char *path, const char *note)
{
    int fd =
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    size_t len = strlen(note);
    int error = fd < 0                                 ? -errno
                : write(fd, note, len) == (ssize_t)len ? 0
                                                       : -EIO;

    if (fd >= 0)
        close(fd);
    return error;
}

static bool refuse(const char *path, const char *why)
{
    fprintf(stderr, "kuromajutsu-hub: %s: %s\n", path, why);
    return false;
}

static bool open_it(struct hub_database *d, const char *path, bool is_english)
{
    struct stat st;

    d->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (d->fd < 0 || fstat(d->fd, &st) != 0)
        return refuse(path, reason_of(errno, is_english).text);
    if (st.st_uid != geteuid())
        return refuse(path, MESSAGE(is_english, HUB_DATABASE_IS_ANOTHERS));
    if (flock(d->fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    return refuse(path, errno == EWOULDBLOCK
                            ? MESSAGE(is_english, HUB_DATABASE_IS_OPEN)
                            : reason_of(errno, is_english).text);
}

/* Whether nothing begins by it that was not begun here. */
static bool know(const struct hub_database *d, const char *path,
                 const char *state_dir, bool is_english)
{
    char note[NOTE], *known = bytes_text("%s/database", state_dir);
    int64_t count = 0;
    int error = 0;

    describe(d->fd, note);
    if (!is_noted(known, note)) {
        count = candidate_unfinished(path);
        error = count == 0 ? write_note(known, note) : 0;
    }
    if (error != 0)
        refuse(known, reason_of(error, is_english).text);
    if (count > 0)
        fprintf(stderr, MESSAGE(is_english, HUB_DATABASE_IS_FOREIGN), path,
                (long long)count);
    free(known);
    return count == 0 && error == 0;
}

bool hub_database_take(struct hub_database *d, const char *path,
                       const char *state_dir, bool is_english)
{
    struct store_why why;

    if (candidate_is_good(path, &why))
        return open_it(d, path, is_english) &&
               know(d, path, state_dir, is_english);
    fprintf(stderr, "kuromajutsu-hub: %s\n", store_why_in(&why, is_english));
    return false;
}

void hub_database_close(struct hub_database *d)
{
    if (d->fd >= 0)
        close(d->fd);
    d->fd = -1;
}
