/* SPDX-License-Identifier: MIT */
#include "actors/store/transcript_gzip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "actors/store/agent_dirs.h"
#include "runtime/text/bytes.h"
#include "runtime/text/folder.h"

#define CHUNK (64 * 1024)
#define PORTION 4 /* chunks at a time: some milliseconds */
#define PART AGENT_DIRS_PACKED ".part"
#define GZIP (15 + 16) /* zlib's word for a gzip file of the largest window */

struct transcript_gzip {
    int dir, in, out;
    uint64_t at; /* of the next byte; what was never written is left out */
    bool has_stream;
    z_stream z;
    gz_header head;
    unsigned char extra[8];
    bool has_member;     /* one is written */
    uint64_t taken;      /* bytes of transcript in the next */
    struct bytes member; /* as far as it is packed */
    unsigned char read[CHUNK], packed[CHUNK];
};

void transcript_gzip_destroy(struct transcript_gzip *p)
{
    if (p == NULL)
        return;
    if (p->has_stream)
        deflateEnd(&p->z);
    if (p->out >= 0) {
        close(p->out);
        unlinkat(p->dir, PART, 0); /* gone already if it is complete */
    }
    if (p->in >= 0)
        close(p->in);
    close(p->dir);
    bytes_finish(&p->member);
    free(p);
}

static int open_files(struct transcript_gzip *p)
{
    p->in = folder_file(p->dir, AGENT_DIRS_TRANSCRIPT, O_RDONLY);
    if (p->in < 0)
        return p->in;
    p->out = folder_new_file(p->dir, PART);
    return p->out < 0 ? p->out : 0;
}

/* The length is put in when it is known. */
static int begin_member(struct transcript_gzip *p)
{
    static const unsigned char mark[] = {'K', 'm', 4, 0, 0, 0, 0, 0};

    memcpy(p->extra, mark, sizeof(mark));
    p->head =
        (gz_header){.os = 3, .extra = p->extra, .extra_len = sizeof(p->extra)};
    p->taken = 0;
    p->member.len = 0;
    return deflateReset(&p->z) == Z_OK &&
                   deflateSetHeader(&p->z, &p->head) == Z_OK
               ? 0
               : -EIO;
}

int transcript_gzip_create(int dir, struct transcript_gzip **out)
{
    struct transcript_gzip *p = bytes_zalloc(sizeof(*p));
    int rc;

    *out = NULL;
    p->dir = dir;
    p->in = p->out = -1;
    rc = open_files(p);
    if (rc == 0 && deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP,
                                8, Z_DEFAULT_STRATEGY) != Z_OK)
        rc = -ENOMEM;
    p->has_stream = rc == 0;
    if (rc == 0)
        rc = begin_member(p);
    if (rc != 0) {
        transcript_gzip_destroy(p);
        return rc;
    }
    *out = p;
    return 0;
}

static int pack(struct transcript_gzip *p, size_t size, int flush)
{
    p->z.next_in = p->read;
    p->z.avail_in = (uInt)size;
    do {
        p->z.next_out = p->packed;
        p->z.avail_out = CHUNK;
        if (deflate(&p->z, flush) == Z_STREAM_ERROR)
            return -EIO;
        bytes_append(&p->member, (char *)p->packed, CHUNK - p->z.avail_out);
    } while (p->z.avail_out == 0);
    return 0;
}

static int end_member(struct transcript_gzip *p)
{
    int rc = pack(p, 0, Z_FINISH);

    if (rc != 0)
        return rc;
    for (unsigned i = 0; i < 4; i++)
        p->member.ptr[TRANSCRIPT_GZIP_HEAD - 4 + i] =
            (char)(p->member.len >> (8 * i));
    rc = folder_write(p->out, p->member.ptr, p->member.len);
    p->has_member = true;
    return rc == 0 ? begin_member(p) : rc;
}

/* The original goes when nothing can happen to the copy any more. One without
 * a byte is a member without one. */
static int settle(struct transcript_gzip *p)
{
    int rc = p->taken > 0 || !p->has_member ? end_member(p) : 0;

    if (rc != 0)
        return rc;
    if (fdatasync(p->out) != 0 ||
        renameat(p->dir, PART, p->dir, AGENT_DIRS_PACKED) != 0 ||
        fsync(p->dir) != 0 || unlinkat(p->dir, AGENT_DIRS_TRANSCRIPT, 0) != 0)
        return -errno;
    return 0;
}

int transcript_gzip_step(struct transcript_gzip *p)
{
    for (unsigned i = 0; i < PORTION; i++) {
        uint64_t room = TRANSCRIPT_GZIP_MEMBER - p->taken;
        ssize_t n = folder_read(p->in, p->read,
                                room < CHUNK ? (size_t)room : CHUNK, &p->at);
        int rc;

        if (n < 0)
            return -errno;
        if (n == 0)
            return settle(p);
        p->taken += (uint64_t)n;
        rc = pack(p, (size_t)n, Z_NO_FLUSH);
        if (rc == 0 && p->taken == TRANSCRIPT_GZIP_MEMBER)
            rc = end_member(p);
        if (rc != 0)
            return rc;
    }
    return 1;
}
