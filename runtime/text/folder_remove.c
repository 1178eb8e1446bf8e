/* SPDX-License-Identifier: MIT */
/*
 *   top/a/b/c/...   a is emptied: b goes to top, a is removed
 *   top/b/c/...     b is emptied: c goes to top, b is removed
 *
 * What lies deeper than one directory is brought up, not gone down to, so that
 * no depth costs a descriptor or a frame. A directory is first removed as if it
 * were empty: a mount point refuses that, and what is mounted stays.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/folder.h"

#define PORTION 512 /* entries at a time: some milliseconds */
#define NAMES 16    /* tried for what is brought up */

struct removal {
    int top;
    unsigned left;    /* entries that may still be looked at */
    unsigned changed; /* of them removed or brought up */
    int error;        /* the first that was met */
};

/* 0, it is gone; 1, a directory with something in it; or a negative errno. */
static int remove_plain(int dir, const char *name)
{
    if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -errno;
    if (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
        return 0;
    return errno == ENOTEMPTY || errno == EEXIST ? 1 : -errno;
}

/* By its number, which no other has. An empty directory in that place gives
 * way, and was to go anyway. */
static int rename_up(const struct removal *r, int dir, const char *name)
{
    struct stat info;
    char to[48];

    if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return -errno;
    for (unsigned i = 0; i < NAMES; i++) {
        snprintf(to, sizeof(to), ".%llx.%u", (unsigned long long)info.st_ino,
                 i);
        if (renameat(dir, name, r->top, to) == 0)
            return 0;
        if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
            return -errno;
    }
    return -EEXIST;
}

/* One that is shut to us cannot be moved: its parent is written in it. */
static int bring_up(const struct removal *r, int dir, const char *name)
{
    int rc = rename_up(r, dir, name), fd;

    if (rc != -EACCES)
        return rc;
    fd = folder_open_in(dir, name);
    if (fd < 0)
        return fd;
    close(fd);
    return rename_up(r, dir, name);
}

static void note(struct removal *r, int rc)
{
    if (rc == 0)
        r->changed++;
    else if (rc < 0 && r->error == 0)
        r->error = rc;
}

typedef int entry_fn(struct removal *r, int dir, const char *name);

/* Takes the descriptor. False when the portion is over before its end. */
static bool each(struct removal *r, int dir, entry_fn *fn)
{
    DIR *d = fdopendir(dir);
    struct dirent *entry;

    if (d == NULL) {
        note(r, -errno);
        close(dir);
        return true;
    }
    while (r->left > 0 && (entry = readdir(d)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        r->left--;
        note(r, fn(r, dir, entry->d_name));
    }
    closedir(d);
    return r->left > 0;
}

static int remove_below(struct removal *r, int dir, const char *name)
{
    int rc = remove_plain(dir, name);

    return rc == 1 ? bring_up(r, dir, name) : rc;
}

static int remove_in_top(struct removal *r, int dir, const char *name)
{
    int rc = remove_plain(dir, name), sub;

    if (rc != 1)
        return rc;
    sub = folder_open_in(dir, name);
    if (sub < 0)
        return sub;
    /* Where entries went while it was being read, some may have been missed:
     * they are met again. */
    return each(r, sub, remove_below) ? remove_plain(dir, name) : 1;
}

int folder_remove(int dir, const char *name)
{
    struct removal r = {.left = PORTION};
    int rc = remove_plain(dir, name), again;

    if (rc != 1)
        return rc;
    r.top = folder_open_in(dir, name);
    if (r.top < 0)
        return r.top;
    again = dup(r.top);
    if (again >= 0)
        each(&r, again, remove_in_top);
    else
        note(&r, -errno);
    close(r.top);
    rc = remove_plain(dir, name);
    if (rc == 1 && r.changed == 0)
        return r.error != 0 ? r.error : -ENOTEMPTY;
    return rc;
}
