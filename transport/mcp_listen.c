/* SPDX-License-Identifier: MIT */
/*
 * subscriptions/listen, and news of the list of tools. A subscription is a
 * request that stays open; its id marks everything that is sent for it.
 */
#include "transport/mcp_inner.h"

static size_t find(const struct mcp_session *s, struct slice id)
{
    size_t i = 0;

    while (i < s->listen_count && !slice_eq(bytes_slice(&s->listens[i].id), id))
        i++;
    return i;
}

bool mcp_listen_is_open(const struct mcp_session *s, struct slice id)
{
    return find(s, id) < s->listen_count;
}

bool mcp_listen_cancel(struct mcp_session *s, struct slice id)
{
    size_t i = find(s, id);

    if (i == s->listen_count)
        return false;
    bytes_finish(&s->listens[i].id);
    s->listens[i] = s->listens[--s->listen_count];
    return true;
}

static void put_mark(struct bytes *out, struct slice id)
{
    JSON_RAW(out, "\"_meta\":{\"" META "subscriptionId\":");
    json_raw(out, id);
    JSON_RAW(out, "}");
}

static void acknowledge(struct mcp_session *s, const struct mcp_listen *l)
{
    struct bytes out = {0};

    rpc_begin_note(&out, SLICE("notifications/subscriptions/acknowledged"));
    JSON_RAW(&out, "{");
    put_mark(&out, bytes_slice(&l->id));
    json_raw(&out,
             l->wants_tools
                 ? SLICE(",\"notifications\":{\"toolsListChanged\":true}}")
                 : SLICE(",\"notifications\":{}}"));
    rpc_end(&out);
    mcp_send(s, &out, (struct mcp_line){0});
}

static void refuse_tasks(struct mcp_session *s, const struct rpc_message *m)
{
    struct bytes out = {0};

    rpc_error(&out, bytes_slice(&m->id), MCP_MISSING_CAPABILITY,
              SLICE("Missing required client capability"),
              SLICE("{\"requiredCapabilities\":{\"extensions\":{\"" META
                    "tasks\":{}}}}"));
    mcp_respond(s, s->batch, &out,
                (struct mcp_line){.code = MCP_MISSING_CAPABILITY});
}

static bool has_tasks(const struct rpc_message *m)
{
    yyjson_val *meta = FIELD(m->params, "_meta");
    yyjson_val *can = FIELD(meta, META "clientCapabilities");

    return FIELD(FIELD(can, "extensions"), META "tasks") != NULL;
}

static bool check(struct mcp_session *s, const struct rpc_message *m)
{
    yyjson_val *wanted = FIELD(m->params, "notifications");
    yyjson_val *tools = FIELD(wanted, "toolsListChanged");

    if (!yyjson_is_obj(wanted) || (tools && !yyjson_is_bool(tools))) {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                   SLICE("Invalid params: notifications must be an object "
                         "whose toolsListChanged is true or false"));
        return false;
    }
    if (FIELD(wanted, "taskIds") && !has_tasks(m)) {
        refuse_tasks(s, m);
        return false;
    }
    if (s->listen_count == s->options.max_listens) {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INTERNAL_ERROR,
                   SLICE("Subscription limit reached"));
        return false;
    }
    return true;
}

void mcp_listen(struct mcp_session *s, const struct rpc_message *m)
{
    yyjson_val *wanted = FIELD(m->params, "notifications");

    if (!check(s, m))
        return;
    struct mcp_listen *l = &s->listens[s->listen_count++];
    *l = (struct mcp_listen){
        .wants_tools = yyjson_is_true(FIELD(wanted, "toolsListChanged"))};
    json_raw(&l->id, bytes_slice(&m->id));
    acknowledge(s, l);
}

static void say_goodbye(struct mcp_session *s, const struct mcp_listen *l)
{
    struct bytes out = {0};

    rpc_begin_result(&out, bytes_slice(&l->id));
    JSON_RAW(&out, "{\"resultType\":\"complete\",");
    put_mark(&out, bytes_slice(&l->id));
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_send(s, &out, (struct mcp_line){.is_answer = true});
}

void mcp_listen_close_all(struct mcp_session *s, bool is_graceful)
{
    for (size_t i = 0; i < s->listen_count; i++) {
        if (is_graceful)
            say_goodbye(s, &s->listens[i]);
        bytes_finish(&s->listens[i].id);
    }
    s->listen_count = 0;
}

static void tell(struct mcp_session *s, const struct mcp_listen *l)
{
    struct bytes out = {0};

    rpc_begin_note(&out, SLICE("notifications/tools/list_changed"));
    JSON_RAW(&out, "{");
    if (l)
        put_mark(&out, bytes_slice(&l->id));
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_send(s, &out, (struct mcp_line){0});
}

void mcp_notify_list_changed(struct mcp_session *s)
{
    if (s->has_handshake && s->is_initialized)
        tell(s, NULL);
    for (size_t i = 0; i < s->listen_count; i++)
        if (s->listens[i].wants_tools)
            tell(s, &s->listens[i]);
}
