/*
 * Files of a directory that is not ours alone: an agent's own, where it may
 * have put anything in the place of what we left there.
 *
 * So nothing is found by a path through it, but from a descriptor of it, and a
 * name in it is never followed elsewhere; what is opened is a regular file or
 * nothing, and opening never waits; what is written is a new file.
 */
#ifndef RUNTIME_TEXT_FOLDER_H
#define RUNTIME_TEXT_FOLDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* ---- directories: each a descriptor, or a negative errno ---- */

/* By its path, of which only the last name is not followed. One that its owner
 * has shut to us is opened to us again, in its mode too. */
int folder_open(const char *path);
int folder_open_in(int dir, const char *name);
/* Makes it 0700 if it is not there. */
int folder_make_in(int dir, const char *name);
/* The one that a name of several parts lies in, those before it made when they
 * are not there; *last is its last part. */
int folder_reach(int dir, const char *name, const char **last);

/* ---- files ---- */

/* A descriptor, or a negative errno; -ENOENT also if something else than a
 * regular file is there. O_CREAT makes it 0600. */
int folder_file(int dir, const char *name, int flags);
/* An empty one of our own, 0600, for reading and writing, in the place of
 * whatever file was there. */
int folder_new_file(int dir, const char *name);
/* At most `max` bytes from the end of a file; how many. */
size_t folder_read_end(int dir, const char *name, char *to, size_t max);

/* Where something was written, from this byte on, or where the file ends: a
 * file can be made any size without a byte of it being written. */
uint64_t folder_skip_hole(int fd, uint64_t at);
/* The next bytes that were written, from *at on, which moves behind them. As
 * read. */
ssize_t folder_read(int fd, void *to, size_t size, uint64_t *at);
/* All of it. 0 or a negative errno. */
int folder_write(int fd, const void *from, size_t size);
/* What a file takes on the disk, but no more than is in it. */
uint64_t folder_bytes(const struct stat *info);

/* ---- the end ---- */

/*
 * Removes a file, or a directory with all that is in it, a portion of it at a
 * time: 1, it is to be called again; 0, it is gone; or a negative errno, and
 * what could be removed is. However deep it is, it takes three descriptors.
 */
int folder_remove(int dir, const char *name);

#endif
