/*
 * What the tree may take of memory, all its processes together: a cgroup of
 * its own, which the CLI enters before it is the CLI.
 */
#ifndef RUNTIME_WARDEN_MEMORY_H
#define RUNTIME_WARDEN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct memory {
    const char *path; /* of the cgroup; NULL: there is no limit */
    int dir;          /* it, open and locked: in use */
    int procs;        /* what a process writes to, to enter; else -1 */
};

/*
 * Makes the cgroup and sets its limit. The path stays the caller's; NULL is no
 * limit. Returns 0 or a negative errno; either way it is to be closed.
 */
int memory_open(struct memory *m, const char *path, int64_t max);

/* Whether the kernel has killed for the limit's sake. */
bool memory_was_reached(const struct memory *m);

/* Removes the cgroup, which must be empty; one that is not is the hub's. */
void memory_close(struct memory *m);

#endif
