/*
 * What a caller may do: an agent of ours reaches only what is below its own
 * group, only orchestrators start agents, and what a magentic group was given
 * (roles, iterations) holds for everything below it.
 */
#ifndef ACTORS_REGISTRY_PERMISSION_H
#define ACTORS_REGISTRY_PERMISSION_H

#include "actors/order/order.h"

struct agent_entry;
struct group_entry;
struct registry;

/* The agent that placed it, or NULL. */
struct agent_entry *permission_caller(struct registry *r, struct order *o);
/* Whether the order's caller may do something with this group: one that is no
 * agent of ours with any, an agent only within its own family. */
bool permission_has(struct registry *r, struct order *o,
                    const struct group_entry *group);
/* An agent reaches beyond its family; always false. */
bool permission_refuse_stranger(struct rt_turn *t, struct order *o,
                                const char *id);
/* Whether the caller may end or remove what is in that group; id is what it
 * named. False: it has been refused. */
bool permission_may_manage(struct rt_turn *t, struct registry *r,
                           struct order *o, const struct group_entry *group,
                           const char *id);
/* Whether the caller may make groups and start agents, in that group if it is
 * not NULL. False: it has been refused. */
bool permission_may_nest(struct rt_turn *t, struct registry *r, struct order *o,
                         const struct group_entry *group);
/* Whether the limits of the families above let it. False: refused. */
bool permission_may_run(struct rt_turn *t, struct order *o,
                        struct group_entry *group);
/* There is no such role: says which there are. Always false. */
bool permission_refuse_unknown_role(struct rt_turn *t, struct order *o,
                                    struct slice role);
/* Notes which roles a run_magentic order may use. False: refused. Without a
 * turn, for an order of the past, those that are no more are left out. */
bool permission_allow(struct rt_turn *t, struct order *o,
                      struct group_entry *parent);

#endif
