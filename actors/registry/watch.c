/* SPDX-License-Identifier: MIT */
/*
 * What a wait is told goes by way of the store: whoever has been told that an
 * agent is done looks at its result next, and finds it also in the next hub.
 *
 * Agents that only the store knows any more are done, so they are looked up
 * there once and then belong to the list like any other. A lookup takes time
 * in which those of the table may change: the list is made when it is back.
 */
#include "actors/registry/inside.h"

#include <stdlib.h>

/* Whom the order names, each once. */
struct named {
    struct slice id;
    struct agent_entry *agent;          /* or NULL */
    const struct store_lookup_item *seen; /* or NULL */
};

static const struct store_lookup_item *find_seen(const struct store_lookup *seen,
                                               struct slice id)
{
    for (unsigned i = 0; seen != NULL && i < seen->count; i++)
        if (slice_eq(slice_cstr(seen->items[i].id), id))
            return seen->items[i].state[0] != 0 ? &seen->items[i] : NULL;
    return NULL;
}

/* The caller frees it. */
static struct named *name_all(struct registry *r, struct order *o,
                              const struct store_lookup *seen, unsigned *count)
{
    yyjson_val *ids = FIELD(o->args, "agentIds"), *id;
    struct named *all = bytes_alloc((yyjson_arr_size(ids) + 1) * sizeof(*all));
    size_t i, max;
    unsigned k;

    *count = 0;
    yyjson_arr_foreach(ids, i, max, id)
    {
        struct named one = {.id = field_text(id)};

        for (k = 0; k < *count && !slice_eq(all[k].id, one.id); k++)
            ;
        if (k < *count)
            continue;
        one.agent = agent_entry_find(r, one.id);
        if (one.agent == NULL)
            one.seen = find_seen(seen, one.id);
        all[(*count)++] = one;
    }
    return all;
}

/* Its watches lie in it: whoever ends is taken off the agents he watches, and
 * no other agent is looked at. */
static void add_watcher(struct registry *r, struct rt_ref who,
                        const struct named *all, unsigned count)
{
    struct watcher *w = bytes_zalloc(sizeof(*w) + count * sizeof(*w->watches));

    w->who = who;
    for (unsigned i = 0; i < count; i++) {
        struct agent_entry *c = all[i].agent;
        struct watch *one = &w->watches[w->count];

        if (c == NULL || agent_entry_is_done(c))
            continue;
        *one = (struct watch){.by = w, .agent = c, .after = c->watches};
        if (c->watches != NULL)
            c->watches->before = one;
        c->watches = one;
        w->count++;
    }
    index_add(&r->watchers, &w->by_ref, who.id);
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
    index_remove(&r->watchers, by_ref);
    free(w);
}

static uint64_t duration_of(const struct agent_entry *c)
{
    return c->view != NULL ? c->view->elapsed_ms : 0;
}

static void put_agent(struct watch_item *item, const struct agent_entry *c)
{
    item->serial = c->serial;
    item->state = agent_entry_state(c);
    item->is_done = agent_entry_is_done(c);
    item->duration_ms = duration_of(c);
}

static void put_seen(struct watch_item *item, const struct store_lookup_item *s)
{
    item->state = registry_state_of(slice_cstr(s->state));
    item->is_done = s->is_done;
    item->duration_ms = s->duration_ms;
}

static struct answer *refusal(const struct registry *r, struct order *o,
                              struct slice id, const char *why)
{
    bool is_english = registry_config(r)->language == CONFIG_EN;

    if (why[0] != 0)
        return answer_refusal(o->ticket, CODE_STORE_UNAVAILABLE,
                              is_english
                                  ? "agent '%.*s' is not at hand and the "
                                    "database cannot be read: %s"
                                  : "Agent '%.*s' が手元になく、データベースも"
                                    "読めません: %s",
                              (int)id.len, id.ptr, why);
    return answer_refusal(o->ticket, CODE_AGENT_NOT_FOUND,
                          is_english ? "there is no agent '%.*s'"
                                     : "Agent '%.*s' が見つかりません",
                          (int)id.len, id.ptr);
}

/* True: the store was asked, and will say more. */
static bool look_up(struct rt_turn *t, struct registry *r, struct rt_ref who,
                    struct order *o, const struct named *all, unsigned count)
{
    struct store_lookup *l;

    if (r->store.id == 0)
        return false;
    l = store_lookup_create(who, o, count);
    for (unsigned i = 0; i < count; i++)
        if (all[i].agent == NULL && all[i].id.len < ORDER_ID)
            slice_keep(l->items[l->count++].id, ORDER_ID, all[i].id);
    if (l->count > 0)
        rt_pass(t, r->store, STORE_LOOK_UP, &l->obj);
    count = l->count;
    rt_obj_drop(&l->obj);
    return count > 0;
}

static void tell_list(struct rt_turn *t, struct registry *r, struct rt_ref who,
                      struct order *o, const struct named *all, unsigned count,
                      const char *why)
{
    struct watch_list *l = watch_list_create(count);

    l->slice_ms = (uint64_t)registry_config(r)->mcp.wait_slice_ms;
    l->max_ms = (uint64_t)registry_config(r)->mcp.wait_max_ms;
    for (unsigned i = 0; i < count; i++) {
        slice_keep(l->items[i].id, sizeof(l->items[i].id), all[i].id);
        if (all[i].agent != NULL)
            put_agent(&l->items[i], all[i].agent);
        else if (all[i].seen != NULL)
            put_seen(&l->items[i], all[i].seen);
        else if (l->refusal == NULL)
            l->refusal = refusal(r, o, all[i].id, why);
    }
    if (l->refusal == NULL)
        add_watcher(r, who, all, count);
    rt_monitor(t, who);
    registry_say(t, r, who, WATCH_LIST, &l->obj);
    rt_obj_drop(&l->obj);
}

void registry_watch(struct rt_turn *t, struct registry *r, struct rt_ref who,
                    struct order *o)
{
    unsigned count;
    struct named *all = name_all(r, o, NULL, &count);

    if (!look_up(t, r, who, o, all, count))
        tell_list(t, r, who, o, all, count, "");
    free(all);
}

void registry_watch_seen(struct rt_turn *t, struct registry *r,
                         const struct store_lookup *seen)
{
    unsigned count;
    struct named *all = name_all(r, seen->order, seen, &count);

    tell_list(t, r, seen->who, seen->order, all, count, seen->why);
    free(all);
}

void registry_unwatch(struct registry *r, struct rt_ref who)
{
    struct index_link *found = index_find(&r->watchers, who.id);

    if (found != NULL)
        free_watcher(r, found);
}

void registry_watch_drop(struct registry *r)
{
    struct index_link *one;

    while ((one = index_any(&r->watchers)) != NULL)
        free_watcher(r, one);
    index_finish(&r->watchers);
}

void agent_entry_unwatch(struct agent_entry *c)
{
    while (c->watches != NULL)
        unlink_watch(c->watches);
}

void agent_entry_tell_watchers(struct rt_turn *t, struct registry *r,
                               struct agent_entry *c)
{
    struct watch_done *d;

    if (c->watches == NULL)
        return;
    d = watch_done_create();
    d->serial = c->serial;
    d->state = agent_entry_state(c);
    d->is_done = agent_entry_is_done(c);
    d->duration_ms = duration_of(c);
    for (struct watch *w = c->watches; w != NULL; w = w->after)
        registry_say(t, r, w->by->who, WATCH_DONE, &d->obj);
    if (d->is_done)
        agent_entry_unwatch(c);
    rt_obj_drop(&d->obj);
}
