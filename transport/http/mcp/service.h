/*
 * The service is MCP over HTTP as the hub offers it: the endpoint's calls are
 * taken to the clerk, and the answers back. A sub-agent is known by the key in
 * its environment, which it sends along in a header.
 */
#ifndef TRANSPORT_HTTP_MCP_SERVICE_H
#define TRANSPORT_HTTP_MCP_SERVICE_H

#include "actors/order/hub_context.h"
#include "transport/http/mcp/endpoint.h"
#include "transport/session/clerk.h"

struct service;

struct service_setup {
    struct clerk *clerk; /* borrowed, as are the others */
    struct site *site;
    const struct tools *tools;
    const char *version;
    const struct hub_context *context;
};

/* Heap. */
struct service *service_create(const struct service_setup *s);
/* See endpoint_close and endpoint_destroy; accepts NULL. */
void service_close(struct service *s);
void service_destroy(struct rt_turn *t, struct service *s);

void service_serve(struct service *s, struct exchange *x);
/* Whether this message was the service's, which has then been handled. */
bool service_handle(struct rt_turn *t, struct service *s, struct rt_msg *m);
/* Clients that would miss the hub: sessions, streams and requests. */
unsigned service_requests(const struct service *s);
unsigned service_sessions(const struct service *s);

#endif
