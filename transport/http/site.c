/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transport/http/listener.h"
#include "transport/http/refusal.h"
#include "transport/http/site_inside.h"

/* Between two looks at how much all connections hold. */
#define WEIGH_MS 10

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

/* A target as a proxy would send it: it names us, and then a path. */
static void settle_target(h2o_req_t *req)
{
    h2o_url_t url;

    if ((req->path.len > 0 && req->path.base[0] == '/') ||
        h2o_url_parse(req->path.base, req->path.len, &url) != 0)
        return;
    req->path = url.path;
    req->path_normalized =
        h2o_url_normalize_path(&req->pool, req->path.base, req->path.len,
                               &req->query_at, &req->norm_indexes);
}

static void serve(struct site *s, struct exchange *x)
{
    struct access_verdict verdict = connection_judge(x->connection);

    s->served++;
    settle_target(x->req);
    if (verdict.status != 0) {
        exchange_dismiss(x, x->connection->has_body);
        access_refuse(&s->access, x, &verdict);
        return;
    }
    if (s->is_refusing) {
        refusal_send(x, 503, SLICE("the hub is leaving"));
        return;
    }
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
    door_open(s, fd);
    pump_soon(t, &s->pump);
    return 0;
}

/* ---- running ------------------------------------------------------------ */

struct scale {
    size_t sum, most;
    int largest; /* of those still read: its descriptor, or -1 */
};

static int weigh_one(h2o_req_t *req, void *ctx)
{
    const struct connection *c = connection_of(req);
    size_t size = c->sock->input->size;
    struct scale *scale = ctx;

    scale->sum += size;
    if (size > scale->most && c->exchange == NULL) {
        scale->most = size;
        scale->largest = h2o_socket_get_fd(c->sock);
    }
    return 0;
}

/* A thousand clients may each send a body that is allowed: it is looked at
 * what they hold together, and the largest that is not whole is given up. */
static void weigh(struct site *s)
{
    struct scale scale = {.largest = -1};
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
    const struct connection *c = connection_of(req);

    (void)ctx;
    if (c->exchange == NULL)
        shutdown(h2o_socket_get_fd(c->sock), SHUT_RD);
    return 0;
}

void site_close(struct rt_turn *t, struct site *s)
{
    if (s->h2o == NULL || s->is_leaving)
        return;
    s->is_leaving = true;
    door_close(s);
    /* Not h2o_context_request_shutdown: its HTTP/2 half links a timer that
     * h2o_context_dispose would not have. */
    s->h2o->context.shutdown_requested = 1;
    s->h2o->conf.http1.callbacks.foreach_request(&s->h2o->context, end_idle,
                                                 NULL);
    pump_soon(t, &s->pump);
}

void site_refuse(struct site *s)
{
    s->is_refusing = true;
}

static int cut(h2o_req_t *req, void *ctx)
{
    const struct connection *c = connection_of(req);

    (void)ctx;
    if (c->exchange != NULL)
        exchange_abort(c->exchange);
    return 0;
}

/* More than once: an answer that has just left may be followed by a request
 * that was sent ahead. */
static void cut_all(struct site *s)
{
    door_empty(s);
    s->h2o->conf.http1.callbacks.foreach_request(&s->h2o->context, cut, NULL);
    h2o_evloop_run(s->pump.loop, 0);
}

void site_finish(struct rt_turn *t, struct site *s)
{
    h2o_multithread_queue_t *queue;

    if (s->h2o == NULL)
        return;
    s->turn = t;
    site_close(t, s);
    for (int i = 0; i < 100 && s->connections > 0; i++)
        cut_all(s);
    h2o_evloop_run(s->pump.loop, 0);
    door_finish(s);
    queue = s->h2o->context.queue;
    h2o_context_dispose(&s->h2o->context);
    free(queue); /* which h2o forgets */
    h2o_config_dispose(&s->h2o->conf);
    pump_close(t, &s->pump);
    access_close(&s->access);
    free(s->h2o);
    *s = (struct site){0};
}
