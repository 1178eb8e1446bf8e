/* SPDX-License-Identifier: MIT */
/*
 * 2026-07-28: no handshake. Every request says its version and what the client
 * can do, and nothing is remembered from one to the next.
 */
#include "transport/mcp/inside.h"

static yyjson_val *meta_of(const struct rpc_message *m)
{
    return FIELD(m->params, "_meta");
}

static bool is_envelope(yyjson_val *meta)
{
    return yyjson_is_str(FIELD(meta, META "protocolVersion")) &&
           yyjson_is_obj(FIELD(meta, META "clientCapabilities"));
}

/*
 * initialize belongs to the older era, also from a client that puts the new
 * one's _meta into everything it sends, unless that is complete and names a
 * version that has no initialize.
 */
bool mcp_is_modern(const struct rpc_message *m)
{
    yyjson_val *meta = meta_of(m);
    yyjson_val *version = FIELD(meta, META "protocolVersion");

    if (slice_eq(m->method, SLICE("initialize")))
        return is_envelope(meta) && mcp_version_is_modern(field_text(version));
    return version || slice_eq(m->method, SLICE("server/discover")) ||
           slice_eq(m->method, SLICE("subscriptions/listen"));
}

static void refuse_version(struct mcp_session *s, const struct rpc_message *m,
                           struct slice wanted)
{
    struct bytes data = {0}, out = {0};

    JSON_RAW(&data, "{\"supported\":[\"2026-07-28\"],\"requested\":");
    json_string(&data, wanted);
    JSON_RAW(&data, "}");
    rpc_error(&out, bytes_slice(&m->id), MCP_UNSUPPORTED_VERSION,
              SLICE("Unsupported protocol version"), bytes_slice(&data));
    mcp_respond(
        s, s->batch, &out,
        (struct mcp_line){.code = MCP_UNSUPPORTED_VERSION, .status = 400});
    bytes_finish(&data);
}

static bool check_envelope(struct mcp_session *s, const struct rpc_message *m)
{
    yyjson_val *meta = meta_of(m);
    yyjson_val *level = FIELD(meta, META "logLevel");
    struct slice version = FIELD_TEXT(meta, META "protocolVersion");

    if (!is_envelope(meta)) {
        mcp_refuse_form(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                        SLICE("Invalid params: _meta needs " META
                              "protocolVersion (a string) and " META
                              "clientCapabilities (an object)"));
        return false;
    }
    if (!slice_eq(version, mcp_version_name(MCP_2026_07_28))) {
        refuse_version(s, m, version);
        return false;
    }
    if (level && mcp_level_find(field_text(level)) == MCP_LEVELS) {
        mcp_refuse_form(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                        SLICE("Invalid params: unknown " META "logLevel"));
        return false;
    }
    return true;
}

static void on_discover(struct mcp_session *s, const struct rpc_message *m)
{
    struct bytes out = {0};

    rpc_begin_result(&out, bytes_slice(&m->id));
    JSON_RAW(&out, "{\"resultType\":\"complete\","
                   "\"supportedVersions\":[\"2026-07-28\"],"
                   "\"capabilities\":");
    mcp_put_offers(&out, s, MCP_2026_07_28);
    mcp_put_instructions(&out, s);
    JSON_RAW(&out, ",\"ttlMs\":3600000,\"cacheScope\":\"public\"");
    mcp_put_meta(&out, s);
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_respond(s, s->batch, &out, (struct mcp_line){0});
}

/* Asking what there is shows nothing: clients do it to processes that they end
 * right after. Anything else does. */
void mcp_modern_request(struct mcp_session *s, const struct rpc_message *m)
{
    if (!check_envelope(s, m))
        return;
    if (slice_eq(m->method, SLICE("server/discover"))) {
        on_discover(s, m);
        return;
    }
    mcp_ready(s);
    if (slice_eq(m->method, SLICE("tools/list")))
        mcp_send_tools(s, m, MCP_2026_07_28);
    else if (slice_eq(m->method, SLICE("tools/call")))
        mcp_call(s, m, MCP_2026_07_28);
    else if (slice_eq(m->method, SLICE("subscriptions/listen")))
        mcp_listen(s, m);
    else
        mcp_request(s, m, MCP_2026_07_28);
}
