/*
 * Spend is what agents cost, and the budgets. A cost is known when the agent's
 * counts are written, at the end for most: so a budget keeps new agents from
 * starting, and those under way may go beyond it. What is spent belongs to the
 * group and all groups above it, and to the day (UTC) on which the agent
 * started, as usage has it. Amounts are micro-dollars.
 */
#ifndef ACTORS_REGISTRY_SPEND_H
#define ACTORS_REGISTRY_SPEND_H

#include "actors/order/order.h"

struct agent_entry;
struct group_entry;
struct past;
struct registry;
struct transcript_usage;

struct spend {
    uint64_t day, today; /* days since 1970, and what was spent on it */
    bool is_told;        /* that the day's budget is used up */
};

/* What it has cost so far: as the CLI says, else by the configuration's
 * prices. False: that is not known. */
bool spend_cost(const struct registry *r, const struct agent_entry *agent,
                uint64_t *cost);
/* The same for so much use. */
bool spend_price(const struct registry *r, const struct agent_entry *agent,
                 const struct transcript_usage *u, uint64_t *cost);
/* Whether both say the same, of tokens and of costs. */
bool spend_is_same(const struct transcript_usage *a,
                   const struct transcript_usage *b);
/* Counts what its newest view says. */
void spend_count(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent);
/* What today's agents have cost so far. */
uint64_t spend_today(struct rt_turn *t, struct registry *r);
/* Whether the budgets let agents start, in that group if it is not NULL.
 * False: refused. */
bool spend_may(struct rt_turn *t, struct registry *r, struct order *o,
               const struct group_entry *group);
void spend_restore(struct rt_turn *t, struct registry *r, const struct past *p);

#endif
