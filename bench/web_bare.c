/* SPDX-License-Identifier: MIT */
/*
 * web-bare ANSWER FLOW SOURCES: what h2o alone can do.
 *
 * Whatever is posted to /mcp gets the bytes of the file ANSWER. Who opens /ws
 * gets all events of a flow's sources, made by one thread. Prints its port,
 * and serves until it is killed.
 *
 * h2o's own send callback writes a frame in two system calls; ours gathers
 * what wslay has queued, without which a broadcast would be no peer at all.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/flow.h"
#include "transport/http/h2o.h"

/* After it: it would take libuv for the loop. */
#include <h2o/websocket.h>

enum { GATHER = 64 * 1024, MESSAGE_MAX = 1024 };

struct bare {
    h2o_globalconf_t conf;
    h2o_context_t context;
    h2o_accept_ctx_t accept;
    h2o_multithread_receiver_t receiver;
    h2o_linklist_t listeners; /* of listener::link */
    struct flow *flow;
    unsigned sources;
};

struct handler {
    h2o_handler_t super;
    struct bare *bare;
    char *answer;
    size_t len;
};

struct listener {
    h2o_linklist_t link;
    h2o_websocket_conn_t *conn;
    char *out; /* gathered, or in flight while the socket writes */
    size_t len, room;
};

struct message {
    h2o_multithread_message_t super;
    size_t len;
    char text[MESSAGE_MAX];
};

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* ---- the constant answer ------------------------------------------------ */

static int on_post(h2o_handler_t *self, h2o_req_t *req)
{
    struct handler *h = (struct handler *)self;
    static h2o_generator_t generator; /* there is no more to come */
    h2o_iovec_t body = h2o_iovec_init(h->answer, h->len);

    if (!h2o_memis(req->method.base, req->method.len, H2O_STRLIT("POST")))
        return -1;
    req->res.status = 200;
    req->res.reason = "OK";
    req->res.content_length = h->len;
    h2o_add_header(&req->pool, &req->res.headers, H2O_TOKEN_CONTENT_TYPE, NULL,
                   H2O_STRLIT("application/json"));
    h2o_start_response(req, &generator);
    h2o_send(req, &body, 1, H2O_SEND_STATE_FINAL);
    return 0;
}

static void read_answer(struct handler *h, const char *path)
{
    FILE *file = fopen(path, "re");
    struct stat st;

    if (file == NULL || fstat(fileno(file), &st) != 0)
        fail(path);
    h->len = (size_t)st.st_size;
    h->answer = h2o_mem_alloc(h->len + 1);
    if (fread(h->answer, 1, h->len, file) != h->len)
        fail(path);
    fclose(file);
}

/* ---- the broadcast ------------------------------------------------------ */

static void listener_destroy(struct listener *l)
{
    h2o_linklist_unlink(&l->link);
    h2o_websocket_close(l->conn);
    free(l->out);
    free(l);
}

/* Without a message the connection is over; wslay answers pings itself. */
static void on_frame(h2o_websocket_conn_t *conn,
                     const struct wslay_event_on_msg_recv_arg *arg)
{
    if (arg == NULL)
        listener_destroy(conn->data);
}

static void on_written(h2o_socket_t *sock, const char *err)
{
    h2o_websocket_conn_t *conn = sock->data;
    struct listener *l = conn->data;

    l->len = 0;
    if (err != NULL)
        listener_destroy(l);
    else
        h2o_websocket_proceed(conn);
}

static ssize_t gather(wslay_event_context_ptr ws, const uint8_t *data,
                      size_t len, int flags, void *user)
{
    h2o_websocket_conn_t *conn = user;
    struct listener *l = conn->data;

    if (h2o_socket_is_writing(conn->sock)) {
        wslay_event_set_error(ws, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    if (l->len + len > l->room) {
        l->room = (l->len + len) * 2;
        l->out = h2o_mem_realloc(l->out, l->room);
    }
    memcpy(l->out + l->len, data, len);
    l->len += len;
    if (!(flags & WSLAY_MSG_MORE) &&
        (wslay_event_get_queued_msg_count(ws) <= 1 || l->len >= GATHER)) {
        h2o_iovec_t all = h2o_iovec_init(l->out, l->len);

        h2o_socket_write(conn->sock, &all, 1, on_written);
    }
    return (ssize_t)len;
}

static int on_upgrade(h2o_handler_t *self, h2o_req_t *req)
{
    struct handler *h = (struct handler *)self;
    struct listener *l;
    const char *key;

    if (h2o_is_websocket_handshake(req, &key) != 0 || key == NULL)
        return -1;
    l = h2o_mem_alloc(sizeof(*l));
    *l = (struct listener){0};
    l->conn = h2o_upgrade_to_websocket(req, key, l, on_frame);
    l->conn->ws_callbacks.send_callback = gather;
    wslay_event_config_set_callbacks(l->conn->ws_ctx, &l->conn->ws_callbacks);
    h2o_linklist_insert(&h->bare->listeners, &l->link);
    return 0;
}

static struct listener *listener_of(h2o_linklist_t *link)
{
    return H2O_STRUCT_FROM_MEMBER(struct listener, link, link);
}

static void queue_all(struct bare *bare, const struct message *m)
{
    struct wslay_event_msg frame = {WSLAY_TEXT_FRAME, (const uint8_t *)m->text,
                                    m->len};

    for (h2o_linklist_t *n = bare->listeners.next; n != &bare->listeners;
         n = n->next)
        wslay_event_queue_msg(listener_of(n)->conn->ws_ctx, &frame);
}

/* Until the 101 is written a connection has no socket. Proceeding may be the
 * end of the listener. */
static void send_all(struct bare *bare)
{
    h2o_linklist_t *next;

    for (h2o_linklist_t *n = bare->listeners.next; n != &bare->listeners;
         n = next) {
        next = n->next;
        if (listener_of(n)->conn->sock != NULL)
            h2o_websocket_proceed(listener_of(n)->conn);
    }
}

static void on_messages(h2o_multithread_receiver_t *receiver,
                        h2o_linklist_t *messages)
{
    struct bare *bare = H2O_STRUCT_FROM_MEMBER(struct bare, receiver, receiver);

    while (!h2o_linklist_is_empty(messages)) {
        struct message *m =
            H2O_STRUCT_FROM_MEMBER(struct message, super.link, messages->next);

        h2o_linklist_unlink(&m->super.link);
        queue_all(bare, m);
        free(m);
    }
    send_all(bare);
}

/* A message as long as ours is. */
static void produce(struct bare *bare, unsigned source, uint32_t n)
{
    struct message *m = h2o_mem_alloc(sizeof(*m));
    char text[FLOW_TEXT];

    memset(&m->super, 0, sizeof(m->super));
    flow_text(text, source, n);
    m->len = (size_t)snprintf(
        m->text, MESSAGE_MAX,
        "{\"type\":\"agent:status_update\",\"at\":\"2026-07-28T10:00:00.000Z\","
        "\"data\":{\"agentId\":\"impl-code-1794785601-b5b%u\","
        "\"status\":\"running\",\"event\":{\"kind\":\"text\","
        "\"form\":\"delta\",\"text\":\"%s\"}}}",
        source, text);
    h2o_multithread_send_message(&bare->receiver, &m->super);
}

/* All sources have the same number of events to say, so taking them in turn
 * makes none wait for another. */
static void *run_producer(void *arg)
{
    struct bare *bare = arg;

    for (uint32_t n = 1;; n++)
        for (unsigned source = 0; source < bare->sources; source++) {
            if (flow_wait(bare->flow, source, n) == 0)
                return NULL;
            produce(bare, source, n);
        }
}

/* ---- the server --------------------------------------------------------- */

static void on_accept(h2o_socket_t *listening, const char *err)
{
    struct bare *bare = listening->data;
    h2o_socket_t *sock;

    while (err == NULL && (sock = h2o_evloop_socket_accept(listening)) != NULL)
        h2o_accept(&bare->accept, sock);
}

static uint16_t serve_loopback(struct bare *bare)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    h2o_socket_t *sock;

    if (fd < 0 || bind(fd, (struct sockaddr *)&at, len) != 0 ||
        listen(fd, 1024) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &len) != 0)
        fail("listen");
    sock = h2o_evloop_socket_create(bare->context.loop, fd,
                                    H2O_SOCKET_FLAG_DONT_READ);
    sock->data = bare;
    h2o_socket_read_start(sock, on_accept);
    return ntohs(at.sin_port);
}

/* The path moves with the next one: its handler is attached at once. */
static struct handler *route(struct bare *bare, h2o_hostconf_t *host,
                             const char *path,
                             int (*serve)(h2o_handler_t *, h2o_req_t *))
{
    h2o_pathconf_t *at = h2o_config_register_path(host, path, 0);
    struct handler *h = (struct handler *)h2o_create_handler(at, sizeof(*h));

    h->super.on_req = serve;
    h->bare = bare;
    return h;
}

static void init(struct bare *bare, const char *answer)
{
    h2o_hostconf_t *host;

    h2o_linklist_init_anchor(&bare->listeners);
    h2o_config_init(&bare->conf);
    bare->conf.http1.upgrade_to_http2 = 0;
    host = h2o_config_register_host(
        &bare->conf, h2o_iovec_init(H2O_STRLIT("default")), 65535);
    read_answer(route(bare, host, "/mcp", on_post), answer);
    route(bare, host, "/ws", on_upgrade);
    h2o_context_init(&bare->context, h2o_evloop_create(), &bare->conf);
    bare->accept.ctx = &bare->context;
    bare->accept.hosts = bare->conf.hosts;
    h2o_multithread_register_receiver(bare->context.queue, &bare->receiver,
                                      on_messages);
}

int main(int argc, char **argv)
{
    static struct bare bare;
    pthread_t producer;

    if (argc != 4) {
        fputs("web-bare ANSWER FLOW SOURCES\n", stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    bare.flow = flow_open(argv[2]);
    bare.sources = (unsigned)strtoul(argv[3], NULL, 10);
    init(&bare, argv[1]);
    printf("%u\n", serve_loopback(&bare));
    fflush(stdout);
    if (pthread_create(&producer, NULL, run_producer, &bare) != 0)
        fail("thread");
    while (h2o_evloop_run(bare.context.loop, INT32_MAX) == 0 || errno == EINTR)
        ;
    fail("loop");
}
