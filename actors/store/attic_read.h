/*
 * A reading is one transcript being read, whole as it lies there or out of its
 * gzip file, while its agent runs or when it is long gone. It works on disk;
 * what it gives is the same either way.
 */
#ifndef ACTORS_STORE_ATTIC_READ_H
#define ACTORS_STORE_ATTIC_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "actors/store/attic.h"

struct attic_reading;

/* 0 or a negative errno: -ENOENT, there is no such agent's directory, -ENODATA,
 * there is no transcript in it. */
int attic_reading_open(const struct attic *a, const char *id,
                       struct attic_reading **out);
void attic_reading_close(struct attic_reading *r); /* accepts NULL */

/* Whether it would still give what is there: of a packed one that has not been
 * removed, up to this byte. */
bool attic_reading_is_good(const struct attic_reading *r, const char *id,
                           uint64_t from);
/* Bytes of the transcript, unpacked. */
uint64_t attic_reading_size(const struct attic_reading *r);
/* Goes on to this byte, a portion at a time: 1, call again; 0, it is there, or
 * at the end; or a negative errno. */
int attic_reading_seek(struct attic_reading *r, uint64_t from);
/* The next bytes; less than size at the end, or a negative errno. */
ssize_t attic_reading_read(struct attic_reading *r, char *to, size_t size);

#endif
