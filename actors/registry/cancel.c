/* SPDX-License-Identifier: MIT */
#include "actors/registry/cancel.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/registry/permission.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"

struct cancel {
    struct cancel *next;
    struct order *order; /* kept */
    unsigned count;      /* agents that are meant */
    uint64_t *serials;
    bool *was_done; /* before: those are not cancelled by this */
};

void cancel_agent(struct rt_turn *t, struct agent_entry *agent,
                  struct slice reason)
{
    struct group_cancel cancel = {.serial = agent->serial};

    slice_keep(cancel.why.reason, sizeof(cancel.why.reason), reason);
    rt_tell(t, agent->group->actor, GROUP_CANCEL, &cancel, sizeof(cancel));
}

void cancel_family(struct rt_turn *t, struct group_entry *group)
{
    for (struct group_entry *x = group_entry_next_of(group, NULL); x != NULL;
         x = group_entry_next_of(group, x))
        for (struct agent_entry *agent = x->first; x != group && agent != NULL;
             agent = agent->after)
            if (!agent->is_hidden && !agent->is_gone)
                cancel_agent(t, agent, SLICE("its orchestrator has ended"));
}

void cancel_all(struct rt_turn *t, struct registry *r)
{
    for (struct agent_entry *agent = r->agents.oldest; agent != NULL;
         agent = agent->newer)
        if (!agent->is_hidden && !agent->is_gone)
            cancel_agent(t, agent, SLICE_EMPTY);
}

/* ---- what is meant ----------------------------------------------------- */

static void mean(struct cancel *x, const struct agent_entry *agent)
{
    for (unsigned i = 0; i < x->count; i++)
        if (x->serials[i] == agent->serial)
            return;
    ARRAY_GROW(x->serials, x->count);
    ARRAY_GROW(x->was_done, x->count);
    x->serials[x->count] = agent->serial;
    x->was_done[x->count++] = agent_entry_is_done(agent);
}

/* False: it has been refused. */
static bool mean_agents(struct rt_turn *t, struct registry *r, struct cancel *x)
{
    yyjson_val *ids = FIELD(x->order->args, "agentIds"), *id;
    size_t i, max;

    yyjson_arr_foreach(ids, i, max, id)
    {
        struct agent_entry *agent = agent_entry_find(r, field_text(id));

        if (agent == NULL) {
            order_refuse_agent(t, x->order, field_text(id));
            return false;
        }
        if (!permission_has(r, x->order, agent->group)) {
            permission_refuse_stranger(t, x->order, agent->task->id);
            return false;
        }
        mean(x, agent);
    }
    return true;
}

static bool mean_group(struct rt_turn *t, struct registry *r, struct cancel *x)
{
    struct slice id = FIELD_TEXT(x->order->args, "groupId");
    struct group_entry *top = group_entry_find(r, id);

    if (top == NULL) {
        order_refuse_group(t, x->order, id);
        return false;
    }
    if (!permission_has(r, x->order, top)) {
        permission_refuse_stranger(t, x->order, top->id);
        return false;
    }
    for (struct group_entry *group = group_entry_next_of(top, NULL);
         group != NULL; group = group_entry_next_of(top, group))
        for (struct agent_entry *agent = group->first; agent != NULL;
             agent = agent->after)
            if (!agent->is_hidden)
                mean(x, agent);
    return true;
}

/* ---- the answer -------------------------------------------------------- */

static void free_cancel(struct cancel *x)
{
    rt_obj_drop(&x->order->obj);
    free(x->serials);
    free(x->was_done);
    free(x);
}

static bool is_settled(struct registry *r, const struct cancel *x)
{
    for (unsigned i = 0; i < x->count; i++) {
        struct agent_entry *agent = agent_entry_at(r, x->serials[i]);

        if (agent != NULL && !agent_entry_is_done(agent) &&
            agent_entry_state(agent) < AGENT_COMPLETED)
            return false;
    }
    return true;
}

static bool was_cancelled(struct registry *r, const struct cancel *x,
                          unsigned i)
{
    struct agent_entry *agent = agent_entry_at(r, x->serials[i]);

    return agent != NULL && !x->was_done[i] &&
           agent_entry_state(agent) == AGENT_CANCELLED;
}

static void put_ids(struct bytes *out, struct registry *r,
                    const struct cancel *x, bool is_cancelled)
{
    bool is_first = true;

    for (unsigned i = 0; i < x->count; i++) {
        struct agent_entry *agent = agent_entry_at(r, x->serials[i]);

        if (agent == NULL || was_cancelled(r, x, i) != is_cancelled)
            continue;
        if (!is_first)
            JSON_RAW(out, ",");
        is_first = false;
        json_string(out, slice_cstr(agent->task->id));
    }
}

static void answer(struct rt_turn *t, struct registry *r,
                   const struct cancel *x)
{
    struct answer *a = answer_create(x->order->ticket);

    JSON_RAW(&a->json, "{\"cancelled\":[");
    put_ids(&a->json, r, x, true);
    JSON_RAW(&a->json, "],\"notRunning\":[");
    put_ids(&a->json, r, x, false);
    JSON_RAW(&a->json, "]}");
    durable_answer(t, r, x->order, a);
}

void cancel_answer(struct rt_turn *t, struct registry *r)
{
    struct cancel **link = &r->cancels.first, *x;

    while ((x = *link) != NULL) {
        if (!is_settled(r, x)) {
            link = &x->next;
            continue;
        }
        *link = x->next;
        answer(t, r, x);
        free_cancel(x);
    }
}

void cancel_order(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct cancel *x = bytes_zalloc(sizeof(*x));

    x->order = RT_KEEP(o);
    if (!(FIELD(o->args, "groupId") != NULL ? mean_group(t, r, x)
                                            : mean_agents(t, r, x))) {
        free_cancel(x);
        return;
    }
    for (unsigned i = 0; i < x->count; i++) {
        struct agent_entry *agent = agent_entry_at(r, x->serials[i]);

        if (!agent->is_gone)
            cancel_agent(t, agent, FIELD_TEXT(o->args, "reason"));
    }
    x->next = r->cancels.first;
    r->cancels.first = x;
    cancel_answer(t, r);
}

void cancel_drop(struct registry *r)
{
    while (r->cancels.first != NULL) {
        struct cancel *next = r->cancels.first->next;
        free_cancel(r->cancels.first);
        r->cancels.first = next;
    }
}
