/* SPDX-License-Identifier: MIT */
/*
 * parlour [PING_MS [LIMIT]]: WebSockets by themselves, for tests. It prints
 * {"port":N} and serves until its stdin ends.
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

struct parlour {
    struct site site;
    struct websocket_set *set;
    struct websocket_rules rules;
    struct guest *guests;
    unsigned gone, drained;
};

struct guest {
    struct parlour *parlour;
    struct websocket *socket;
    struct guest *before, *after;
    bool is_listener;
};

static void on_gone(void *ctx)
{
    struct guest *g = ctx;

    if (g->after != NULL)
        g->after->before = g->before;
    if (g->before != NULL)
        g->before->after = g->after;
    else
        g->parlour->guests = g->after;
    g->parlour->gone++;
    free(g);
}

static void on_text(void *ctx, struct slice text)
{
    struct guest *g = ctx;
    struct framing_frame *f = framing_text(text);

    if (slice_eq(text, SLICE("bye")))
        websocket_close(g->socket, WEBSOCKET_LEAVING, SLICE("bye"));
    else
        websocket_send(g->socket, f);
    framing_drop(f);
}

static void on_drained(void *ctx)
{
    ((struct guest *)ctx)->parlour->drained++;
}

static void seat(struct parlour *p, struct exchange *x, bool is_listener)
{
    struct guest *g = bytes_zalloc(sizeof(*g));

    *g = (struct guest){.parlour = p, .is_listener = is_listener};
    g->socket = websocket_accept(
        p->set, x, &(struct websocket_owner){g, on_text, on_drained, on_gone});
    if (g->socket == NULL) {
        free(g);
        return;
    }
    g->after = p->guests;
    if (g->after != NULL)
        g->after->before = g;
    p->guests = g;
}

static void serve_echo(void *ctx, struct exchange *x)
{
    seat(ctx, x, false);
}

static void serve_cast(void *ctx, struct exchange *x)
{
    seat(ctx, x, true);
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

static void say(struct parlour *p, size_t serial, size_t bytes)
{
    struct bytes text = {0};
    struct framing_frame *f;

    bytes_reserve(&text, bytes + 32);
    text.len = (size_t)snprintf(text.ptr, 32, "%zu ", serial);
    while (text.len < bytes)
        bytes_append(&text, "x", 1);
    f = framing_text(bytes_slice(&text));
    for (struct guest *g = p->guests; g != NULL; g = g->after)
        if (g->is_listener)
            websocket_send(g->socket, f);
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
    struct parlour *p = ctx;
    const struct websocket_counts *c = websocket_count(p->set);
    struct bytes out = {0};
    char text[256];

    bytes_append(&out, text,
                 (size_t)snprintf(text, sizeof(text),
                                  "{\"open\":%u,\"slow\":%lu,\"lost\":%lu,"
                                  "\"gone\":%u,\"drained\":%u}",
                                  c->open, (unsigned long)c->slow,
                                  (unsigned long)c->lost, p->gone, p->drained));
    exchange_reply(x, 200, "application/json", &out);
}

static const struct site_route routes[] = {{"/echo", false, serve_echo},
                                           {"/cast", false, serve_cast},
                                           {"/say", false, serve_say},
                                           {"/counts", false, serve_counts}};

static const struct access_setup open_to_us = {.token = ""};

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct parlour *p = *(struct parlour **)state;
    int error = site_open(t, &p->site,
                          &(struct site_setup){.host = "127.0.0.1",
                                               .routes = routes,
                                               .route_count = 4,
                                               .ctx = p,
                                               .access = &open_to_us,
                                               .connections = 256});

    if (error != 0)
        return rt_fail(t, error);
    p->set = websocket_set_create(&p->site, &p->rules);
    printf("{\"port\":%u}\n", p->site.port);
    fflush(stdout);
    rt_watch(t, STDIN_FILENO, EPOLLIN);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct parlour *p = *(struct parlour **)state;

    return site_handle(t, &p->site, m) ? RT_OK : RT_STOP;
}

static void stop(struct rt_turn *t, void *state)
{
    struct parlour *p = *(struct parlour **)state;

    rt_unwatch(t, STDIN_FILENO);
    websocket_set_destroy(p->set);
    site_finish(t, &p->site);
    free(p);
}

static const struct rt_behaviour behaviour = {.name = "parlour",
                                              .size = sizeof(struct parlour *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

int main(int argc, char **argv)
{
    const struct rt_config config = {.loops = 1, .home = RT_LOOP(0)};
    struct parlour *p = bytes_zalloc(sizeof(*p));

    p->rules.ping_ms = argc > 1 ? strtoul(argv[1], NULL, 10) : 60000;
    p->rules.limit = argc > 2 ? strtoul(argv[2], NULL, 10) : 1 << 20;
    p->rules.close_ms = 500;
    return rt_join(rt_start(&config, &behaviour, &p)) != 0;
}
