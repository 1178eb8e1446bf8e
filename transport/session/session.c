/* SPDX-License-Identifier: MIT */
/* The session as an actor: what it is told, and its end. Its parent is the
 * sessions actor, its children are the waits of its calls. */
#include "transport/session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "runtime/text/json.h"
#include "transport/session/session_inside.h"

/* A peer that has left is the end of every session; the rest is worth a line.
 */
static enum rt_next go_on(struct session *v, int error)
{
    if (v->phase == SESSION_LEAVING && session_unsent(v) == 0)
        return RT_STOP;
    if (error == 0)
        return RT_OK;
    if (error == -EPROTO)
        LOG_WARN(v->log, "session.broken",
                 "process %d does not speak the wire: cut off", v->pid);
    else if (error != -ECONNRESET && error != -EPIPE)
        LOG_WARN(v->log, "session.lost", "connection of process %d: %s", v->pid,
                 strerror(-error));
    return RT_STOP;
}

static int on_ready(struct rt_turn *t, struct session *v,
                    const struct rt_ready *ready)
{
    int error = 0;

    if (ready->events & EPOLLOUT)
        error = session_send(t, v);
    if (error == 0 && (ready->events & EPOLLIN))
        error = session_receive(t, v);
    return error;
}

static void on_welcome(struct rt_turn *t, struct session *v,
                       const struct session_welcome *welcome)
{
    struct bytes text = {0};

    if (v->phase != SESSION_ASKING)
        return;
    JSON_RAW(&text, "{\"build\":");
    json_string(&text, slice_cstr(v->context->build));
    JSON_RAW(&text, ",\"pid\":");
    json_number(&text, getpid());
    JSON_RAW(&text, ",\"agentId\":");
    if (v->agent_id[0] != 0)
        json_string(&text, slice_cstr(v->agent_id));
    else
        JSON_RAW(&text, "null");
    JSON_RAW(&text, ",\"running\":");
    json_number(&text, welcome->running);
    JSON_RAW(&text, "}");
    v->phase = SESSION_WELCOMED;
    session_put(t, v, WIRE_WELCOME, 0, 0, bytes_slice(&text));
    bytes_finish(&text);
}

static void on_answer(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a)
{
    session_put(t, ctx, WIRE_ANSWER, a->is_error ? WIRE_IS_ERROR : 0, handle,
                bytes_slice(&a->json));
}

/* Progress is no loss to a peer that does not even read its answers. */
static void on_progress(struct rt_turn *t, void *ctx, uint64_t handle,
                        const struct order_progress *p)
{
    struct wire_progress progress = {.done = p->done, .total = p->total};

    if (session_unsent(ctx) <= SESSION_QUEUE)
        session_put(t, ctx, WIRE_PROGRESS, 0, handle,
                    slice_of((const char *)&progress, sizeof(progress)));
}

const struct calls_client session_client = {.on_answer = on_answer,
                                            .on_progress = on_progress};

static void on_leave(struct rt_turn *t, struct session *v,
                     const struct session_leave *leave)
{
    v->is_closing = v->calls.is_closing = true;
    if (!leave->is_last)
        return;
    session_put(t, v, WIRE_LEAVING, 0, 0, SLICE_EMPTY);
    v->phase = SESSION_LEAVING;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct session *v = *(struct session **)state;
    int error = 0;

    if (calls_handle(t, &v->calls, m)) {
        session_flush_soon(t, v); /* there may be room for more calls */
        return RT_OK;
    }
    switch (m->kind) {
    case RT_READY:
        error = on_ready(t, v, rt_body(m));
        break;
    case SESSION_FLUSH:
        v->is_flushing = false;
        error = session_flush(t, v);
        break;
    case SESSION_WELCOME:
        on_welcome(t, v, rt_body(m));
        return RT_OK;
    case SESSION_LEAVE:
        on_leave(t, v, rt_body(m));
        return RT_OK;
    case SESSION_SILENCE:
        error = v->phase == SESSION_GREETED ? -EPROTO : 0;
        break;
    default:
        break;
    }
    return go_on(v, error);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct session *v = *(struct session **)state;

    v->silence = rt_after(t, SESSION_SILENCE_MS, SESSION_SILENCE);
    return go_on(v, session_take_frames(t, v));
}

static void stop(struct rt_turn *t, void *state)
{
    struct session *v = *(struct session **)state;

    rt_unwatch(t, v->fd);
    close(v->fd);
    calls_finish(&v->calls);
    wire_finish(&v->in);
    outbox_finish(&v->out);
    rt_obj_drop(&v->context->obj);
    free(v);
}

static const struct rt_behaviour behaviour = {.name = "session",
                                              .size = sizeof(struct session *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref session_spawn(struct rt_turn *t, const struct session_setup *s)
{
    struct session *v = bytes_zalloc(sizeof(*v));

    v->context = RT_KEEP(s->context);
    v->tools = s->tools;
    v->log = s->log;
    v->registry = s->registry;
    v->fd = s->peer->fd;
    s->peer->fd = -1;
    v->pid = s->peer->pid;
    bytes_append(&v->in.buffer, s->peer->bytes + sizeof(WIRE_GREETING) - 1,
                 s->peer->len - (sizeof(WIRE_GREETING) - 1));
    return rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &v);
}
