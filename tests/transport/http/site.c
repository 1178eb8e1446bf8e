/* SPDX-License-Identifier: MIT */
/*
 * A site with routes of every kind, for tests: it prints {"port":N} and serves
 * until its stdin ends.
 *
 *   /echo     the body back        /head/NAME  a header back
 *   /later    answers in a later turn, after 20 ms
 *   /never    never answers; /stats says how many such clients have left
 *   /stream   ten pieces, one a turn
 *   /flood    a stream without end, cut off when it is not read
 *   /big      eight megabytes       /late-head/NAME  a header, in a later turn
 *   /ws       a WebSocket that says everything back
 *   /stats    what the site counts  /mcp, /api/, /  the path back
 */
#include <getopt.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "transport/http/site.h"
#include "transport/http/websocket.h"

enum { LATER = 0x100, PIECE, FLOOD, LATE_HEAD };

struct host;

struct client {
    struct host *host;
    struct exchange *exchange; /* NULL: gone, or a WebSocket */
    struct websocket *socket;
    struct client *next;
    uint64_t timer;
    uint16_t kind;
    int pieces;
};

struct host {
    struct site site;
    struct site_setup setup;
    struct access_setup access;
    struct websocket_set *websockets;
    struct client *clients;
    unsigned held, left, opened, closed; /* of /never, of /ws */
    uint64_t turns;
};

static void forget(struct client *c)
{
    struct client **at = &c->host->clients;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    free(c);
}

/* With a timer under way it is forgotten when that fires. */
static void on_gone(void *ctx)
{
    struct client *c = ctx;

    c->exchange = NULL;
    c->host->left += c->kind == 0;
    if (c->timer == 0)
        forget(c);
}

static struct client *hold(struct host *h, struct exchange *x, uint16_t kind)
{
    struct client *c = bytes_zalloc(sizeof(*c));

    *c = (struct client){
        .host = h, .exchange = x, .next = h->clients, .kind = kind};
    h->clients = c;
    h->held += kind == 0;
    exchange_own(x, c, on_gone);
    if (kind != 0)
        c->timer = rt_after(h->site.turn, 20, kind);
    return c;
}

static void serve_echo(void *ctx, struct exchange *x)
{
    struct slice body = exchange_body(x);
    struct bytes out = {0};

    (void)ctx;
    bytes_append(&out, body.ptr, body.len);
    exchange_reply(x, 200, "application/octet-stream", &out);
}

static void tell_header(struct exchange *x, size_t skip)
{
    struct slice path = exchange_path(x), value;
    struct bytes name = {0}, out = {0};

    bytes_append(&name, path.ptr + skip, path.len - skip);
    bytes_append(&name, "", 1);
    value = exchange_header(x, name.ptr);
    bytes_append(&out, value.ptr ? value.ptr : "(none)",
                 value.ptr ? value.len : 6);
    bytes_finish(&name);
    exchange_reply(x, 200, "text/plain", &out);
}

static void serve_head(void *ctx, struct exchange *x)
{
    (void)ctx;
    tell_header(x, strlen("/head/"));
}

static void serve_late_head(void *ctx, struct exchange *x)
{
    hold(ctx, x, LATE_HEAD);
}

static void serve_path(void *ctx, struct exchange *x)
{
    struct slice path = exchange_path(x);
    struct bytes out = {0};

    (void)ctx;
    bytes_append(&out, path.ptr, path.len);
    exchange_reply(x, 200, "text/plain", &out);
}

static void serve_big(void *ctx, struct exchange *x)
{
    struct bytes out = {0};

    (void)ctx;
    bytes_reserve(&out, 8 << 20);
    memset(out.ptr, 'b', 8 << 20);
    out.len = 8 << 20;
    exchange_reply(x, 200, "text/plain", &out);
}

static void serve_empty(void *ctx, struct exchange *x)
{
    (void)ctx;
    exchange_reply_text(x, 204, NULL, SLICE_EMPTY);
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
    hold(ctx, x, LATER);
}

static void serve_never(void *ctx, struct exchange *x)
{
    hold(ctx, x, 0);
}

static void serve_stream(void *ctx, struct exchange *x)
{
    hold(ctx, x, PIECE);
    exchange_begin(x, 200, "text/event-stream");
}

static void serve_flood(void *ctx, struct exchange *x)
{
    hold(ctx, x, FLOOD);
    exchange_begin(x, 200, "text/event-stream");
}

static void on_text(void *ctx, struct slice text)
{
    struct client *c = ctx;
    struct framing_frame *f = framing_text(text);

    websocket_send(c->socket, f);
    framing_drop(f);
}

static void on_closed(void *ctx)
{
    struct client *c = ctx;

    c->host->closed++;
    free(c);
}

static void serve_websocket(void *ctx, struct exchange *x)
{
    struct host *h = ctx;
    struct client *c = bytes_zalloc(sizeof(*c));

    c->host = h;
    c->socket = websocket_accept(h->websockets, x,
                                 &(struct websocket_owner){
                                     .ctx = c,
                                     .on_text = on_text,
                                     .on_gone = on_closed,
                                 });
    h->opened += c->socket != NULL;
    if (c->socket == NULL)
        free(c);
}

static void serve_stats(void *ctx, struct exchange *x)
{
    struct host *h = ctx;
    const struct site *site = &h->site;
    struct mallinfo2 heap = mallinfo2();
    struct bytes out = {0};
    char text[512];
    int len =
        snprintf(text, sizeof(text),
                 "{\"held\":%u,\"left\":%u,\"turns\":%lu,\"accepted\":%lu,"
                 "\"refused\":%lu,\"served\":%lu,\"cut\":%lu,\"pauses\":%lu,"
                 "\"connections\":%u,\"strangers\":%u,\"turnedAway\":%lu,"
                 "\"dropped\":%lu,"
                 "\"opened\":%u,\"closed\":%u,\"heap\":%zu}",
                 h->held, h->left, h->turns, site->accepted, site->refused,
                 site->served, site->cut, site->pauses, site->connections,
                 site->strangers, site->access.turned_away, site->dropped,
                 h->opened, h->closed, heap.uordblks + heap.hblkhd);

    bytes_append(&out, text, (size_t)len);
    exchange_reply(x, 200, "application/json", &out);
}

static const struct site_route routes[] = {
    {"/echo", false, serve_echo},     {"/head/", true, serve_head},
    {"/query", false, serve_query},   {"/later", false, serve_later},
    {"/never", false, serve_never},   {"/late-head/", true, serve_late_head},
    {"/stream", false, serve_stream}, {"/flood", false, serve_flood},
    {"/stats", false, serve_stats},   {"/big", false, serve_big},
    {"/empty", false, serve_empty},   {"/mcp", false, serve_path},
    {"/api/", true, serve_path},      {"/", false, serve_path},
    {"/files/", true, serve_path},    {"/ws", false, serve_websocket}};

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct host *h = *(struct host **)state;
    int error = site_open(t, &h->site, &h->setup);

    if (error != 0)
        return rt_fail(t, error);
    h->websockets = websocket_set_create(
        &h->site, &(struct websocket_rules){
                      .ping_ms = 500, .close_ms = 500, .limit = 1 << 20});
    printf("{\"port\":%u}\n", h->site.port);
    fflush(stdout);
    rt_watch(t, STDIN_FILENO, EPOLLIN);
    return RT_OK;
}

/* Whoever is answered for good may be forgotten by it. */
static void piece(struct rt_turn *t, struct client *c)
{
    static char block[65536];

    c->timer = 0;
    if (c->exchange == NULL) {
        forget(c);
    } else if (c->kind == LATER) {
        exchange_reply_text(c->exchange, 200, "text/plain", SLICE("later"));
    } else if (c->kind == LATE_HEAD) {
        tell_header(c->exchange, strlen("/late-head/"));
    } else if (c->kind == PIECE && c->pieces == 10) {
        exchange_end(c->exchange);
    } else {
        memset(block, 'x', sizeof(block));
        c->timer = rt_after(t, 1, c->kind);
        c->pieces++;
        exchange_write(c->exchange, c->kind == PIECE
                                        ? SLICE("data: piece\n\n")
                                        : slice_of(block, sizeof(block)));
    }
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct host *h = *(struct host **)state;

    h->turns++;
    if (site_handle(t, &h->site, m))
        return RT_OK;
    if (m->kind == RT_READY)
        return RT_STOP;
    site_enter(t, &h->site);
    for (struct client *c = h->clients; c != NULL; c = c->next) {
        if (c->timer == ((struct rt_alarm *)rt_body(m))->id) {
            piece(t, c);
            break;
        }
    }
    site_leave(&h->site);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct host *h = *(struct host **)state;

    rt_unwatch(t, STDIN_FILENO);
    websocket_set_destroy(h->websockets);
    site_finish(t, &h->site);
    while (h->clients != NULL) {
        struct client *next = h->clients->next;

        free(h->clients);
        h->clients = next;
    }
    free(h);
}

static const struct rt_behaviour behaviour = {.name = "host",
                                              .size = sizeof(struct host *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

static void read_options(struct host *h, int argc, char **argv)
{
    static const struct option all[] = {
        {"host", required_argument, NULL, 'h'},
        {"token", required_argument, NULL, 't'},
        {"connections", required_argument, NULL, 'c'},
        {"idle", required_argument, NULL, 'i'},
        {"input", required_argument, NULL, 'b'},
        {"open", no_argument, NULL, 'o'},
        {0}};
    int got;

    while ((got = getopt_long(argc, argv, "", all, NULL)) != -1) {
        if (got == 'h')
            h->setup.host = optarg;
        else if (got == 't')
            h->access.token = optarg;
        else if (got == 'c')
            h->setup.connections = (unsigned)atoi(optarg);
        else if (got == 'i')
            h->setup.idle_ms = (unsigned)atoi(optarg);
        else if (got == 'b')
            h->setup.input = (size_t)atol(optarg);
        else if (got == 'o')
            h->access.is_open = true;
        else
            exit(2);
    }
}

int main(int argc, char **argv)
{
    const struct rt_config config = {.loops = 1, .home = RT_LOOP(0)};
    struct host *h;

    /* One arena, or mallinfo2 would not see what the loop's thread has. */
    mallopt(M_ARENA_MAX, 1);
    h = bytes_zalloc(sizeof(*h));
    h->access.token = "";
    h->setup =
        (struct site_setup){.host = "127.0.0.1",
                            .routes = routes,
                            .route_count = sizeof(routes) / sizeof(*routes),
                            .ctx = h,
                            .access = &h->access,
                            .connections = 64};
    read_options(h, argc, argv);
    return rt_join(rt_start(&config, &behaviour, &h)) != 0;
}
