/* SPDX-License-Identifier: MIT */
#include "transport/command/transcript_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/text/folder.h"
#include "runtime/text/warden_file.h"
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

bool transcript_file_exists(const struct transcript_file *f)
{
    int dir = folder_open(f->dir);

    if (dir >= 0)
        close(dir);
    return dir >= 0;
}

static bool is_complete(int dir)
{
    char record[WARDEN_FILE_TEXT];

    if (warden_file_exit(dir, record, sizeof(record), NULL) > 0)
        return true;
    if (warden_file_started(dir) == 0)
        return false;
    /* Its warden may have written the record and left in the meantime. */
    return flocked_agent(dir) == 0;
}

bool transcript_file_is_complete(struct transcript_file *f)
{
    int dir = folder_open(f->dir);
    bool is = dir >= 0 ? is_complete(dir) : f->was_there;

    f->was_there = f->was_there || dir >= 0;
    if (dir >= 0)
        close(dir);
    return is;
}

/* What was packed is in place before the original goes, so one of the two is
 * always there. 0 also if none is: not yet, or not any more. */
static int open_either(struct transcript_file *f)
{
    int dir = folder_open(f->dir), fd;

    if (dir < 0)
        return dir == -ENOENT || dir == -ENOTDIR ? 0 : dir;
    f->fd = fd = folder_file(dir, "stdout.ndjson", O_RDONLY);
    if (fd == -ENOENT)
        fd = folder_file(dir, "stdout.ndjson.gz", O_RDONLY);
    close(dir);
    if (f->fd >= 0)
        return 0;
    f->fd = -1;
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
    n = folder_read(f->fd, to, size, &f->at);
    return n < 0 ? -errno : n;
}

/* The directory that is there now, and no other by its name. */
static bool watch_dir(const struct transcript_file *f, uint32_t what)
{
    int dir = folder_open(f->dir);
    char path[64];
    bool is;

    if (dir < 0)
        return false;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
    is = inotify_add_watch(f->notes, path, what) >= 0;
    close(dir);
    return is;
}

/* The agent's directory once it is there, until then the one it will be in.
 * Only what others write: who looks into a directory closes it again, and
 * would be told of that, look again, and never come to rest. */
static void watch(struct transcript_file *f)
{
    const uint32_t what =
        IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE;

    if (f->notes < 0)
        f->notes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (f->notes < 0 || f->watched == WATCHED_DIR)
        return;
    if (watch_dir(f, what))
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
    int dir = folder_open(f->dir);

    if (dir < 0)
        return;
    bytes_reserve(out, most);
    out->len += folder_read_end(dir, name, out->ptr + out->len, most);
    close(dir);
}

void transcript_file_exit(const struct transcript_file *f, struct bytes *out)
{
    int dir = folder_open(f->dir);

    if (dir < 0)
        return;
    bytes_reserve(out, WARDEN_FILE_TEXT);
    out->len +=
        warden_file_exit(dir, out->ptr + out->len, WARDEN_FILE_TEXT, NULL);
    close(dir);
}
