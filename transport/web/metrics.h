/*
 * Metrics tell a Prometheus how the hub does: its actors and mail, agents by
 * state, streams, memory, and the HTTP side itself.
 */
#ifndef TRANSPORT_WEB_METRICS_H
#define TRANSPORT_WEB_METRICS_H

#include "transport/http/exchange.h"
#include "transport/session/clerk.h"

/* What only the web knows; read when the answer is made. */
struct metrics_web {
    uint64_t watchers;     /* on the feed */
    uint64_t feed_sent;    /* messages given to them */
    uint64_t feed_dropped; /* that slow ones did not get */
    uint64_t feed_kicked;  /* of them that were shown out */
    uint64_t feed_lag_ms;  /* of the newest event, from happening to here */
    uint64_t mcp_sessions;
};

/* Serves /metrics; web is borrowed for the site's life. */
void metrics_serve(struct clerk *clerk, const struct metrics_web *web,
                   struct exchange *x);

#endif
