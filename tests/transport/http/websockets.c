/* SPDX-License-Identifier: MIT */
/*
 * http-websockets [PING_MS [LIMIT]]: WebSockets by themselves, for tests. It
 * prints {"port":N} and serves until its stdin ends.
 *
 *   /echo   a WebSocket that says everything back; "bye" closes it with 1001
 *   /cast   a WebSocket that only listens
 *   /say?times=N&bytes=B   to all of /cast, N texts of B bytes, numbered
 *   /counts how they fare
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "transport/http/site.h"
#include "transport/http/websocket.h"

struct host {
    struct site site;
    struct websocket_set *websockets;
    struct websocket_rules rules;
    struct client *clients;
    unsigned gone, drained;
};

struct client {
    struct host *host;
    struct websocket *socket;
    struct client *before, *after;
    bool is_listener;
};

static void on_gone(void *ctx)
{
    struct client *c = ctx;

    if (c->after != NULL)
        c->after->before = c->before;
    if (c->before != NULL)
        c->before->after = c->after;
    else
        c->host->clients = c->after;
    c->host->gone++;
    free(c);
}

static void on_text(void *ctx, struct slice text)
{
    struct client *c = ctx;
    struct framing_frame *f = framing_text(text);

    if (slice_eq(text, SLICE("bye")))
        websocket_close(c->socket, WEBSOCKET_LEAVING, SLICE("bye"));
    else
        websocket_send(c->socket, f);
    framing_drop(f);
}

static void on_drained(void *ctx)
{
    ((struct client *)ctx)->host->drained++;
}

static void open_socket(struct host *h, struct exchange *x, bool is_listener)
{
    struct client *c = bytes_zalloc(sizeof(*c));

    *c = (struct client){.host = h, .is_listener = is_listener};
    c->socket = websocket_accept(
        h->websockets, x,
        &(struct websocket_owner){c, on_text, on_drained, on_gone});
    if (c->socket == NULL) {
        free(c);
        return;
    }
    c->after = h->clients;
    if (c->after != NULL)
        c->after->before = c;
    h->clients = c;
}

static void serve_echo(void *ctx, struct exchange *x)
{
    open_socket(ctx, x, false);
}

static void serve_cast(void *ctx, struct exchange *x)
{
    open_socket(ctx, x, true);
}

static size_t number(struct exchange *x, const char *name)
{
    struct bytes text = {0};
    size_t n = 0;

    exchange_parameter(x, name, &text);
    bytes_append(&text, "", 1);
    n = strtoul(text.ptr, NULL, 10);
    bytes_finish(&text);
    return n;
}

static void say(struct host *h, size_t serial, size_t bytes)
{
    struct bytes text = {0};
    struct framing_frame *f;

    bytes_reserve(&text, bytes + 32);
    text.len = (size_t)snprintf(text.ptr, 32, "%zu ", serial);
    while (text.len < bytes)
        bytes_append(&text, "x", 1);
    f = framing_text(bytes_slice(&text));
    for (struct client *c = h->clients; c != NULL; c = c->after)
        if (c->is_listener)
            websocket_send(c->socket, f);
    framing_drop(f);
    bytes_finish(&text);
}

static void serve_say(void *ctx, struct exchange *x)
{
    size_t times = number(x, "times"), bytes = number(x, "bytes");

    for (size_t i = 0; i < times; i++)
        say(ctx, i, bytes);
    exchange_reply_text(x, 200, "text/plain", SLICE("said"));
}

static void serve_counts(void *ctx, struct exchange *x)
{
    struct host *h = ctx;
    const struct websocket_counts *c = websocket_count(h->websockets);
    struct bytes out = {0};
    char text[256];

    bytes_append(&out, text,
                 (size_t)snprintf(text, sizeof(text),
                                  "{\"open\":%u,\"slow\":%lu,\"lost\":%lu,"
                                  "\"gone\":%u,\"drained\":%u}",
                                  c->open, (unsigned long)c->slow,
                                  (unsigned long)c->lost, h->gone, h->drained));
    exchange_reply(x, 200, "application/json", &out);
}

static const struct site_route routes[] = {{"/echo", false, serve_echo},
                                           {"/cast", false, serve_cast},
                                           {"/say", false, serve_say},
                                           {"/counts", false, serve_counts}};

static const struct access_setup open_to_us = {.token = ""};

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct host *h = *(struct host **)state;
    int error = site_open(t, &h->site,
                          &(struct site_setup){.host = "127.0.0.1",
                                               .routes = routes,
                                               .route_count = 4,
                                               .ctx = h,
                                               .access = &open_to_us,
                                               .connections = 256});

    if (error != 0)
        return rt_fail(t, error);
    h->websockets = websocket_set_create(&h->site, &h->rules);
    printf("{\"port\":%u}\n", h->site.port);
    fflush(stdout);
    rt_watch(t, STDIN_FILENO, EPOLLIN);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct host *h = *(struct host **)state;

    return site_handle(t, &h->site, m) ? RT_OK : RT_STOP;
}

static void stop(struct rt_turn *t, void *state)
{
    struct host *h = *(struct host **)state;

    rt_unwatch(t, STDIN_FILENO);
    websocket_set_destroy(h->websockets);
    site_finish(t, &h->site);
    free(h);
}

static const struct rt_behaviour behaviour = {.name = "host",
                                              .size = sizeof(struct host *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

int main(int argc, char **argv)
{
    const struct rt_config config = {.loops = 1, .home = RT_LOOP(0)};
    struct host *h = bytes_zalloc(sizeof(*h));

    h->rules.ping_ms = argc > 1 ? strtoul(argv[1], NULL, 10) : 60000;
    h->rules.limit = argc > 2 ? strtoul(argv[2], NULL, 10) : 1 << 20;
    h->rules.close_ms = 500;
    return rt_join(rt_start(&config, &behaviour, &h)) != 0;
}
