/*
 * A watch is how the registry keeps a wait informed of agents: once of how
 * they all are, then of each that becomes done. What a wait is told goes by
 * way of the store: a client that has been told that an agent is done looks at
 * its result next, and finds it also in the next hub.
 */
#ifndef ACTORS_REGISTRY_WAIT_WATCH_H
#define ACTORS_REGISTRY_WAIT_WATCH_H

#include "actors/agent/agent.h"
#include "actors/order/order.h"
#include "runtime/text/index.h"

enum {
    WATCH_BEGIN = 0x5c0, /* carries struct order; to the registry */
    WATCH_LIST,          /* carries struct watch_list; its first answer */
    WATCH_DONE,          /* carries struct watch_done */
    WATCH_CONFLICT       /* carries struct watch_conflict */
};

struct watch_item {
    struct index_link by_serial; /* the wait's */
    uint64_t serial;
    char id[ORDER_ID];
    enum agent_state state;
    struct agent_result *result; /* kept; NULL until it is done */
    uint64_t duration_ms;
};

/* Each agent once, as the order named them. */
struct watch_list {
    struct rt_obj obj;
    struct answer *refusal;    /* one of them is unknown: nothing is watched */
    uint64_t slice_ms, max_ms; /* mcp.waitSlice_ms and waitMax_ms */
    struct bytes conflicts;    /* objects, with commas; so far */
    unsigned count;
    struct watch_item items[];
};

/* Two agents, one of them watched, have touched the same file. */
struct watch_conflict {
    struct rt_obj obj;
    struct bytes json;
};

struct watch_done {
    struct rt_obj obj;
    uint64_t serial;
    enum agent_state state;
    struct agent_result *result; /* kept; NULL: it is not done */
    uint64_t duration_ms;
};

/* ---- wait.c ---- */
/*
 * A wait is one wait_agent call: it watches the agents it names and answers
 * when they are done or its time is up, once. Starts it as a child of the
 * current actor, who must be the asker, on the home that the registry has;
 * the order's one reference is given away. rt_stop cancels it.
 */
struct rt_ref wait_spawn(struct rt_turn *t, struct rt_ref registry,
                         struct order *order);

/* ---- wait_answer.c ---- */
/* Appends the answer as the list is now: 64 KiB at most. */
void wait_put_answer(struct bytes *out, const struct watch_list *l,
                     bool is_time_up, bool is_again);

/* ---- wait_watch.c ---- */
struct agent_entry;
struct registry;
struct store_lookup;

struct watches {
    struct index by_ref; /* waits that watch */
    uint64_t number;     /* of the last that began, or conflict that was told */
};

void watch_begin(struct rt_turn *t, struct registry *r, struct rt_ref who,
                 struct order *o);
/* The store has looked up those that were not known. */
void watch_looked_up(struct rt_turn *t, struct registry *r,
                     const struct store_lookup *found);
/* The wait has ended. */
void watch_end(struct registry *r, struct rt_ref who);
/* The agent has changed. */
void watch_tell(struct rt_turn *t, struct registry *r,
                struct agent_entry *agent);
void watch_tell_conflict(struct rt_turn *t, struct registry *r,
                         struct agent_entry *agent, struct agent_entry *other,
                         struct slice json);
/* The agent is forgotten: no wait hears of it any more. */
void watch_forget(struct agent_entry *agent);
/* At the end: forgets all waits. */
void watch_drop(struct registry *r);

#endif
