/* Notes, as the registry makes them (note.h). */
#ifndef ACTORS_REGISTRY_NOTES_H
#define ACTORS_REGISTRY_NOTES_H

#include "actors/registry/note.h"

struct agent_entry;
struct group_entry;
struct registry;

struct notes {
    struct rt_ref to; /* RT_NOBODY: nobody wants them */
};

/* What the log is told. Nothing is done while nobody wants it. */
void notes_agent(struct rt_turn *t, struct registry *r, enum note_kind kind,
                 const struct agent_entry *agent);
void notes_conflict(struct rt_turn *t, struct registry *r,
                    const struct agent_entry *agent,
                    const struct agent_entry *other, struct slice path);
/* By the type of the event that tells of it. */
void notes_group(struct rt_turn *t, struct registry *r, const char *type,
                 const struct group_entry *group);
void notes_role(struct rt_turn *t, struct registry *r, enum note_kind kind,
                const struct roster_role *role);
void notes_roles_checked(struct rt_turn *t, struct registry *r);
/* group is NULL for the day's budget. */
void notes_budget(struct rt_turn *t, struct registry *r,
                  const struct group_entry *group, uint64_t spent,
                  int64_t limit);
void notes_config(struct rt_turn *t, struct registry *r);

#endif
