/*
 * Phases are the five steps in which a mock-up is made: what is wanted, its
 * design, its data, the mock-up itself, its check. How far each project has
 * come lies in the store, by the project's real path; the actor turns orders
 * into works there (store/work.h), and gets the prompts from where they are:
 *
 *   a file of the project's, the Cloud API (by a short process, so that
 *   nothing waits for a peer), the last copy of it, our own.
 *
 *   registry -- ORDER_PLACED --> phases -- REGISTRY_WORK --> registry --> store
 *   phases <-- PHASES_LOOKED, PHASES_WORKED -- store
 */
#ifndef ACTORS_PHASES_PHASES_H
#define ACTORS_PHASES_PHASES_H

#include "actors/order/hub_context.h"
#include "runtime/rt.h"

struct phases_setup {
    struct hub_context *context; /* kept */
    struct rt_ref registry, processes, mail;
    const char *fetcher; /* program that fetches, see transport/hub/fetch.h;
                            copied */
};

/* Starts it on HUB_LOOP_SPAWN as a child of the current actor, for it reads
 * files of projects; and has the registry pass its orders on. */
struct rt_ref phases_spawn(struct rt_turn *t, const struct phases_setup *s);

#endif
