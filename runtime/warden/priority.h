/*
 * How little an agent's tree may take of the machine while others want it too:
 * the hub, and the person's own programs.
 */
#ifndef RUNTIME_WARDEN_PRIORITY_H
#define RUNTIME_WARDEN_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/warden/tree.h"

struct priority {
    int nice;       /* how much nicer than we are; 0: not at all */
    int64_t at;     /* when to look at the tree's sessions next */
    int64_t tries;  /* of this look that the kernel has put off */
    int64_t pid_ms; /* keeps wardens that were started together apart */
    bool is_shared; /* by session; found out at the first look */
};

/* `nice` is 0 to 19. */
void priority_init(struct priority *p, int64_t nice, int64_t now);

/* In the child that becomes the CLI: all it starts inherits it. */
void priority_lower(int64_t nice);

/*
 * Where the kernel shares the machine among sessions first, niceness counts
 * within one only, and every session begins with the same share: lowers those
 * of the tree that are not yet. Sets when to look again.
 */
void priority_look(struct priority *p, struct tree *t, int64_t now);

#endif
