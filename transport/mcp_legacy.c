/* SPDX-License-Identifier: MIT */
/* 2024-11-05 ... 2025-11-25: a handshake, and a version for what follows. */
#include "transport/mcp_inner.h"

/* What was asked for if it is ours, else our latest with a handshake: clients
 * that cannot live with it leave. 2026-07-28 has none and is never answered. */
static enum mcp_version negotiate(struct slice wanted)
{
    int version = MCP_2025_11_25;

    while (version > 0 &&
           !slice_eq(mcp_version_name((enum mcp_version)version), wanted))
        version--;
    return slice_eq(mcp_version_name((enum mcp_version)version), wanted)
               ? (enum mcp_version)version
               : MCP_2025_11_25;
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
    s->version = negotiate(field_text(wanted));
    s->has_handshake = true;
    rpc_begin_result(&out, id);
    JSON_RAW(&out, "{\"protocolVersion\":");
    json_string(&out, mcp_version_name(s->version));
    JSON_RAW(&out, ",\"capabilities\":{\"tools\":{\"listChanged\":true}");
    if (s->options.has_logging)
        JSON_RAW(&out, ",\"logging\":{}");
    JSON_RAW(&out, "},\"serverInfo\":");
    mcp_put_server(&out, s, s->version);
    JSON_RAW(&out, ",\"instructions\":");
    json_string(&out, tools_instructions(s->options.tools));
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_respond(s, s->batch, &out, (struct mcp_line){0});
}

static void answer_nothing(struct mcp_session *s, const struct rpc_message *m)
{
    struct bytes out = {0};

    rpc_begin_result(&out, bytes_slice(&m->id));
    JSON_RAW(&out, "{}");
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
    s->level = level;
    answer_nothing(s, m);
}

void mcp_legacy_request(struct mcp_session *s, const struct rpc_message *m)
{
    if (slice_eq(m->method, SLICE("initialize")))
        on_initialize(s, m);
    else if (slice_eq(m->method, SLICE("ping")))
        answer_nothing(s, m);
    else if (slice_eq(m->method, SLICE("tools/list")))
        mcp_send_tools(s, m, s->version);
    else if (slice_eq(m->method, SLICE("tools/call")))
        mcp_call(s, m, s->version);
    else if (s->options.has_logging &&
             slice_eq(m->method, SLICE("logging/setLevel")))
        on_set_level(s, m);
    else
        mcp_refuse_named(s, bytes_slice(&m->id), RPC_METHOD_NOT_FOUND,
                         "Method not found: ", m->method);
}
