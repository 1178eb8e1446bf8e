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
 * From WARDEN_FILE_PAPERS on there may be papers: how the agent was started,
 * for people who ask later. A hub leaves them there before there is a warden,
 * with zeros in the place of the lines.
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

/* Where papers begin, in bytes. */
#define WARDEN_FILE_PAPERS 4096
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
 * none that fits. It is ended by a zero, for which there has to be room. The
 * start comes with it, unless that is NULL. */
size_t warden_file_exit(int dir, char *to, size_t size, uint64_t *started);

/* A descriptor of it, to read its papers, or a negative errno; *len is how many
 * bytes they have, which may be none. */
int warden_file_papers(int dir, uint64_t *len);

/* ---- writing ---- */

/* The hub, before there is a warden: leaves papers. A file that is there is
 * left as it is, for a warden may hold it. 0 or a negative errno. */
int warden_file_begin(int dir, const char *papers, size_t len);
/* Whether in one that is locked no start is marked, nor anything else. */
bool warden_file_is_blank(int fd);
/* Of one that is locked and blank. 0 or a negative errno. */
int warden_file_put_started(int fd, uint64_t at);
/* Makes it blank again. 0 or a negative errno. */
int warden_file_take_back(int fd);
/* Both lines: the agent may have written over the first. 0 or a negative errno.
 */
int warden_file_put_exit(int fd, uint64_t at, const char *record, size_t len);

#endif
