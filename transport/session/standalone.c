/* SPDX-License-Identifier: MIT */
/*
 * Bytes of stdin -> frame -> mcp -> calls -> registry, and back. While the
 * client does not read its answers, nothing of stdin is taken: frame stops in
 * the middle of a chunk, whose rest is kept here.
 *
 * Its parent is the hub, its children are the waits of its calls.
 */
#include "transport/session/standalone.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "transport/io/frame.h"
#include "transport/io/outbox.h"
#include "transport/io/readahead.h"
#include "transport/mcp/mcp.h"
#include "transport/session/calls.h"
#include "transport/session/session.h"

#define CHUNK ((size_t)64 << 10)
/* For the answers to what was asked before stdin ended, and their way out. */
#define LAST_MS 1000

/* Its own kinds. */
enum {
    STANDALONE_GO = 0x7a0, /* go on with what is there, as for a file's end */
    STANDALONE_FLUSH,
    STANDALONE_LAST
};

struct standalone {
    struct standalone_setup setup;
    struct rt_turn *turn; /* while a message is handled */
    struct nonblocking in, out;
    struct calls calls;
    struct mcp_session *mcp;
    struct frame frame;
    struct bytes chunk;
    size_t taken;    /* of the chunk */
    size_t text_len; /* of the message being taken */
    struct readahead readahead;
    struct outbox queue;
    uint32_t in_events, out_events;
    bool is_flushing, is_going;
    bool is_ended;  /* stdin has no more */
    bool is_broken; /* stdout takes no more */
};

/* ---- what mcp wants ---------------------------------------------------- */

static void on_output(void *ctx, const struct mcp_line *line)
{
    struct standalone *s = ctx;

    outbox_put(&s->queue, line->text);
    if (s->is_flushing)
        return;
    s->is_flushing = true;
    rt_tell(s->turn, rt_self(s->turn), STANDALONE_FLUSH, NULL, 0);
}

static void on_answer(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a)
{
    struct standalone *s = ctx;

    (void)t;
    mcp_answer_compact(s->mcp, handle, bytes_slice(&a->json), a->is_error);
}

static void on_progress(struct rt_turn *t, void *ctx, uint64_t handle,
                        const struct order_progress *p)
{
    struct standalone *s = ctx;

    (void)t;
    mcp_count(s->mcp, handle, p->done, p->total);
}

static const struct calls_client client = {.on_answer = on_answer,
                                           .on_progress = on_progress};

static void on_call(void *ctx, struct mcp_call *call)
{
    struct standalone *s = ctx;

    call->tag = calls_place(s->turn, &s->calls,
                            &(struct call){.client = &client,
                                           .ctx = s,
                                           .handle = call->handle,
                                           .kind = call->tool->kind,
                                           .doc = mcp_call_take(call),
                                           .args = call->args,
                                           .bytes = s->text_len,
                                           .is_checked = true,
                                           .is_for_model = true,
                                           .wants_progress = call->has_token});
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    struct standalone *s = ctx;

    (void)handle;
    calls_cancel(s->turn, &s->calls, tag);
}

/* ---- bytes ------------------------------------------------------------- */

static bool may_read(const struct standalone *s)
{
    return mcp_may_read(s->mcp) && !calls_is_busy(&s->calls);
}

static bool on_text(void *ctx, struct slice text)
{
    struct standalone *s = ctx;

    s->text_len = text.len;
    mcp_input(s->mcp, text);
    return may_read(s);
}

static void feed(struct standalone *s)
{
    if (s->taken == s->chunk.len || !may_read(s))
        return;
    s->taken +=
        frame_feed(&s->frame, s->chunk.ptr + s->taken, s->chunk.len - s->taken);
}

static bool wants_input(const struct standalone *s)
{
    return !s->is_ended && !s->is_broken && s->taken == s->chunk.len &&
           may_read(s);
}

static void receive(struct standalone *s)
{
    ssize_t n;

    if (!wants_input(s))
        return;
    s->chunk.len = s->taken = 0;
    bytes_reserve(&s->chunk, CHUNK);
    n = nonblocking_read(&s->in, s->chunk.ptr, CHUNK);
    if (n == -EAGAIN)
        return;
    /* A terminal that hangs up says EIO: an end like any other. */
    s->is_ended = n <= 0;
    s->chunk.len = n > 0 ? (size_t)n : 0;
    if (s->is_ended)
        frame_end(&s->frame);
    feed(s);
}

static void transmit(struct standalone *s)
{
    ssize_t n = s->is_broken ? 0 : outbox_flush(&s->queue, &s->out);

    if (n >= 0) {
        mcp_written(s->mcp, (size_t)n);
        return;
    }
    s->is_broken = true;
    outbox_clear(&s->queue);
}

/* ---- going on ---------------------------------------------------------- */

static void go_soon(struct rt_turn *t, struct standalone *s)
{
    if (s->is_going)
        return;
    s->is_going = true;
    rt_tell(t, rt_self(t), STANDALONE_GO, NULL, 0);
}

static void watch(struct rt_turn *t, const struct nonblocking *e,
                  uint32_t wanted, uint32_t *watched)
{
    if (e->is_file || wanted == *watched)
        return;
    *watched = wanted;
    if (wanted == 0)
        rt_unwatch(t, e->fd);
    else
        rt_watch(t, e->fd, wanted);
}

/* What cannot be watched is a file, or something like /dev/null that is as
 * good as one. */
static void mind(struct rt_turn *t, struct nonblocking *e)
{
    if (!e->is_file && rt_watch(t, e->fd, 0) != 0)
        e->is_file = true;
    else if (!e->is_file)
        rt_unwatch(t, e->fd);
}

static void watch_all(struct rt_turn *t, struct standalone *s)
{
    /* What a flush under way will write is not worth two changes of a watch. */
    bool has_more = outbox_left(&s->queue) > 0 && !s->is_flushing;

    watch(t, &s->in, wants_input(s) ? EPOLLIN : 0, &s->in_events);
    /* Of a pipe without a reader we want to hear at once, written or not. */
    watch(t, &s->out, has_more ? EPOLLOUT : EPOLLERR, &s->out_events);
    if ((s->in.is_file && wants_input(s)) || (s->out.is_file && has_more) ||
        (s->taken < s->chunk.len && may_read(s)))
        go_soon(t, s);
}

static enum rt_next go_on(struct rt_turn *t, struct standalone *s)
{
    if (s->is_broken)
        return RT_STOP;
    if (s->is_ended && s->taken == s->chunk.len &&
        calls_pending(&s->calls) == 0 && outbox_left(&s->queue) == 0)
        return RT_STOP;
    watch_all(t, s);
    return RT_OK;
}

/* Takes what there is, first what is here already. */
static void take_input(struct rt_turn *t, struct standalone *s, bool must_read)
{
    bool was_ended = s->is_ended;

    feed(s);
    if (must_read)
        receive(s);
    if (s->is_ended && !was_ended)
        rt_after(t, LAST_MS, STANDALONE_LAST);
}

static enum rt_next on_ready(struct rt_turn *t, struct standalone *s,
                             const struct rt_ready *ready)
{
    if (ready->fd == s->out.fd && (ready->events & (EPOLLERR | EPOLLHUP)))
        s->is_broken = true;
    else if (ready->fd == s->out.fd)
        transmit(s);
    take_input(t, s, ready->fd == s->in.fd);
    return go_on(t, s);
}

/* All that was asked has been answered: there may be more by now. */
static enum rt_next on_flush(struct rt_turn *t, struct standalone *s)
{
    bool looks;

    s->is_flushing = false;
    transmit(s);
    looks = calls_pending(&s->calls) == 0 && !s->in.is_file &&
            readahead_looks(&s->readahead);
    take_input(t, s, looks);
    if (looks)
        readahead_learn(&s->readahead, s->chunk.len > 0);
    return go_on(t, s);
}

static enum rt_next on_go(struct rt_turn *t, struct standalone *s)
{
    s->is_going = false;
    take_input(t, s, s->in.is_file);
    transmit(s);
    return go_on(t, s);
}

/* ---- messages ---------------------------------------------------------- */

/* Subscriptions get their last answer by it. */
static enum rt_next on_leave(struct rt_turn *t, struct standalone *s,
                             const struct session_leave *leave)
{
    s->calls.is_closing = true;
    if (!leave->is_last)
        return RT_OK;
    s->is_ended = true;
    s->taken = s->chunk.len;
    mcp_close(s->mcp);
    transmit(s);
    rt_after(t, LAST_MS, STANDALONE_LAST);
    return go_on(t, s);
}

static enum rt_next take(struct rt_turn *t, struct standalone *s,
                         struct rt_msg *m)
{
    if (calls_handle(t, &s->calls, m))
        return go_on(t, s);
    switch (m->kind) {
    case RT_READY:
        return on_ready(t, s, rt_body(m));
    case STANDALONE_GO:
        return on_go(t, s);
    case STANDALONE_FLUSH:
        return on_flush(t, s);
    case STANDALONE_LEAVE:
        return on_leave(t, s, rt_body(m));
    case STANDALONE_LAST:
        return RT_STOP;
    default:
        return RT_OK;
    }
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct standalone *s = *(struct standalone **)state;
    enum rt_next next;

    s->turn = t;
    next = take(t, s, m);
    s->turn = NULL;
    return next;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct standalone *s = *(struct standalone **)state;
    int error = nonblocking_open_input(&s->in, s->setup.in);

    if (error == 0)
        error = nonblocking_open_output(&s->out, s->setup.out);
    if (error != 0)
        return rt_fail(t, error);
    mind(t, &s->in);
    mind(t, &s->out);
    watch_all(t, s);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct standalone *s = *(struct standalone **)state;

    s->turn = t;
    if (s->in_events != 0)
        rt_unwatch(t, s->in.fd);
    if (s->out_events != 0)
        rt_unwatch(t, s->out.fd);
    nonblocking_close(&s->in);
    nonblocking_close(&s->out);
    mcp_destroy(s->mcp);
    frame_finish(&s->frame);
    calls_finish(&s->calls);
    bytes_finish(&s->chunk);
    outbox_finish(&s->queue);
    rt_obj_drop(&s->setup.context->obj);
    free(s);
}

static const struct rt_behaviour behaviour = {.name = "standalone",
                                              .size =
                                                  sizeof(struct standalone *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref standalone_spawn(struct rt_turn *t,
                               const struct standalone_setup *setup)
{
    struct standalone *s = bytes_zalloc(sizeof(*s));

    s->setup = *setup;
    rt_obj_keep(&setup->context->obj);
    s->in = s->out = (struct nonblocking){.fd = -1, .flags = -1};
    calls_init(&s->calls, setup->registry, setup->tools, setup->context->self);
    frame_init(&s->frame, 0, on_text, s);
    s->mcp = mcp_create(
        &(struct mcp_options){.tools = setup->tools, .version = setup->version},
        &(struct mcp_host){.ctx = s,
                           .on_output = on_output,
                           .on_call = on_call,
                           .on_cancelled = on_cancelled});
    return rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &s);
}
