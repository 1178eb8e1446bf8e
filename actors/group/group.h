/*
 * A group commands the agents that belong to it: it gets them places, starts
 * them, hands reports and cancellations to them, and tells the registry what
 * became of them. What a group may do was judged by the registry before: a
 * group refuses only for want of places.
 *
 * A group of mode sequential has a stage actor for its plan, one of mode
 * magentic a magentic actor for its ledgers.
 */
#ifndef ACTORS_GROUP_GROUP_H
#define ACTORS_GROUP_GROUP_H

#include "actors/agent/agent.h"
#include "actors/order/hub_context.h"
#include "actors/order/order.h"

enum group_mode {
    GROUP_CONCURRENT,
    GROUP_SEQUENTIAL,
    GROUP_MAGENTIC,
    GROUP_MODES
};

/* "concurrent" and so on. */
struct slice group_mode_name(enum group_mode mode);

enum {
    /* to the group */
    GROUP_RUN = 0x400, /* carries struct order: run_*; answered */
    GROUP_PAST,        /* carries struct group_past: agents of an earlier hub */
    GROUP_REPORT,      /* carries struct order: report_result; answered */
    GROUP_KEPT,        /* carries struct agent_view: it shows a report */
    GROUP_LEDGER,      /* carries struct order: update_ledger; answered */
    GROUP_CANCEL,      /* struct group_cancel */
    GROUP_LISTEN,      /* struct group_listen */
    GROUP_FORGET,      /* struct group_agent: gone, and asked for no more */
    GROUP_CLOSE,       /* it has no agents left: leave when all is answered */
    /* to the registry */
    GROUP_NEWS, /* carries struct agent_view */
    GROUP_PLAN  /* struct group_plan: a stage has begun, or all is over */
};

struct group_agent {
    uint64_t serial;
};

struct group_cancel {
    uint64_t serial;
    struct agent_cancel why;
};

struct group_listen {
    uint64_t serial;
    struct agent_listen what;
};

struct group_plan {
    uint64_t group;
    uint64_t plan; /* its order's first agent */
    unsigned stage, stages;
    bool is_over;
};

struct group_setup {
    struct hub_context *context; /* kept */
    struct rt_ref registry, slots, processes;
    uint64_t serial;
    char id[ORDER_ID];
    enum group_mode mode;
    enum config_language language; /* of its prompts */
};

/* Starts it as a child of the current actor. */
struct rt_ref group_spawn(struct rt_turn *t, const struct group_setup *setup);

#endif
