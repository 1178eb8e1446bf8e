/*
 * A note is what the log is told: the moments that events tell of too, and a
 * few more, in typed words. It costs one small message where something
 * happens, and nothing for what agents say in between.
 *
 *   log -- NOTE_SUBSCRIBE -->  registry
 *   log <-- NOTE_TOLD ... --
 */
#ifndef ACTORS_REGISTRY_NOTE_H
#define ACTORS_REGISTRY_NOTE_H

#include "actors/agent/agent.h"
#include "actors/order/order.h"

enum {
    NOTE_SUBSCRIBE = 0x548, /* to the registry: the sender is told from now */
    NOTE_TOLD               /* carries struct note */
};

enum note_kind {
    /* of agents: state, outcome, elapsed_ms and text are theirs */
    NOTE_AGENT_CREATED,
    NOTE_AGENT_STARTED, /* which may be known after its report */
    NOTE_AGENT_STATE,   /* it is in another state than running */
    NOTE_AGENT_STALLED,
    NOTE_AGENT_CONFLICT, /* with `other`, about the file that text is */
    NOTE_AGENT_GONE,
    /* of groups */
    NOTE_GROUP_CREATED, /* text is the description */
    NOTE_GROUP_STAGE,   /* number of total */
    NOTE_GROUP_STALLED,
    NOTE_GROUP_COMPLETED,
    NOTE_GROUP_DELETED,
    /* of roles; text is why not */
    NOTE_MODEL_UNKNOWN,
    NOTE_ROLE_CHECKING,
    NOTE_ROLE_PASSED, /* after elapsed_ms */
    NOTE_ROLE_FAILED,
    NOTE_ROLES_CHECKED, /* number of total can be used */
    /* of the rest */
    NOTE_BUDGET_SPENT, /* number of total micro-dollars; an order was refused */
    NOTE_CONFIG_CHANGED, /* text is the file */
    NOTE_KINDS
};

/* Constant. */
struct note {
    struct rt_obj obj;
    enum note_kind kind;
    char agent[ORDER_ID], group[ORDER_ID], role[ORDER_ID]; /* "": none */
    char other[ORDER_ID];
    enum agent_state state;
    bool is_failure; /* of a reported result */
    bool has_elapsed; /* it is known when that began */
    uint64_t elapsed_ms, number, total;
    struct bytes text; /* the beginning of it; of any origin */
};

#endif
