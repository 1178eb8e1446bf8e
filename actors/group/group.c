/* SPDX-License-Identifier: MIT */
/*
 * Who is told of a change, and in which order: slots, then the registry, then
 * the stage, then the client that waits for an answer. A client that acts on
 * what it was told finds slots and registry no older than that.
 */
#include "actors/group/inside.h"

#include <stdlib.h>

#include "actors/group/magentic.h"
#include "runtime/text/bytes.h"
#include "runtime/text/json.h"

struct slice group_mode_name(enum group_mode mode)
{
    static const struct slice names[GROUP_MODES] = {SLICE_INIT("concurrent"),
                                                    SLICE_INIT("sequential"),
                                                    SLICE_INIT("magentic")};

    return names[mode];
}

/* Serial numbers only grow, so the list is sorted by them. */
struct member *group_member(struct group *g, uint64_t serial)
{
    size_t low = 0, high = g->member_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (g->members[middle].serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->member_count && g->members[low].serial == serial &&
                   g->members[low].order != NULL
               ? &g->members[low]
               : NULL;
}

uint32_t group_kind(const struct group *g)
{
    return g->setup.mode == GROUP_MAGENTIC ? SLOTS_ORCHESTRATORS : SLOTS_AGENTS;
}

/* ---- what agents tell -------------------------------------------------- */

static void leave_place(struct rt_turn *t, struct group *g, struct member *m)
{
    struct slots_change give = {
        .kind = group_kind(g), .count = 1, .was_done = m->is_told_done};
    struct slots_grant less = {.ticket = m->ticket, .count = 1};

    if (m->place == MEMBER_HOLDS)
        rt_tell(t, g->setup.slots, SLOTS_GIVE, &give, sizeof(give));
    else if (m->place == MEMBER_IN_LINE)
        rt_tell(t, g->setup.slots, SLOTS_WITHDRAW, &less, sizeof(less));
    m->place = MEMBER_NONE;
}

void group_tell_stage(struct rt_turn *t, struct group *g, struct member *m,
                      struct agent_view *v)
{
    struct stage_gone *gone;

    if (g->stage.id == 0 || m->order->first != g->plan)
        return;
    gone = stage_gone_create(m->task->stage, v);
    rt_pass_take(t, g->stage, STAGE_GONE, &gone->obj);
}

/* An agent may be done and gone in one piece of news: the place is then given
 * back as one that was never said to be done. */
static void on_news(struct rt_turn *t, struct group *g, struct agent_view *v)
{
    struct member *m = group_member(g, v->def->serial);
    struct slots_change done = {.kind = group_kind(g), .count = 1};
    bool is_gone = (v->news & AGENT_NEWS_GONE) != 0;

    if (m == NULL)
        return;
    if (is_gone)
        leave_place(t, g, m);
    else if (v->is_done && !m->is_told_done && m->place == MEMBER_HOLDS) {
        rt_tell(t, g->setup.slots, SLOTS_DONE, &done, sizeof(done));
        m->is_told_done = true;
    }
    m->is_gone |= is_gone; /* a report may come later yet */
    rt_pass(t, g->setup.registry, GROUP_NEWS, &v->obj);
    if (!is_gone)
        return;
    group_keep_gone(g, m, v);
    group_tell_stage(t, g, m, v);
    group_try_plans(t, g);
}

/* ---- other orders ------------------------------------------------------ */

static void drop_member(struct member *m)
{
    if (m->order != NULL)
        rt_obj_drop(&m->order->obj);
    if (m->past != NULL)
        rt_obj_drop(&m->past->obj);
    m->order = NULL;
    m->past = NULL;
}

static void close_gaps(struct group *g)
{
    size_t kept = 0;

    for (size_t i = 0; i < g->member_count; i++)
        if (g->members[i].order != NULL)
            g->members[kept++] = g->members[i];
    g->member_count = kept;
    g->forgotten = g->first_later = 0;
}

/* Many are forgotten one after the other: gaps are closed when half of the
 * list is gaps, so that each costs a step or two. */
static void on_forget(struct rt_turn *t, struct group *g, uint64_t serial)
{
    struct member *m = group_member(g, serial);

    if (m == NULL)
        return;
    rt_drain(t, m->agent); /* a report on its way is answered yet */
    drop_member(m);
    m->place = MEMBER_NONE;
    if (++g->forgotten * 2 > g->member_count)
        close_gaps(g);
}

static void on_cancel(struct rt_turn *t, struct group *g,
                      const struct group_cancel *c)
{
    struct member *m = group_member(g, c->serial);

    if (m != NULL)
        rt_tell(t, m->agent, AGENT_CANCEL, &c->why, sizeof(c->why));
}

/* A gone one of an earlier hub has no actor, and nothing to say. */
static void on_listen(struct rt_turn *t, struct group *g,
                      const struct group_listen *l)
{
    struct member *m = group_member(g, l->serial);

    if (m != NULL && m->agent.id != 0)
        rt_tell(t, m->agent, AGENT_LISTEN, &l->what, sizeof(l->what));
}

static void tell_plan(struct rt_turn *t, struct group *g,
                      const struct stage_at *at, unsigned stages, bool is_over)
{
    struct group_plan plan = {.group = g->setup.serial,
                              .plan = at->plan,
                              .stage = at->stage,
                              .stages = stages,
                              .is_over = is_over};

    rt_tell(t, g->setup.registry, GROUP_PLAN, &plan, sizeof(plan));
}

static void on_abandon(struct rt_turn *t, struct group *g,
                       const struct stage_at *at)
{
    static const struct agent_cancel why = {"an earlier stage has failed"};

    for (size_t i = 0; i < g->member_count; i++)
        if (g->members[i].order != NULL &&
            g->members[i].order->first == at->plan &&
            g->members[i].task->stage > at->stage)
            rt_tell(t, g->members[i].agent, AGENT_CANCEL, &why, sizeof(why));
}

static void on_over(struct rt_turn *t, struct group *g,
                    const struct stage_at *at)
{
    tell_plan(t, g, at, at->stage + 1, true);
    if (at->plan != g->plan)
        return; /* the next one has begun */
    g->stage = RT_NOBODY;
    if (g->before != NULL)
        rt_obj_drop(&g->before->obj);
    g->before = NULL;
}

static void on_stage(struct rt_turn *t, struct group *g,
                     struct stage_handover *h)
{
    struct member *m = group_member(g, h->at.plan);

    if (h->at.plan != g->plan)
        return; /* all of it is gone, and the next one has begun */
    group_on_next_stage(t, g, h);
    tell_plan(t, g, &h->at, m != NULL ? m->order->stages : 0, false);
}

/* ---- the actor --------------------------------------------------------- */

static bool on_order(struct rt_turn *t, struct group *g, struct rt_msg *m)
{
    switch (m->kind) {
    case GROUP_RUN:
        group_on_run(t, g, RT_OBJ(m, struct order));
        return true;
    case GROUP_PAST:
        group_on_past(t, g, RT_OBJ(m, struct group_past));
        return true;
    case GROUP_REPORT:
        group_on_report(t, g, RT_OBJ(m, struct order));
        return true;
    case GROUP_KEPT:
        group_on_kept(t, g, RT_OBJ(m, struct agent_view));
        return true;
    case GROUP_LEDGER:
        rt_pass(t, g->magentic, MAGENTIC_UPDATE, RT_OBJ(m, struct rt_obj));
        return true;
    case GROUP_CANCEL:
        on_cancel(t, g, rt_body(m));
        return true;
    case GROUP_LISTEN:
        on_listen(t, g, rt_body(m));
        return true;
    case GROUP_FORGET:
        on_forget(t, g, ((struct group_agent *)rt_body(m))->serial);
        return true;
    case GROUP_CLOSE:
        g->is_closing = true;
        return true;
    default:
        return false;
    }
}

static void on_message(struct rt_turn *t, struct group *g, struct rt_msg *m)
{
    switch (m->kind) {
    case AGENT_NEWS:
        on_news(t, g, RT_OBJ(m, struct agent_view));
        break;
    case AGENT_REPORT_TAKEN:
    case AGENT_REPORT_REFUSED:
        group_on_report_answered(t, g, m->from, m->kind == AGENT_REPORT_TAKEN);
        break;
    case SLOTS_ACCEPTED:
        group_on_accepted(t, g, ((struct slots_grant *)rt_body(m))->ticket);
        break;
    case SLOTS_REFUSED:
        group_on_refused(t, g, rt_body(m));
        break;
    case SLOTS_GRANTED:
        group_on_granted(t, g, rt_body(m));
        break;
    case STAGE_NEXT:
        on_stage(t, g, RT_OBJ(m, struct stage_handover));
        break;
    case STAGE_ABANDON:
        on_abandon(t, g, rt_body(m));
        break;
    case STAGE_OVER:
        on_over(t, g, rt_body(m));
        break;
    default:
        break;
    }
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct group *g = state;

    if (!on_order(t, g, m))
        on_message(t, g, m);
    if (g->is_closing && g->reports.first == NULL && g->asked.first == NULL)
        return RT_STOP;
    return RT_OK;
}

static void drop_orders(struct asked *first)
{
    for (struct asked *next; first != NULL; first = next) {
        next = first->link.next;
        rt_obj_drop(&first->order->obj);
        free(first);
    }
}

static void stop(struct rt_turn *t, void *state)
{
    struct group *g = state;

    (void)t;
    for (size_t i = 0; i < g->member_count; i++)
        drop_member(&g->members[i]);
    free(g->members);
    group_drop_reports(g);
    drop_orders(g->asked.first);
    drop_orders(g->plans.first);
    if (g->before != NULL)
        rt_obj_drop(&g->before->obj);
    rt_obj_drop(&g->setup.context->obj);
}

static const struct rt_behaviour behaviour = {.name = "group",
                                              .size = sizeof(struct group),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref group_spawn(struct rt_turn *t, const struct group_setup *setup)
{
    struct group g = {.setup = *setup};
    struct rt_ref ref;

    rt_obj_keep(&setup->context->obj);
    ref = rt_spawn(t, &behaviour, &g);
    if (ref.id == 0)
        stop(t, &g);
    return ref;
}
