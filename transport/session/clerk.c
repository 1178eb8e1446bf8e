/* SPDX-License-Identifier: MIT */
/* A call's number is where its asker is kept: the desk gives it back only for
 * calls that are in flight and not cancelled. */
#include "transport/session/clerk.h"

#include <stdlib.h>

/* More than a site has connections, and those of the WebSockets besides. */
#define CALLS 4096
#define WAITS 1024

struct errand {
    struct clerk_asker asker;
    struct errand *before, *after;
};

static struct errand *of_number(uint64_t call)
{
    return (struct errand *)(uintptr_t)call;
}

static uint64_t number_of(const struct errand *e)
{
    return (uint64_t)(uintptr_t)e;
}

void clerk_init(struct clerk *c, struct rt_ref registry,
                const struct tools *tools, struct caller *caller)
{
    *c = (struct clerk){0};
    desk_init(&c->desk, registry, tools, caller);
    c->desk.max_calls = CALLS;
    c->desk.max_waits = WAITS;
}

static struct errand *open(struct clerk *c, const struct clerk_asker *asker)
{
    struct errand *e = bytes_zalloc(sizeof(*e));

    e->asker = *asker;
    e->after = c->first;
    if (e->after != NULL)
        e->after->before = e;
    c->first = e;
    c->calls++;
    return e;
}

static void close(struct clerk *c, struct errand *e)
{
    if (e->after != NULL)
        e->after->before = e->before;
    if (e->before != NULL)
        e->before->after = e->after;
    else
        c->first = e->after;
    c->calls--;
    free(e);
}

void clerk_finish(struct rt_turn *t, struct clerk *c)
{
    while (c->first != NULL)
        clerk_cancel(t, c, number_of(c->first));
    desk_finish(&c->desk);
}

uint64_t clerk_place(struct rt_turn *t, struct clerk *c, struct slice name,
                     yyjson_val *args, const struct clerk_asker *asker)
{
    struct errand *e = open(c, asker);
    struct bytes refusal = {0};
    const struct desk_call call = {.handle = number_of(e),
                                   .name = name,
                                   .args = args,
                                   .caller = asker->caller,
                                   .wants_progress =
                                       asker->on_progress != NULL};

    if (desk_place(t, &c->desk, &call, &refusal))
        return number_of(e);
    close(c, e);
    asker->on_answer(asker->ctx, bytes_slice(&refusal), true);
    bytes_finish(&refusal);
    return 0;
}

void clerk_cancel(struct rt_turn *t, struct clerk *c, uint64_t call)
{
    if (call == 0)
        return;
    desk_cancel(t, &c->desk, call);
    close(c, of_number(call));
}

static void answer(struct clerk *c, uint64_t call, struct slice json,
                   bool is_error)
{
    struct clerk_asker asker = of_number(call)->asker;

    close(c, of_number(call));
    asker.on_answer(asker.ctx, json, is_error);
}

static bool on_exit_of(struct clerk *c, struct rt_ref who)
{
    struct bytes body = {0};
    uint64_t call;
    bool is_ours = desk_lost(&c->desk, who, &call, &body);

    if (is_ours)
        answer(c, call, bytes_slice(&body), true);
    bytes_finish(&body);
    return is_ours;
}

bool clerk_handle(struct rt_turn *t, struct clerk *c, struct rt_msg *m)
{
    const struct order_progress *progress;
    const struct answer *a;
    uint64_t call;

    (void)t;
    switch (m->kind) {
    case ORDER_ANSWER:
        a = RT_OBJ(m, struct answer);
        if (desk_land(&c->desk, a->ticket, &call))
            answer(c, call, bytes_slice(&a->json), a->is_error);
        return true;
    case ORDER_PROGRESS:
        progress = rt_body(m);
        if (desk_find(&c->desk, progress->ticket, &call) &&
            of_number(call)->asker.on_progress != NULL)
            of_number(call)->asker.on_progress(of_number(call)->asker.ctx,
                                               progress->done, progress->total);
        return true;
    case RT_EXIT:
        return on_exit_of(c, m->from);
    default:
        return false;
    }
}
