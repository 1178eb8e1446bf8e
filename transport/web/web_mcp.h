/*
 * MCP over HTTP as the hub offers it: the calls of the endpoint become orders.
 * A sub-agent is known by the key in its environment, which it sends along in
 * a header.
 */
#ifndef TRANSPORT_WEB_WEB_MCP_H
#define TRANSPORT_WEB_WEB_MCP_H

#include "actors/order/hub_context.h"
#include "transport/http/mcp/endpoint.h"
#include "transport/session/calls.h"
#include "transport/session/speakers.h"

struct web_mcp_setup {
    struct calls *calls; /* borrowed, as are the others */
    const struct speakers *speakers;
    struct site *site;
    const struct tools *tools;
    const char *version;
    const struct hub_context *context;
};

/* Below it, by the names of toolsets or of a set (tools_choose). */
#define WEB_MCP_SETS "/mcp/"
#define WEB_MCP_SETS_MAX 128 /* every choice of toolsets, and the sets, twice  \
                              */

struct web_mcp {
    struct web_mcp_setup setup;
    /* Those that were asked for, in either language. */
    struct tools *sets[WEB_MCP_SETS_MAX];
    struct endpoint *endpoint;
    struct caller *caller; /* of the request that is being served */
};

void web_mcp_init(struct web_mcp *m, const struct web_mcp_setup *setup);
/* Before the calls' end; accepts zeroed memory. */
void web_mcp_finish(struct rt_turn *t, struct web_mcp *m);
/* The route of /mcp, and of /mcp/SET. */
void web_mcp_serve(struct web_mcp *m, struct exchange *x);

#endif
