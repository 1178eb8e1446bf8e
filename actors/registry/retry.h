/*
 * A retry is the same once more: an order for agents that have ended becomes a
 * run_* order with the words they were given then, and with the error that
 * each has met.
 *
 *   a concurrent group   agents one by one, into the group; into a new one if
 *                        it was deleted
 *   a sequential group   its newest plan from the beginning, for later stages
 *                        build on what earlier ones found; one agent alone
 *                        is refused
 *   a magentic group     its orchestrator, in a new group, as run_magentic
 *                        always does
 */
#ifndef ACTORS_REGISTRY_RETRY_H
#define ACTORS_REGISTRY_RETRY_H

#include "actors/order/order.h"

struct registry;

void retry_order(struct rt_turn *t, struct registry *r, struct order *o);

#endif
