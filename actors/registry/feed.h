/*
 * The feed is what happens, as it happens. A subscriber of the registry is told
 * every numbered event once it is durable, in the order of the numbers, and in
 * between how running agents get on; a listener to an agent gets what its CLI
 * says, portion by portion (agent/stream.h).
 *
 *   subscriber -- FEED_SUBSCRIBE -->  registry
 *   subscriber <-- FEED_EVENT ... --  (by way of the store)
 *   listener   -- FEED_LISTEN -->     registry --> group --> agent
 *   listener   <-- AGENT_STREAM ... --                       agent
 *
 * To miss nothing: subscribe first, then place the order `snapshot`. Every
 * event with a greater number than the picture's comes after the picture;
 * those up to it may come before or after, and are in it.
 */
#ifndef ACTORS_REGISTRY_FEED_H
#define ACTORS_REGISTRY_FEED_H

#include "actors/order/order.h"

enum {
    /* to the registry */
    FEED_SUBSCRIBE = 0x540, /* who sends it is told from now on */
    FEED_UNSUBSCRIBE,       /* what is under way may still arrive */
    FEED_LISTEN,            /* struct feed_listen */
    /* to subscribers */
    FEED_EVENT /* carries struct feed_event */
};

/* More are not taken in. A subscriber or listener that dies is forgotten. */
#define FEED_SUBSCRIBERS 16
/* An agent's progress is told this often at most. */
#define FEED_PERIOD_MS 100

#define FEED_TYPE 40

struct feed_listen {
    char agent[ORDER_ID]; /* one that is unknown or gone tells nothing */
    struct rt_ref listener;
    bool is_on;
};

/* Constant, shared. */
struct feed_event {
    struct rt_obj obj;
    uint64_t seq;         /* 0: progress, which has no number */
    uint64_t at;          /* wall clock, ms */
    char type[FEED_TYPE]; /* "agent:created" */
    char group[ORDER_ID]; /* what it is about; "": nothing of the kind */
    char agent[ORDER_ID];
    /* {"type":...,"seq":N,"at":"...","data":{...}}; progress has instead of
     * its own number that of the event it `follows` */
    struct bytes json;
};

#endif
