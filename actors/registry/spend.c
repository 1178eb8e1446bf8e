/* SPDX-License-Identifier: MIT */
#include "actors/registry/spend.h"

#include <inttypes.h>

#include "actors/registry/inside.h"

#define DAY_MS ((uint64_t)24 * 3600 * 1000)

bool spend_cost(const struct registry *r, const struct agent_entry *agent,
                uint64_t *cost)
{
    *cost = 0;
    return agent->view != NULL &&
           spend_price(r, agent, &agent->view->usage, cost);
}

bool spend_is_same(const struct transcript_usage *a,
                   const struct transcript_usage *b)
{
    return a->input == b->input && a->output == b->output &&
           a->cache_read == b->cache_read && a->cache_write == b->cache_write &&
           a->cost_usd <= b->cost_usd && a->cost_usd >= b->cost_usd;
}

bool spend_price(const struct registry *r, const struct agent_entry *agent,
                 const struct transcript_usage *u, uint64_t *cost)
{
    const struct price *p;

    *cost = 0;
    if (u->cost_usd > 0 && u->cost_usd < 1e12) {
        *cost = (uint64_t)(u->cost_usd * 1e6 + 0.5);
        return true;
    }
    if (u->input + u->output + u->cache_read + u->cache_write == 0)
        return false;
    p = price_find(registry_config(r), agent->task->role->role->model,
                   agent->view != NULL ? agent->view->model : "");
    if (p != NULL)
        *cost = price_of(p, u->input, u->output, u->cache_read, u->cache_write);
    return p != NULL;
}

/* Its transcript may be read before its start is known, which then was now. */
static uint64_t day_of(const struct agent_entry *agent, uint64_t today)
{
    uint64_t at = agent->view != NULL ? agent->view->started_at : 0;

    return at != 0 ? at / DAY_MS : today;
}

/* The first agent that starts on a new day is seen on that day, so none of
 * what the day costs is missed. */
static void turn_day(struct rt_turn *t, struct registry *r)
{
    uint64_t today = rt_wall_ms(t) / DAY_MS;

    if (today == r->spend.day)
        return;
    r->spend.day = today;
    r->spend.today = 0;
    r->spend.is_told = false;
    for (struct agent_entry *agent = r->agents.oldest; agent != NULL;
         agent = agent->newer)
        if (day_of(agent, today) == today)
            r->spend.today += agent->cost;
}

/* ---- budgets ----------------------------------------------------------- */

static bool is_over(uint64_t spent, int64_t limit)
{
    return limit > 0 && spent >= (uint64_t)limit;
}

/* Once, until it is raised; the rows that say so are written with the costs. */
static void tell_spent(struct rt_turn *t, struct registry *r,
                       const struct group_entry *group, uint64_t spent,
                       int64_t limit, bool *is_told)
{
    bool is = is_over(spent, limit);

    if (is && !*is_told)
        notices_budget(t, r, group, spent, limit);
    *is_told = is;
}

static void tell_budgets(struct rt_turn *t, struct registry *r,
                         struct group_entry *group)
{
    int64_t limit = registry_config(r)->budget.group_usd;

    for (; group != NULL; group = group->parent)
        tell_spent(t, r, group, group->spent, limit, &group->is_budget_told);
    tell_spent(t, r, NULL, r->spend.today, registry_config(r)->budget.day_usd,
               &r->spend.is_told);
}

void spend_count(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent)
{
    uint64_t cost;

    turn_day(t, r);
    /* A stream read again begins at nothing; what was spent stays spent. */
    if (!spend_cost(r, agent, &cost) || cost <= agent->cost)
        return;
    for (struct group_entry *group = agent->group; group != NULL;
         group = group->parent)
        group->spent += cost - agent->cost;
    if (day_of(agent, r->spend.day) == r->spend.day)
        r->spend.today += cost - agent->cost;
    agent->cost = cost;
    tell_budgets(t, r, agent->group);
}

uint64_t spend_today(struct rt_turn *t, struct registry *r)
{
    turn_day(t, r);
    return r->spend.today;
}

/* ---- refusing ---------------------------------------------------------- */

static bool refuse_group(struct rt_turn *t, struct order *o,
                         const struct group_entry *group, int64_t limit)
{
    ORDER_REFUSE(t, o, CODE_BUDGET_EXCEEDED, BUDGET_OF_GROUP_USED_UP, group->id,
                 (double)group->spent / 1e6, (double)limit / 1e6);
    return false;
}

bool spend_may(struct rt_turn *t, struct registry *r, struct order *o,
               const struct group_entry *group)
{
    int64_t limit = registry_config(r)->budget.group_usd;
    int64_t day = registry_config(r)->budget.day_usd;

    for (; group != NULL; group = group->parent)
        if (is_over(group->spent, limit)) {
            notes_budget(t, r, group, group->spent, limit);
            return refuse_group(t, o, group, limit);
        }
    turn_day(t, r);
    if (!is_over(r->spend.today, day))
        return true;
    notes_budget(t, r, NULL, r->spend.today, day);
    ORDER_REFUSE(t, o, CODE_BUDGET_EXCEEDED, BUDGET_OF_DAY_USED_UP,
                 (double)r->spend.today / 1e6, (double)day / 1e6);
    return false;
}

/* ---- the past ---------------------------------------------------------- */

void spend_restore(struct rt_turn *t, struct registry *r, const struct past *p)
{
    turn_day(t, r);
    for (size_t i = 0; i < p->spent_count; i++) {
        struct group_entry *group = group_entry_at(r, p->spent[i].group);

        if (group != NULL)
            group->spent = p->spent[i].cost;
        if (group != NULL)
            group->is_budget_told =
                is_over(group->spent, registry_config(r)->budget.group_usd);
    }
    if (p->spent_day == r->spend.day)
        r->spend.today = p->spent_today;
    r->spend.is_told =
        is_over(r->spend.today, registry_config(r)->budget.day_usd);
}
