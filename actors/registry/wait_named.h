/*
 * Agents that a wait names, each once: by their ids, or all of a group. Those
 * that the registry has forgotten are looked up in the store.
 */
#ifndef ACTORS_REGISTRY_WAIT_NAMED_H
#define ACTORS_REGISTRY_WAIT_NAMED_H

#include "actors/order/order.h"
#include "runtime/text/index.h"

struct agent_entry;
struct group_entry;
struct registry;
struct store_lookup;
struct store_lookup_item;

struct wait_named {
    struct index_link by_id;
    struct slice id;
    struct agent_entry *agent;             /* or NULL */
    const struct store_lookup_item *found; /* or NULL */
};

/* All that a wait for this group waits for; the caller frees it. */
struct wait_named *wait_name_group(struct group_entry *top, unsigned *count);
/* Those of agentIds, with what the store has found of them (or NULL, before it
 * was asked); the caller frees it. */
struct wait_named *wait_name_all(struct registry *r, struct order *o,
                                 const struct store_lookup *found,
                                 unsigned *count);
/* Asks the store for those that the registry does not know. True: it was
 * asked, and will say more. */
bool wait_look_up(struct rt_turn *t, struct registry *r, struct rt_ref who,
                  struct order *o, const struct wait_named *all,
                  unsigned count);

#endif
