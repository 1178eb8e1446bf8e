/* What an agent's process tree uses right now, by /proc. */
#ifndef ACTORS_STORE_PROCESS_TREE_H
#define ACTORS_STORE_PROCESS_TREE_H

#include <stddef.h>
#include <stdint.h>

struct process_tree {
    int32_t warden;  /* 0: it has none any more */
    unsigned count;  /* processes below it */
    uint64_t cpu_ms; /* theirs, and of those that have ended */
    uint64_t memory; /* bytes that are resident */
};

/* Of the CLI's tree. It is left as it was if there is no such process under a
 * warden; of a very large tree, its first part counts. */
void process_tree_look(struct process_tree *tree, int32_t cli);

#endif
