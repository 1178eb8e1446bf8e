/* Tasks are the agents that a run_* order wants. */
#ifndef ACTORS_REGISTRY_TASKS_H
#define ACTORS_REGISTRY_TASKS_H

#include "actors/order/order.h"

struct group_entry;
struct registry;

/* Reads them into the order. False: it has been refused. */
bool tasks_read(struct rt_turn *t, struct order *o);
/* The same for an order of the past: nothing is checked again, and roles that
 * are no more stay NULL. False: it makes no sense. */
bool tasks_recall(struct registry *r, struct order *o,
                  struct group_entry *group);
/* Whether each task's role can be hired. False: refused, or *must_wait. */
bool tasks_check_roles(struct rt_turn *t, struct order *o, bool is_due,
                       bool *must_wait);
/* Whether agents can be started at all. False: it has been refused. */
bool tasks_can_start(struct rt_turn *t, const struct registry *r,
                     struct order *o);
uint64_t tasks_timeout(const struct registry *r, const struct order_task *task);

#endif
