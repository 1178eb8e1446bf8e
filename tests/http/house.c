/* SPDX-License-Identifier: MIT */
/*
 * A site with routes of every kind, for tests: it prints {"port":N} and serves
 * until its stdin ends.
 *
 *   /echo     the body back        /head/NAME  a header back
 *   /later    answers in a later turn, after 20 ms
 *   /never    never answers; /gone says how many such clients have left
 *   /stream   ten pieces, one a turn
 *   /flood    a stream without end, cut off when it is not read
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "transport/http/site.h"

enum { LATER = 0x100, PIECE, FLOOD };

struct house;

struct guest {
    struct house *house;
    struct exchange *exchange; /* NULL: gone */
    struct guest *next;
    uint64_t timer;
    uint16_t kind;
    int pieces;
};

struct house {
    struct site site;
    struct guest *guests;
    unsigned gone;
};

static void on_gone(void *ctx)
{
    struct guest *g = ctx;

    g->exchange = NULL;
    g->house->gone += g->kind == 0;
}

static struct guest *seat(struct house *h, struct exchange *x, uint16_t kind)
{
    struct guest *g = bytes_zalloc(sizeof(*g));

    *g = (struct guest){
        .house = h, .exchange = x, .next = h->guests, .kind = kind};
    h->guests = g;
    exchange_own(x, g, on_gone);
    if (kind != 0)
        g->timer = rt_after(h->site.turn, 20, kind);
    return g;
}

static void serve_echo(void *ctx, struct exchange *x)
{
    struct slice body = exchange_body(x);
    struct bytes out = {0};

    (void)ctx;
    bytes_append(&out, body.ptr, body.len);
    exchange_reply(x, 200, "application/octet-stream", &out);
}

static void serve_head(void *ctx, struct exchange *x)
{
    struct slice path = exchange_path(x), value;
    struct bytes name = {0}, out = {0};

    (void)ctx;
    bytes_append(&name, path.ptr + 6, path.len - 6);
    bytes_append(&name, "", 1);
    value = exchange_header(x, name.ptr);
    bytes_append(&out, value.ptr ? value.ptr : "(none)",
                 value.ptr ? value.len : 6);
    bytes_finish(&name);
    exchange_reply(x, 200, "text/plain", &out);
}

static void serve_query(void *ctx, struct exchange *x)
{
    struct bytes out = {0};

    (void)ctx;
    if (!exchange_parameter(x, "q", &out))
        bytes_append(&out, "(none)", 6);
    exchange_reply(x, 200, "text/plain", &out);
}

static void serve_later(void *ctx, struct exchange *x)
{
    seat(ctx, x, LATER);
}

static void serve_never(void *ctx, struct exchange *x)
{
    seat(ctx, x, 0);
}

static void serve_stream(void *ctx, struct exchange *x)
{
    seat(ctx, x, PIECE);
    exchange_begin(x, 200, "text/event-stream");
}

static void serve_flood(void *ctx, struct exchange *x)
{
    seat(ctx, x, FLOOD);
    exchange_begin(x, 200, "text/event-stream");
}

static void serve_gone(void *ctx, struct exchange *x)
{
    struct house *h = ctx;
    struct bytes out = {0};
    char text[32];

    bytes_append(&out, text,
                 (size_t)snprintf(text, sizeof(text), "%u", h->gone));
    exchange_reply(x, 200, "text/plain", &out);
}

static const struct site_route routes[] = {
    {"/echo", false, serve_echo},     {"/head/", true, serve_head},
    {"/query", false, serve_query},   {"/later", false, serve_later},
    {"/never", false, serve_never},   {"/gone", false, serve_gone},
    {"/stream", false, serve_stream}, {"/flood", false, serve_flood}};

static const struct door_setup door = {.token = ""};

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct house *h = *(struct house **)state;
    int error = site_open(t, &h->site,
                          &(struct site_setup){.host = "127.0.0.1",
                                               .routes = routes,
                                               .route_count = 8,
                                               .ctx = h,
                                               .door = &door,
                                               .connections = 64});

    if (error != 0)
        return rt_fail(t, error);
    printf("{\"port\":%u}\n", h->site.port);
    fflush(stdout);
    rt_watch(t, STDIN_FILENO, EPOLLIN);
    return RT_OK;
}

static void piece(struct rt_turn *t, struct guest *g)
{
    static char block[65536];

    if (g->exchange == NULL)
        return;
    if (g->kind == LATER) {
        exchange_reply_text(g->exchange, 200, "text/plain", SLICE("later"));
    } else if (g->kind == PIECE && g->pieces == 10) {
        exchange_end(g->exchange);
    } else {
        memset(block, 'x', sizeof(block));
        exchange_write(g->exchange, g->kind == PIECE
                                        ? SLICE("data: piece\n\n")
                                        : slice_of(block, sizeof(block)));
        g->pieces++;
        g->timer = rt_after(t, 1, g->kind);
    }
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct house *h = *(struct house **)state;

    if (site_handle(t, &h->site, m))
        return RT_OK;
    if (m->kind == RT_READY)
        return RT_STOP;
    site_enter(t, &h->site);
    for (struct guest *g = h->guests; g != NULL; g = g->next)
        if (g->timer == ((struct rt_alarm *)rt_body(m))->id)
            piece(t, g);
    site_leave(&h->site);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct house *h = *(struct house **)state;

    rt_unwatch(t, STDIN_FILENO);
    site_finish(t, &h->site);
    while (h->guests != NULL) {
        struct guest *next = h->guests->next;

        free(h->guests);
        h->guests = next;
    }
    free(h);
}

static const struct rt_behaviour behaviour = {.name = "house",
                                              .size = sizeof(struct house *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

static enum rt_next root_start(struct rt_turn *t, void *state)
{
    struct house *h = bytes_zalloc(sizeof(*h));

    (void)state;
    rt_spawn_at(t, RT_LOOP(0), &behaviour, &h);
    return RT_OK;
}

static enum rt_next root_handle(struct rt_turn *t, void *state,
                                struct rt_msg *m)
{
    (void)t;
    (void)state;
    return m->kind == RT_EXIT ? RT_STOP : RT_OK;
}

static const struct rt_behaviour root = {
    .name = "root", .start = root_start, .handle = root_handle};

int main(void)
{
    return rt_join(rt_start(&(struct rt_config){.loops = 1}, &root, NULL)) != 0;
}
