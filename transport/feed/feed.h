/*
 * The feed of events over WebSockets, for browsers on /ws. Embedded in
 * the web actor; it subscribes with the registry while it has subscribers.
 *
 * A subscriber first gets `server:startup` with the whole picture, then every
 * event after it; or with ?since=N what came after N, and the picture only if
 * that cannot be had any more. ?groupId=G and ?agentId=A narrow it to events
 * of that group (its child groups are groups of their own) and of that agent,
 * and those that are of none; with &text=1 it is also told what the agent says,
 * as it says it. The message feed:interest chooses the group and the agent to
 * listen to anew, and leaves out no agent.
 *
 * Numbered events are for every subscriber and never left out. One that reads
 * slowly gets of each agent's progress only the newest once
 * it has caught up, and instead of live text the number of pieces it missed;
 * beyond a bound it is closed with 1013 (slow_subscribers.c). What a subscriber
 * says is in commands.c.
 */
#ifndef TRANSPORT_FEED_FEED_H
#define TRANSPORT_FEED_FEED_H

#include "actors/registry/feed.h"
#include "runtime/text/index.h"
#include "transport/feed/recent.h"
#include "transport/http/site.h"
#include "transport/http/websocket.h"
#include "transport/session/calls.h"
#include "transport/session/speakers.h"

#define FEED_COMMANDS 64 /* of one subscriber, at once */

struct feed_setup {
    struct site *site; /* open; all of them are borrowed */
    struct calls *calls;
    const struct speakers *speakers;
    struct rt_ref registry;
};

/* Since the site was opened; for /metrics. */
struct feed_counts {
    uint64_t subscribers; /* now */
    uint64_t sent;        /* messages given to them */
    uint64_t dropped;     /* that slow ones did not get */
    uint64_t kicked;      /* subscribers closed for being slow */
    uint64_t lag_ms;      /* of the newest event, from happening to here */
};

struct feed {
    struct feed_setup setup;
    struct feed_counts counts;
    struct websocket_set *sockets;
    struct subscriber *subscribers;
    struct recent recent;
    struct index lives; /* agents that have listeners, by their ids' hashes */
    struct index progress_by_agent; /* agents' newest progress, while one
                                       is behind */
    struct progress *oldest, *newest;
    uint64_t stamp; /* of the newest line */
    unsigned behind;
    uint64_t picture; /* the call for it that is in flight, or 0 */
    size_t unpumped;  /* bytes since h2o ran last */
    bool is_leaving;
};

void feed_init(struct feed *feed, const struct feed_setup *s);
/* All subscribers are closed at once; before the calls' and the site's end.
 * Accepts zeroed memory. */
void feed_finish(struct rt_turn *t, struct feed *feed);
/* The route of /ws. */
void feed_serve(struct feed *feed, struct exchange *x);
/* Whether this message (FEED_EVENT, AGENT_STREAM) was the feed's; within
 * site_enter. */
bool feed_handle(struct feed *feed, struct rt_msg *m);
/* No subscriber is taken any more, and all are told goodbye (1001). */
void feed_leave(struct feed *feed);

#endif
