/*
 * The past is what a store tells a hub that starts: all that is not over, and
 * the newest of what is. Constant; its texts are its own.
 */
#ifndef ACTORS_STORE_PAST_H
#define ACTORS_STORE_PAST_H

#include "actors/store/store_why.h"
#include "actors/store/agent_record.h"
#include "runtime/rt.h"

struct past_group {
    uint64_t serial, parent; /* parent 0: none */
    struct slice id, description, mode;
    struct slice language;           /* empty: not noted */
    uint64_t created_at, deleted_at; /* deleted_at 0: active */
    unsigned stage, stages;
    bool has_plan;       /* one that has not ended */
    struct slice ledger; /* the newest, JSON; empty: none */
    uint64_t iteration;
    bool is_stalled, is_exhausted;
};

struct past_order {
    uint64_t first, group;
    struct slice kind, args, caller, directory;
    unsigned count;
    uint64_t created_at;
};

/* What a group and all below it have cost, in micro-dollars. */
struct past_spent {
    uint64_t group, cost;
};

/* A conflict that was told: the event's data. */
struct past_conflict {
    uint64_t agent;
    struct slice data;
};

/* What a person was to be told of, and was not (registry/notice.h). */
struct past_notice {
    uint64_t number, at;
    struct slice kind, group, agent, role, other, text;
    uint64_t first, second;
};

/* A check of health's that has passed. */
struct past_check {
    struct slice backend, program, model, prompt; /* each ended by 0 */
    uint64_t at, response_ms;
};

struct past {
    struct rt_obj obj;
    bool is_known; /* false: the store could not be read, `why` says */
    struct store_why why;
    uint64_t last_serial, last_seq;
    uint64_t last_second;            /* of the newest ids, which carry one */
    const struct past_group *groups; /* by serial, as all of these */
    size_t group_count;
    const struct past_order *orders;
    size_t order_count;
    const struct agent_record *agents;
    size_t agent_count;
    const struct past_conflict *conflicts; /* of agents that are not gone */
    size_t conflict_count;
    const struct past_notice *notices; /* by number */
    size_t notice_count;
    const uint64_t *stalled; /* agents that are not gone and have, once */
    size_t stalled_count;
    bool is_no_role_told;
    const struct past_check *checks; /* newest first; STORE_CHECKED alone */
    size_t check_count;
    /* Only if the store was told that there are budgets. */
    const struct past_spent *spent;
    size_t spent_count;
    uint64_t spent_day, spent_today; /* days since 1970; micro-dollars */
};

#endif
