/*
 * News is what groups tell. The table is changed first, then the store, the
 * feed and waits are told, and the answer to the order goes out last: so no
 * client is told something that a question would not find yet.
 */
#ifndef ACTORS_REGISTRY_NEWS_H
#define ACTORS_REGISTRY_NEWS_H

#include "actors/agent/agent.h"
#include "actors/group/group.h"
#include "actors/group/magentic.h"

struct registry;

void news_on_view(struct rt_turn *t, struct registry *r, struct agent_view *v);
void news_on_step(struct rt_turn *t, struct registry *r,
                  const struct agent_step *step);
void news_on_plan(struct rt_turn *t, struct registry *r,
                  const struct group_plan *plan);
void news_on_ledger(struct rt_turn *t, struct registry *r, struct ledger *l);
/* A group's or a ledger's, to be passed on to the asker. */
void news_on_answer(struct rt_turn *t, struct registry *r, struct answer *a);
/* Tells the parent how many are not gone. */
void news_tell_census(struct rt_turn *t, struct registry *r);

#endif
