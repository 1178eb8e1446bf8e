/* SPDX-License-Identifier: MIT */
/* 2024-11-05 ... 2025-11-25: a handshake, and a version for what follows. */
#include "transport/mcp/inside.h"

/* What was asked for if it is ours, else our latest with a handshake: clients
 * that cannot live with it leave. 2026-07-28 has none and is never answered. */
static enum mcp_version negotiate(struct slice wanted)
{
    enum mcp_version version = mcp_version_find(wanted);

    return version < MCP_2026_07_28 ? version : MCP_2025_11_25;
}

static void on_initialize(struct mcp_session *s, const struct rpc_message *m)
{
    struct slice id = bytes_slice(&m->id);
    yyjson_val *wanted = FIELD(m->params, "protocolVersion");
    struct bytes out = {0};

    if (s->batch || !yyjson_is_str(wanted)) {
        mcp_refuse(s, id, s->batch ? RPC_INVALID_REQUEST : RPC_INVALID_PARAMS,
                   s->batch
                       ? SLICE("Invalid Request: initialize in a batch")
                       : SLICE("Invalid params: protocolVersion is required"));
        return;
    }
    s->client->version = negotiate(field_text(wanted));
    s->client->has_handshake = true;
    s->client->can = mcp_client_can(FIELD(m->params, "capabilities"));
    rpc_begin_result(&out, id);
    JSON_RAW(&out, "{\"protocolVersion\":");
    json_string(&out, mcp_version_name(s->client->version));
    JSON_RAW(&out, ",\"capabilities\":");
    mcp_put_offers(&out, s, s->client->version);
    JSON_RAW(&out, ",\"serverInfo\":");
    mcp_put_server(&out, s, s->client->version);
    mcp_put_instructions(&out, s);
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_respond(s, s->batch, &out, (struct mcp_line){0});
}

static void on_set_level(struct mcp_session *s, const struct rpc_message *m)
{
    int level = mcp_level_find(FIELD_TEXT(m->params, "level"));

    if (level == MCP_LEVELS) {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                   SLICE("Invalid params: unknown level"));
        return;
    }
    s->client->level = level;
    mcp_answer_nothing(s, m);
}

/* Of a resource that is not there too: it may come to be. */
static void on_subscribe(struct mcp_session *s, const struct rpc_message *m)
{
    yyjson_val *uri = FIELD(m->params, "uri");
    struct mcp_uris *subscribed = &s->client->subscribed;

    if (!yyjson_is_str(uri)) {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                   SLICE("Invalid params: uri must be a string"));
    } else if (slice_eq(m->method, SLICE("resources/unsubscribe"))) {
        mcp_uris_remove(subscribed, field_text(uri));
        mcp_answer_nothing(s, m);
    } else if (mcp_uris_add(subscribed, field_text(uri))) {
        mcp_answer_nothing(s, m);
    } else {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INTERNAL_ERROR,
                   SLICE("Subscription limit reached"));
    }
}

static bool is_subscribe(const struct rpc_message *m)
{
    return slice_eq(m->method, SLICE("resources/subscribe")) ||
           slice_eq(m->method, SLICE("resources/unsubscribe"));
}

void mcp_legacy_request(struct mcp_session *s, const struct rpc_message *m)
{
    if (slice_eq(m->method, SLICE("initialize")))
        on_initialize(s, m);
    else if (slice_eq(m->method, SLICE("ping")))
        mcp_answer_nothing(s, m);
    else if (slice_eq(m->method, SLICE("tools/list")))
        mcp_send_tools(s, m, s->client->version);
    else if (slice_eq(m->method, SLICE("tools/call")))
        mcp_call(s, m, s->client->version);
    else if ((s->options.offers & MCP_OFFER_LOGGING) &&
             slice_eq(m->method, SLICE("logging/setLevel")))
        on_set_level(s, m);
    else if ((s->options.offers & MCP_OFFER_RESOURCES_SUBSCRIBE) &&
             is_subscribe(m))
        on_subscribe(s, m);
    else
        mcp_request(s, m, s->client->version);
}
