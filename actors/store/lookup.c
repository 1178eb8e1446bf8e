/* SPDX-License-Identifier: MIT */
#include "actors/store/store.h"

#include <stdlib.h>

static void free_lookup(struct rt_obj *obj)
{
    struct store_lookup *l = (struct store_lookup *)obj;

    rt_obj_drop(&l->order->obj);
    for (unsigned i = 0; i < l->count; i++) {
        bytes_finish(&l->items[i].summary);
        bytes_finish(&l->items[i].error);
    }
    free(l);
}

struct store_lookup *store_lookup_create(struct rt_ref who, struct order *order,
                                         unsigned count)
{
    struct store_lookup *l =
        bytes_zalloc(sizeof(*l) + count * sizeof(l->items[0]));

    rt_obj_init(&l->obj, free_lookup);
    l->who = who;
    l->order = RT_KEEP(order);
    return l;
}
