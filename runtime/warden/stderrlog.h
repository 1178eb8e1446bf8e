/*
 * What the tree says on stderr: the beginning and the end of it, in a file
 * that never grows beyond its limit. The middle is counted and left out.
 */
#ifndef RUNTIME_WARDEN_STDERRLOG_H
#define RUNTIME_WARDEN_STDERRLOG_H

#include <stdint.h>

struct stderrlog {
    int pipe; /* to be polled for reading; -1 when all writers have left */
    int dir_fd;
    int head_fd; /* -1 until something is said */
    int tail_fd; /* -1 until the head is full */
    int64_t head_max;
    int64_t tail_max;
    int64_t total; /* bytes the tree wrote, kept or not */
};

/*
 * Makes a pipe to stderr.log in that directory, which is made at its first
 * byte. *writer is the tree's end, the caller's to close once the CLI has it.
 * Returns 0 or -errno.
 */
int stderrlog_open(struct stderrlog *g, int dir_fd, int64_t limit, int *writer);

/* Takes one buffer full from the pipe, without waiting. */
void stderrlog_read(struct stderrlog *g);

/* Call when the tree has gone: takes the rest and puts the tail in place. */
void stderrlog_close(struct stderrlog *g);

#endif
