/* An agent entry is an agent as clients know it. */
#ifndef ACTORS_REGISTRY_AGENT_ENTRY_H
#define ACTORS_REGISTRY_AGENT_ENTRY_H

#include "actors/agent/agent.h"
#include "actors/order/order.h"
#include "actors/registry/conflicts.h"
#include "actors/registry/line_times.h"
#include "actors/registry/samples.h"
#include "runtime/list.h"
#include "runtime/text/index.h"

struct group_entry;
struct registry;

struct agent_entry {
    struct index_link by_id, by_serial;
    struct agent_entry *older, *newer;  /* all agents, by age */
    struct agent_entry *before, *after; /* of the same group */
    struct group_entry *group;
    uint64_t serial;
    struct order *order; /* kept */
    const struct order_task *task;
    bool is_hidden; /* its group has not accepted it yet */
    bool is_gone;
    bool is_stall_told;      /* see notices.c */
    struct agent_view *view; /* the newest, or NULL */
    uint64_t started;        /* monotonic ns, by our clock; 0: not yet */
    uint64_t tool_calls;
    uint64_t cost;     /* micro-dollars that are counted as spent */
    struct bytes head; /* the part of its JSON that never changes */
    /* What is told of it once it is done; empty: to be made. */
    struct bytes line;     /* in lists */
    struct bytes answer;   /* get_agent_status, beyond that */
    struct watch *watches; /* told when it is done */
    struct meant *meant;   /* by cancellations that wait for it */
    uint64_t last_cancel;  /* the number of the newest that means it */
    uint64_t last_wait;    /* the same of waits */
    struct agent_conflicts conflicts;
    struct agent_live *live; /* NULL: it has shown nothing, or is gone */
    struct bytes said;       /* the beginning of its last message */
    bool is_marked;                /* it has, and subscribers are to be told */
    LIST_LINK(struct agent_entry) marked;
    struct line_times times; /* when its lines were read */
    bool is_timed;           /* some of that is to be written */
    LIST_LINK(struct agent_entry) timed;
    struct samples samples; /* how it got on */
    bool is_sampled;        /* some of that is to be written */
    LIST_LINK(struct agent_entry) sampled;
};

/* All of them. */
struct agent_entries {
    struct index by_id, by_serial;
    struct agent_entry *oldest, *newest;
    unsigned not_gone;
    unsigned kept; /* of deleted groups */
};

/* NULL if there is none; a hidden one is none. */
struct agent_entry *agent_entry_find(struct registry *r, struct slice id);
/* Hidden ones too. */
struct agent_entry *agent_entry_any(struct registry *r, struct slice id);
struct agent_entry *agent_entry_at(struct registry *r, uint64_t serial);
/* A hidden one for one task of an order that has its numbers. */
struct agent_entry *agent_entry_create(struct registry *r,
                                       struct group_entry *group,
                                       struct order *o, unsigned i);
void agent_entry_destroy(struct rt_turn *t, struct registry *r,
                         struct agent_entry *agent);
uint64_t agent_entry_elapsed_ms(struct rt_turn *t,
                                const struct agent_entry *agent);
/* "success" or "failure"; empty until it is done. */
struct slice agent_entry_outcome(const struct agent_entry *agent);
/* Whether a list of those with this status has it. */
bool agent_entry_has_status(const struct agent_entry *agent,
                            struct slice status);

static inline bool agent_entry_is_done(const struct agent_entry *agent)
{
    return agent->view != NULL && agent->view->is_done;
}

/* What is told of it is to be made anew. */
static inline void agent_entry_changed(struct agent_entry *agent)
{
    agent->line.len = agent->answer.len = 0;
}

static inline enum agent_state agent_entry_state(
    const struct agent_entry *agent)
{
    return agent->view != NULL ? agent->view->state : AGENT_QUEUED;
}

#endif
