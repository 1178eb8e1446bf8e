/*
 * Progress is what the streams of agents show between two events. It costs
 * nothing while it is not wanted: agents are marked only for subscribers, and
 * the one timer runs only while one is marked. The first mark after a pause is
 * told at once, the next ones a period later.
 */
#ifndef ACTORS_REGISTRY_PROGRESS_H
#define ACTORS_REGISTRY_PROGRESS_H

#include "actors/agent/agent.h"
#include "runtime/list.h"

struct agent_entry;
struct registry;

struct progress {
    LIST(struct agent_entry) marked; /* only while there are subscribers */
    uint64_t tick;   /* timer: armed while something is marked; or 0 */
    uint64_t ticked; /* monotonic ns: when it last was due */
    struct {
        uint64_t started, lines, bytes;
    } total; /* of all agents, since this hub runs */
};

/* Its stream has gone on. */
void progress_take(struct rt_turn *t, struct registry *r,
                   struct agent_entry *agent, const struct agent_step *step);
/* It is gone, or forgotten: nothing more is told of its stream. */
void progress_stop(struct registry *r, struct agent_entry *agent);
void progress_on_tick(struct rt_turn *t, struct registry *r, uint64_t timer);
/* The last subscriber has left. */
void progress_unmark(struct rt_turn *t, struct registry *r);

#endif
