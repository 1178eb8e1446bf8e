/*
 * The CLI's stdout: a file of the agent's directory, which may grow to a limit.
 */
#ifndef RUNTIME_WARDEN_OUTPUT_H
#define RUNTIME_WARDEN_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

struct output {
    int fd; /* -1: it could not be opened */
    int64_t limit;
    int64_t at;    /* when to look at its size */
    int64_t bytes; /* what it was */
};

void output_init(struct output *o, int64_t limit, int64_t now);

/* Returns its descriptor or a negative errno. */
int output_open(struct output *o, int dir_fd);

int64_t output_size(const struct output *o);

/* Looks at its size: whether it is over the limit. */
bool output_look(struct output *o, int64_t now);

#endif
