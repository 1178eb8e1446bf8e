/* SPDX-License-Identifier: MIT */
/*
 * A cancellation is answered when each agent it means has changed: whether it
 * was cancelled or had come to its end by itself is not known before. So the
 * answer is never contradicted by what is read next.
 */
#include "actors/registry/inside.h"

#include <stdlib.h>

#include "runtime/text/json.h"

void agent_entry_cancel(struct rt_turn *t, struct agent_entry *c,
                        struct slice reason)
{
    struct group_cancel cancel = {.serial = c->serial};

    slice_keep(cancel.why.reason, sizeof(cancel.why.reason), reason);
    rt_tell(t, c->group->actor, GROUP_CANCEL, &cancel, sizeof(cancel));
}

void registry_end_family(struct rt_turn *t, struct registry *r,
                         struct group_entry *group)
{
    (void)r;
    for (struct group_entry *x = group_entry_next_of(group, NULL); x != NULL;
         x = group_entry_next_of(group, x))
        for (struct agent_entry *c = x->first; x != group && c != NULL;
             c = c->after)
            if (!c->is_hidden && !c->is_gone)
                agent_entry_cancel(t, c, SLICE("its orchestrator has ended"));
}

/* ---- what is meant ----------------------------------------------------- */

static void mean(struct cancelling *x, const struct agent_entry *c)
{
    for (unsigned i = 0; i < x->count; i++)
        if (x->serials[i] == c->serial)
            return;
    x->serials =
        bytes_realloc(x->serials, (x->count + 1) * sizeof(*x->serials));
    x->was_done =
        bytes_realloc(x->was_done, (x->count + 1) * sizeof(*x->was_done));
    x->serials[x->count] = c->serial;
    x->was_done[x->count++] = agent_entry_is_done(c);
}

/* False: it has been refused. */
static bool mean_agents(struct rt_turn *t, struct registry *r,
                        struct cancelling *x)
{
    yyjson_val *ids = FIELD(x->order->args, "agentIds"), *id;
    size_t i, max;

    yyjson_arr_foreach(ids, i, max, id)
    {
        struct agent_entry *c = agent_entry_find(r, field_text(id));

        if (c == NULL) {
            order_refuse_agent(t, x->order, field_text(id));
            return false;
        }
        if (!registry_is_of_family(r, x->order, c->group)) {
            registry_refuse_stranger(t, x->order, c->task->id);
            return false;
        }
        mean(x, c);
    }
    return true;
}

static bool mean_group(struct rt_turn *t, struct registry *r,
                       struct cancelling *x)
{
    struct slice id = FIELD_TEXT(x->order->args, "groupId");
    struct group_entry *top = group_entry_find(r, id);

    if (top == NULL) {
        order_refuse_group(t, x->order, id);
        return false;
    }
    if (!registry_is_of_family(r, x->order, top)) {
        registry_refuse_stranger(t, x->order, top->id);
        return false;
    }
    for (struct group_entry *group = group_entry_next_of(top, NULL);
         group != NULL; group = group_entry_next_of(top, group))
        for (struct agent_entry *c = group->first; c != NULL; c = c->after)
            if (!c->is_hidden)
                mean(x, c);
    return true;
}

/* ---- the answer -------------------------------------------------------- */

static void free_cancelling(struct cancelling *x)
{
    rt_obj_drop(&x->order->obj);
    free(x->serials);
    free(x->was_done);
    free(x);
}

static bool is_settled(struct registry *r, const struct cancelling *x)
{
    for (unsigned i = 0; i < x->count; i++) {
        struct agent_entry *c = agent_entry_at(r, x->serials[i]);

        if (c != NULL && !agent_entry_is_done(c) &&
            agent_entry_state(c) < AGENT_COMPLETED)
            return false;
    }
    return true;
}

static bool was_cancelled(struct registry *r, const struct cancelling *x,
                          unsigned i)
{
    struct agent_entry *c = agent_entry_at(r, x->serials[i]);

    return c != NULL && !x->was_done[i] &&
           agent_entry_state(c) == AGENT_CANCELLED;
}

static void put_ids(struct bytes *out, struct registry *r,
                    const struct cancelling *x, bool is_cancelled)
{
    bool is_first = true;

    for (unsigned i = 0; i < x->count; i++) {
        struct agent_entry *c = agent_entry_at(r, x->serials[i]);

        if (c == NULL || was_cancelled(r, x, i) != is_cancelled)
            continue;
        if (!is_first)
            JSON_RAW(out, ",");
        is_first = false;
        json_string(out, slice_cstr(c->task->id));
    }
}

static void answer(struct rt_turn *t, struct registry *r,
                   const struct cancelling *x)
{
    struct answer *a = answer_create(x->order->ticket);

    JSON_RAW(&a->json, "{\"cancelled\":[");
    put_ids(&a->json, r, x, true);
    JSON_RAW(&a->json, "],\"notRunning\":[");
    put_ids(&a->json, r, x, false);
    JSON_RAW(&a->json, "]}");
    registry_answer(t, r, x->order, a);
}

void registry_cancel_look(struct rt_turn *t, struct registry *r)
{
    struct cancelling **link = &r->cancelling, *x;

    while ((x = *link) != NULL) {
        if (!is_settled(r, x)) {
            link = &x->next;
            continue;
        }
        *link = x->next;
        answer(t, r, x);
        free_cancelling(x);
    }
}

void registry_cancel(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct cancelling *x = bytes_zalloc(sizeof(*x));

    x->order = RT_KEEP(o);
    if (!(FIELD(o->args, "groupId") != NULL ? mean_group(t, r, x)
                                            : mean_agents(t, r, x))) {
        free_cancelling(x);
        return;
    }
    for (unsigned i = 0; i < x->count; i++) {
        struct agent_entry *c = agent_entry_at(r, x->serials[i]);

        if (!c->is_gone)
            agent_entry_cancel(t, c, FIELD_TEXT(o->args, "reason"));
    }
    x->next = r->cancelling;
    r->cancelling = x;
    registry_cancel_look(t, r);
}

void registry_cancel_drop(struct registry *r)
{
    while (r->cancelling != NULL) {
        struct cancelling *next = r->cancelling->next;
        free_cancelling(r->cancelling);
        r->cancelling = next;
    }
}
