/*
 * A watch is how the registry keeps somebody informed of agents: once of how
 * they all are, then of each that becomes done.
 */
#ifndef ACTORS_REGISTRY_WATCH_H
#define ACTORS_REGISTRY_WATCH_H

#include "actors/agent/agent.h"
#include "actors/order/order.h"

enum {
    WATCH_BEGIN = 0x5c0, /* carries struct order; to the registry */
    WATCH_LIST,          /* carries struct watch_list; its first answer */
    WATCH_DONE           /* carries struct watch_done */
};

struct watch_item {
    uint64_t serial;
    char id[ORDER_ID];
    enum agent_state state;
    bool is_done;
    uint64_t duration_ms;
};

/* Each agent once, as the order named them. */
struct watch_list {
    struct rt_obj obj;
    struct answer *refusal;    /* one of them is unknown: nothing is watched */
    uint64_t slice_ms, max_ms; /* mcp.waitSlice_ms and waitMax_ms */
    unsigned count;
    struct watch_item items[];
};

struct watch_done {
    struct rt_obj obj;
    uint64_t serial;
    enum agent_state state;
    bool is_done;
    uint64_t duration_ms;
};

struct watch_list *watch_list_create(unsigned count);
struct watch_done *watch_done_create(void);

#endif
