/* SPDX-License-Identifier: MIT */
#include "actors/group/recover.h"

#include <stdlib.h>

#include "actors/group/inside.h"

static void free_past(struct rt_obj *o)
{
    struct group_past *p = (struct group_past *)o;

    for (unsigned i = 0; i < p->order->count; i++)
        if (p->agents[i].view != NULL)
            rt_obj_drop(&p->agents[i].view->obj);
    rt_obj_drop(&p->order->obj);
    free(p);
}

struct group_past *group_past_create(struct order *order, struct slice ledger)
{
    size_t agents = order->count * sizeof(struct group_past_agent);
    struct group_past *p = bytes_zalloc(sizeof(*p) + agents + ledger.len + 1);
    char *text = (char *)p + sizeof(*p) + agents;

    rt_obj_init(&p->obj, free_past);
    p->order = RT_KEEP(order);
    if (ledger.len > 0)
        memcpy(text, ledger.ptr, ledger.len);
    p->ledger = slice_of(text, ledger.len);
    return p;
}

/* ---- in the group ------------------------------------------------------ */

/* The place of one that is done is free to whoever asks for one, as it was
 * before. */
static void hold(struct rt_turn *t, struct group *g, bool is_done)
{
    struct slots_change held = {.kind = group_kind(g), .count = 1};

    rt_tell(t, g->setup.slots, SLOTS_HELD, &held, sizeof(held));
    if (is_done)
        rt_tell(t, g->setup.slots, SLOTS_DONE, &held, sizeof(held));
}

static void recover(struct rt_turn *t, struct group *g, struct member *m,
                    struct agent_view *view)
{
    struct process_spec *spec = group_spec(g, m);
    struct agent_past *past = agent_past_create(spec, view);

    rt_pass_take(t, m->agent, AGENT_RECOVER, &past->obj);
    rt_obj_drop(&spec->obj);
}

/* A gone one has no actor until a late report wants one. */
static void restore(struct rt_turn *t, struct group *g,
                    const struct group_past *p, unsigned i)
{
    const struct group_past_agent *was = &p->agents[i];
    bool is_gone = was->view != NULL && was->view->is_gone;
    struct member m = {.serial = p->order->first + i,
                       .order = RT_KEEP(p->order),
                       .task = &p->order->tasks[i],
                       .ticket = p->order->first,
                       .is_gone = is_gone};

    if (was->view != NULL)
        m.past = RT_KEEP(was->view);
    if (!is_gone)
        m.agent = group_spawn_agent(t, g, p->order, i);
    m.place = is_gone              ? MEMBER_NONE
              : was->is_started    ? MEMBER_HOLDS
              : m.task->stage == 0 ? MEMBER_IN_LINE
                                   : MEMBER_LATER;
    m.is_told_done =
        m.place == MEMBER_HOLDS && was->view != NULL && was->view->is_done;
    group_add_member(g, &m);
    if (m.place != MEMBER_HOLDS)
        return;
    hold(t, g, m.is_told_done);
    recover(t, g, &m, was->view);
}

static void ask_again(struct rt_turn *t, struct group *g,
                      const struct group_past *p)
{
    struct slots_ask a = {
        .ticket = p->order->first, .kind = group_kind(g), .is_entitled = true};

    for (unsigned i = 0; i < p->order->count; i++) {
        struct member *m = group_member(g, p->order->first + i);

        a.count += m != NULL && m->place == MEMBER_IN_LINE;
    }
    if (a.count > 0)
        rt_tell(t, g->setup.slots, SLOTS_ASK, &a, sizeof(a));
}

void group_on_past(struct rt_turn *t, struct group *g,
                   const struct group_past *p)
{
    for (unsigned i = 0; i < p->order->count; i++)
        if (p->agents[i].is_known)
            restore(t, g, p, i);
    if (p->has_plan && group_is_held_up(g, p->order->first)) {
        group_hold_plan(g, p->order);
        return;
    }
    ask_again(t, g, p);
    if (p->order->kind == ORDER_RUN_MAGENTIC)
        group_begin_magentic(t, g, p->order, p->ledger);
    if (p->has_plan)
        group_begin_plan(t, g, p->order);
}

struct rt_ref group_wake(struct rt_turn *t, struct group *g, struct member *m)
{
    struct agent_past *past;

    if (m->agent.id != 0)
        return m->agent;
    m->agent = group_spawn_agent(t, g, m->order,
                                 (unsigned)(m->serial - m->order->first));
    past = agent_past_create(NULL, m->past);
    rt_pass_take(t, m->agent, AGENT_RECOVER, &past->obj);
    return m->agent;
}
