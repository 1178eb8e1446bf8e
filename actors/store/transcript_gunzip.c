/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "actors/store/transcript_gzip.h"
#include "runtime/text/array.h"
#include "runtime/text/bytes.h"

#define CHUNK (64 * 1024)
/* Unpacked at a time: some milliseconds. */
#define PORTION ((uint64_t)4 << 20)
#define GZIP (15 + 16) /* zlib's word for a gzip file */
/* A MiB cannot be packed into less; and nobody has more of them. */
#define SMALLEST 1000
#define MEMBERS_MAX 65536

struct transcript_gunzip {
    int fd;
    bool is_at_end;
    uint64_t at;      /* of the transcript: the next byte */
    uint64_t in_at;   /* of the file: what is read next */
    uint64_t *starts; /* of members, in the file; NULL: it has no index */
    size_t members;
    uint64_t size;
    z_stream z;
    unsigned char in[CHUNK];
};

/* ---- the index --------------------------------------------------------- */

static uint64_t number(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 |
           (uint64_t)at[3] << 24;
}

/* The member's length, or 0: it does not say. */
static uint64_t member_length(int fd, uint64_t at)
{
    static const unsigned char extra[] = {8, 0, 'K', 'm', 4, 0};
    unsigned char head[TRANSCRIPT_GZIP_HEAD];

    if (pread(fd, head, sizeof(head), (off_t)at) != sizeof(head) ||
        head[0] != 0x1f || head[1] != 0x8b || head[3] != 4 ||
        memcmp(head + 10, extra, sizeof(extra)) != 0)
        return 0;
    return number(head + TRANSCRIPT_GZIP_HEAD - 4);
}

/* A member ends with the size of what is in it, modulo 4 GiB: more than a
 * transcript may have. */
static uint64_t size_before(int fd, uint64_t end)
{
    unsigned char last[4];

    if (end < 18 || pread(fd, last, 4, (off_t)end - 4) != 4)
        return 0;
    return number(last);
}

static void forget_index(struct transcript_gunzip *g)
{
    free(g->starts);
    g->starts = NULL;
    g->members = 0;
}

/* Whoever wrote the file: an index that does not fit is none. */
static void read_index(struct transcript_gunzip *g, uint64_t packed)
{
    uint64_t at = 0, len;

    while (at < packed && g->members < MEMBERS_MAX) {
        len = member_length(g->fd, at);
        if (len < TRANSCRIPT_GZIP_HEAD || len > packed - at ||
            (len < SMALLEST && at + len < packed))
            break;
        ARRAY_GROW(g->starts, g->members);
        g->starts[g->members++] = at;
        at += len;
    }
    g->size = size_before(g->fd, packed);
    if (at < packed || g->members == 0 || g->size > TRANSCRIPT_GZIP_MEMBER)
        forget_index(g);
    else
        g->size += (g->members - 1) * TRANSCRIPT_GZIP_MEMBER;
}

struct transcript_gunzip *transcript_gunzip_create(int fd)
{
    struct transcript_gunzip *g = bytes_zalloc(sizeof(*g));
    struct stat st;

    g->fd = fd;
    if (inflateInit2(&g->z, GZIP) != Z_OK)
        abort();
    if (fstat(fd, &st) == 0)
        read_index(g, (uint64_t)st.st_size);
    return g;
}

void transcript_gunzip_destroy(struct transcript_gunzip *g)
{
    if (g == NULL)
        return;
    inflateEnd(&g->z);
    close(g->fd);
    free(g->starts);
    free(g);
}

uint64_t transcript_gunzip_size(const struct transcript_gunzip *g)
{
    return g->size;
}

uint64_t transcript_gunzip_at(const struct transcript_gunzip *g)
{
    return g->at;
}

/* ---- reading ----------------------------------------------------------- */

/* 1: there is something to unpack; 0: the file ends here. */
static int fill(struct transcript_gunzip *g)
{
    ssize_t n;

    if (g->z.avail_in > 0)
        return 1;
    do
        n = pread(g->fd, g->in, sizeof(g->in), (off_t)g->in_at);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    g->in_at += (uint64_t)n;
    g->z.next_in = g->in;
    g->z.avail_in = (uInt)n;
    return n > 0;
}

/* What follows a member is the next one, or nothing of ours. */
static int end_member(struct transcript_gunzip *g)
{
    int rc = fill(g);

    if (rc < 0)
        return rc;
    g->is_at_end = rc == 0 || g->z.next_in[0] != 0x1f;
    inflateReset(&g->z);
    return 0;
}

ssize_t transcript_gunzip_read(struct transcript_gunzip *g, char *to,
                               size_t size)
{
    g->z.next_out = (unsigned char *)to;
    g->z.avail_out = (uInt)size;
    while (g->z.avail_out > 0 && !g->is_at_end) {
        int rc = fill(g);

        if (rc <= 0)
            return rc < 0 ? rc : -EIO; /* it is cut off */
        rc = inflate(&g->z, Z_NO_FLUSH);
        if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
            return -EIO;
        if (rc == Z_STREAM_END && (rc = end_member(g)) < 0)
            return rc;
    }
    g->at += size - g->z.avail_out;
    return (ssize_t)(size - g->z.avail_out);
}

/* ---- seeking ----------------------------------------------------------- */

static void go_to_member(struct transcript_gunzip *g, size_t member)
{
    inflateReset(&g->z);
    g->z.avail_in = 0;
    g->is_at_end = false;
    g->in_at = g->starts != NULL ? g->starts[member] : 0;
    g->at = member * TRANSCRIPT_GZIP_MEMBER;
}

/* To the member that has it, unless it is the one that is being read, or there
 * is only one. */
static void approach(struct transcript_gunzip *g, uint64_t from)
{
    size_t member = (size_t)(from / TRANSCRIPT_GZIP_MEMBER);

    if (g->starts == NULL)
        member = 0;
    else if (member >= g->members)
        member = g->members - 1;
    if (from < g->at || member > g->at / TRANSCRIPT_GZIP_MEMBER)
        go_to_member(g, member);
}

int transcript_gunzip_seek(struct transcript_gunzip *g, uint64_t from)
{
    uint64_t portion = PORTION;
    char skipped[CHUNK];

    approach(g, from);
    while (g->at < from && portion > 0 && !g->is_at_end) {
        uint64_t left = from - g->at;
        ssize_t n = transcript_gunzip_read(
            g, skipped, left < sizeof(skipped) ? (size_t)left : CHUNK);

        if (n < 0)
            return (int)n;
        portion -= (uint64_t)n < portion ? (uint64_t)n : portion;
    }
    return g->at < from && !g->is_at_end;
}
