/* SPDX-License-Identifier: MIT */
/*
 * subscriptions/listen, and news of lists and resources. A subscription is a
 * request that stays open; its id marks everything that is sent for it.
 */
#include "transport/mcp/inside.h"

/* The lists, in their order. */
static const struct {
    struct slice filter; /* in a subscription */
    struct slice method;
    unsigned offer; /* 0: always */
} lists[] = {
    {SLICE_INIT("toolsListChanged"),
     SLICE_INIT("notifications/tools/list_changed"), 0},
    {SLICE_INIT("promptsListChanged"),
     SLICE_INIT("notifications/prompts/list_changed"),
     MCP_OFFER_PROMPTS_CHANGED},
    {SLICE_INIT("resourcesListChanged"),
     SLICE_INIT("notifications/resources/list_changed"),
     MCP_OFFER_RESOURCES_CHANGED},
};

static bool is_offered(const struct mcp_session *s, int list)
{
    return lists[list].offer == 0 || (lists[list].offer & s->options.offers);
}

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

static void finish(struct mcp_listen *l)
{
    bytes_finish(&l->id);
    mcp_uris_finish(&l->uris);
}

bool mcp_listen_cancel(struct mcp_session *s, struct slice id)
{
    size_t i = find(s, id);

    if (i == s->listen_count)
        return false;
    finish(&s->listens[i]);
    s->listens[i] = s->listens[--s->listen_count];
    return true;
}

static void put_mark(struct bytes *out, struct slice id)
{
    JSON_RAW(out, "\"_meta\":{\"" META "subscriptionId\":");
    json_raw(out, id);
    JSON_RAW(out, "}");
}

static void put_uris(struct bytes *out, const struct mcp_uris *u)
{
    JSON_KEY(out, "resourceSubscriptions");
    for (size_t i = 0; i < u->count; i++) {
        json_raw(out, i == 0 ? SLICE("[") : SLICE(","));
        json_string(out, bytes_slice(&u->list[i]));
    }
    JSON_RAW(out, "]");
}

/* Says what will be told: only what was wanted and is offered. */
static void acknowledge(struct mcp_session *s, const struct mcp_listen *l)
{
    struct bytes out = {0};

    rpc_begin_note(&out, SLICE("notifications/subscriptions/acknowledged"));
    JSON_RAW(&out, "{");
    put_mark(&out, bytes_slice(&l->id));
    JSON_RAW(&out, ",\"notifications\":{");
    for (int i = 0; i < MCP_LISTS; i++) {
        if (!l->wants[i])
            continue;
        json_key(&out, lists[i].filter);
        JSON_RAW(&out, "true");
    }
    if (l->uris.count > 0)
        put_uris(&out, &l->uris);
    JSON_RAW(&out, "}}");
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
    mcp_respond(
        s, s->batch, &out,
        (struct mcp_line){.code = MCP_MISSING_CAPABILITY, .status = 400});
}

static bool has_tasks(const struct rpc_message *m)
{
    yyjson_val *meta = FIELD(m->params, "_meta");
    yyjson_val *can = FIELD(meta, META "clientCapabilities");

    return FIELD(FIELD(can, "extensions"), META "tasks") != NULL;
}

static bool is_wellformed(yyjson_val *wanted)
{
    yyjson_val *uris = FIELD(wanted, "resourceSubscriptions"), *uri;
    size_t i, max;

    for (i = 0; i < MCP_LISTS; i++) {
        yyjson_val *flag = field_get(wanted, lists[i].filter);
        if (flag && !yyjson_is_bool(flag))
            return false;
    }
    yyjson_arr_foreach(uris, i, max, uri)
    {
        if (!yyjson_is_str(uri))
            return false;
    }
    return yyjson_is_obj(wanted) && (!uris || yyjson_is_arr(uris));
}

static bool check(struct mcp_session *s, const struct rpc_message *m)
{
    yyjson_val *wanted = FIELD(m->params, "notifications");

    if (!is_wellformed(wanted)) {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                   SLICE("Invalid params: notifications must be an object, "
                         "...ListChanged in it true or false, "
                         "resourceSubscriptions an array of strings"));
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

static void want(const struct mcp_session *s, struct mcp_listen *l,
                 yyjson_val *wanted)
{
    yyjson_val *uris = FIELD(wanted, "resourceSubscriptions"), *uri;
    size_t i, max;

    for (int list = 0; list < MCP_LISTS; list++)
        l->wants[list] =
            yyjson_is_true(field_get(wanted, lists[list].filter)) &&
            is_offered(s, list);
    if (!(s->options.offers & MCP_OFFER_RESOURCES_SUBSCRIBE))
        return;
    yyjson_arr_foreach(uris, i, max, uri)
    {
        mcp_uris_add(&l->uris, field_text(uri));
    }
}

void mcp_listen(struct mcp_session *s, const struct rpc_message *m)
{
    if (!check(s, m))
        return;
    ARRAY_GROW(s->listens, s->listen_count);
    struct mcp_listen *l = &s->listens[s->listen_count++];
    *l = (struct mcp_listen){0};
    want(s, l, FIELD(m->params, "notifications"));
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
    mcp_send(s, &out, (struct mcp_line){.is_answer = true, .status = 200});
}

void mcp_listen_close_all(struct mcp_session *s, bool is_graceful)
{
    for (size_t i = 0; i < s->listen_count; i++) {
        if (is_graceful)
            say_goodbye(s, &s->listens[i]);
        finish(&s->listens[i]);
    }
    s->listen_count = 0;
}

/* uri may be empty: the notification has none. */
static void tell(struct mcp_session *s, const struct mcp_listen *l,
                 struct slice method, struct slice uri)
{
    struct bytes out = {0};

    rpc_begin_note(&out, method);
    JSON_RAW(&out, "{");
    if (l)
        put_mark(&out, bytes_slice(&l->id));
    if (uri.len > 0)
        JSON_TEXT(&out, "uri", uri);
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_send(s, &out, (struct mcp_line){0});
}

void mcp_notify_changed(struct mcp_session *s, enum mcp_list list)
{
    if (s->client->has_handshake && s->client->is_initialized &&
        is_offered(s, (int)list))
        tell(s, NULL, lists[list].method, SLICE_EMPTY);
    for (size_t i = 0; i < s->listen_count; i++)
        if (s->listens[i].wants[list])
            tell(s, &s->listens[i], lists[list].method, SLICE_EMPTY);
}

void mcp_notify_updated(struct mcp_session *s, struct slice uri)
{
    static const struct slice method =
        SLICE_INIT("notifications/resources/updated");

    if (mcp_uris_have(&s->client->subscribed, uri))
        tell(s, NULL, method, uri);
    for (size_t i = 0; i < s->listen_count; i++)
        if (mcp_uris_have(&s->listens[i].uris, uri))
            tell(s, &s->listens[i], method, uri);
}
