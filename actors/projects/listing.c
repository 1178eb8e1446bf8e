/* SPDX-License-Identifier: MIT */
/*
 * list_agents is of two specifications: one means agents that were launched,
 * the other profiles. Who says neither is told both, launched ones first; where
 * there is but one kind, the answer is just what its specification has. People
 * have lists of their own.
 */
#include <stdlib.h>

#include "actors/projects/inside.h"
#include "actors/registry/registry.h"

static void give_back(struct rt_turn *t, const struct projects *p,
                      struct order *o)
{
    rt_pass(t, p->setup.registry, REGISTRY_RETURN, &o->obj);
}

static void ask_registry(struct rt_turn *t, struct projects *p, struct order *o)
{
    struct listing *l = bytes_zalloc(sizeof(*l));
    struct order *asked;

    *l = (struct listing){
        .next = p->listings, .order = RT_KEEP(o), .ticket = ++p->last_ticket};
    p->listings = l;
    asked = order_create(o->kind, o->args, o->caller, rt_self(t), l->ticket);
    asked->is_for_model = o->is_for_model;
    rt_pass_take(t, p->setup.registry, REGISTRY_RETURN, &asked->obj);
}

void listing_begin(struct rt_turn *t, struct projects *p, struct order *o)
{
    struct slice kind = FIELD_TEXT(o->args, "kind");

    if (slice_eq(kind, SLICE("profile")))
        projects_order_work(t, p, pm_work_create(t, o, profile_list),
                            PROJECTS_WORKED);
    else if (kind.len > 0 || p->has_none || !o->is_for_model ||
             FIELD(o->args, "groupId") || FIELD(o->args, "status"))
        give_back(t, p, o);
    else
        ask_registry(t, p, o);
}

static struct order *take(struct projects *p, uint64_t ticket)
{
    for (struct listing **at = &p->listings; *at != NULL; at = &(*at)->next) {
        struct listing *l = *at;
        struct order *o = l->order;

        if (l->ticket != ticket)
            continue;
        *at = l->next;
        free(l);
        return o;
    }
    return NULL;
}

void listing_on_answer(struct rt_turn *t, struct projects *p,
                       const struct answer *a)
{
    struct order *o = a->ticket != 0 ? take(p, a->ticket) : NULL;
    struct pm_work *w;

    if (o == NULL)
        return;
    w = pm_work_create(t, o, profile_list);
    bytes_append(&w->runs, a->json.ptr, a->json.len);
    projects_order_work(t, p, w, PROJECTS_WORKED);
    rt_obj_drop(&o->obj);
}

void listing_drop(struct projects *p)
{
    while (p->listings != NULL)
        rt_obj_drop(&take(p, p->listings->ticket)->obj);
}
