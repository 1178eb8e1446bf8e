/* SPDX-License-Identifier: MIT */
/*
 * What a wait is told goes by way of the store: whoever has been told that an
 * agent is done looks at its result next, and finds it also in the next hub.
 */
#include "actors/registry_inside.h"

#include <stdlib.h>

/* Agents the order names, each once; -1 and *unknown if one is not there. */
static int name_cards(struct registry *r, struct order *o, struct card **cards,
                      struct slice *unknown)
{
    yyjson_val *ids = FIELD(o->args, "agentIds"), *id;
    size_t i, max;
    int count = 0, k;

    yyjson_arr_foreach(ids, i, max, id)
    {
        struct card *c = card_find(r, field_text(id));

        if (c == NULL) {
            *unknown = field_text(id);
            return -1;
        }
        for (k = 0; k < count && cards[k] != c; k++)
            ;
        if (k == count)
            cards[count++] = c;
    }
    return count;
}

static void add_watcher(struct card *c, struct rt_ref who)
{
    c->watchers = bytes_realloc(c->watchers,
                                (c->watcher_count + 1) * sizeof(*c->watchers));
    c->watchers[c->watcher_count++] = who;
}

static uint64_t duration_of(const struct card *c)
{
    return c->view != NULL ? c->view->elapsed_ms : 0;
}

static struct watch_list *list_of(struct card **cards, unsigned count)
{
    struct watch_list *l = watch_list_create(count);

    for (unsigned i = 0; i < count; i++) {
        struct watch_item *item = &l->items[i];

        item->serial = cards[i]->serial;
        memcpy(item->id, cards[i]->task->id, sizeof(item->id));
        item->state = card_state(cards[i]);
        item->is_done = card_is_done(cards[i]);
        item->duration_ms = duration_of(cards[i]);
    }
    return l;
}

static struct answer *refusal(const struct registry *r, struct order *o,
                              struct slice id)
{
    return registry_config(r)->language == CONFIG_EN
               ? answer_refusal(o->ticket, CODE_AGENT_NOT_FOUND,
                                "there is no agent '%.*s'", (int)id.len, id.ptr)
               : answer_refusal(o->ticket, CODE_AGENT_NOT_FOUND,
                                "Agent '%.*s' が見つかりません", (int)id.len,
                                id.ptr);
}

void registry_watch(struct rt_turn *t, struct registry *r, struct rt_ref who,
                    struct order *o)
{
    size_t named = yyjson_arr_size(FIELD(o->args, "agentIds"));
    struct card **cards = bytes_alloc((named + 1) * sizeof(*cards));
    struct slice unknown = SLICE_EMPTY;
    int count = name_cards(r, o, cards, &unknown);
    struct watch_list *l = list_of(cards, count > 0 ? (unsigned)count : 0);

    l->slice_ms = (uint64_t)registry_config(r)->mcp.wait_slice_ms;
    l->max_ms = (uint64_t)registry_config(r)->mcp.wait_max_ms;
    if (count < 0)
        l->refusal = refusal(r, o, unknown);
    for (int i = 0; i < count; i++)
        if (!card_is_done(cards[i]))
            add_watcher(cards[i], who);
    rt_monitor(t, who);
    registry_say(t, r, who, WATCH_LIST, &l->obj);
    rt_obj_drop(&l->obj);
    free(cards);
}

void registry_unwatch(struct registry *r, struct rt_ref who)
{
    for (struct card *c = r->oldest; c != NULL; c = c->newer)
        for (unsigned i = 0; i < c->watcher_count; i++)
            if (rt_same(c->watchers[i], who))
                c->watchers[i--] = c->watchers[--c->watcher_count];
}

void card_tell_watchers(struct rt_turn *t, struct registry *r, struct card *c)
{
    struct watch_done *d;

    if (c->watcher_count == 0)
        return;
    d = watch_done_create();
    d->serial = c->serial;
    d->state = card_state(c);
    d->is_done = card_is_done(c);
    d->duration_ms = duration_of(c);
    for (unsigned i = 0; i < c->watcher_count; i++)
        registry_say(t, r, c->watchers[i], WATCH_DONE, &d->obj);
    if (d->is_done)
        c->watcher_count = 0;
    rt_obj_drop(&d->obj);
}
