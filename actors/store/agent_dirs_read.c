/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_dirs_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/text/bytes.h"
#include "runtime/text/folder.h"

#define CHUNK (64 * 1024)
/* Unpacked at a time: some milliseconds. */
#define PORTION ((uint64_t)4 << 20)
#define GZIP (15 + 16) /* zlib's word for a gzip file */

struct agent_dirs_reading {
    int fd;
    bool is_packed, is_at_end;
    uint64_t at; /* the next byte */
    char id[128];
    z_stream z;
    unsigned char in[CHUNK];
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
    r->is_packed = is_packed;
    slice_keep(r->id, sizeof(r->id), slice_cstr(id));
    if (is_packed && inflateInit2(&r->z, GZIP) != Z_OK)
        abort();
    *out = r;
    return 0;
}

void agent_dirs_reading_close(struct agent_dirs_reading *r)
{
    if (r == NULL)
        return;
    if (r->is_packed)
        inflateEnd(&r->z);
    close(r->fd);
    free(r);
}

bool agent_dirs_reading_is_good(const struct agent_dirs_reading *r,
                                const char *id, uint64_t from)
{
    struct stat st;

    return r != NULL && r->is_packed && r->at <= from &&
           strcmp(r->id, id) == 0 && fstat(r->fd, &st) == 0 && st.st_nlink > 0;
}

/* A gzip file ends with the size of what is in it, modulo 4 GiB: more than a
 * transcript may have. */
static uint64_t unpacked_size(int fd, uint64_t packed)
{
    unsigned char last[4];

    if (packed < 18 || pread(fd, last, 4, (off_t)packed - 4) != 4)
        return 0;
    return (uint64_t)last[0] | (uint64_t)last[1] << 8 |
           (uint64_t)last[2] << 16 | (uint64_t)last[3] << 24;
}

uint64_t agent_dirs_reading_at(const struct agent_dirs_reading *r)
{
    return r->at;
}

uint64_t agent_dirs_reading_size(const struct agent_dirs_reading *r)
{
    struct stat st;

    if (fstat(r->fd, &st) != 0)
        return 0;
    return r->is_packed ? unpacked_size(r->fd, (uint64_t)st.st_size)
                        : (uint64_t)st.st_size;
}

/* ---- reading ----------------------------------------------------------- */

static int fill(struct agent_dirs_reading *r)
{
    ssize_t n;

    if (r->z.avail_in > 0)
        return 0;
    do
        n = read(r->fd, r->in, sizeof(r->in));
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    r->z.next_in = r->in;
    r->z.avail_in = (uInt)n;
    return n == 0 ? -EIO : 0; /* it is cut off */
}

static ssize_t unpack(struct agent_dirs_reading *r, char *to, size_t size)
{
    r->z.next_out = (unsigned char *)to;
    r->z.avail_out = (uInt)size;
    while (r->z.avail_out > 0 && !r->is_at_end) {
        int rc = fill(r);

        if (rc != 0)
            return rc;
        rc = inflate(&r->z, Z_NO_FLUSH);
        if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
            return -EIO;
        r->is_at_end = rc == Z_STREAM_END;
    }
    return (ssize_t)(size - r->z.avail_out);
}

ssize_t agent_dirs_reading_read(struct agent_dirs_reading *r, char *to,
                                size_t size)
{
    ssize_t n;

    if (r->is_packed)
        n = unpack(r, to, size);
    else
        do
            n = pread(r->fd, to, size, (off_t)r->at);
        while (n < 0 && errno == EINTR);
    if (n < 0)
        return r->is_packed ? n : -errno;
    r->at += (uint64_t)n;
    return n;
}

int agent_dirs_reading_seek(struct agent_dirs_reading *r, uint64_t from)
{
    uint64_t left = from - r->at, portion = PORTION;
    char skipped[CHUNK];

    if (!r->is_packed) {
        r->at = folder_skip_hole(r->fd, from);
        return 0;
    }
    while (left > 0 && portion > 0 && !r->is_at_end) {
        ssize_t n = agent_dirs_reading_read(
            r, skipped, left < sizeof(skipped) ? (size_t)left : CHUNK);

        if (n < 0)
            return (int)n;
        left -= (uint64_t)n;
        portion -= (uint64_t)n < portion ? (uint64_t)n : portion;
    }
    return left > 0 && !r->is_at_end;
}
