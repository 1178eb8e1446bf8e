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

/* The variable every agent's process tree inherits. */
#define ENV_TREE_AGENT "KUROMAJUTSU_AGENT_ID"

/* Of which hub: ids are unique in one hub's home only. */
#define ENV_TREE_SOCKET "KUROMAJUTSU_SOCKET"

struct env_tree {
    const char *agent;
    unsigned found; /* alive, in the last look */
    uint64_t faces; /* another number when others were found than before */
};

/*
 * Kills every process of ours whose environment names one of these agents, and
 * no other hub's socket, in one look at all there are. To be called again until
 * none is found.
 */
void env_tree_kill(struct env_tree *trees, size_t count, const char *socket);

/* Whether a process carries this agent's id in its environment. */
bool env_tree_has(pid_t pid, const char *agent);

/* Milliseconds of CPU used by a process and its living descendants, and by
 * the dead ones they have waited for. */
uint64_t env_tree_cpu_ms(pid_t root);

#endif
