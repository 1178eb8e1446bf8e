/* SPDX-License-Identifier: MIT */
/*
 * wslay reads frames and answers control frames; h2o only brings bytes. What
 * goes out does not pass through either: shared frames stand in the queue of
 * each websocket, and all queues that got something are written once when the
 * mail of the turn is done, so that a hundred events for fifty clients are
 * fifty writes. A websocket ends in h2o's callbacks only, never below one of
 * its own functions: no caller has to fear that what it holds is gone.
 */
#include <string.h>

#include "transport/http/websocket_inside.h"

#define SILENT_PINGS 2

/* ---- the end ------------------------------------------------------------ */

void websocket_destroy(struct websocket *w)
{
    wslay_event_context_free(w->wslay);
    framing_finish(&w->queue);
    bytes_finish(&w->control);
    free(w);
}

/* Out of its set; the socket stays. */
void websocket_leave(struct websocket *w)
{
    h2o_linklist_unlink(&w->link);
    if (h2o_linklist_is_linked(&w->dirty))
        h2o_linklist_unlink(&w->dirty);
    h2o_timeout_unlink(&w->timer);
    w->set->counts.open--;
    w->set = NULL;
}

void websocket_end(struct websocket *w)
{
    struct websocket_owner owner = w->owner;

    websocket_leave(w);
    if (w->sock != NULL)
        h2o_socket_close(w->sock);
    websocket_destroy(w);
    owner.on_gone(owner.ctx);
}

static void on_close_timer(h2o_timeout_entry_t *entry)
{
    struct websocket *w =
        H2O_STRUCT_FROM_MEMBER(struct websocket, timer, entry);

    if (w->sock != NULL)
        websocket_end(w);
    else /* its 101 is being written: that ends one way or the other */
        h2o_timeout_link(w->set->loop, &w->set->close, &w->timer);
}

static void set_timer(struct websocket *w, h2o_timeout_t *timeout,
                      h2o_timeout_cb cb)
{
    h2o_timeout_unlink(&w->timer);
    w->timer.cb = cb;
    h2o_timeout_link(w->set->loop, timeout, &w->timer);
}

/* ---- the way out -------------------------------------------------------- */

static void on_written(h2o_socket_t *sock, const char *error);

static void write_some(struct websocket *w)
{
    h2o_iovec_t bufs[WEBSOCKET_FRAMES];
    struct framing *q = &w->queue;
    size_t bytes = 0;

    if (w->sock == NULL || q->flying > 0 || q->count == 0)
        return;
    while (q->flying < q->count && q->flying < WEBSOCKET_FRAMES &&
           bytes < WEBSOCKET_PORTION) {
        struct framing_frame *f = framing_at(q, q->flying);

        bufs[q->flying++] = h2o_iovec_init(f->bytes, f->len);
        bytes += f->len;
    }
    h2o_socket_write(w->sock, bufs, q->flying, on_written);
}

void websocket_flush(h2o_timeout_entry_t *entry)
{
    struct websocket_set *r =
        H2O_STRUCT_FROM_MEMBER(struct websocket_set, flush, entry);

    while (!h2o_linklist_is_empty(&r->dirty)) {
        struct websocket *w =
            H2O_STRUCT_FROM_MEMBER(struct websocket, dirty, r->dirty.next);

        h2o_linklist_unlink(&w->dirty);
        if (w->is_closing)
            set_timer(w, &r->close, on_close_timer);
        write_some(w);
    }
}

/*
 * It is written when h2o runs next: after the mail that is there already. The
 * time that a close may take counts from there too, for h2o's clock stands
 * still between its runs.
 */
static void mark_dirty(struct websocket *w)
{
    struct websocket_set *r = w->set;

    if ((w->queue.flying > 0 && !w->is_closing) ||
        h2o_linklist_is_linked(&w->dirty))
        return;
    h2o_linklist_insert(&r->dirty, &w->dirty);
    if (h2o_timeout_is_linked(&r->flush))
        return;
    h2o_timeout_link(r->loop, &r->site->h2o->context.zero_timeout, &r->flush);
    pump_soon(r->site->turn, &r->site->pump);
}

/*
 * Our close has left. If the other side has said its own, that is all; if wslay
 * would not hear it any more, the peer may be in the middle of what we refused:
 * closing now would reset the connection and lose the reason.
 */
static void finish_closing(struct websocket *w)
{
    if (wslay_event_get_close_received(w->wslay))
        websocket_end(w);
    else if (w->is_deaf)
        shutdown(h2o_socket_get_fd(w->sock), SHUT_WR);
}

static void on_written(h2o_socket_t *sock, const char *error)
{
    struct websocket *w = sock->data;

    if (error != NULL) {
        websocket_end(w);
        return;
    }
    framing_land(&w->queue);
    if (w->queue.count > 0) {
        write_some(w);
        return;
    }
    w->grant = 0;
    if (w->is_closing && wslay_event_get_close_sent(w->wslay))
        finish_closing(w);
    else if (w->owner.on_drained != NULL)
        w->owner.on_drained(w->owner.ctx);
}

static ssize_t take_control(wslay_event_context_ptr wslay, const uint8_t *data,
                            size_t len, int flags, void *ctx)
{
    struct websocket *w = ctx;

    (void)wslay;
    (void)flags;
    bytes_append(&w->control, (const char *)data, len);
    return (ssize_t)len;
}

static bool is_too_much(const struct websocket *w)
{
    return w->queue.bytes > w->set->rules.limit + w->grant;
}

static void close_slow(struct websocket *w)
{
    w->set->counts.slow++;
    framing_shed(&w->queue);
    websocket_close(w, WEBSOCKET_TOO_SLOW, SLICE("too slow"));
}

/*
 * Passes on what wslay has to say. Pings and pongs overtake what waits, a
 * goodbye does not; unless what is before it will never be read.
 */
static void emit(struct websocket *w)
{
    struct framing_frame *f;

    wslay_event_send(w->wslay);
    if (w->control.len == 0)
        return;
    f = framing_raw(bytes_slice(&w->control));
    bytes_clear(&w->control, 256);
    if (wslay_event_get_close_sent(w->wslay)) {
        w->is_closing = true;
        if (w->is_deaf)
            framing_shed(&w->queue);
        framing_push(&w->queue, f);
    } else {
        framing_push_first(&w->queue, f);
    }
    framing_drop(f);
    mark_dirty(w);
    if (!w->is_closing && is_too_much(w))
        close_slow(w);
}

bool websocket_send(struct websocket *w, struct framing_frame *f)
{
    if (w->is_closing)
        return false;
    if (is_too_much(w)) {
        close_slow(w);
        return false;
    }
    framing_push(&w->queue, f);
    mark_dirty(w);
    return true;
}

void websocket_grant(struct websocket *w, size_t bytes)
{
    w->grant += bytes;
}

size_t websocket_unsent(const struct websocket *w)
{
    return w->queue.bytes;
}

bool websocket_is_closing(const struct websocket *w)
{
    return w->is_closing;
}

void websocket_close(struct websocket *w, unsigned code, struct slice reason)
{
    if (w->is_closing)
        return;
    w->is_closing = true;
    wslay_event_queue_close(w->wslay, (uint16_t)code,
                            (const uint8_t *)reason.ptr, reason.len);
    if (!w->is_hearing)
        emit(w);
}

/* ---- the way in --------------------------------------------------------- */

static ssize_t give_input(wslay_event_context_ptr wslay, uint8_t *buf,
                          size_t len, int flags, void *ctx)
{
    struct websocket *w = ctx;
    h2o_buffer_t **input = &w->sock->input;

    (void)flags;
    if ((*input)->size == 0) {
        wslay_event_set_error(wslay, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    len = len < (*input)->size ? len : (*input)->size;
    memcpy(buf, (*input)->bytes, len);
    h2o_buffer_consume(input, len);
    return (ssize_t)len;
}

static void on_message(wslay_event_context_ptr wslay,
                       const struct wslay_event_on_msg_recv_arg *m, void *ctx)
{
    struct websocket *w = ctx;

    (void)wslay;
    if (wslay_is_ctrl_frame(m->opcode) || w->is_closing)
        return;
    if (m->opcode == WSLAY_TEXT_FRAME)
        w->owner.on_text(w->owner.ctx,
                         slice_of((const char *)m->msg, m->msg_length));
    else
        websocket_close(w, WEBSOCKET_NO_TEXT, SLICE("text only"));
}

static void hear(struct websocket *w)
{
    int error;

    w->silent = 0;
    if (w->is_deaf) {
        h2o_buffer_consume(&w->sock->input, w->sock->input->size);
        return;
    }
    w->is_hearing = true;
    error = wslay_event_recv(w->wslay);
    w->is_hearing = false;
    if (error != 0) {
        websocket_end(w);
        return;
    }
    w->is_deaf = !wslay_event_get_read_enabled(w->wslay);
    emit(w);
    /* Both have said it, ours long ago. */
    if (w->is_deaf && w->queue.count == 0)
        finish_closing(w);
}

static void on_read(h2o_socket_t *sock, const char *error)
{
    if (error == NULL)
        hear(sock->data);
    else
        websocket_end(sock->data);
}

static void on_ping_timer(h2o_timeout_entry_t *entry)
{
    struct websocket *w =
        H2O_STRUCT_FROM_MEMBER(struct websocket, timer, entry);
    const struct wslay_event_msg ping = {.opcode = WSLAY_PING};

    if (w->silent == SILENT_PINGS) {
        w->set->counts.lost++;
        websocket_end(w);
        return;
    }
    w->silent++;
    set_timer(w, &w->set->ping, on_ping_timer);
    wslay_event_queue_msg(w->wslay, &ping);
    emit(w);
}

const struct wslay_event_callbacks websocket_callbacks = {
    .recv_callback = give_input,
    .send_callback = take_control,
    .on_msg_recv_callback = on_message};

void websocket_begin(struct websocket *w, h2o_socket_t *sock)
{
    w->sock = sock;
    sock->data = w;
    if (!w->is_closing)
        set_timer(w, &w->set->ping, on_ping_timer);
    write_some(w);
    h2o_socket_read_start(sock, on_read);
    if (sock->input->size > 0)
        hear(w);
}
