/* SPDX-License-Identifier: MIT */
#include "actors/registry/parked.h"

#include <stdlib.h>

#include "actors/registry/inside.h"

struct parked {
    struct parked *next;
    struct order *order; /* kept */
    uint64_t timer;
};

void parked_add(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct parked *p = bytes_zalloc(sizeof(*p)), **end = &r->parked.first;
    uint64_t gate = (uint64_t)registry_config(r)->health.gate_ms, waited;

    if (o->gated == 0)
        o->gated = rt_now(t);
    waited = (rt_now(t) - o->gated) / 1000000;
    p->order = RT_KEEP(o);
    p->timer = rt_after(t, waited < gate ? gate - waited : 0, REGISTRY_GATE);
    while (*end != NULL)
        end = &(*end)->next;
    *end = p;
}

static void free_parked(struct parked *p)
{
    rt_obj_drop(&p->order->obj);
    free(p);
}

void parked_try(struct rt_turn *t, struct registry *r)
{
    struct parked *p = r->parked.first, *next;

    r->parked.first = NULL;
    for (; p != NULL; p = next) {
        next = p->next;
        rt_cancel(t, p->timer);
        registry_carry_out(t, r, p->order, false);
        free_parked(p);
    }
}

void parked_on_gate(struct rt_turn *t, struct registry *r, uint64_t timer)
{
    struct parked **link = &r->parked.first, *p;

    while (*link != NULL && (*link)->timer != timer)
        link = &(*link)->next;
    if ((p = *link) == NULL)
        return;
    *link = p->next;
    registry_carry_out(t, r, p->order, true);
    free_parked(p);
}

void parked_drop(struct registry *r)
{
    while (r->parked.first != NULL) {
        struct parked *next = r->parked.first->next;

        free_parked(r->parked.first);
        r->parked.first = next;
    }
}
