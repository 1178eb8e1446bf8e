/*
 * A magentic actor keeps the ledgers of one magentic group, and watches over
 * its orchestrator by them: it counts iterations against their limit and says
 * when nothing moves any more.
 */
#ifndef ACTORS_GROUP_MAGENTIC_H
#define ACTORS_GROUP_MAGENTIC_H

#include "actors/order/order.h"

enum {
    MAGENTIC_UPDATE = 0x5a0, /* carries struct order: update_ledger; answered */
    MAGENTIC_LEDGER          /* carries struct ledger; to the registry, when
                                no answer has it with it */
};

/* The ledgers at one moment. Constant, shared. */
struct ledger {
    struct rt_obj obj;
    uint64_t group; /* its serial number */
    struct bytes json;
    uint64_t iteration; /* how many were counted */
    bool is_stalled;
    bool is_exhausted; /* one over the limit was asked for */
};

/* Copies the text; all else is 0. */
struct ledger *ledger_create(struct slice json);

struct magentic_setup {
    struct rt_ref registry;
    uint64_t group;
    const char *group_id; /* copied */
    uint64_t max_iterations;
    struct slice past; /* its ledgers by an earlier hub, JSON; or empty */
};

/* Starts it as a child of the current actor. */
struct rt_ref magentic_spawn(struct rt_turn *t,
                             const struct magentic_setup *setup);

#endif
