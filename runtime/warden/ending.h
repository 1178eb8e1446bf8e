/*
 * The end of a tree: TERM, a grace, and KILL until nothing is left or nothing
 * helps. All moments are monotonic milliseconds.
 */
#ifndef RUNTIME_WARDEN_ENDING_H
#define RUNTIME_WARDEN_ENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/warden/tree.h"

struct ending {
    bool is_killing;    /* the grace is over */
    int64_t kill_at;    /* when it ends */
    int64_t sweep_at;   /* killing: when to look again */
    int64_t sweep_ms;   /* killing: how long to wait then */
    int64_t give_up_at; /* killing: when what is left is left */
    struct tree tree;
};

void ending_init(struct ending *e);
/* Sends TERM, unless there is no grace. Returns how many got it. */
size_t ending_begin(struct ending *e, int64_t grace, int64_t now);
/* Only ever shortens the grace. */
void ending_hurry(struct ending *e, int64_t grace, int64_t now);
/* When to call ending_kill. */
int64_t ending_at(const struct ending *e);
/* Sends KILL. Returns how many were not met before. */
size_t ending_kill(struct ending *e, int64_t give_up_ms, int64_t now);
/*
 * Whether what has not died of KILL will not: it is in the kernel's hands, or
 * another user's, or dead and not buried, and may be for as long as the machine
 * runs. How many are alive is in the tree.
 */
bool ending_is_vain(const struct ending *e, int64_t now);

#endif
