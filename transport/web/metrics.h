/*
 * Metrics tell a Prometheus how the hub does: its actors and mail, agents by
 * state, streams, memory, and the HTTP side itself.
 */
#ifndef TRANSPORT_WEB_METRICS_H
#define TRANSPORT_WEB_METRICS_H

#include "transport/feed/feed.h"
#include "transport/http/exchange.h"
#include "transport/session/calls.h"

/* Serves /metrics; the feed is borrowed for the site's life. */
void metrics_serve(struct calls *calls, const struct feed *feed,
                   size_t mcp_sessions, struct exchange *x);

#endif
