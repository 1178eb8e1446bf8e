/*
 * The registry knows every group and agent of the hub as clients do: it judges
 * orders, passes them to the group concerned, and answers questions by itself
 * from what groups have told it.
 *
 * Whatever a client has been told, the registry was told before: groups tell
 * it of a change and only then answer the order that made it. So a client
 * never reads something older than what it knows.
 */
#ifndef ACTORS_REGISTRY_REGISTRY_H
#define ACTORS_REGISTRY_REGISTRY_H

#include "actors/agent/agent.h"
#include "actors/group/slots.h"
#include "actors/order/hub_context.h"
#include "actors/order/order.h"

struct registry_setup {
    struct hub_context *context; /* kept */
    struct roster *roster;       /* kept; the first, before health has spoken */
    struct rt_ref processes;
    struct rt_ref cleaner; /* or RT_NOBODY */
    bool has_store;        /* one will tell it the past; orders wait for that */
};

/* Carried by REGISTRY_CENSUS, sent to the parent whenever it changes between
 * none and some; by way of the store, behind what waits were told. */
struct registry_census {
    struct rt_obj obj;
    uint32_t not_gone; /* agents with a process, or waiting for one */
};
enum {
    REGISTRY_CENSUS = 0x500,
    REGISTRY_URL, /* struct registry_url; to the registry, when it is known */
    REGISTRY_CANCEL_ALL, /* to the registry: ends every agent */
    REGISTRY_JOIN, /* struct registry_join; to the registry, before any order */
    REGISTRY_WORK, /* carries struct work (store/work.h); from a system */
    REGISTRY_RETURN /* carries struct order; from a system that shares it with
                       the registry, which carries it out itself */
};

/* Orders of these kinds, the first to the last, are this actor's: it is sent
 * ORDER_PLACED. Those that it shares are the registry's own, to whom it may
 * return them; while the store cannot be used it is not asked. */
struct registry_join {
    struct rt_ref system;
    enum order_kind first, last;
    bool is_shared;
};

#define REGISTRY_URL_CAP 200

/* Where the dashboard is, for those who ask how the hub is. */
struct registry_url {
    char url[REGISTRY_URL_CAP];
};

/* Carried by the answer to ORDER_HUB_COUNTS. */
struct registry_counts {
    struct rt_obj obj;
    unsigned agents[AGENT_STATES]; /* in the live lists */
    unsigned leaving;              /* done, but not gone */
    unsigned groups, groups_active;
    struct slots_places places;
    struct {
        uint64_t started, lines, bytes;
    } streams; /* of all agents, since this hub runs */
    uint64_t uptime_ms;
};

/* What the store says of itself (STORE_CONDITION) is told on to the parent. */

/* Starts it on HUB_LOOP_FRONT as a child of the current actor. Slots and groups
 * are its children. */
struct rt_ref registry_spawn(struct rt_turn *t, const struct registry_setup *s);

/*
 * Places an order, whose one reference is given away. A wait (order_is_wait)
 * becomes a child of the current actor: rt_stop on what is returned cancels it.
 * RT_NOBODY for every other order, which cannot be taken back.
 */
struct rt_ref registry_place(struct rt_turn *t, struct rt_ref registry,
                             struct order *order);

#endif
