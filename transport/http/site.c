/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "transport/http/site_inside.h"

#define BACKLOG 1024
/* Taken at one go; the rest is still there in the next round. */
#define ACCEPTS 64

struct handler {
    h2o_handler_t super;
    struct site *site;
};

/* ---- requests ----------------------------------------------------------- */

static bool fits(const struct site_route *r, struct slice path)
{
    struct slice own = slice_cstr(r->path);

    if (!r->is_prefix)
        return slice_eq(own, path);
    return path.len >= own.len && memcmp(path.ptr, own.ptr, own.len) == 0;
}

static size_t head_bytes(const h2o_req_t *req)
{
    size_t bytes = req->input.path.len;

    for (size_t i = 0; i < req->headers.size; i++)
        bytes += req->headers.entries[i].name->len +
                 req->headers.entries[i].value.len;
    return bytes;
}

static void serve(struct site *s, struct exchange *x)
{
    const struct site_place *place = &s->places[h2o_socket_get_fd(x->sock)];

    s->served++;
    if (head_bytes(x->req) > SITE_HEAD) {
        exchange_reply_text(x, 431, "text/plain",
                            SLICE("the request's head is too large\n"));
        return;
    }
    if (!door_admit(&s->door, x, place->peer))
        return;
    for (size_t i = 0; i < s->setup.route_count; i++) {
        const struct site_route *r = &s->setup.routes[i];

        if (!fits(r, exchange_path(x)))
            continue;
        r->serve(s->setup.ctx, x);
        return;
    }
    exchange_reply_text(x, 404, "text/plain", SLICE("not found\n"));
}

static int on_request(h2o_handler_t *self, h2o_req_t *req)
{
    struct site *s = ((struct handler *)self)->site;

    serve(s, exchange_create(s, req));
    return 0;
}

/* ---- connections -------------------------------------------------------- */

static void on_closed(void *data)
{
    struct site *s = data;

    s->connections--;
}

static struct site_place *place_of(struct site *s, int fd)
{
    size_t more = s->place_count == 0 ? 64 : s->place_count;

    while (more <= (size_t)fd)
        more *= 2;
    if (more > s->place_count) {
        s->places = bytes_realloc(s->places, more * sizeof(*s->places));
        memset(s->places + s->place_count, 0,
               (more - s->place_count) * sizeof(*s->places));
        s->place_count = more;
    }
    return &s->places[fd];
}

static void admit(struct site *s, h2o_socket_t *sock)
{
    int fd = h2o_socket_get_fd(sock);

    s->accepted++;
    if (s->connections >= s->setup.connections || s->is_leaving) {
        s->refused++;
        h2o_socket_close(sock);
        return;
    }
    s->connections++;
    sock->on_close.cb = on_closed;
    sock->on_close.data = s;
    *place_of(s, fd) = (struct site_place){.peer = door_look(&s->door, fd)};
    h2o_accept(&s->h2o->accept, sock);
}

static void on_accept(h2o_socket_t *listener, const char *error)
{
    struct site *s = listener->data;

    for (int i = 0; error == NULL && i < ACCEPTS; i++) {
        h2o_socket_t *sock = h2o_evloop_socket_accept(listener);

        if (sock == NULL)
            return;
        admit(s, sock);
    }
}

/* ---- opening ------------------------------------------------------------ */

/* *fd, or a negative errno. */
static int listen_at(const char *host, uint16_t port, int *out)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6,
                               .sin6_port = htons(port)};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
    bool is_four = inet_pton(AF_INET, host, &four.sin_addr) == 1;
    int on = 1, error, fd;

    if (!is_four && inet_pton(AF_INET6, host, &six.sin6_addr) != 1)
        return -EINVAL;
    fd = socket(is_four ? AF_INET : AF_INET6,
                SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if ((is_four ? bind(fd, (struct sockaddr *)&four, sizeof(four))
                 : bind(fd, (struct sockaddr *)&six, sizeof(six))) != 0 ||
        listen(fd, BACKLOG) != 0) {
        error = -errno;
        close(fd);
        return error;
    }
    *out = fd;
    return 0;
}

static uint16_t port_of(int fd)
{
    struct sockaddr_in6 own = {0};
    socklen_t len = sizeof(own);

    getsockname(fd, (struct sockaddr *)&own, &len);
    return ntohs(own.sin6_port); /* where IPv4 has it too */
}

/* The first port from the wanted one on that nobody has. */
static int listen_somewhere(const struct site_setup *setup, int *fd)
{
    int error = -EADDRINUSE;

    for (unsigned i = 0; i <= setup->tries && error == -EADDRINUSE; i++) {
        if (setup->port + i > UINT16_MAX)
            break;
        error = listen_at(setup->host, (uint16_t)(setup->port + i), fd);
    }
    return error;
}

static void configure(struct site *s)
{
    struct site_h2o *h = s->h2o;
    h2o_hostconf_t *host;
    h2o_pathconf_t *path;
    struct handler *handler;

    h2o_config_init(&h->conf);
    h->conf.server_name = h2o_iovec_init(H2O_STRLIT("kuromajutsu"));
    h->conf.max_request_entity_size = SITE_BODY;
    h->conf.http1.req_timeout = SITE_IDLE_MS;
    /* Neither the preface nor Upgrade: h2o's HTTP/2 has known floods, and
     * browsers speak it over TLS only. */
    h->conf.http1.upgrade_to_http2 = 0;
    host = h2o_config_register_host(
        &h->conf, h2o_iovec_init(H2O_STRLIT("default")), 65535);
    path = h2o_config_register_path(host, "/", 0);
    handler = (struct handler *)h2o_create_handler(path, sizeof(*handler));
    handler->super.on_req = on_request;
    handler->site = s;
    h2o_context_init(&h->context, s->pump.loop, &h->conf);
    h->accept = (h2o_accept_ctx_t){.ctx = &h->context, .hosts = h->conf.hosts};
}

int site_open(struct rt_turn *t, struct site *s, const struct site_setup *setup)
{
    int fd = -1, error;

    *s = (struct site){.setup = *setup};
    if (s->setup.connections == 0)
        s->setup.connections = SITE_CONNECTIONS;
    if ((error = listen_somewhere(setup, &fd)) != 0)
        return error;
    if ((error = pump_open(t, &s->pump)) != 0) {
        close(fd);
        return error;
    }
    s->port = port_of(fd);
    door_open(&s->door, setup->door, s->port);
    s->h2o = bytes_zalloc(sizeof(*s->h2o));
    configure(s);
    s->h2o->listener =
        h2o_evloop_socket_create(s->pump.loop, fd, H2O_SOCKET_FLAG_DONT_READ);
    s->h2o->listener->data = s;
    h2o_socket_read_start(s->h2o->listener, on_accept);
    pump_soon(t, &s->pump);
    return 0;
}

/* ---- running ------------------------------------------------------------ */

bool site_handle(struct rt_turn *t, struct site *s, struct rt_msg *m)
{
    bool is_ours;

    s->turn = t;
    is_ours = pump_handle(t, &s->pump, m);
    s->turn = NULL;
    return is_ours;
}

void site_enter(struct rt_turn *t, struct site *s)
{
    s->turn = t;
    pump_soon(t, &s->pump);
}

void site_leave(struct site *s)
{
    s->turn = NULL;
}

/* ---- closing ------------------------------------------------------------ */

/* One that waits for a request reads the end and closes. */
static int end_idle(h2o_req_t *req, void *ctx)
{
    struct site *s = ctx;
    h2o_socket_t *sock = req->conn->callbacks->get_socket(req->conn);
    int fd = h2o_socket_get_fd(sock);

    if (s->places[fd].exchange == NULL)
        shutdown(fd, SHUT_RD);
    return 0;
}

void site_close(struct rt_turn *t, struct site *s)
{
    if (s->h2o == NULL || s->is_leaving)
        return;
    s->is_leaving = true;
    h2o_socket_close(s->h2o->listener);
    s->h2o->listener = NULL;
    /* Not h2o_context_request_shutdown: its HTTP/2 half links a timer that
     * h2o_context_dispose would not have. */
    s->h2o->context.shutdown_requested = 1;
    s->h2o->conf.http1.callbacks.foreach_request(&s->h2o->context, end_idle, s);
    pump_soon(t, &s->pump);
}

static int cut(h2o_req_t *req, void *ctx)
{
    h2o_socket_t *sock = req->conn->callbacks->get_socket(req->conn);
    struct site *s = ctx;
    struct exchange *x = s->places[h2o_socket_get_fd(sock)].exchange;

    if (x != NULL)
        exchange_abort(x);
    else
        shutdown(h2o_socket_get_fd(sock), SHUT_RDWR);
    return 0;
}

void site_finish(struct rt_turn *t, struct site *s)
{
    h2o_multithread_queue_t *queue;

    if (s->h2o == NULL)
        return;
    s->turn = t;
    site_close(t, s);
    s->h2o->conf.http1.callbacks.foreach_request(&s->h2o->context, cut, s);
    for (int i = 0; i < 100 && s->connections > 0; i++)
        h2o_evloop_run(s->pump.loop, 0);
    h2o_evloop_run(s->pump.loop, 0);
    queue = s->h2o->context.queue;
    h2o_context_dispose(&s->h2o->context);
    free(queue); /* which h2o forgets */
    h2o_config_dispose(&s->h2o->conf);
    pump_close(t, &s->pump);
    door_close(&s->door);
    free(s->places);
    free(s->h2o);
    *s = (struct site){0};
}
