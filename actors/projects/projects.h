/*
 * Projects have tasks, and agents who do them. Such an agent is a *profile*: a
 * name with a passkey, there for as long as anybody wants it, whoever runs
 * under it. All of it lies in the store; the actor turns orders into works
 * there (store/work.h), and has passkeys derived where that stops nothing:
 *
 *   registry -- ORDER_PLACED --> projects -- REGISTRY_WORK --> registry, store
 *   projects <-- PROJECTS_LOOKED, PROJECTS_WORKED -- store
 *   projects -- KEYS_DERIVE --> keys, on a loop of its own
 *
 * Its runner (runner.c) starts agents for the tasks that wait for them.
 */
#ifndef ACTORS_PROJECTS_PROJECTS_H
#define ACTORS_PROJECTS_PROJECTS_H

#include "actors/order/hub_context.h"
#include "actors/store/work.h"
#include "runtime/rt.h"

struct projects_setup {
    struct hub_context *context; /* kept */
    struct rt_ref registry, mail;
};

/* Starts it on HUB_LOOP_FRONT as a child of the current actor, and has the
 * registry pass its orders on. */
struct rt_ref projects_spawn(struct rt_turn *t, const struct projects_setup *s);

/* What answers this order and writes nothing, for who has the database and no
 * hub; NULL: it is none of ours, or would write. The caller owns the work. */
struct work *projects_question(struct rt_turn *t, struct order *o);

#endif
