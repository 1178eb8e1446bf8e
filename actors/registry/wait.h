/*
 * A wait is one wait_agent call: it watches the agents it names and answers
 * when they are done or its time is up, once.
 */
#ifndef ACTORS_REGISTRY_WAIT_H
#define ACTORS_REGISTRY_WAIT_H

#include "actors/order/order.h"

/* Starts it as a child of the current actor, who must be the asker, on the
 * home that the registry has; keeps the order. rt_stop cancels it. */
struct rt_ref wait_spawn(struct rt_turn *t, struct rt_ref registry,
                         struct order *order);

#endif
