/* SPDX-License-Identifier: MIT */
#include "actors/registry/group_entry.h"

#include <stdlib.h>

#include "actors/registry/inside.h"

/* Agents of deleted groups that lists still show. */
#define KEPT 20

#define ENTRY(l, member)                                                       \
    ((struct group_entry *)((char *)(l)-offsetof(struct group_entry, member)))

/* ---- finding ----------------------------------------------------------- */

struct group_entry *group_entry_any(struct registry *r, struct slice id)
{
    struct index_link *l =
        index_find(&r->groups.by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL && !slice_eq(slice_cstr(ENTRY(l, by_id)->id), id))
        l = index_next(l);
    return l != NULL ? ENTRY(l, by_id) : NULL;
}

struct group_entry *group_entry_find(struct registry *r, struct slice id)
{
    struct group_entry *group = group_entry_any(r, id);

    return group != NULL && !group->is_hidden ? group : NULL;
}

struct group_entry *group_entry_at(struct registry *r, uint64_t serial)
{
    struct index_link *l = index_find(&r->groups.by_serial, serial);

    return l != NULL ? ENTRY(l, by_serial) : NULL;
}

/* ---- groups ------------------------------------------------------------- */

static unsigned depth_of(const struct group_entry *parent, enum group_mode mode)
{
    return (parent != NULL ? parent->depth : 0) + (mode == GROUP_MAGENTIC);
}

struct group_entry *group_entry_restore(struct rt_turn *t, struct registry *r,
                                        const struct group_entry_setup *from)
{
    struct group_entry *group = bytes_zalloc(sizeof(*group));
    struct group_setup setup = {.context = r->context,
                                .registry = rt_self(t),
                                .slots = r->slots,
                                .processes = r->processes,
                                .serial = from->serial,
                                .mode = from->mode,
                                .language = from->language};

    group->serial = from->serial;
    group->mode = from->mode;
    group->language = from->language;
    group->parent = from->parent;
    group->depth = depth_of(from->parent, from->mode);
    group->created_at = from->created_at;
    bytes_append(&group->description, from->description.ptr,
                 from->description.len);
    slice_keep(group->id, sizeof(group->id), from->id);
    index_add(&r->groups.by_id, &group->by_id,
              slice_hash(SLICE_HASH, from->id));
    index_add(&r->groups.by_serial, &group->by_serial, group->serial);
    group->older = r->groups.newest;
    *(group->older != NULL ? &group->older->newer : &r->groups.oldest) = group;
    r->groups.newest = group;
    memcpy(setup.id, group->id, sizeof(setup.id));
    group->actor = group_spawn(t, &setup);
    return group;
}

struct group_entry *group_entry_create(struct rt_turn *t, struct registry *r,
                                       enum group_mode mode,
                                       const struct order *o,
                                       struct group_entry *parent)
{
    char id[ORDER_ID];

    ids_draw_group(t, r, id);
    return group_entry_restore(
        t, r,
        &(struct group_entry_setup){
            .serial = ++r->serials,
            .id = slice_cstr(id),
            .mode = mode,
            .description = FIELD_TEXT(o->args, "description"),
            .parent = parent,
            .language = parent != NULL
                            ? parent->language
                            : caller_language(o->caller, registry_config(r)),
            .created_at = rt_wall_ms(t)});
}

/* Its children stay, and belong to the one above it. */
static void orphan_children(struct registry *r, const struct group_entry *group)
{
    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer)
        if (x->parent == group)
            x->parent = group->parent;
}

static void free_group(struct group_entry *group)
{
    if (group->order != NULL)
        rt_obj_drop(&group->order->obj);
    if (group->ledger != NULL)
        rt_obj_drop(&group->ledger->obj);
    bytes_finish(&group->description);
    free(group);
}

void group_entry_destroy(struct rt_turn *t, struct registry *r,
                         struct group_entry *group)
{
    while (group->first != NULL)
        agent_entry_destroy(t, r, group->first);
    orphan_children(r, group);
    index_remove(&r->groups.by_id, &group->by_id);
    index_remove(&r->groups.by_serial, &group->by_serial);
    *(group->older != NULL ? &group->older->newer : &r->groups.oldest) =
        group->newer;
    *(group->newer != NULL ? &group->newer->older : &r->groups.newest) =
        group->older;
    rt_tell(t, group->actor, GROUP_CLOSE, NULL, 0);
    free_group(group);
}

bool group_entry_is_below(const struct group_entry *group,
                          const struct group_entry *top)
{
    while (group != NULL && group != top)
        group = group->parent;
    return group == top;
}

/* Children are younger than their parents, so going on by age finds all. */
struct group_entry *group_entry_next_of(struct group_entry *top,
                                        struct group_entry *at)
{
    struct group_entry *group = at == NULL ? top : at->newer;

    while (group != NULL && !group_entry_is_below(group, top))
        group = group->newer;
    return group;
}

unsigned group_entry_running(struct group_entry *top)
{
    unsigned running = 0;

    for (struct group_entry *x = group_entry_next_of(top, NULL); x != NULL;
         x = group_entry_next_of(top, x))
        for (struct agent_entry *agent = x->first; agent != NULL;
             agent = agent->after)
            running += agent->is_hidden || !agent_entry_is_done(agent);
    return running;
}

/* ---- its agents -------------------------------------------------------- */

void group_entry_expect(struct rt_turn *t, struct registry *r,
                        struct group_entry *group, struct order *o)
{
    o->group = group->serial;
    memcpy(o->group_id, group->id, sizeof(o->group_id));
    o->created_at = rt_wall_ms(t);
    o->first = r->serials + 1;
    r->serials += o->count;
    for (unsigned i = 0; i < o->count; i++) {
        ids_draw_agent(t, r, o->tasks[i].role->role->id, o->tasks[i].id);
        agent_entry_create(r, group, o, i);
    }
}

/* One whose tree has not left is still to be heard of; it goes later. */
void group_entries_trim(struct rt_turn *t, struct registry *r)
{
    struct group_entry *next;

    for (struct agent_entry *agent = r->agents.oldest, *newer;
         agent != NULL && r->agents.kept > KEPT; agent = newer) {
        newer = agent->newer;
        if (agent->group->is_deleted && agent->is_gone)
            agent_entry_destroy(t, r, agent);
    }
    for (struct group_entry *group = r->groups.oldest; group != NULL;
         group = next) {
        next = group->newer;
        if (group->is_deleted && group->agents == 0)
            group_entry_destroy(t, r, group);
    }
}
