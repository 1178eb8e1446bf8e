/* SPDX-License-Identifier: MIT */
#include "actors/registry/inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "runtime/text/json.h"

#define ROOM(l, member)                                                        \
    ((struct room *)((char *)(l)-offsetof(struct room, member)))
#define CARD(l, member)                                                        \
    ((struct card *)((char *)(l)-offsetof(struct card, member)))

/* ---- finding ----------------------------------------------------------- */

static struct room *any_room(struct registry *r, struct slice id)
{
    struct index_link *l =
        index_find(&r->rooms_by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL && !slice_eq(slice_cstr(ROOM(l, by_id)->id), id))
        l = index_next(l);
    return l != NULL ? ROOM(l, by_id) : NULL;
}

struct room *room_find(struct registry *r, struct slice id)
{
    struct room *room = any_room(r, id);

    return room != NULL && !room->is_hidden ? room : NULL;
}

struct room *room_at(struct registry *r, uint64_t serial)
{
    struct index_link *l = index_find(&r->rooms, serial);

    return l != NULL ? ROOM(l, by_serial) : NULL;
}

static struct card *any_card(struct registry *r, struct slice id)
{
    struct index_link *l =
        index_find(&r->cards_by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL && !slice_eq(slice_cstr(CARD(l, by_id)->task->id), id))
        l = index_next(l);
    return l != NULL ? CARD(l, by_id) : NULL;
}

struct card *card_find(struct registry *r, struct slice id)
{
    struct card *c = any_card(r, id);

    return c != NULL && !c->is_hidden ? c : NULL;
}

struct card *card_at(struct registry *r, uint64_t serial)
{
    struct index_link *l = index_find(&r->cards, serial);

    return l != NULL ? CARD(l, by_serial) : NULL;
}

/* ---- ids --------------------------------------------------------------- */

/* A directory of that name belongs to an agent of an earlier hub. */
static bool is_taken(struct registry *r, const char *id, bool is_group)
{
    char path[4096 + ORDER_ID];
    struct stat st;

    if (is_group)
        return any_room(r, slice_cstr(id)) != NULL;
    if (any_card(r, slice_cstr(id)) != NULL)
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

/* ---- rooms ------------------------------------------------------------- */

static unsigned depth_of(const struct room *parent, enum group_mode mode)
{
    return (parent != NULL ? parent->depth : 0) + (mode == GROUP_MAGENTIC);
}

struct room *room_restore(struct rt_turn *t, struct registry *r,
                          const struct room_setup *from)
{
    struct room *room = bytes_zalloc(sizeof(*room));
    struct group_setup setup = {.context = r->context,
                                .registry = rt_self(t),
                                .slots = r->slots,
                                .processes = r->processes,
                                .serial = from->serial,
                                .mode = from->mode};

    room->serial = from->serial;
    room->mode = from->mode;
    room->parent = from->parent;
    room->depth = depth_of(from->parent, from->mode);
    room->created_at = from->created_at;
    bytes_append(&room->description, from->description.ptr,
                 from->description.len);
    slice_keep(room->id, sizeof(room->id), from->id);
    index_add(&r->rooms_by_id, &room->by_id, slice_hash(SLICE_HASH, from->id));
    index_add(&r->rooms, &room->by_serial, room->serial);
    room->older = r->newest_room;
    *(room->older != NULL ? &room->older->newer : &r->oldest_room) = room;
    r->newest_room = room;
    memcpy(setup.id, room->id, sizeof(setup.id));
    room->group = group_spawn(t, &setup);
    return room;
}

struct room *room_create(struct rt_turn *t, struct registry *r,
                         enum group_mode mode, struct slice description,
                         struct room *parent)
{
    char id[ORDER_ID];

    draw_id(t, r, "grp", true, id);
    return room_restore(t, r,
                        &(struct room_setup){.serial = ++r->serials,
                                             .id = slice_cstr(id),
                                             .mode = mode,
                                             .description = description,
                                             .parent = parent,
                                             .created_at = rt_wall_ms(t)});
}

/* Its children stay, with nobody above them. */
static void orphan_children(struct registry *r, const struct room *room)
{
    for (struct room *x = r->oldest_room; x != NULL; x = x->newer)
        if (x->parent == room)
            x->parent = room->parent;
}

static void free_room(struct room *room)
{
    if (room->order != NULL)
        rt_obj_drop(&room->order->obj);
    if (room->ledger != NULL)
        rt_obj_drop(&room->ledger->obj);
    bytes_finish(&room->description);
    free(room);
}

void room_destroy(struct rt_turn *t, struct registry *r, struct room *room)
{
    while (room->first != NULL)
        card_destroy(t, r, room->first);
    orphan_children(r, room);
    index_remove(&r->rooms_by_id, &room->by_id);
    index_remove(&r->rooms, &room->by_serial);
    *(room->older != NULL ? &room->older->newer : &r->oldest_room) =
        room->newer;
    *(room->newer != NULL ? &room->newer->older : &r->newest_room) =
        room->older;
    rt_tell(t, room->group, GROUP_CLOSE, NULL, 0);
    free_room(room);
}

bool room_is_below(const struct room *room, const struct room *top)
{
    while (room != NULL && room != top)
        room = room->parent;
    return room == top;
}

/* Children are younger than their parents, so going on by age finds all. */
struct room *room_next_of(struct room *top, struct room *at)
{
    struct room *room = at == NULL ? top : at->newer;

    while (room != NULL && !room_is_below(room, top))
        room = room->newer;
    return room;
}

unsigned room_running(struct room *top)
{
    unsigned running = 0;

    for (struct room *x = room_next_of(top, NULL); x != NULL;
         x = room_next_of(top, x))
        for (struct card *c = x->first; c != NULL; c = c->after)
            running += c->is_hidden || !card_is_done(c);
    return running;
}

/* ---- cards ------------------------------------------------------------- */

static void put_head(struct card *c)
{
    struct bytes *out = &c->head;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", slice_cstr(c->task->id));
    JSON_TEXT(out, "groupId", slice_cstr(c->room->id));
    JSON_TEXT(out, "role", slice_cstr(c->task->role->role->id));
    JSON_TEXT(out, "model", slice_cstr(c->task->role->role->model));
    JSON_KEY(out, "status");
}

struct card *room_add_card(struct registry *r, struct room *room,
                           struct order *o, unsigned i)
{
    struct card *c = bytes_zalloc(sizeof(*c));

    c->room = room;
    c->order = (struct order *)rt_obj_keep(&o->obj);
    c->task = &o->tasks[i];
    c->serial = o->first + i;
    c->is_hidden = true;
    put_head(c);
    index_add(&r->cards_by_id, &c->by_id,
              slice_hash(SLICE_HASH, slice_cstr(c->task->id)));
    index_add(&r->cards, &c->by_serial, c->serial);
    c->older = r->newest;
    *(c->older != NULL ? &c->older->newer : &r->oldest) = c;
    r->newest = c;
    c->before = room->last;
    *(c->before != NULL ? &c->before->after : &room->first) = c;
    room->last = c;
    room->cards++;
    return c;
}

void room_expect(struct rt_turn *t, struct registry *r, struct room *room,
                 struct order *o)
{
    o->group = room->serial;
    memcpy(o->group_id, room->id, sizeof(o->group_id));
    o->created_at = rt_wall_ms(t);
    o->first = r->serials + 1;
    r->serials += o->count;
    for (unsigned i = 0; i < o->count; i++) {
        draw_id(t, r, o->tasks[i].role->role->id, false, o->tasks[i].id);
        room_add_card(r, room, o, i);
    }
}

void card_destroy(struct rt_turn *t, struct registry *r, struct card *c)
{
    struct group_agent who = {.serial = c->serial};

    card_unwatch(c);
    if (!c->is_hidden) {
        rt_tell(t, c->room->group, GROUP_FORGET, &who, sizeof(who));
        r->not_gone -= !c->is_gone;
        c->room->not_gone -= !c->is_gone;
    }
    r->kept -= c->room->is_deleted;
    index_remove(&r->cards_by_id, &c->by_id);
    index_remove(&r->cards, &c->by_serial);
    *(c->older != NULL ? &c->older->newer : &r->oldest) = c->newer;
    *(c->newer != NULL ? &c->newer->older : &r->newest) = c->older;
    *(c->before != NULL ? &c->before->after : &c->room->first) = c->after;
    *(c->after != NULL ? &c->after->before : &c->room->last) = c->before;
    c->room->cards--;
    if (c->room->orchestrator == c)
        c->room->orchestrator = NULL;
    if (c->view != NULL)
        rt_obj_drop(&c->view->obj);
    rt_obj_drop(&c->order->obj);
    card_be_still(r, c);
    bytes_finish(&c->head);
    bytes_finish(&c->line);
    bytes_finish(&c->answer);
    free(c);
}

/* One whose tree has not left is still to be heard of; it goes later. */
void registry_trim(struct rt_turn *t, struct registry *r)
{
    struct room *next;

    for (struct card *c = r->oldest, *newer;
         c != NULL && r->kept > REGISTRY_KEEP; c = newer) {
        newer = c->newer;
        if (c->room->is_deleted && c->is_gone)
            card_destroy(t, r, c);
    }
    for (struct room *room = r->oldest_room; room != NULL; room = next) {
        next = room->newer;
        if (room->is_deleted && room->cards == 0)
            room_destroy(t, r, room);
    }
}
