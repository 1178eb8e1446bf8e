/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_dirs_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/store/transcript_gzip.h"
#include "runtime/text/bytes.h"
#include "runtime/text/folder.h"

struct agent_dirs_reading {
    int fd;                           /* the unpacker's, if it is packed */
    struct transcript_gunzip *packed; /* or NULL */
    uint64_t at;                      /* the next byte, if it is not */
    char id[128];
};

/* ---- opening ----------------------------------------------------------- */

/* Packing puts the one in place before it removes the other, so looking
 * for the original first and then for the packed one finds one of them. */
static int open_either(int dir, bool *is_packed)
{
    int fd = folder_file(dir, AGENT_DIRS_TRANSCRIPT, O_RDONLY);

    *is_packed = fd == -ENOENT;
    return *is_packed ? folder_file(dir, AGENT_DIRS_PACKED, O_RDONLY) : fd;
}

int agent_dirs_reading_open(const struct agent_dirs *a, const char *id,
                            struct agent_dirs_reading **out)
{
    struct agent_dirs_reading *r;
    bool is_packed;
    int dir, fd;

    *out = NULL;
    if (!agent_dirs_is_id(id) || a->fd < 0)
        return -ENOENT;
    dir = folder_open_in(a->fd, id);
    if (dir < 0)
        return dir == -ENOTDIR ? -ENOENT : dir;
    fd = open_either(dir, &is_packed);
    close(dir);
    if (fd < 0)
        return fd == -ENOENT ? -ENODATA : fd;
    r = bytes_zalloc(sizeof(*r));
    r->fd = fd;
    slice_keep(r->id, sizeof(r->id), slice_cstr(id));
    if (is_packed)
        r->packed = transcript_gunzip_create(fd);
    *out = r;
    return 0;
}

void agent_dirs_reading_close(struct agent_dirs_reading *r)
{
    if (r == NULL)
        return;
    if (r->packed != NULL)
        transcript_gunzip_destroy(r->packed);
    else
        close(r->fd);
    free(r);
}

bool agent_dirs_reading_is_good(const struct agent_dirs_reading *r,
                                const char *id)
{
    struct stat st;

    return r != NULL && r->packed != NULL && strcmp(r->id, id) == 0 &&
           fstat(r->fd, &st) == 0 && st.st_nlink > 0;
}

/* ---- reading ----------------------------------------------------------- */

uint64_t agent_dirs_reading_at(const struct agent_dirs_reading *r)
{
    return r->packed != NULL ? transcript_gunzip_at(r->packed) : r->at;
}

uint64_t agent_dirs_reading_size(const struct agent_dirs_reading *r)
{
    struct stat st;

    if (r->packed != NULL)
        return transcript_gunzip_size(r->packed);
    return fstat(r->fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

ssize_t agent_dirs_reading_read(struct agent_dirs_reading *r, char *to,
                                size_t size)
{
    ssize_t n;

    if (r->packed != NULL)
        return transcript_gunzip_read(r->packed, to, size);
    do
        n = pread(r->fd, to, size, (off_t)r->at);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    r->at += (uint64_t)n;
    return n;
}

int agent_dirs_reading_seek(struct agent_dirs_reading *r, uint64_t from)
{
    if (r->packed != NULL)
        return transcript_gunzip_seek(r->packed, from);
    r->at = folder_skip_hole(r->fd, from);
    return 0;
}
