/* SPDX-License-Identifier: MIT */
#include "transport/web/web.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actors/registry/registry.h"
#include "config/reason.h"
#include "transport/feed/feed.h"
#include "transport/http/site.h"
#include "transport/session/session.h"
#include "transport/session/speakers.h"
#include "transport/web/api.h"
#include "transport/web/asset.h"
#include "transport/web/metrics.h"
#include "transport/web/web_mcp.h"

/* Beyond the one that was asked for: each project's hub has its own. */
#define PORTS 100
/* For answers under way and the end of streams, when the hub leaves. */
#define LAST_MS 500
/* More than a site has connections, of which one of HTTP/1 has one request in
 * flight, and those of the WebSockets besides. */
#define CALLS 4096
#define WAITS 1024
/* How late the hub may hear of the last call. */
#define SERVED_NS UINT64_C(1000000000)

enum { WEB_LAST = 0x7f8 };

struct web {
    struct web_setup setup;
    struct site site;
    struct calls calls; /* of all its clients */
    struct speakers speakers;
    struct web_mcp mcp;
    struct feed feed;
    struct access_setup access;
    struct web_users users; /* as last told */
    uint64_t served, told_at;
    bool is_open;
    bool is_leaving;
};

/* ---- who uses it -------------------------------------------------------- */

/* Most calls begin and end in one turn, and there are thousands a second. */
static bool is_use_told(struct rt_turn *t, const struct web *w)
{
    return w->served == w->users.served ||
           (w->told_at != 0 && rt_now(t) - w->told_at < SERVED_NS);
}

static void tell_users(struct rt_turn *t, struct web *w)
{
    struct web_users users = {.watchers = (uint32_t)w->feed.counts.subscribers,
                              .calls = endpoint_requests(w->mcp.endpoint),
                              .served = w->served};

    if ((users.watchers == 0) == (w->users.watchers == 0) &&
        (users.calls == 0) == (w->users.calls == 0) && is_use_told(t, w))
        return;
    w->users = users;
    w->told_at = rt_now(t);
    rt_tell(t, rt_parent(t), WEB_USERS, &users, sizeof(users));
}

/* Told before the answer goes out: who has it may leave with the last relay,
 * and the hub would hear of that first. */
static void count_use(struct web *w)
{
    w->served++;
    tell_users(w->site.turn, w);
}

/* ---- routes ------------------------------------------------------------- */

static void serve_api(void *ctx, struct exchange *x)
{
    struct web *w = ctx;

    count_use(w);
    api_serve(&w->calls, &w->speakers, x);
}

static void serve_metrics(void *ctx, struct exchange *x)
{
    struct web *w = ctx;

    metrics_serve(&w->calls, &w->feed, endpoint_sessions(w->mcp.endpoint), x);
}

static void serve_mcp(void *ctx, struct exchange *x)
{
    struct web *w = ctx;

    count_use(w);
    web_mcp_serve(&w->mcp, x);
}

static void serve_feed(void *ctx, struct exchange *x)
{
    feed_serve(&((struct web *)ctx)->feed, x);
}

static void serve_health(void *ctx, struct exchange *x)
{
    (void)ctx;
    exchange_add_header(x, "cache-control", SLICE("no-store"));
    exchange_reply_text(x, 200, "application/json",
                        SLICE("{\"status\":\"ok\"}\n"));
}

static const struct site_route routes[] = {
    {API_PATH, true, serve_api},       {"/mcp", false, serve_mcp},
    {WEB_MCP_SETS, true, serve_mcp},   {"/ws", false, serve_feed},
    {"/healthz", false, serve_health}, {"/metrics", false, serve_metrics},
    {"/", true, asset_serve}};

/* ---- the actor ---------------------------------------------------------- */

static void tell_address(struct rt_turn *t, const struct web *w)
{
    const struct config *c = w->setup.settings->config;
    struct registry_url address = {0};
    bool is_six = strchr(c->dashboard.host, ':') != NULL;

    snprintf(address.url, sizeof(address.url),
             is_six ? "http://[%s]:%u/" : "http://%s:%u/", c->dashboard.host,
             w->site.port);
    rt_tell(t, w->setup.registry, REGISTRY_URL, &address, sizeof(address));
    if (w->site.port != c->dashboard.port && c->dashboard.port != 0)
        LOG_WARN(w->setup.log, "web.port", LOG_PORT_TAKEN,
                 (int)c->dashboard.port, address.url);
    else
        LOG_INFO(w->setup.log, "web.serving", LOG_DASHBOARD, address.url);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct web *w = *(struct web **)state;
    const struct config *c = w->setup.settings->config;
    const struct site_setup setup = {
        .host = c->dashboard.host,
        .port = (uint16_t)c->dashboard.port,
        .tries = c->dashboard.port == 0 ? 0 : PORTS,
        .routes = routes,
        .route_count = sizeof(routes) / sizeof(*routes),
        .ctx = w,
        .access = &w->access};
    int error = site_open(t, &w->site, &setup);

    w->is_open = error == 0;
    if (w->is_open) {
        feed_init(&w->feed,
                  &(struct feed_setup){.site = &w->site,
                                       .calls = &w->calls,
                                       .speakers = &w->speakers,
                                       .registry = w->setup.registry});
        tell_address(t, w);
    } else {
        LOG_ERROR(w->setup.log, "web.closed", LOG_NO_DASHBOARD,
                  c->dashboard.host, (int)c->dashboard.port,
                  reason_of(error, w->setup.log->is_english).text);
    }
    return RT_OK;
}

static enum rt_next on_leave(struct rt_turn *t, struct web *w,
                             const struct session_leave *leave)
{
    w->calls.is_closing = true;
    if (!leave->is_last)
        return RT_OK;
    if (!w->is_open)
        return RT_STOP;
    w->is_leaving = true;
    endpoint_close(w->mcp.endpoint);
    feed_leave(&w->feed);
    site_close(t, &w->site);
    rt_after(t, LAST_MS, WEB_LAST);
    return RT_OK;
}

static enum rt_next take(struct rt_turn *t, struct web *w, struct rt_msg *m)
{
    enum rt_next next = RT_OK;

    if (w->is_open && site_handle(t, &w->site, m))
        return RT_OK;
    site_enter(t, &w->site);
    if (calls_handle(t, &w->calls, m) || feed_handle(&w->feed, m) ||
        endpoint_handle(t, w->mcp.endpoint, m))
        ;
    else if (m->kind == WEB_LEAVE)
        next = on_leave(t, w, rt_body(m));
    else if (m->kind == WEB_LAST)
        next = RT_STOP;
    site_leave(&w->site);
    return next;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct web *w = *(struct web **)state;
    enum rt_next next = take(t, w, m);

    tell_users(t, w);
    return w->is_leaving && w->site.connections == 0 ? RT_STOP : next;
}

static void stop(struct rt_turn *t, void *state)
{
    struct web *w = *(struct web **)state;

    w->site.turn = t;
    site_refuse(&w->site);
    feed_finish(t, &w->feed);
    web_mcp_finish(t, &w->mcp);
    site_finish(t, &w->site);
    calls_finish(&w->calls);
    speakers_finish(&w->speakers);
    rt_obj_drop(&w->setup.settings->obj);
    rt_obj_drop(&w->setup.context->obj);
    free(w);
}

static const struct rt_behaviour behaviour = {.name = "web",
                                              .size = sizeof(struct web *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref web_spawn(struct rt_turn *t, const struct web_setup *s)
{
    struct web *w = bytes_zalloc(sizeof(*w));

    w->setup = *s;
    rt_obj_keep(&s->context->obj);
    rt_obj_keep(&s->settings->obj);
    w->access = (struct access_setup){.token = s->token};
    calls_init(&w->calls, s->registry, s->tools, s->context->self);
    w->calls.is_language_auto = s->context->is_language_auto;
    speakers_init(&w->speakers, s->context->self);
    w->calls.max_calls = CALLS;
    w->calls.max_waits = WAITS;
    web_mcp_init(&w->mcp, &(struct web_mcp_setup){.calls = &w->calls,
                                                  .speakers = &w->speakers,
                                                  .site = &w->site,
                                                  .tools = s->tools,
                                                  .version = s->version,
                                                  .context = s->context});
    return rt_spawn_at(t, HUB_LOOP_WEB, &behaviour, &w);
}
