/*
 * Conflicts: two agents that are not done have touched the same file. Each pair
 * is told once per file, as soon as the stream of the second shows it: in the
 * feed, the log, and to who waits for one of the two.
 *
 * Files are found by their paths, so that a touch costs one look however many
 * agents there are. What is remembered is bounded: an agent that touches more
 * files, or meets more others, is watched no further.
 */
#ifndef ACTORS_REGISTRY_CONFLICTS_H
#define ACTORS_REGISTRY_CONFLICTS_H

#include "actors/agent/agent.h"
#include "actors/order/order.h"
#include "actors/store/past.h"
#include "runtime/text/index.h"

struct agent_entry;
struct registry;

#define CONFLICTS_FILES 2000       /* of one agent that are remembered */
#define CONFLICTS_FILES_ALL 200000 /* of all agents */
#define CONFLICTS_TOLD 100         /* pairs and files of one agent */
#define CONFLICTS_BYTES 8192       /* of them in one answer */

struct touch;
struct conflict;

struct conflicts {
    struct index by_path; /* touches of agents that are not done */
    size_t count;
};

/* What an agent has to do with them. */
struct agent_conflicts {
    struct touch *touches; /* until it is done */
    unsigned touch_count;
    struct conflict *told; /* the newest first */
    unsigned told_count;
};

/* An agent has touched files. */
void conflicts_touched(struct rt_turn *t, struct registry *r,
                       const struct agent_touched *m);
/* It is done: what it has touched is no one's concern any more. */
void conflicts_leave(struct registry *r, struct agent_entry *agent);
/* It is forgotten. */
void conflicts_forget(struct registry *r, struct agent_entry *agent);
/* Those that an earlier hub has told are not told again. */
void conflicts_restore(struct registry *r, const struct past *p);
/* `"conflicts":[{"path":P,"agentId":other}]`, if there are any. */
void conflicts_put(struct bytes *out, const struct agent_entry *agent);
/* Appends an object for each, as a wait tells them, with a comma between them;
 * without those with agents of the same mark and a greater number, who have
 * the same. */
void conflicts_put_pairs(struct bytes *out, struct registry *r,
                         const struct agent_entry *agent, uint64_t mark);

#endif
