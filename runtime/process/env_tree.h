/*
 * Finding processes by what they carry in their environment: the last resort
 * for trees whose warden was killed, and the stall watch's look at a tree.
 */
#ifndef RUNTIME_PROCESS_ENV_TREE_H
#define RUNTIME_PROCESS_ENV_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/text/index.h"

/* The variable every agent's process tree inherits. */
#define ENV_TREE_AGENT "KUROMAJUTSU_AGENT_ID"

/* Of which hub: ids are unique in one hub's home only. */
#define ENV_TREE_SOCKET "KUROMAJUTSU_SOCKET"

/* One that is to be killed. */
struct env_tree {
    struct index_link by_agent;
    char agent[136];
    unsigned found; /* of it, since it was added: alive */
    uint64_t faces; /* another number when others were found than before */
};

/* Puts it into the index of those to be killed; nothing is found of it yet. */
void env_tree_add(struct index *trees, struct env_tree *tree);

/*
 * Kills every process of ours whose environment names one of these agents, and
 * no other hub's socket, in one pass over all processes, however many trees
 * there are. Call again for those of which some were found.
 */
void env_tree_kill(struct index *trees, const char *socket);

/* Whether a process carries this agent's id in its environment. */
bool env_tree_has(pid_t pid, const char *agent);

/* Milliseconds of CPU used by a process and its living descendants, and by
 * the dead ones they have waited for. */
uint64_t env_tree_cpu_ms(pid_t root);

#endif
