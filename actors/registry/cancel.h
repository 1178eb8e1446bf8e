/*
 * Cancelling. A cancellation is answered when each agent it means is done:
 * whether it was cancelled or had come to its end by itself is not known
 * before. So the answer is never contradicted by what is read next, and the
 * group may be deleted right after it.
 */
#ifndef ACTORS_REGISTRY_CANCEL_H
#define ACTORS_REGISTRY_CANCEL_H

#include "actors/order/order.h"
#include "runtime/list.h"

struct agent_entry;
struct cancel;
struct group_entry;
struct registry;

/* Cancellations that are not answered yet. */
struct cancels {
    LIST(struct cancel) all;
    uint64_t number; /* of the last */
};

/* cancel_agent. */
void cancel_order(struct rt_turn *t, struct registry *r, struct order *o);
/* The reason becomes part of its result, if it is not done. */
void cancel_agent(struct rt_turn *t, struct agent_entry *agent,
                  struct slice reason);
/* Ends all agents that there are. */
void cancel_all(struct rt_turn *t, struct registry *r);
/* Ends what an orchestrator that has come to its end left running. */
void cancel_family(struct rt_turn *t, struct group_entry *group);
/* It may have changed: answers the cancellations that are then complete. */
void cancel_news(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent);
/* The same of one that is no more. */
void cancel_forget(struct rt_turn *t, struct registry *r,
                   struct agent_entry *agent);
/* At the end, before the agents: forgets those that are not complete. */
void cancel_drop(struct registry *r);

#endif
