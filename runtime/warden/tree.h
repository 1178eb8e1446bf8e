/*
 * The tree of processes below this one: everything that descends from it,
 * whatever session it fled to, because the caller is its subreaper.
 */
#ifndef RUNTIME_WARDEN_TREE_H
#define RUNTIME_WARDEN_TREE_H

#include <stddef.h>
#include <sys/types.h>

/* How much of a tree one pass sees; what is beyond comes up in a later one. */
#define TREE_MAX 1024

struct tree_node {
    pid_t pid;
    pid_t parent;
};

struct tree {
    size_t found;
    size_t known;
    size_t alive;                    /* in the last pass */
    struct tree_node node[TREE_MAX]; /* of the present pass */
    pid_t known_pid[TREE_MAX];       /* signalled since tree_init */
};

void tree_init(struct tree *t);

/* Fills in found and node, and signals nobody. */
void tree_collect(struct tree *t);

/* Opens /proc/PID`rest`. */
int tree_open(pid_t pid, const char *rest, int flags);

/*
 * Sends TERM, once in a tree's life, to each process there is. Returns how
 * many living ones got it.
 */
size_t tree_term(struct tree *t);

/*
 * Sends KILL to everything there is, process groups included, and looks again
 * until a pass shows no new one. Returns how many it had not met before: 0
 * means that all are dying already and only time can help.
 */
size_t tree_kill(struct tree *t);

#endif
