/*
 * A notice is what a person may want to be told of: that an agent has failed,
 * say. The registry writes it down together with what has happened, and tells
 * the notifier when both are durable; notices that belong together become one
 * notification, which is an event of the feed like others. The rows of its
 * notices go in the commit that brings the event. So after the death of a hub
 * the next one knows exactly what nobody was told of yet: nothing is told
 * twice, and nothing is forgotten.
 *
 *   notifier -- NOTICE_SUBSCRIBE -->  registry
 *   notifier <-- NOTICE_TOLD ... --   (by way of the store)
 *   notifier -- NOTICE_RAISE -->      registry --> "notification:raised"
 *   notifier <-- NOTICE_RAISED --     (by way of the store)
 *
 * What is raised is delivered once it is durable, and only then. A hub that
 * dies in between has not delivered it to the desktop, the command and the
 * webhook, and no other will: at most once. Browsers read the feed again.
 */
#ifndef ACTORS_REGISTRY_NOTICE_H
#define ACTORS_REGISTRY_NOTICE_H

#include "actors/order/order.h"
#include "actors/order/settings.h"

enum {
    NOTICE_SUBSCRIBE = 0x54c, /* to the registry: the sender is told */
    NOTICE_TOLD,              /* carries struct notice */
    NOTICE_RAISE,             /* to the registry; carries struct notification */
    NOTICE_RAISED             /* carries struct notice_raised */
};

#define NOTICE_TYPE "notification:raised" /* of the event */
#define NOTICE_AGENTS 20                  /* that an event names */
#define NOTICE_TEXT 300                   /* bytes */

/* Constant. */
struct notice {
    struct rt_obj obj;
    struct settings *settings; /* kept: in force when it was told */
    uint64_t number, at;
    enum config_notify kind;
    char group[ORDER_ID], agent[ORDER_ID], role[ORDER_ID]; /* "": none */
    char other[ORDER_ID]; /* the other agent of a conflict */
    /* of a group: agents that did well, and badly; of a budget: what was
     * spent, and the limit, in micro-dollars */
    uint64_t first, second;
    struct bytes text; /* why it failed, which file, which group; of any origin
                        */
};

/* Of `from` all but obj and text counts. The caller owns the one reference. */
struct notice *notice_create(const struct notice *from, struct slice text);
/* "failed" and so on, as the configuration has it. */
struct slice notice_kind_name(enum config_notify kind);

/* What the notifier has made of some; constant. */
struct notification {
    struct rt_obj obj;
    struct settings *settings; /* kept: by these it is delivered */
    enum config_notify kind;
    uint64_t up_to; /* the last of its kind that is told by it */
    uint64_t count;
    char group[ORDER_ID], agent[ORDER_ID]; /* "": several, or none */
    char agents[NOTICE_AGENTS][ORDER_ID];
    unsigned agent_count;
    struct bytes title, body; /* without line breaks or control characters */
};

/* Of `from` all but obj and texts counts, which are taken over. */
struct notification *notification_create(const struct notification *from,
                                         struct bytes *title,
                                         struct bytes *body);

struct notice_raised {
    struct rt_obj obj;
    struct notification *what; /* kept */
    struct bytes json;         /* the event, as the feed has it */
};

#endif
