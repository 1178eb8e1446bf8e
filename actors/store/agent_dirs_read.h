/*
 * A reading is one transcript being read, whole as it lies there or out of its
 * gzip file, while its agent runs or when it is long gone. It works on disk;
 * what it gives is the same either way.
 */
#ifndef ACTORS_STORE_AGENT_DIRS_READ_H
#define ACTORS_STORE_AGENT_DIRS_READ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "actors/store/agent_dirs.h"

struct agent_dirs_reading;

/* 0 or a negative errno: -ENOENT, there is no such agent's directory, -ENODATA,
 * there is no transcript in it. */
int agent_dirs_reading_open(const struct agent_dirs *a, const char *id,
                            struct agent_dirs_reading **out);
void agent_dirs_reading_close(struct agent_dirs_reading *r); /* accepts NULL */

/* Whether it would still give what is there: of a packed one that has not been
 * removed. */
bool agent_dirs_reading_is_good(const struct agent_dirs_reading *r,
                                const char *id);
/* Bytes of the transcript, unpacked. */
uint64_t agent_dirs_reading_size(const struct agent_dirs_reading *r);
/* Goes to this byte, a portion at a time: 1, call again; 0, it is there, or at
 * the end, or behind what was never written there; or a negative errno. */
int agent_dirs_reading_seek(struct agent_dirs_reading *r, uint64_t from);
/* Of the next byte. */
uint64_t agent_dirs_reading_at(const struct agent_dirs_reading *r);
/* The next bytes; less than size at the end, or a negative errno. */
ssize_t agent_dirs_reading_read(struct agent_dirs_reading *r, char *to,
                                size_t size);

#endif
