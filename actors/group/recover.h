/*
 * What an earlier hub left of one order's agents: told to their group, which
 * adopts those that live, queues those that waited, and walks a plan again up
 * to where it stood.
 */
#ifndef ACTORS_GROUP_RECOVER_H
#define ACTORS_GROUP_RECOVER_H

#include "actors/agent/agent.h"
#include "actors/order/order.h"

struct group_past_agent {
    bool is_known;   /* else nothing of it is left, and no client asks for it */
    bool is_started; /* a warden may have it */
    struct agent_view *view; /* kept; NULL: it had not begun */
};

struct group_past {
    struct rt_obj obj;
    struct order *order; /* kept */
    bool has_plan;       /* its plan had not ended */
    struct slice ledger; /* of a magentic group; lives as long as this */
    struct group_past_agent agents[]; /* one for each task */
};

struct group_past *group_past_create(struct order *order, struct slice ledger);

#endif
