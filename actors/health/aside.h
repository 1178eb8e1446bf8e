/* Directories of processes that are over: moved aside, out of the way of the
 * next ones, and removed there a portion at a time, for a program may have left
 * any number of files. */
#ifndef ACTORS_HEALTH_ASIDE_H
#define ACTORS_HEALTH_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

struct aside {
    const char *state_dir; /* borrowed */
    const char *name;      /* of the directory in it that they go to */
    uint64_t life;         /* names them apart from those of an earlier one */
    unsigned count;
};

void aside_put(struct aside *a, const char *dir);
/* Removes a portion; true: there is more. What cannot be removed is tried again
 * at the next start. */
bool aside_clear(const struct aside *a);

#endif
