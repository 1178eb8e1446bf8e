/* SPDX-License-Identifier: MIT */
/*
 * Agents that only the store knows any more are done, so they are looked up
 * there once and then belong to the list like any other. A lookup takes time
 * in which those of the table may change: the list is made when it is back.
 */
#include "actors/registry/wait_watch.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/registry/wait_named.h"

/* One agent that one watcher watches. */
struct watch {
    struct watcher *by;
    struct agent_entry *agent;    /* NULL: it is done, or no more */
    struct watch *before, *after; /* of the same agent */
};

/* A wait, until it ends. Its watches lie in it: when it ends it is taken off
 * the agents it watches, and no other agent is looked at. */
struct watcher {
    struct index_link by_ref;
    struct rt_ref who;
    uint64_t last_conflict; /* the number of the last it was told of */
    unsigned count;
    struct watch watches[];
};

/* ---- what is told ------------------------------------------------------ */

static void free_list(struct rt_obj *o)
{
    struct watch_list *l = (struct watch_list *)o;

    if (l->refusal != NULL)
        rt_obj_drop(&l->refusal->obj);
    for (unsigned i = 0; i < l->count; i++)
        if (l->items[i].result != NULL)
            rt_obj_drop(&l->items[i].result->obj);
    bytes_finish(&l->conflicts);
    free(l);
}

static struct watch_list *create_list(unsigned count)
{
    struct watch_list *l =
        bytes_zalloc(sizeof(*l) + count * sizeof(l->items[0]));

    rt_obj_init(&l->obj, free_list);
    l->count = count;
    return l;
}

static void free_done(struct rt_obj *o)
{
    struct watch_done *d = (struct watch_done *)o;

    if (d->result != NULL)
        rt_obj_drop(&d->result->obj);
    free(d);
}

static struct watch_done *create_done(void)
{
    struct watch_done *d = bytes_zalloc(sizeof(*d));

    rt_obj_init(&d->obj, free_done);
    return d;
}

/* ---- watchers ---------------------------------------------------------- */

static void add_watcher(struct registry *r, struct rt_ref who,
                        const struct wait_named *all, unsigned count)
{
    struct watcher *w = bytes_zalloc(sizeof(*w) + count * sizeof(*w->watches));

    w->who = who;
    for (unsigned i = 0; i < count; i++) {
        struct agent_entry *agent = all[i].agent;
        struct watch *one = &w->watches[w->count];

        if (agent == NULL || agent_entry_is_done(agent))
            continue;
        *one = (struct watch){.by = w, .agent = agent, .after = agent->watches};
        if (agent->watches != NULL)
            agent->watches->before = one;
        agent->watches = one;
        w->count++;
    }
    index_add(&r->watches.by_ref, &w->by_ref, who.id);
}

static void unlink_watch(struct watch *w)
{
    if (w->agent == NULL)
        return;
    *(w->before != NULL ? &w->before->after : &w->agent->watches) = w->after;
    if (w->after != NULL)
        w->after->before = w->before;
    w->agent = NULL;
}

static void free_watcher(struct registry *r, struct index_link *by_ref)
{
    struct watcher *w =
        (struct watcher *)((char *)by_ref - offsetof(struct watcher, by_ref));

    for (unsigned i = 0; i < w->count; i++)
        unlink_watch(&w->watches[i]);
    index_remove(&r->watches.by_ref, by_ref);
    free(w);
}

static uint64_t duration_of(const struct agent_entry *agent)
{
    return agent->view != NULL ? agent->view->elapsed_ms : 0;
}

/* Kept for the one that is told; NULL until it is done. */
static struct agent_result *result_of(const struct agent_entry *agent)
{
    return agent_entry_is_done(agent) ? RT_KEEP(agent->view->result) : NULL;
}

static void put_agent(struct watch_item *item, const struct agent_entry *agent)
{
    item->serial = agent->serial;
    item->state = agent_entry_state(agent);
    item->result = result_of(agent);
    item->duration_ms = duration_of(agent);
}

static void put_looked_up(struct watch_item *item,
                          const struct store_lookup_item *s)
{
    const struct agent_result parts = {
        .outcome = restore_outcome_of(slice_cstr(s->status)),
        .summary = bytes_slice(&s->summary),
        .error = bytes_slice(&s->error)};

    item->state = restore_state_of(slice_cstr(s->state));
    item->duration_ms = s->duration_ms;
    if (s->status[0] != 0)
        item->result = agent_result_create(&parts);
}

static struct answer *refusal(const struct registry *r, struct order *o,
                              struct slice id, const struct store_why *why)
{
    bool is_english =
        caller_language(o->caller, registry_config(r)) == CONFIG_EN;

    if (why->en[0] != 0)
        return answer_refusal(o->ticket, CODE_STORE_UNAVAILABLE,
                              MESSAGE(is_english, WAIT_AGENT_UNREADABLE),
                              (int)id.len, id.ptr,
                              store_why_in(why, is_english));
    return answer_no_agent(o->ticket, is_english, id);
}

/* ---- conflicts --------------------------------------------------------- */

static void free_conflict(struct rt_obj *o)
{
    struct watch_conflict *c = (struct watch_conflict *)o;

    bytes_finish(&c->json);
    free(c);
}

/* One that watches both is told once. */
static void tell_watchers(struct rt_turn *t, struct registry *r,
                          struct agent_entry *agent, struct watch_conflict *c)
{
    for (struct watch *w = agent->watches; w != NULL; w = w->after) {
        if (w->by->last_conflict == r->watches.number)
            continue;
        w->by->last_conflict = r->watches.number;
        durable_say(t, r, w->by->who, WATCH_CONFLICT, &c->obj);
    }
}

void watch_tell_conflict(struct rt_turn *t, struct registry *r,
                         struct agent_entry *agent, struct agent_entry *other,
                         struct slice json)
{
    struct watch_conflict *c;

    if (agent->watches == NULL && other->watches == NULL)
        return;
    c = bytes_zalloc(sizeof(*c));
    rt_obj_init(&c->obj, free_conflict);
    bytes_append(&c->json, json.ptr, json.len);
    r->watches.number++;
    tell_watchers(t, r, agent, c);
    tell_watchers(t, r, other, c);
    rt_obj_drop(&c->obj);
}

/* Those there are already, of all that are named. */
static void put_conflicts(struct registry *r, struct watch_list *l,
                          const struct wait_named *all, unsigned count)
{
    uint64_t mark = ++r->watches.number;

    for (unsigned i = 0; i < count; i++)
        if (all[i].agent != NULL)
            all[i].agent->last_wait = mark;
    for (unsigned i = 0; i < count; i++)
        if (all[i].agent != NULL)
            conflicts_put_pairs(&l->conflicts, r, all[i].agent, mark);
}

static void tell_list(struct rt_turn *t, struct registry *r, struct rt_ref who,
                      struct order *o, const struct wait_named *all,
                      unsigned count, const struct store_why *why)
{
    struct watch_list *l = create_list(count);

    l->slice_ms = (uint64_t)registry_config(r)->mcp.wait_slice_ms;
    l->max_ms = (uint64_t)registry_config(r)->mcp.wait_max_ms;
    for (unsigned i = 0; i < count; i++) {
        slice_keep(l->items[i].id, sizeof(l->items[i].id), all[i].id);
        if (all[i].agent != NULL)
            put_agent(&l->items[i], all[i].agent);
        else if (all[i].found != NULL)
            put_looked_up(&l->items[i], all[i].found);
        else if (l->refusal == NULL)
            l->refusal = refusal(r, o, all[i].id, why);
    }
    if (l->refusal == NULL) {
        put_conflicts(r, l, all, count);
        add_watcher(r, who, all, count);
    }
    rt_monitor(t, who);
    durable_say(t, r, who, WATCH_LIST, &l->obj);
    rt_obj_drop(&l->obj);
}

static void refuse_group(struct rt_turn *t, struct registry *r,
                         struct rt_ref who, struct order *o, struct slice id)
{
    struct watch_list *l = create_list(0);

    l->refusal = answer_no_group(
        o->ticket, caller_language(o->caller, registry_config(r)) == CONFIG_EN,
        id);
    rt_monitor(t, who);
    durable_say(t, r, who, WATCH_LIST, &l->obj);
    rt_obj_drop(&l->obj);
}

static void watch_group(struct rt_turn *t, struct registry *r,
                        struct rt_ref who, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "groupId");
    struct group_entry *group = group_entry_find(r, id);
    struct wait_named *all;
    unsigned count;

    if (group == NULL) {
        refuse_group(t, r, who, o, id);
        return;
    }
    all = wait_name_group(group, &count);
    tell_list(t, r, who, o, all, count, &(struct store_why){0});
    free(all);
}

void watch_begin(struct rt_turn *t, struct registry *r, struct rt_ref who,
                 struct order *o)
{
    struct wait_named *all;
    unsigned count;

    if (FIELD(o->args, "groupId") != NULL) {
        watch_group(t, r, who, o);
        return;
    }
    all = wait_name_all(r, o, NULL, &count);
    if (!wait_look_up(t, r, who, o, all, count))
        tell_list(t, r, who, o, all, count, &(struct store_why){0});
    free(all);
}

void watch_looked_up(struct rt_turn *t, struct registry *r,
                     const struct store_lookup *found)
{
    unsigned count;
    struct wait_named *all = wait_name_all(r, found->order, found, &count);

    tell_list(t, r, found->who, found->order, all, count, &found->why);
    free(all);
}

void watch_end(struct registry *r, struct rt_ref who)
{
    struct index_link *found = index_find(&r->watches.by_ref, who.id);

    if (found != NULL)
        free_watcher(r, found);
}

void watch_drop(struct registry *r)
{
    struct index_link *one;

    while ((one = index_any(&r->watches.by_ref)) != NULL)
        free_watcher(r, one);
    index_finish(&r->watches.by_ref);
}

void watch_forget(struct agent_entry *agent)
{
    while (agent->watches != NULL)
        unlink_watch(agent->watches);
}

void watch_tell(struct rt_turn *t, struct registry *r,
                struct agent_entry *agent)
{
    struct watch_done *d;

    if (agent->watches == NULL)
        return;
    d = create_done();
    d->serial = agent->serial;
    d->state = agent_entry_state(agent);
    d->result = result_of(agent);
    d->duration_ms = duration_of(agent);
    for (struct watch *w = agent->watches; w != NULL; w = w->after)
        durable_say(t, r, w->by->who, WATCH_DONE, &d->obj);
    if (d->result != NULL)
        watch_forget(agent);
    rt_obj_drop(&d->obj);
}
