/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/text/array.h"
#include "transport/http/listener.h"
#include "transport/http/refusal.h"
#include "transport/http/request_head.h"
#include "transport/http/site_inside.h"

/* Taken at one go; the rest is still there in the next round. */
#define ACCEPTS 64
/* Until it is tried again to accept what there was no descriptor for. */
#define PAUSE_MS 100
/* Between two looks at how much all connections hold. */
#define WEIGH_MS 10
/* One of so many connections is for peers without access: they are told,
 * but they do not take the others' place. */
#define OUTSIDERS 4

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

/* The target as a proxy would send it: what it names must be what Host names.
 * False: it is none of either form. */
static bool settle_target(h2o_req_t *req)
{
    h2o_iovec_t host = req->input.authority;
    h2o_url_t url;

    if (req->path.len > 0 && req->path.base[0] == '/')
        return true;
    if (h2o_url_parse(req->path.base, req->path.len, &url) != 0 ||
        url.scheme != &H2O_URL_SCHEME_HTTP ||
        !slice_eq(slice_of(url.authority.base, url.authority.len),
                  slice_trim(slice_of(host.base, host.len))))
        return false;
    req->path = url.path;
    req->path_normalized =
        h2o_url_normalize_path(&req->pool, req->path.base, req->path.len,
                               &req->query_at, &req->norm_indexes);
    return true;
}

/* What has been misunderstood is the last of its connection: it is not known
 * where the next request begins. */
static void turn_down(struct exchange *x, int status, const char *why)
{
    x->req->http1_is_persistent = 0;
    refusal_send(x, status, slice_cstr(why));
}

static bool is_plain(struct exchange *x)
{
    const h2o_buffer_t *input = x->sock->input;
    size_t len;
    /* h2o takes the request off the buffer when it is answered. */
    const char *why =
        request_head_check(slice_of(input->bytes, input->size), &len);

    if (why == NULL && !settle_target(x->req))
        why = "the target is neither a path nor an address of ours";
    if (why == NULL && !request_head_is_fair_path(exchange_path(x)))
        why = "a character that may not stand in a path";
    if (why != NULL)
        turn_down(x, 400, why);
    else if (len > SITE_HEAD)
        turn_down(x, 431, "the request's head is too large");
    return why == NULL && len <= SITE_HEAD;
}

static void serve(struct site *s, struct exchange *x)
{
    const struct site_place *place = &s->places[h2o_socket_get_fd(x->sock)];

    s->served++;
    if (s->is_refusing) {
        refusal_send(x, 503, SLICE("the hub is leaving"));
        return;
    }
    if (!is_plain(x) || !access_admit(&s->access, x, place->peer))
        return;
    for (size_t i = 0; i < s->setup.route_count; i++) {
        const struct site_route *r = &s->setup.routes[i];

        if (!fits(r, exchange_path(x)))
            continue;
        r->serve(s->setup.ctx, x);
        return;
    }
    refusal_send(x, 404, SLICE("not found"));
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

static void on_outsider_closed(void *data)
{
    struct site *s = data;

    s->outsiders--;
    s->connections--;
}

static struct site_place *place_of(struct site *s, int fd)
{
    ARRAY_REACH(s->places, &s->place_count, (size_t)fd);
    return &s->places[fd];
}

static bool has_room(const struct site *s, bool is_outsider)
{
    return !s->is_leaving && s->connections < s->setup.connections &&
           (!is_outsider || s->outsiders < s->setup.connections / OUTSIDERS);
}

static void admit(struct site *s, h2o_socket_t *sock)
{
    int fd = h2o_socket_get_fd(sock);
    enum access_peer peer = access_look(&s->access, fd);
    bool is_outsider = access_is_shut(&s->access, peer);

    s->accepted++;
    if (!has_room(s, is_outsider)) {
        s->refused++;
        h2o_socket_close(sock);
        return;
    }
    s->connections++;
    s->outsiders += is_outsider;
    sock->on_close.cb = is_outsider ? on_outsider_closed : on_closed;
    sock->on_close.data = s;
    *place_of(s, fd) = (struct site_place){.peer = peer};
    h2o_accept(&s->h2o->accept, sock);
}

static void on_accept(h2o_socket_t *listener, const char *error)
{
    struct site *s = listener->data;

    for (int i = 0; error == NULL && i < ACCEPTS; i++) {
        h2o_socket_t *sock = h2o_evloop_socket_accept(listener);

        if (sock != NULL) {
            admit(s, sock);
            continue;
        }
        /* Out of descriptors or memory. What waits stays in the kernel's
         * line, and the listener would be ready for ever meanwhile. */
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
            errno == ENOMEM) {
            s->pauses++;
            h2o_socket_read_stop(listener);
            h2o_timeout_link(s->pump.loop, &s->h2o->pause, &s->h2o->pausing);
        }
        return;
    }
}

static void on_pause_over(h2o_timeout_entry_t *entry)
{
    struct site_h2o *h =
        H2O_STRUCT_FROM_MEMBER(struct site_h2o, pausing, entry);

    h2o_socket_read_start(h->listener, on_accept);
}

/* ---- opening ------------------------------------------------------------ */

static void configure(struct site *s)
{
    struct site_h2o *h = s->h2o;
    h2o_hostconf_t *host;
    h2o_pathconf_t *path;
    struct handler *handler;

    h2o_config_init(&h->conf);
    h->conf.server_name = h2o_iovec_init(H2O_STRLIT("kuromajutsu"));
    h->conf.max_request_entity_size = SITE_BODY;
    h->conf.http1.req_timeout = s->setup.idle_ms;
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

static void listen_on(struct site *s, int fd)
{
    struct site_h2o *h = s->h2o;

    h2o_timeout_init(s->pump.loop, &h->pause, PAUSE_MS);
    h->pausing.cb = on_pause_over;
    h->listener =
        h2o_evloop_socket_create(s->pump.loop, fd, H2O_SOCKET_FLAG_DONT_READ);
    h->listener->data = s;
    h2o_socket_read_start(h->listener, on_accept);
}

static void complete(struct site_setup *setup)
{
    if (setup->connections == 0)
        setup->connections = SITE_CONNECTIONS;
    if (setup->idle_ms == 0)
        setup->idle_ms = SITE_IDLE_MS;
    if (setup->input == 0)
        setup->input = SITE_INPUT;
}

int site_open(struct rt_turn *t, struct site *s, const struct site_setup *setup)
{
    struct access_setup access = *setup->access;
    int fd = -1, error;

    access.host = setup->host;
    *s = (struct site){.setup = *setup};
    complete(&s->setup);
    error = listener_open(&(struct listener_setup){.host = setup->host,
                                                   .port = setup->port,
                                                   .tries = setup->tries,
                                                   .idle_ms = s->setup.idle_ms},
                          &fd, &s->port);
    if (error != 0)
        return error;
    if ((error = pump_open(t, &s->pump)) != 0) {
        close(fd);
        return error;
    }
    access_open(&s->access, &access, s->port);
    s->h2o = bytes_zalloc(sizeof(*s->h2o));
    configure(s);
    listen_on(s, fd);
    pump_soon(t, &s->pump);
    return 0;
}

/* ---- running ------------------------------------------------------------ */

struct scale {
    struct site *site;
    size_t sum, most;
    int largest; /* of those still read: its descriptor, or -1 */
};

static int weigh_one(h2o_req_t *req, void *ctx)
{
    h2o_socket_t *sock = req->conn->callbacks->get_socket(req->conn);
    int fd = h2o_socket_get_fd(sock);
    struct scale *scale = ctx;

    scale->sum += sock->input->size;
    if (sock->input->size > scale->most &&
        scale->site->places[fd].exchange == NULL) {
        scale->most = sock->input->size;
        scale->largest = fd;
    }
    return 0;
}

/* A thousand clients may each send a body that is allowed: it is looked at
 * what they hold together, and the largest that is not whole is given up. */
static void weigh(struct site *s)
{
    struct scale scale = {.site = s, .largest = -1};
    uint64_t now = h2o_now(s->pump.loop);

    if (now - s->weighed_at < WEIGH_MS)
        return;
    s->weighed_at = now;
    s->h2o->conf.http1.callbacks.foreach_request(&s->h2o->context, weigh_one,
                                                 &scale);
    if (scale.sum <= s->setup.input || scale.largest < 0)
        return;
    s->cut++;
    shutdown(scale.largest, SHUT_RDWR);
}

bool site_handle(struct rt_turn *t, struct site *s, struct rt_msg *m)
{
    bool is_ours;

    s->turn = t;
    is_ours = pump_handle(t, &s->pump, m);
    if (is_ours)
        weigh(s);
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
    h2o_timeout_unlink(&s->h2o->pausing);
    h2o_socket_close(s->h2o->listener);
    s->h2o->listener = NULL;
    /* Not h2o_context_request_shutdown: its HTTP/2 half links a timer that
     * h2o_context_dispose would not have. */
    s->h2o->context.shutdown_requested = 1;
    s->h2o->conf.http1.callbacks.foreach_request(&s->h2o->context, end_idle, s);
    pump_soon(t, &s->pump);
}

void site_refuse(struct site *s)
{
    s->is_refusing = true;
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
    h2o_timeout_dispose(s->pump.loop, &s->h2o->pause);
    queue = s->h2o->context.queue;
    h2o_context_dispose(&s->h2o->context);
    free(queue); /* which h2o forgets */
    h2o_config_dispose(&s->h2o->conf);
    pump_close(t, &s->pump);
    access_close(&s->access);
    free(s->places);
    free(s->h2o);
    *s = (struct site){0};
}
