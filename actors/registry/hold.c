/* SPDX-License-Identifier: MIT */
#include "actors/registry/hold.h"

#include "actors/order/hub_context.h"

#define PROGRESS_MS 10000

enum { SHOW_PROGRESS = 0x5d8 };

struct hold {
    struct rt_ref registry, asker;
    struct order *order; /* kept */
};

/* Clients cut calls at 60 s unless they are shown that something lives. */
static void show_progress(struct rt_turn *t, const struct hold *h)
{
    struct order_progress p = {
        .ticket = h->order->ticket, .done = 0, .total = 1};

    if (!h->order->wants_progress)
        return;
    rt_tell(t, h->asker, ORDER_PROGRESS, &p, sizeof(p));
    rt_after(t, PROGRESS_MS, SHOW_PROGRESS);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct hold *h = state;

    h->order->asker = rt_self(t);
    rt_pass(t, h->registry, ORDER_PLACED, &h->order->obj);
    show_progress(t, h);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct hold *h = state;

    if (m->kind == SHOW_PROGRESS)
        show_progress(t, h);
    if (m->kind != ORDER_ANSWER)
        return RT_OK;
    rt_pass(t, h->asker, ORDER_ANSWER, RT_OBJ(m, struct rt_obj));
    return RT_STOP;
}

static void stop(struct rt_turn *t, void *state)
{
    struct hold *h = state;

    (void)t;
    rt_obj_drop(&h->order->obj);
}

static const struct rt_behaviour behaviour = {.name = "hold",
                                              .size = sizeof(struct hold),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref hold_spawn(struct rt_turn *t, struct rt_ref registry,
                         struct order *order)
{
    struct hold h = {
        .registry = registry, .asker = order->asker, .order = order};
    struct rt_ref ref = rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &h);

    if (ref.id == 0)
        stop(t, &h);
    return ref;
}
