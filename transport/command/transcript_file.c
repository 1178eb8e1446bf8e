/* SPDX-License-Identifier: MIT */
#include "transport/command/transcript_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "transport/command/flocked.h"

/* Only a safety net: where inotify has no watches left, this is the pace. */
#define LOOK_MS 1000

enum { WATCHED_NOTHING, WATCHED_PARENT, WATCHED_DIR };

/* An id becomes part of a path: nothing else than what the hub draws. */
static bool is_id(const char *id)
{
    size_t len = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                            "XYZ0123456789_-");

    return len > 0 && len < 128 && !id[len];
}

bool transcript_file_open(struct transcript_file *f, const char *state_dir,
                          const char *id)
{
    *f = (struct transcript_file){.fd = -1, .notes = -1};
    if (!is_id(id))
        return false;
    f->parent = bytes_text("%s/%s", state_dir, "agents");
    f->dir = bytes_text("%s/%s", f->parent, id);
    return true;
}

void transcript_file_close(struct transcript_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->packed)
        gzclose(f->packed);
    if (f->notes >= 0)
        close(f->notes);
    free(f->parent);
    free(f->dir);
    *f = (struct transcript_file){.fd = -1, .notes = -1};
}

static bool has(const struct transcript_file *f, const char *name)
{
    char *path = bytes_text("%s/%s", f->dir, name);
    bool is_there = access(path, F_OK) == 0;

    free(path);
    return is_there;
}

bool transcript_file_exists(const struct transcript_file *f)
{
    return access(f->dir, F_OK) == 0;
}

bool transcript_file_is_complete(const struct transcript_file *f)
{
    if (has(f, "exit.json"))
        return true;
    if (!has(f, "started"))
        return false;
    char *lock = bytes_text("%s/%s", f->dir, "lock");
    bool is_held = flocked_by(lock) != 0;
    free(lock);
    /* Its warden may have written the record and left in the meantime. */
    return !is_held;
}

static int open_in(const struct transcript_file *f, const char *name)
{
    char *path = bytes_text("%s/%s", f->dir, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = errno;

    free(path);
    return fd < 0 ? -error : fd;
}

/* What was packed is in place before the original goes, so one of the two is
 * always there. 0 also if none is: not yet, or not any more. */
static int open_either(struct transcript_file *f)
{
    int fd = open_in(f, "stdout.ndjson");

    if (fd >= 0) {
        f->fd = fd;
        return 0;
    }
    if (fd == -ENOENT)
        fd = open_in(f, "stdout.ndjson.gz");
    if (fd < 0)
        return fd == -ENOENT ? 0 : fd;
    f->packed = gzdopen(fd, "r");
    if (!f->packed)
        abort();
    return 0;
}

bool transcript_file_is_found(const struct transcript_file *f)
{
    return f->fd >= 0 || f->packed;
}

static ssize_t read_packed(struct transcript_file *f, char *to, size_t size)
{
    int n = gzread(f->packed, to, (unsigned)size), error;

    if (n >= 0)
        return n;
    gzerror(f->packed, &error);
    return error == Z_ERRNO ? -errno : -EILSEQ;
}

ssize_t transcript_file_read(struct transcript_file *f, char *to, size_t size)
{
    ssize_t n;

    if (!transcript_file_is_found(f)) {
        int error = open_either(f);
        if (error || !transcript_file_is_found(f))
            return error;
    }
    if (f->packed)
        return read_packed(f, to, size);
    do
        n = read(f->fd, to, size);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

/* The agent's directory once it is there, until then the one it will be in. */
static void watch(struct transcript_file *f)
{
    const uint32_t what = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE;

    if (f->notes < 0)
        f->notes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (f->notes < 0 || f->watched == WATCHED_DIR)
        return;
    if (inotify_add_watch(f->notes, f->dir, what) >= 0)
        f->watched = WATCHED_DIR;
    else if (f->watched == WATCHED_NOTHING &&
             inotify_add_watch(f->notes, f->parent, IN_CREATE) >= 0)
        f->watched = WATCHED_PARENT;
}

void transcript_file_wait(struct transcript_file *f)
{
    int before = f->watched;
    char notes[4096];

    watch(f);
    /* What happened before the watch was set is seen by looking again. */
    if (f->watched != before)
        return;
    struct pollfd p = {.fd = f->notes, .events = POLLIN};
    poll(&p, 1, LOOK_MS);
    while (f->notes >= 0 && read(f->notes, notes, sizeof(notes)) > 0)
        ;
}

void transcript_file_tail(const struct transcript_file *f, const char *name,
                          size_t most, struct bytes *out)
{
    char *path = bytes_text("%s/%s", f->dir, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    free(path);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
        off_t from = st.st_size > (off_t)most ? st.st_size - (off_t)most : 0;
        bytes_reserve(out, most);
        ssize_t n = pread(fd, out->ptr + out->len, most, from);
        out->len += n > 0 ? (size_t)n : 0;
    }
    close(fd);
}
