/*
 * What a warden keeps of itself in its agent's directory: one file, which it
 * holds locked as long as it lives.
 *
 *   started 0001795001558725 0123456789abcdef     before the CLI is started
 *   0123456789abcdef {"agent":...}                once its tree has ended
 *
 * A line is written in one go, in the place that it has from the beginning, and
 * carries a checksum: half a line is none. The second fits into the block that
 * the first has taken, so a disk that is full meanwhile takes it all the same.
 *
 * Wardens of earlier versions have three files for that: `lock`, `started`, of
 * which only its time says something, and `exit.json`. Those are read where the
 * one has nothing to say. The directory is the agent's, and so may all of them
 * be: what is read here is its word then.
 */
#ifndef RUNTIME_TEXT_WARDEN_FILE_H
#define RUNTIME_TEXT_WARDEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WARDEN_FILE "warden"
#define WARDEN_FILE_LOCK "lock" /* of earlier versions, as the next two */
#define WARDEN_FILE_STARTED "started"
#define WARDEN_FILE_EXIT "exit.json"

/* An exit record is no longer than this; what is longer is none. */
#define WARDEN_FILE_EXIT_MAX 3072
/* Who reads one has room for any, also of earlier versions. */
#define WARDEN_FILE_TEXT 16384

/* ---- reading: `dir` is a descriptor of the directory ---- */

/* Whether a warden holds the directory: 1, 0, or a negative errno when it is
 * ourselves that cannot look just now. */
int warden_file_is_held(int dir);
/* When the CLI was started, wall clock, ms; 0: it was not. */
uint64_t warden_file_started(int dir);
/* The exit record, JSON, without its end of line; 0 when there is none, or
 * none that fits. It is ended by a zero, for which there has to be room. */
size_t warden_file_exit(int dir, char *to, size_t size);

/* ---- writing ---- */

/* Of one that is locked and empty. 0 or a negative errno. */
int warden_file_put_started(int fd, uint64_t at);
/* Both lines: the agent may have written over the first. 0 or a negative errno.
 */
int warden_file_put_exit(int fd, uint64_t at, const char *record, size_t len);

#endif
