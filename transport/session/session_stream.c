/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a session. Reading, handling and sending stop each other: while
 * too much is unsent no frame is handled, and what was read before is kept
 * until it has left.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "transport/session/session_inside.h"

#define READ_SMALL ((size_t)16 << 10)
#define READ_LARGE ((size_t)256 << 10)

size_t session_unsent(const struct session *v)
{
    return outbox_left(&v->out);
}

static bool may_read(const struct session *v)
{
    return (v->phase == SESSION_GREETED || v->phase == SESSION_WELCOMED) &&
           session_unsent(v) <= SESSION_QUEUE && !calls_is_busy(&v->calls);
}

/* One system call for all that is put out in a row: the note to ourselves
 * comes behind the answers that already wait in the inbox. */
void session_flush_soon(struct rt_turn *t, struct session *v)
{
    if (v->is_flushing)
        return;
    v->is_flushing = true;
    rt_tell(t, rt_self(t), SESSION_FLUSH, NULL, 0);
}

void session_put(struct rt_turn *t, struct session *v, enum wire_kind kind,
                 unsigned flags, uint64_t handle, struct slice payload)
{
    if (!v->is_unread)
        wire_put(&v->out.bytes, kind, flags, handle, payload);
    session_flush_soon(t, v);
}

int session_watch(struct rt_turn *t, struct session *v)
{
    uint32_t wanted = (may_read(v) && !v->is_ended ? EPOLLIN : 0) |
                      (session_unsent(v) > 0 ? EPOLLOUT : 0);

    if (wanted == v->watched)
        return 0;
    v->watched = wanted;
    return rt_watch(t, v->fd, wanted);
}

int session_send(struct rt_turn *t, struct session *v)
{
    struct nonblocking to = nonblocking_of_socket(v->fd);

    if (outbox_flush(&v->out, &to) < 0) {
        v->is_unread = true;
        outbox_clear(&v->out);
    }
    return session_take_frames(t, v);
}

int session_take_frames(struct rt_turn *t, struct session *v)
{
    struct wire_frame frame;
    int n = 0;

    while (may_read(v) && (n = wire_next(&v->in, &frame)) > 0) {
        n = session_take_frame(t, v, &frame);
        if (n != 0)
            return n;
    }
    if (n < 0)
        return n;
    /* Half a frame that will never be finished is no fault of the peer's end.
     */
    if (v->is_ended && may_read(v))
        return -ECONNRESET;
    return session_watch(t, v);
}

/* Before the hello a peer has no right to much memory. */
static bool is_too_much(const struct session *v)
{
    return v->phase == SESSION_GREETED &&
           v->in.buffer.len - v->in.used > SESSION_HELLO_MAX;
}

/* *has_come: there was something to be read. */
static int receive(struct rt_turn *t, struct session *v, bool *has_come)
{
    size_t want = v->was_filled ? READ_LARGE : READ_SMALL;
    ssize_t n;

    *has_come = false;
    if (!may_read(v) || v->is_ended)
        return 0; /* an event from before the watch was changed */
    do
        n = recv(v->fd, wire_space(&v->in, want), want, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return errno == EAGAIN ? 0 : -errno;
    *has_come = true;
    v->is_ended = n == 0;
    v->was_filled = (size_t)n == want;
    wire_filled(&v->in, (size_t)n);
    if (is_too_much(v))
        return -EPROTO;
    return session_take_frames(t, v);
}

int session_receive(struct rt_turn *t, struct session *v)
{
    bool has_come;

    return receive(t, v, &has_come);
}

int session_flush(struct rt_turn *t, struct session *v)
{
    int error = session_send(t, v);
    bool has_come;

    if (error != 0 || calls_pending(&v->calls) > 0 ||
        !readahead_looks(&v->readahead))
        return error;
    error = receive(t, v, &has_come);
    readahead_learn(&v->readahead, has_come);
    return error;
}
