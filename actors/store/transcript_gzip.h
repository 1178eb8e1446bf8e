/*
 * A transcript in a gzip file: on its way there, and read out of it.
 *
 * The file is a row of gzip members, each of which holds a MiB of transcript,
 * the last one the rest; each says in its header how long it is. So a reader
 * goes from header to header and begins with the member that it needs, and
 * every other program sees one gzip file. Files of a single member, which were
 * packed before that, are read from their beginning.
 */
#ifndef ACTORS_STORE_TRANSCRIPT_GZIP_H
#define ACTORS_STORE_TRANSCRIPT_GZIP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TRANSCRIPT_GZIP_MEMBER ((uint64_t)1 << 20)
/* Its header: gzip's own ten bytes, the length of what is added (2), and that:
 * "Km", its length (2), and the length of the member (4). */
#define TRANSCRIPT_GZIP_HEAD 20

struct transcript_gzip;

/* Takes the descriptor of the agent's directory, also when it fails: -ENOENT
 * if there is nothing to pack. */
int transcript_gzip_create(int dir, struct transcript_gzip **out);
/* Accepts NULL; what is not complete is removed again. */
void transcript_gzip_destroy(struct transcript_gzip *p);
/* 1: there is more; 0: the gzip file is in place and the original gone. */
int transcript_gzip_step(struct transcript_gzip *p);

struct transcript_gunzip;

/* Takes the descriptor of the file. */
struct transcript_gunzip *transcript_gunzip_create(int fd);
void transcript_gunzip_destroy(struct transcript_gunzip *g);
/* Bytes of the transcript. */
uint64_t transcript_gunzip_size(const struct transcript_gunzip *g);
/* Goes to this byte, a portion at a time: 1, call again; 0, it is there, or at
 * the end; or a negative errno. */
int transcript_gunzip_seek(struct transcript_gunzip *g, uint64_t from);
/* Of the next byte. */
uint64_t transcript_gunzip_at(const struct transcript_gunzip *g);
/* The next bytes; less than size at the end, or a negative errno. */
ssize_t transcript_gunzip_read(struct transcript_gunzip *g, char *to,
                               size_t size);

#endif
