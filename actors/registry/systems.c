/* SPDX-License-Identifier: MIT */
#include "actors/registry/systems.h"

#include <stdlib.h>

#include "actors/registry/events.h"
#include "actors/registry/inside.h"
#include "actors/store/work.h"
#include "runtime/text/array.h"

/* What has happened waits so long for rows that it can go with: a commit of its
 * own would make the next work wait. */
#define TELL_MS 10

void systems_join(struct registry *r, const struct registry_join *j)
{
    for (unsigned i = j->first; i <= (unsigned)j->last; i++) {
        r->systems.owners[i] = j->system;
        r->systems.is_shared[i] = j->is_shared;
    }
}

bool systems_take(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct rt_ref owner = r->systems.owners[o->kind];

    if (owner.id == 0 || (r->systems.is_shared[o->kind] &&
                          (o->is_returned || r->durable.store.id == 0 ||
                           !r->durable.condition.is_good)))
        return false;
    if (r->durable.store.id != 0)
        rt_pass(t, owner, ORDER_PLACED, &o->obj);
    else
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, HISTORY_NOT_KEPT,
                     order_name(o->kind).ptr);
    return true;
}

/* ---- what has happened ------------------------------------------------- */

static void tell_one(struct rt_turn *t, struct registry *r,
                     const struct work_event *e)
{
    struct store_write *w = durable_write(r);

    events_tell_at(t, r, e->at, e->type, bytes_slice(&e->data));
    store_row(w, STORE_DROP_UNTOLD);
    store_int(w, e->number);
}

void systems_tell(struct rt_turn *t, struct registry *r)
{
    struct systems *s = &r->systems;

    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = 0; j < s->worked[i]->told_count; j++)
            tell_one(t, r, &s->worked[i]->told[j]);
        rt_obj_drop(&s->worked[i]->obj);
    }
    s->count = 0;
}

void systems_on_worked(struct rt_turn *t, struct registry *r, struct work *w)
{
    struct systems *s = &r->systems;

    if (s->count == 0)
        rt_after(t, TELL_MS, REGISTRY_TELL);
    ARRAY_GROW(s->worked, s->count);
    s->worked[s->count++] = RT_KEEP(w);
}

/* ---- works ------------------------------------------------------------- */

void systems_on_work(struct rt_turn *t, struct registry *r, struct work *w)
{
    struct store_write *write;

    if (!w->is_question)
        systems_tell(t, r);
    /* One that cannot be done must not take other rows with it. */
    durable_flush(t, r);
    write = durable_write(r);
    if (write != NULL)
        write->work = RT_KEEP(w);
}

void systems_drop(struct registry *r)
{
    for (size_t i = 0; i < r->systems.count; i++)
        rt_obj_drop(&r->systems.worked[i]->obj);
    free(r->systems.worked);
}
