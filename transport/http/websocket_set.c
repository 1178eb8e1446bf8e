/* SPDX-License-Identifier: MIT */
/* How exchanges become websockets, and the set they are in. */
#include <netinet/tcp.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <strings.h>

#include "transport/http/websocket_inside.h"

#define KEY_LEN 24

/* ---- the beginning ------------------------------------------------------ */

/* After h2o has let go of the connection and the exchange is no more. */
static void on_upgraded(void *ctx, h2o_socket_t *sock, size_t request_size)
{
    struct websocket *w = ctx;
    int lowat = (int)WEBSOCKET_PORTION;

    if (w->set == NULL) {
        if (sock != NULL)
            h2o_socket_close(sock);
        websocket_destroy(w);
        return;
    }
    if (sock == NULL) {
        websocket_end(w);
        return;
    }
    connection_upgrade(sock->on_close.data);
    h2o_buffer_consume(&sock->input, request_size);
    /* What the kernel holds unsent is not to be coalesced any more. */
    setsockopt(h2o_socket_get_fd(sock), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &lowat,
               sizeof(lowat));
    websocket_begin(w, sock);
}

static struct slice accept_key(struct exchange *x, struct slice key)
{
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    unsigned char text[KEY_LEN + sizeof(guid) - 1], digest[SHA_DIGEST_LENGTH];
    char *out = h2o_mem_alloc_pool(&x->req->pool, 32);

    memcpy(text, key.ptr, KEY_LEN);
    memcpy(text + KEY_LEN, guid, sizeof(guid) - 1);
    SHA1(text, sizeof(text), digest);
    return slice_of(out, h2o_base64_encode(out, digest, sizeof(digest), 0));
}

/* Whether it is a handshake; else it is answered with what is wrong. */
static bool is_handshake(struct exchange *x)
{
    struct slice upgrade = slice_of(x->req->upgrade.base, x->req->upgrade.len);

    if (!slice_eq(exchange_method(x), SLICE("GET")) || upgrade.len != 9 ||
        strncasecmp(upgrade.ptr, "websocket", 9) != 0) {
        exchange_add_header(x, "upgrade", SLICE("websocket"));
        exchange_reply_text(x, 426, "text/plain",
                            SLICE("this is a WebSocket\n"));
        return false;
    }
    if (!slice_eq(exchange_header(x, "sec-websocket-version"), SLICE("13"))) {
        exchange_add_header(x, "sec-websocket-version", SLICE("13"));
        exchange_reply_text(x, 426, "text/plain",
                            SLICE("Sec-WebSocket-Version must be 13\n"));
        return false;
    }
    if (exchange_header(x, "sec-websocket-key").len != KEY_LEN) {
        exchange_reply_text(x, 400, "text/plain",
                            SLICE("Sec-WebSocket-Key must be 16 bytes in "
                                  "base64\n"));
        return false;
    }
    return true;
}

struct websocket *websocket_accept(struct websocket_set *r, struct exchange *x,
                                   const struct websocket_owner *owner)
{
    struct websocket *w;

    if (!is_handshake(x))
        return NULL;
    w = bytes_zalloc(sizeof(*w));
    w->set = r;
    w->owner = *owner;
    wslay_event_context_server_init(&w->wslay, &websocket_callbacks, w);
    wslay_event_config_set_max_recv_msg_length(w->wslay, WEBSOCKET_MESSAGE);
    h2o_linklist_insert(&r->all, &w->link);
    r->counts.open++;
    /* From here on only h2o reads, and it answers by itself; should it
     * be cut off meanwhile, the write that is under way ends it. */
    h2o_socket_read_stop(x->sock);
    x->is_begun = x->is_flying = true;
    x->req->res.status = 101;
    x->req->res.reason = "Switching Protocols";
    exchange_add_header(x, "upgrade", SLICE("websocket"));
    exchange_add_header(x, "sec-websocket-accept",
                        accept_key(x, exchange_header(x, "sec-websocket-key")));
    h2o_http1_upgrade(x->req, NULL, 0, on_upgraded, w);
    return w;
}

/* ---- the set ------------------------------------------------------------ */

struct websocket_set *websocket_set_create(struct site *s,
                                           const struct websocket_rules *rules)
{
    struct websocket_set *r = bytes_zalloc(sizeof(*r));

    r->site = s;
    r->loop = s->h2o->context.loop;
    r->rules = *rules;
    h2o_linklist_init_anchor(&r->all);
    h2o_linklist_init_anchor(&r->dirty);
    h2o_timeout_init(r->loop, &r->ping, rules->ping_ms);
    h2o_timeout_init(r->loop, &r->close, rules->close_ms);
    r->flush.cb = websocket_flush;
    return r;
}

/* h2o still has the socket: what is left ends in on_upgraded. */
static void abandon(struct websocket *w)
{
    struct websocket_owner owner = w->owner;

    websocket_leave(w);
    owner.on_gone(owner.ctx);
}

void websocket_set_destroy(struct websocket_set *r)
{
    if (r == NULL)
        return;
    while (!h2o_linklist_is_empty(&r->all)) {
        struct websocket *w =
            H2O_STRUCT_FROM_MEMBER(struct websocket, link, r->all.next);

        if (w->sock == NULL)
            abandon(w);
        else
            websocket_end(w);
    }
    h2o_timeout_unlink(&r->flush);
    h2o_timeout_dispose(r->loop, &r->ping);
    h2o_timeout_dispose(r->loop, &r->close);
    free(r);
}

const struct websocket_counts *websocket_count(const struct websocket_set *r)
{
    return &r->counts;
}
