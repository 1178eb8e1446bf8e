/*
 * Events are the numbered stream of what happened. Progress within a state is
 * not part of it: the transcript is its record.
 */
#ifndef ACTORS_REGISTRY_EVENTS_H
#define ACTORS_REGISTRY_EVENTS_H

#include "actors/agent/agent.h"

struct agent_entry;
struct group_entry;
struct registry;

/* The next one, written down and told. Takes the data over; group and agent may
 * be NULL. */
void events_tell(struct rt_turn *t, struct registry *r, const char *type,
                 const struct group_entry *group,
                 const struct agent_entry *agent, struct bytes *data);
/* The same of what happened at that time, in a system of its own. */
void events_tell_at(struct rt_turn *t, struct registry *r, uint64_t at,
                    const char *type, struct slice data);

/* Once, when this hub knows what there is. */
void events_startup(struct rt_turn *t, struct registry *r);
/* With all of the group, and with its id alone. */
void events_group(struct rt_turn *t, struct registry *r, const char *type,
                  const struct group_entry *group);
void events_group_id(struct rt_turn *t, struct registry *r, const char *type,
                     const struct group_entry *group);
void events_stage(struct rt_turn *t, struct registry *r,
                  const struct group_entry *group);
void events_ledger(struct rt_turn *t, struct registry *r,
                   const struct group_entry *group);
void events_created(struct rt_turn *t, struct registry *r,
                    struct agent_entry *agent);
/* What has changed since the view before, which may be NULL. */
void events_news(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent, const struct agent_view *before);

#endif
