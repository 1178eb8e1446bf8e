/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_dirs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/store/transcript_gzip.h"

#define PORTION 256 /* entries removed at a time */
#define DEEPEST 64  /* directories in directories: a descriptor each */

int agent_dirs_open(struct agent_dirs *a, const char *state_dir)
{
    char path[4096];

    *a = (struct agent_dirs){.fd = -1};
    snprintf(path, sizeof(path), "%s/agents", state_dir);
    a->fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return a->fd >= 0 || errno == ENOENT ? 0 : -errno;
}

void agent_dirs_close(struct agent_dirs *a)
{
    transcript_gzip_destroy(a->packing);
    if (a->fd >= 0)
        close(a->fd);
    *a = (struct agent_dirs){.fd = -1};
}

/* An id becomes a name here: nothing else than what the registry draws. */
bool agent_dirs_is_id(const char *id)
{
    size_t len = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                            "XYZ0123456789_-");

    return len > 0 && len < 128 && !id[len];
}

/* A warden holds the lock for as long as a process of its tree is there. */
static bool is_lived_in(int dir)
{
    int fd = openat(dir, "lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool is_held = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;

    if (fd >= 0)
        close(fd);
    return is_held;
}

/* The directory's descriptor, or a negative errno: -ENOENT, there is none. */
static int enter(struct agent_dirs *a, const char *id)
{
    int dir;

    if (!agent_dirs_is_id(id))
        return -EINVAL;
    if (a->fd < 0)
        return -ENOENT;
    dir = openat(a->fd, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return -errno;
    if (!is_lived_in(dir))
        return dir;
    close(dir);
    return -EBUSY;
}

/* ---- removing ---------------------------------------------------------- */

static int remove_in(int dir, unsigned depth, unsigned *left);

/* A directory is left when it is empty; a link is not what it points to. */
static int remove_entry(int dir, const char *name, unsigned depth,
                        unsigned *left)
{
    int sub, rc;

    --*left;
    if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -errno;
    sub = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (sub < 0)
        return -errno;
    if (depth == DEEPEST) {
        close(sub);
        return -ELOOP;
    }
    rc = remove_in(sub, depth + 1, left);
    if (rc == 0 && unlinkat(dir, name, AT_REMOVEDIR) != 0)
        rc = -errno;
    return rc;
}

/* Takes the descriptor. */
static int remove_in(int dir, unsigned depth, unsigned *left)
{
    DIR *d = fdopendir(dir);
    struct dirent *entry;
    int rc = 0;

    if (d == NULL) {
        rc = -errno;
        close(dir);
        return rc;
    }
    while (rc == 0 && (entry = readdir(d)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        rc = *left == 0 ? 1 : remove_entry(dir, entry->d_name, depth, left);
    }
    closedir(d);
    return rc;
}

int agent_dirs_remove(struct agent_dirs *a, const char *id)
{
    unsigned left = PORTION;
    int dir = enter(a, id), rc;

    if (dir < 0)
        return dir == -ENOENT ? 0 : dir;
    rc = remove_in(dir, 0, &left);
    if (rc == 0 && unlinkat(a->fd, id, AT_REMOVEDIR) != 0 && errno != ENOENT)
        rc = -errno;
    /* Where entries went while it was being read, some may have been missed. */
    return rc == -ENOTEMPTY && left < PORTION ? 1 : rc;
}

/* ---- transcripts ------------------------------------------------------- */

static int unlink_if(int dir, const char *name)
{
    return unlinkat(dir, name, 0) == 0 || errno == ENOENT ? 0 : -errno;
}

int agent_dirs_drop(struct agent_dirs *a, const char *id)
{
    int dir = enter(a, id), rc;

    if (dir < 0)
        return dir == -ENOENT ? 0 : dir;
    rc = unlink_if(dir, AGENT_DIRS_TRANSCRIPT);
    if (rc == 0)
        rc = unlink_if(dir, AGENT_DIRS_PACKED);
    close(dir);
    return rc;
}

int agent_dirs_pack(struct agent_dirs *a, const char *id)
{
    int dir, rc;

    if (a->packing == NULL) {
        dir = enter(a, id);
        if (dir < 0)
            return dir == -ENOENT ? 0 : dir;
        rc = transcript_gzip_create(dir, &a->packing);
        if (rc != 0)
            return rc == -ENOENT ? 0 : rc;
    }
    rc = transcript_gzip_step(a->packing);
    if (rc != 1) {
        transcript_gzip_destroy(a->packing);
        a->packing = NULL;
    }
    return rc;
}

static bool size_of(int dir, const char *name, uint64_t *bytes)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(st.st_mode))
        return false;
    *bytes = (uint64_t)st.st_size;
    return true;
}

enum agent_dirs_form agent_dirs_look(struct agent_dirs *a, const char *id,
                                     uint64_t *bytes)
{
    enum agent_dirs_form form = AGENT_DIRS_NOTHING;
    int dir = enter(a, id);

    *bytes = 0;
    if (dir < 0)
        return dir == -ENOENT ? AGENT_DIRS_NOTHING : AGENT_DIRS_WHOLE;
    if (size_of(dir, AGENT_DIRS_TRANSCRIPT, bytes))
        form = AGENT_DIRS_WHOLE;
    else if (size_of(dir, AGENT_DIRS_PACKED, bytes))
        form = AGENT_DIRS_IS_PACKED;
    close(dir);
    return form;
}
