/*
 * Systems are what a hub has besides groups and agents: mail, phases, projects.
 * Each is an actor of its own that orders of its kinds are passed on to, and
 * what it does, it does by works in the store (store/work.h). The registry
 * makes events of what has happened there, so that there is one order of all
 * that happens, and knows nothing else of any system.
 */
#ifndef ACTORS_REGISTRY_SYSTEMS_H
#define ACTORS_REGISTRY_SYSTEMS_H

#include "actors/registry/registry.h"

struct registry;
struct work;

struct systems {
    struct rt_ref owners[ORDER_KINDS]; /* RT_NOBODY: the registry's own */
    bool is_shared[ORDER_KINDS];       /* and it is too */
    struct work **worked; /* whose events have no number yet; kept */
    size_t count;
};

void systems_join(struct registry *r, const struct registry_join *j);
/* True: the order is a system's, which has it now. */
bool systems_take(struct rt_turn *t, struct registry *r, struct order *o);
/* Lets the store do it. */
void systems_on_work(struct rt_turn *t, struct registry *r, struct work *w);
/* It has been done, and something has happened. */
void systems_on_worked(struct rt_turn *t, struct registry *r, struct work *w);
/* Makes events of all that has happened. */
void systems_tell(struct rt_turn *t, struct registry *r);
/* At the end: what was not told is the next hub's. */
void systems_drop(struct registry *r);

#endif
