/*
 * A hold is an order that may last with a system: a life of its own, so that
 * who has placed it can take it back. Its system monitors the order's asker,
 * which is the hold, and forgets the order when that has ended.
 */
#ifndef ACTORS_REGISTRY_HOLD_H
#define ACTORS_REGISTRY_HOLD_H

#include "actors/order/order.h"

/* Starts it as a child of the current actor, which is the asker, and places the
 * order, whose one reference is given away. rt_stop takes it back. */
struct rt_ref hold_spawn(struct rt_turn *t, struct rt_ref registry,
                         struct order *order);

#endif
