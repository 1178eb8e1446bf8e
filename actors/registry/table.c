/* SPDX-License-Identifier: MIT */
#include "actors/registry/inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define ROOM(l, member)                                                        \
    ((struct group_entry *)((char *)(l)-offsetof(struct group_entry, member)))
#define CARD(l, member)                                                        \
    ((struct agent_entry *)((char *)(l)-offsetof(struct agent_entry, member)))

/* ---- finding ----------------------------------------------------------- */

static struct group_entry *any_group(struct registry *r, struct slice id)
{
    struct index_link *l =
        index_find(&r->groups_by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL && !slice_eq(slice_cstr(ROOM(l, by_id)->id), id))
        l = index_next(l);
    return l != NULL ? ROOM(l, by_id) : NULL;
}

struct group_entry *group_entry_find(struct registry *r, struct slice id)
{
    struct group_entry *group = any_group(r, id);

    return group != NULL && !group->is_hidden ? group : NULL;
}

struct group_entry *group_entry_at(struct registry *r, uint64_t serial)
{
    struct index_link *l = index_find(&r->groups, serial);

    return l != NULL ? ROOM(l, by_serial) : NULL;
}

static struct agent_entry *any_agent(struct registry *r, struct slice id)
{
    struct index_link *l =
        index_find(&r->agents_by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL && !slice_eq(slice_cstr(CARD(l, by_id)->task->id), id))
        l = index_next(l);
    return l != NULL ? CARD(l, by_id) : NULL;
}

struct agent_entry *agent_entry_find(struct registry *r, struct slice id)
{
    struct agent_entry *c = any_agent(r, id);

    return c != NULL && !c->is_hidden ? c : NULL;
}

struct agent_entry *agent_entry_at(struct registry *r, uint64_t serial)
{
    struct index_link *l = index_find(&r->agents, serial);

    return l != NULL ? CARD(l, by_serial) : NULL;
}

/* ---- ids --------------------------------------------------------------- */

/* A directory of that name belongs to an agent of an earlier hub. */
static bool is_taken(struct registry *r, const char *id, bool is_group)
{
    char path[4096 + ORDER_ID];
    struct stat st;

    if (is_group)
        return any_group(r, slice_cstr(id)) != NULL;
    if (any_agent(r, slice_cstr(id)) != NULL)
        return true;
    snprintf(path, sizeof(path), "%s/agents/%s", r->context->state_dir, id);
    return lstat(path, &st) == 0;
}

/* The next second's are taken when half of one's are used up: the time in an id
 * is what it always was, about right. */
static unsigned draw(struct rt_turn *t, struct id_book *ids)
{
    uint64_t now = rt_wall_ms(t) / 1000;
    unsigned n;

    if (now > ids->second || ids->count >= 32768) {
        ids->second = now > ids->second ? now : ids->second + 1;
        ids->count = 0;
        memset(ids->given, 0, sizeof(ids->given));
    }
    do
        n = (unsigned)(rt_random(t) & 0xffff);
    while (ids->given[n / 64] >> n % 64 & 1);
    ids->given[n / 64] |= (uint64_t)1 << n % 64;
    ids->count++;
    return n;
}

static void draw_id(struct rt_turn *t, struct registry *r, const char *prefix,
                    bool is_group, char *id)
{
    unsigned n;

    do {
        n = draw(t, &r->ids);
        snprintf(id, ORDER_ID, "%s-%" PRIu64 "-%04x", prefix, r->ids.second, n);
    } while (is_taken(r, id, is_group));
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
                                .mode = from->mode};

    group->serial = from->serial;
    group->mode = from->mode;
    group->parent = from->parent;
    group->depth = depth_of(from->parent, from->mode);
    group->created_at = from->created_at;
    bytes_append(&group->description, from->description.ptr,
                 from->description.len);
    slice_keep(group->id, sizeof(group->id), from->id);
    index_add(&r->groups_by_id, &group->by_id,
              slice_hash(SLICE_HASH, from->id));
    index_add(&r->groups, &group->by_serial, group->serial);
    group->older = r->newest_group;
    *(group->older != NULL ? &group->older->newer : &r->oldest_group) = group;
    r->newest_group = group;
    memcpy(setup.id, group->id, sizeof(setup.id));
    group->actor = group_spawn(t, &setup);
    return group;
}

struct group_entry *group_entry_create(struct rt_turn *t, struct registry *r,
                                       enum group_mode mode,
                                       struct slice description,
                                       struct group_entry *parent)
{
    char id[ORDER_ID];

    draw_id(t, r, "grp", true, id);
    return group_entry_restore(
        t, r,
        &(struct group_entry_setup){.serial = ++r->serials,
                                    .id = slice_cstr(id),
                                    .mode = mode,
                                    .description = description,
                                    .parent = parent,
                                    .created_at = rt_wall_ms(t)});
}

/* Its children stay, with nobody above them. */
static void orphan_children(struct registry *r, const struct group_entry *group)
{
    for (struct group_entry *x = r->oldest_group; x != NULL; x = x->newer)
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
    index_remove(&r->groups_by_id, &group->by_id);
    index_remove(&r->groups, &group->by_serial);
    *(group->older != NULL ? &group->older->newer : &r->oldest_group) =
        group->newer;
    *(group->newer != NULL ? &group->newer->older : &r->newest_group) =
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
        for (struct agent_entry *c = x->first; c != NULL; c = c->after)
            running += c->is_hidden || !agent_entry_is_done(c);
    return running;
}

/* ---- agents ------------------------------------------------------------- */

struct agent_entry *group_entry_add_agent(struct registry *r,
                                          struct group_entry *group,
                                          struct order *o, unsigned i)
{
    struct agent_entry *c = bytes_zalloc(sizeof(*c));

    c->group = group;
    c->order = RT_KEEP(o);
    c->task = &o->tasks[i];
    c->serial = o->first + i;
    c->is_hidden = true;
    agent_entry_put_head(c);
    index_add(&r->agents_by_id, &c->by_id,
              slice_hash(SLICE_HASH, slice_cstr(c->task->id)));
    index_add(&r->agents, &c->by_serial, c->serial);
    c->older = r->newest;
    *(c->older != NULL ? &c->older->newer : &r->oldest) = c;
    r->newest = c;
    c->before = group->last;
    *(c->before != NULL ? &c->before->after : &group->first) = c;
    group->last = c;
    group->agents++;
    return c;
}

void group_entry_expect(struct rt_turn *t, struct registry *r,
                        struct group_entry *group, struct order *o)
{
    o->group = group->serial;
    memcpy(o->group_id, group->id, sizeof(o->group_id));
    o->created_at = rt_wall_ms(t);
    o->first = r->serials + 1;
    r->serials += o->count;
    for (unsigned i = 0; i < o->count; i++) {
        draw_id(t, r, o->tasks[i].role->role->id, false, o->tasks[i].id);
        group_entry_add_agent(r, group, o, i);
    }
}

void agent_entry_destroy(struct rt_turn *t, struct registry *r,
                         struct agent_entry *c)
{
    struct group_agent who = {.serial = c->serial};

    agent_entry_unwatch(c);
    if (!c->is_hidden) {
        rt_tell(t, c->group->actor, GROUP_FORGET, &who, sizeof(who));
        r->not_gone -= !c->is_gone;
        c->group->not_gone -= !c->is_gone;
    }
    r->kept -= c->group->is_deleted;
    index_remove(&r->agents_by_id, &c->by_id);
    index_remove(&r->agents, &c->by_serial);
    *(c->older != NULL ? &c->older->newer : &r->oldest) = c->newer;
    *(c->newer != NULL ? &c->newer->older : &r->newest) = c->older;
    *(c->before != NULL ? &c->before->after : &c->group->first) = c->after;
    *(c->after != NULL ? &c->after->before : &c->group->last) = c->before;
    c->group->agents--;
    if (c->group->orchestrator == c)
        c->group->orchestrator = NULL;
    if (c->view != NULL)
        rt_obj_drop(&c->view->obj);
    rt_obj_drop(&c->order->obj);
    agent_entry_be_still(r, c);
    bytes_finish(&c->head);
    bytes_finish(&c->line);
    bytes_finish(&c->answer);
    free(c);
}

/* One whose tree has not left is still to be heard of; it goes later. */
void registry_trim(struct rt_turn *t, struct registry *r)
{
    struct group_entry *next;

    for (struct agent_entry *c = r->oldest, *newer;
         c != NULL && r->kept > REGISTRY_KEEP; c = newer) {
        newer = c->newer;
        if (c->group->is_deleted && c->is_gone)
            agent_entry_destroy(t, r, c);
    }
    for (struct group_entry *group = r->oldest_group; group != NULL;
         group = next) {
        next = group->newer;
        if (group->is_deleted && group->agents == 0)
            group_entry_destroy(t, r, group);
    }
}
