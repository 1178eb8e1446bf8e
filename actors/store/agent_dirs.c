/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/store/transcript_gzip.h"
#include "runtime/text/folder.h"
#include "runtime/text/warden_file.h"

int agent_dirs_open(struct agent_dirs *a, const char *state_dir)
{
    char path[4096];

    *a = (struct agent_dirs){.fd = -1};
    snprintf(path, sizeof(path), "%s/agents", state_dir);
    a->fd = folder_open(path);
    return a->fd >= 0 || a->fd == -ENOENT ? 0 : a->fd;
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
    return warden_file_is_held(dir) != 0;
}

/* The directory's descriptor, or a negative errno: -ENOENT, there is none, or
 * something else in its place. */
static int enter(struct agent_dirs *a, const char *id)
{
    int dir;

    if (!agent_dirs_is_id(id))
        return -EINVAL;
    if (a->fd < 0)
        return -ENOENT;
    dir = folder_open_in(a->fd, id);
    if (dir < 0)
        return dir == -ENOTDIR ? -ENOENT : dir;
    if (!is_lived_in(dir))
        return dir;
    close(dir);
    return -EBUSY;
}

int agent_dirs_remove(struct agent_dirs *a, const char *id)
{
    int dir = enter(a, id);

    if (dir < 0 && (dir != -ENOENT || a->fd < 0))
        return dir == -ENOENT ? 0 : dir;
    if (dir >= 0)
        close(dir);
    return folder_remove(a->fd, id);
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
    *bytes = folder_bytes(&st);
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
