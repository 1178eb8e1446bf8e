/*
 * Judging: whether an order may be, and to which group it goes. The order of
 * checks is the same for all: the group exists, is active, has the right mode;
 * the caller may (permission.h); the roles are there, allowed, available
 * (tasks.h); the budget is not used up (spend.h). Places are the group's
 * matter.
 */
#ifndef ACTORS_REGISTRY_JUDGE_H
#define ACTORS_REGISTRY_JUDGE_H

#include "actors/order/order.h"

struct registry;

void judge_create_group(struct rt_turn *t, struct registry *r, struct order *o);
void judge_delete_group(struct rt_turn *t, struct registry *r, struct order *o);
/* All three run_*. is_due: it has waited for checks long enough. */
void judge_run(struct rt_turn *t, struct registry *r, struct order *o,
               bool is_due);
void judge_report(struct rt_turn *t, struct registry *r, struct order *o);
void judge_update_ledger(struct rt_turn *t, struct registry *r,
                         struct order *o);

#endif
