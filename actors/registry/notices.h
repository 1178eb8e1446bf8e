/* Notices, as the registry makes them (notice.h). */
#ifndef ACTORS_REGISTRY_NOTICES_H
#define ACTORS_REGISTRY_NOTICES_H

#include "actors/registry/notice.h"

struct agent_entry;
struct agent_view;
struct group_entry;
struct past;
struct registry;

struct notices {
    struct rt_ref to;     /* RT_NOBODY: nobody wants them, and none are made */
    uint64_t last;        /* number */
    struct past *past;    /* kept while its notices wait for the notifier */
    bool is_closed;       /* the hub ends: what ends with it is no news */
    bool is_no_role_told; /* and no role could be used since */
};

/* NOTICE_SUBSCRIBE and NOTICE_RAISE. */
void notices_on_message(struct rt_turn *t, struct registry *r,
                        struct rt_msg *m);
/* What nobody was told of yet. */
void notices_restore(struct rt_turn *t, struct registry *r, struct past *p);
void notices_drop(struct registry *r);

/* It has failed or stalled, if it has, since the view before, which may be
 * NULL. */
void notices_agent(struct rt_turn *t, struct registry *r,
                   struct agent_entry *agent, const struct agent_view *before);
void notices_conflict(struct rt_turn *t, struct registry *r,
                      const struct agent_entry *agent,
                      const struct agent_entry *other, struct slice path);
/* All its agents are gone. Child groups are their orchestrator's matter. */
void notices_group(struct rt_turn *t, struct registry *r,
                   const struct group_entry *group);
/* group is NULL for the day's budget. */
void notices_budget(struct rt_turn *t, struct registry *r,
                    const struct group_entry *group, uint64_t spent,
                    int64_t limit);
/* All roles are checked. */
void notices_roles(struct rt_turn *t, struct registry *r);

#endif
