/* Parked orders wait for the checks of their roles, for as long as
 * health.gate_ms lets them. */
#ifndef ACTORS_REGISTRY_PARKED_H
#define ACTORS_REGISTRY_PARKED_H

#include "actors/order/order.h"

struct parked;
struct registry;

struct parked_orders {
    struct parked *first; /* oldest first */
};

void parked_add(struct rt_turn *t, struct registry *r, struct order *o);
/* There is a new roster. Those that still have to wait park themselves again.
 */
void parked_try(struct rt_turn *t, struct registry *r);
/* One has waited long enough. */
void parked_on_gate(struct rt_turn *t, struct registry *r, uint64_t timer);
void parked_drop(struct registry *r);

#endif
