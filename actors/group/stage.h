/*
 * A stage actor walks one sequential plan: it is told of every agent of the
 * plan that is gone, and tells its group when the next stage may begin, with
 * what the last one came to.
 */
#ifndef ACTORS_GROUP_STAGE_H
#define ACTORS_GROUP_STAGE_H

#include "actors/agent/agent.h"

enum {
    /* to it */
    STAGE_GONE = 0x580, /* carries struct stage_gone */
    /* from it, to its parent */
    STAGE_NEXT,    /* carries struct stage_handover */
    STAGE_ABANDON, /* struct stage_at: what follows is not to be run */
    STAGE_OVER     /* struct stage_at: the plan has ended */
};

struct stage_gone {
    struct rt_obj obj;
    unsigned stage;
    struct agent_view *view; /* kept */
};

struct stage_gone *stage_gone_create(unsigned stage, struct agent_view *view);

struct stage_at {
    uint64_t plan; /* the group's own number for it */
    unsigned stage;
};

/* What the next stage is to know. Constant, shared by its agents. */
struct stage_handover {
    struct rt_obj obj;
    struct stage_at at;
    size_t count;
    struct agent_view *views[]; /* kept; in the order of the plan's agents */
};

struct stage_plan {
    uint64_t plan;
    unsigned stages;
    const unsigned *sizes; /* agents of each */
    bool stops_on_failure;
};

/* Starts it as a child of the current actor, its first stage under way. */
struct rt_ref stage_spawn(struct rt_turn *t, const struct stage_plan *plan);

#endif
