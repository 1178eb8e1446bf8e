/* SPDX-License-Identifier: MIT */
#include "actors/registry/wait_named.h"

#include "actors/registry/inside.h"
#include "runtime/text/array.h"

static bool is_named(const struct index *names, uint64_t hash, struct slice id)
{
    struct index_link *l = index_find(names, hash);

    while (l != NULL &&
           !slice_eq(INDEX_ITEM(struct wait_named, by_id, l)->id, id))
        l = index_next(l);
    return l != NULL;
}

/* What was looked up is in the order it was named in. *next is the first that
 * was not met yet. */
static const struct store_lookup_item *take_looked_up(
    const struct store_lookup *found, unsigned *next, struct slice id)
{
    const struct store_lookup_item *item;

    if (found == NULL || *next == found->count)
        return NULL;
    item = &found->items[*next];
    if (!slice_eq(slice_cstr(item->id), id))
        return NULL;
    ++*next;
    return item->state[0] != 0 ? item : NULL;
}

/* Whether a group below top is spoken for by an orchestrator on the way. */
static bool has_orchestrator(const struct group_entry *group,
                             const struct group_entry *top)
{
    while (group != top) {
        group = group->parent;
        if (group->mode == GROUP_MAGENTIC)
            return true;
    }
    return false;
}

/*
 * All agents of a group and of the groups below it, but for what is below an
 * orchestrator: when that is done, so is its work, and what it has left
 * running is ended.
 */
struct wait_named *wait_name_group(struct group_entry *top, unsigned *count)
{
    struct wait_named *all = NULL;

    *count = 0;
    for (struct group_entry *group = group_entry_next_of(top, NULL);
         group != NULL; group = group_entry_next_of(top, group))
        for (struct agent_entry *agent = group->first; agent != NULL;
             agent = agent->after) {
            if (agent->is_hidden || has_orchestrator(group, top))
                continue;
            ARRAY_GROW(all, *count);
            all[(*count)++] = (struct wait_named){
                .id = slice_cstr(agent->task->id), .agent = agent};
        }
    return all;
}

struct wait_named *wait_name_all(struct registry *r, struct order *o,
                                 const struct store_lookup *found,
                                 unsigned *count)
{
    yyjson_val *ids = FIELD(o->args, "agentIds"), *id;
    struct wait_named *all =
        bytes_alloc((yyjson_arr_size(ids) + 1) * sizeof(*all));
    struct index names = {0};
    size_t i, max;
    unsigned next = 0;

    *count = 0;
    yyjson_arr_foreach(ids, i, max, id)
    {
        struct wait_named *one = &all[*count];
        uint64_t hash = slice_hash(SLICE_HASH, field_text(id));

        if (is_named(&names, hash, field_text(id)))
            continue;
        *one = (struct wait_named){.id = field_text(id)};
        one->agent = agent_entry_find(r, one->id);
        one->found = take_looked_up(found, &next, one->id);
        index_add(&names, &one->by_id, hash);
        ++*count;
    }
    index_finish(&names);
    return all;
}

bool wait_look_up(struct rt_turn *t, struct registry *r, struct rt_ref who,
                  struct order *o, const struct wait_named *all, unsigned count)
{
    struct store_lookup *l;

    if (r->durable.store.id == 0)
        return false;
    l = store_lookup_create(who, o, count);
    for (unsigned i = 0; i < count; i++)
        if (all[i].agent == NULL && all[i].id.len < ORDER_ID)
            slice_keep(l->items[l->count++].id, ORDER_ID, all[i].id);
    if (l->count > 0)
        rt_pass(t, r->durable.store, STORE_LOOK_UP, &l->obj);
    count = l->count;
    rt_obj_drop(&l->obj);
    return count > 0;
}
