/* SPDX-License-Identifier: MIT */
#include "actors/registry/cancel.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/registry/permission.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"

/* One agent that one cancellation means. It hangs on the agent until that is
 * done: news of an agent concern nobody else. */
struct meant {
    struct cancel *by;
    struct agent_entry *agent; /* NULL: it is */
    uint64_t serial;
    bool was_done; /* before: it is not cancelled by this */
    struct meant *before, *after;
};

struct cancel {
    LIST_LINK(struct cancel) link;
    struct order *order; /* kept */
    uint64_t number;     /* of all cancellations */
    unsigned count;
    unsigned left; /* of those: are not done yet */
    struct meant *meant;
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

/* Once, however often it is named. */
static void mean(struct cancel *x, struct agent_entry *agent)
{
    if (agent->last_cancel == x->number)
        return;
    agent->last_cancel = x->number;
    ARRAY_GROW(x->meant, x->count);
    x->meant[x->count++] =
        (struct meant){.by = x,
                       .agent = agent,
                       .serial = agent->serial,
                       .was_done = agent_entry_is_done(agent)};
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
        if (!permission_may_manage(t, r, x->order, agent->group,
                                   agent->task->id))
            return false;
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
    if (!permission_may_manage(t, r, x->order, top, top->id))
        return false;
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
    free(x->meant);
    free(x);
}

/* So many of an answer; beyond them they are only counted. */
#define IDS 1000

/* How many there are. */
static unsigned put_ids(struct bytes *out, struct registry *r,
                        const struct cancel *x, bool is_cancelled)
{
    unsigned count = 0;

    for (unsigned i = 0; i < x->count; i++) {
        const struct meant *m = &x->meant[i];
        struct agent_entry *agent = agent_entry_at(r, m->serial);

        if (agent == NULL ||
            is_cancelled !=
                (!m->was_done && agent_entry_state(agent) == AGENT_CANCELLED))
            continue;
        if (count++ >= IDS)
            continue;
        if (count > 1)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(agent->task->id));
    }
    return count;
}

static void answer(struct rt_turn *t, struct registry *r,
                   const struct cancel *x)
{
    struct answer *a = answer_create(x->order->ticket);
    unsigned count;

    JSON_RAW(&a->json, "{\"cancelled\":[");
    count = put_ids(&a->json, r, x, true);
    JSON_RAW(&a->json, "],\"notRunning\":[");
    if (FIELD(x->order->args, "agentIds") != NULL)
        put_ids(&a->json, r, x, false);
    JSON_RAW(&a->json, "]");
    if (count > IDS)
        JSON_UINT(&a->json, "cancelledTotal", count);
    JSON_RAW(&a->json, "}");
    durable_answer(t, r, x->order, a);
}

/* ---- waiting for them -------------------------------------------------- */

static void hang(struct meant *m)
{
    m->after = m->agent->meant;
    if (m->after != NULL)
        m->after->before = m;
    m->agent->meant = m;
    m->by->left++;
}

static void unhang(struct meant *m)
{
    *(m->before != NULL ? &m->before->after : &m->agent->meant) = m->after;
    if (m->after != NULL)
        m->after->before = m->before;
    m->agent = NULL;
    m->by->left--;
}

static void answer_complete(struct rt_turn *t, struct registry *r,
                            struct cancel *x)
{
    if (x->left > 0)
        return;
    LIST_REMOVE(&r->cancels.all, x, link);
    answer(t, r, x);
    free_cancel(x);
}

void cancel_forget(struct rt_turn *t, struct registry *r,
                   struct agent_entry *agent)
{
    while (agent->meant != NULL) {
        struct cancel *x = agent->meant->by;

        unhang(agent->meant);
        answer_complete(t, r, x);
    }
}

void cancel_news(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent)
{
    if (agent_entry_is_done(agent))
        cancel_forget(t, r, agent);
}

void cancel_order(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct cancel *x = bytes_zalloc(sizeof(*x));

    x->order = RT_KEEP(o);
    x->number = ++r->cancels.number;
    if (!(FIELD(o->args, "groupId") != NULL ? mean_group(t, r, x)
                                            : mean_agents(t, r, x))) {
        free_cancel(x);
        return;
    }
    for (unsigned i = 0; i < x->count; i++) {
        struct meant *m = &x->meant[i];

        if (!m->agent->is_gone)
            cancel_agent(t, m->agent, FIELD_TEXT(o->args, "reason"));
        if (agent_entry_is_done(m->agent))
            m->agent = NULL;
        else
            hang(m);
    }
    LIST_APPEND(&r->cancels.all, x, link);
    answer_complete(t, r, x);
}

void cancel_drop(struct registry *r)
{
    LIST_EACH (x, &r->cancels.all, link) {
        for (unsigned i = 0; i < x->count; i++)
            if (x->meant[i].agent != NULL)
                unhang(&x->meant[i]);
        free_cancel(x);
    }
}
