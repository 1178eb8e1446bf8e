/* SPDX-License-Identifier: MIT */
/*
 * How long it waits: clients cut calls at 60 s unless they are shown progress,
 * while models ask for hours. So without a progress token a wait is cut after
 * a slice and says "again"; with one it lasts as long as was asked for, and
 * progress is told every few seconds.
 */
#include "actors/registry/wait_watch.h"

#include "actors/order/hub_context.h"
#include "actors/registry/conflicts.h"

#define PROGRESS_MS 10000

/* Its own timers. */
enum { TIME_UP = 0x5d0, SHOW_PROGRESS };

struct wait {
    struct rt_ref registry;
    struct order *order;     /* kept */
    struct watch_list *list; /* the registry made it for this wait alone */
    struct index by_serial;  /* its items that are not done */
    unsigned done;
    bool wants_any;
    bool is_cut; /* the time that is up is ours, not the client's */
};

/* ---- the answer -------------------------------------------------------- */

static enum rt_next answer(struct rt_turn *t, struct wait *w, bool is_time_up)
{
    struct answer *a = answer_create(w->order->ticket);

    wait_put_answer(&a->json, w->list, is_time_up, is_time_up && w->is_cut);
    answer_send(t, w->order, a);
    return RT_STOP;
}

static bool is_over(const struct wait *w)
{
    if (w->wants_any && w->list->count > 0)
        return w->done > 0;
    return w->done == w->list->count;
}

/* ---- time -------------------------------------------------------------- */

/* 0: for ever. */
static uint64_t time_to_wait(struct wait *w)
{
    yyjson_val *given = FIELD(w->order->args, "timeout_ms");
    uint64_t asked = given != NULL ? field_count(given) : UINT64_MAX;
    uint64_t ours = UINT64_MAX;

    if (!w->order->wants_progress && w->list->slice_ms > 0)
        ours = w->list->slice_ms;
    else if (w->order->wants_progress && given == NULL && w->list->max_ms > 0)
        ours = w->list->max_ms;
    w->is_cut = ours < asked;
    if (asked == UINT64_MAX && ours == UINT64_MAX)
        return 0;
    return asked < ours ? asked : ours;
}

static void show_progress(struct rt_turn *t, const struct wait *w)
{
    struct order_progress p = {
        .ticket = w->order->ticket, .done = w->done, .total = w->list->count};

    if (w->order->wants_progress)
        rt_tell(t, w->order->asker, ORDER_PROGRESS, &p, sizeof(p));
}

/* ---- the actor --------------------------------------------------------- */

static bool is_look_once(const struct wait *w)
{
    yyjson_val *given = FIELD(w->order->args, "timeout_ms");

    return given != NULL && field_count(given) == 0;
}

static enum rt_next on_list(struct rt_turn *t, struct wait *w,
                            struct watch_list *l)
{
    uint64_t ms;

    w->list = RT_KEEP(l);
    if (l->refusal != NULL) {
        rt_pass(t, w->order->asker, ORDER_ANSWER, &l->refusal->obj);
        return RT_STOP;
    }
    for (unsigned i = 0; i < l->count; i++) {
        if (l->items[i].result != NULL)
            w->done++;
        else
            index_add(&w->by_serial, &l->items[i].by_serial,
                      l->items[i].serial);
    }
    if (is_over(w) || is_look_once(w))
        return answer(t, w, !is_over(w));
    ms = time_to_wait(w);
    if (ms > 0)
        rt_after(t, ms, TIME_UP);
    if (w->order->wants_progress)
        rt_after(t, PROGRESS_MS, SHOW_PROGRESS);
    show_progress(t, w);
    return RT_OK;
}

static enum rt_next on_done(struct rt_turn *t, struct wait *w,
                            const struct watch_done *d)
{
    struct watch_item *item = INDEX_ITEM(struct watch_item, by_serial,
                                         index_find(&w->by_serial, d->serial));

    if (item != NULL && item->result == NULL) {
        w->done += d->result != NULL;
        item->state = d->state;
        item->result = d->result != NULL ? RT_KEEP(d->result) : NULL;
        item->duration_ms = d->duration_ms;
    }
    if (is_over(w))
        return answer(t, w, false);
    if (d->result != NULL)
        show_progress(t, w);
    return RT_OK;
}

static void on_conflict(struct wait *w, const struct watch_conflict *c)
{
    struct bytes *out = &w->list->conflicts;

    if (out->len + c->json.len > CONFLICTS_BYTES)
        return;
    if (out->len > 0)
        bytes_append(out, ",", 1);
    bytes_append(out, c->json.ptr, c->json.len);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct wait *w = state;

    rt_pass(t, w->registry, WATCH_BEGIN, &w->order->obj);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct wait *w = state;

    switch (m->kind) {
    case WATCH_LIST:
        return on_list(t, w, RT_OBJ(m, struct watch_list));
    case WATCH_DONE:
        return on_done(t, w, RT_OBJ(m, struct watch_done));
    case WATCH_CONFLICT:
        on_conflict(w, RT_OBJ(m, struct watch_conflict));
        return RT_OK;
    case TIME_UP:
        return answer(t, w, true);
    case SHOW_PROGRESS:
        show_progress(t, w);
        rt_after(t, PROGRESS_MS, SHOW_PROGRESS);
        return RT_OK;
    default:
        return RT_OK;
    }
}

static void stop(struct rt_turn *t, void *state)
{
    struct wait *w = state;

    (void)t;
    index_finish(&w->by_serial);
    if (w->list != NULL)
        rt_obj_drop(&w->list->obj);
    rt_obj_drop(&w->order->obj);
}

static const struct rt_behaviour behaviour = {.name = "wait",
                                              .size = sizeof(struct wait),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref wait_spawn(struct rt_turn *t, struct rt_ref registry,
                         struct order *order)
{
    struct wait w = {
        .registry = registry,
        .order = order,
        .wants_any = slice_eq(FIELD_TEXT(order->args, "mode"), SLICE("any"))};
    struct rt_ref ref = rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &w);

    if (ref.id == 0)
        stop(t, &w);
    return ref;
}
