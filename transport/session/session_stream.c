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

size_t session_unsent(const struct session *s)
{
    return outbox_left(&s->out);
}

static bool may_read(const struct session *s)
{
    return (s->phase == SESSION_GREETED || s->phase == SESSION_WELCOMED) &&
           session_unsent(s) <= SESSION_QUEUE && !calls_is_busy(&s->calls);
}

/* One system call for all that is put out in a row: the note to ourselves
 * comes behind the answers that already wait in the inbox. */
void session_flush_soon(struct rt_turn *t, struct session *s)
{
    if (s->is_flushing)
        return;
    s->is_flushing = true;
    rt_tell(t, rt_self(t), SESSION_FLUSH, NULL, 0);
}

void session_put(struct rt_turn *t, struct session *s, enum wire_kind kind,
                 unsigned flags, uint64_t handle, struct slice payload)
{
    if (!s->is_unread)
        wire_put(&s->out.bytes, kind, flags, handle, payload);
    session_flush_soon(t, s);
}

int session_watch(struct rt_turn *t, struct session *s)
{
    uint32_t wanted = (may_read(s) && !s->is_ended ? EPOLLIN : 0) |
                      (session_unsent(s) > 0 ? EPOLLOUT : 0);

    if (wanted == s->watched)
        return 0;
    s->watched = wanted;
    return rt_watch(t, s->fd, wanted);
}

int session_send(struct rt_turn *t, struct session *s)
{
    struct nonblocking to = nonblocking_of_socket(s->fd);

    if (outbox_flush(&s->out, &to) < 0) {
        s->is_unread = true;
        outbox_clear(&s->out);
    }
    return session_take_frames(t, s);
}

int session_take_frames(struct rt_turn *t, struct session *s)
{
    struct wire_frame frame;
    int n = 0;

    while (may_read(s) && (n = wire_next(&s->in, &frame)) > 0) {
        n = session_take_frame(t, s, &frame);
        if (n != 0)
            return n;
    }
    if (n < 0)
        return n;
    /* Half a frame that will never be finished is no fault of the peer's end.
     */
    if (s->is_ended && may_read(s))
        return -ECONNRESET;
    return session_watch(t, s);
}

/* Before the hello a peer has no right to much memory. */
static bool is_too_much(const struct session *s)
{
    return s->phase == SESSION_GREETED &&
           s->in.buffer.len - s->in.used > SESSION_HELLO_MAX;
}

/* *has_come: there was something to be read. */
static int receive(struct rt_turn *t, struct session *s, bool *has_come)
{
    size_t want = s->was_filled ? READ_LARGE : READ_SMALL;
    ssize_t n;

    *has_come = false;
    if (!may_read(s) || s->is_ended)
        return 0; /* an event from before the watch was changed */
    do
        n = recv(s->fd, wire_space(&s->in, want), want, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return errno == EAGAIN ? 0 : -errno;
    *has_come = true;
    s->is_ended = n == 0;
    s->was_filled = (size_t)n == want;
    wire_filled(&s->in, (size_t)n);
    if (is_too_much(s))
        return -EPROTO;
    return session_take_frames(t, s);
}

int session_receive(struct rt_turn *t, struct session *s)
{
    bool has_come;

    return receive(t, s, &has_come);
}

int session_flush(struct rt_turn *t, struct session *s)
{
    int error = session_send(t, s);
    bool has_come;

    if (error != 0 || calls_pending(&s->calls) > 0 ||
        !readahead_looks(&s->readahead))
        return error;
    error = receive(t, s, &has_come);
    readahead_learn(&s->readahead, has_come);
    return error;
}
