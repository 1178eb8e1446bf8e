/* SPDX-License-Identifier: MIT */
/* The session as an actor: what it is told, and its end. Its parent is the
 * sessions actor, its children are the waits of its calls. */
#include "transport/session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "config/reason.h"
#include "runtime/text/json.h"
#include "transport/session/session_inside.h"

/* A peer that has left is the end of every session; the rest is worth a line.
 */
static enum rt_next go_on(struct session *s, int error)
{
    if (s->phase == SESSION_LEAVING && session_unsent(s) == 0)
        return RT_STOP;
    if (error == 0)
        return RT_OK;
    if (error == -EPROTO)
        LOG_WARN(s->log, "session.broken", LOG_NOT_THE_WIRE, s->pid);
    else if (error != -ECONNRESET && error != -EPIPE)
        LOG_WARN(s->log, "session.lost", LOG_CONNECTION, s->pid,
                 reason_of(error, s->log->is_english).text);
    return RT_STOP;
}

static int on_ready(struct rt_turn *t, struct session *s,
                    const struct rt_ready *ready)
{
    int error = 0;

    if (ready->events & EPOLLOUT)
        error = session_send(t, s);
    if (error == 0 && (ready->events & EPOLLIN))
        error = session_receive(t, s);
    return error;
}

static void on_welcome(struct rt_turn *t, struct session *s,
                       const struct session_welcome *welcome)
{
    struct bytes text = {0};

    if (s->phase != SESSION_ASKING)
        return;
    JSON_RAW(&text, "{\"build\":");
    json_string(&text, slice_cstr(s->context->build));
    JSON_RAW(&text, ",\"pid\":");
    json_number(&text, getpid());
    JSON_RAW(&text, ",\"agentId\":");
    if (s->agent_id[0] != 0)
        json_string(&text, slice_cstr(s->agent_id));
    else
        JSON_RAW(&text, "null");
    JSON_RAW(&text, ",\"running\":");
    json_number(&text, welcome->running);
    JSON_RAW(&text, "}");
    s->phase = SESSION_WELCOMED;
    session_put(t, s, WIRE_WELCOME, 0, 0, bytes_slice(&text));
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

static void on_leave(struct rt_turn *t, struct session *s,
                     const struct session_leave *leave)
{
    s->is_closing = s->calls.is_closing = true;
    if (!leave->is_last)
        return;
    session_put(t, s, WIRE_LEAVING, 0, 0, SLICE_EMPTY);
    s->phase = SESSION_LEAVING;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct session *s = *(struct session **)state;
    int error = 0;

    if (calls_handle(t, &s->calls, m)) {
        session_flush_soon(t, s); /* there may be room for more calls */
        return RT_OK;
    }
    switch (m->kind) {
    case RT_READY:
        error = on_ready(t, s, rt_body(m));
        break;
    case SESSION_FLUSH:
        s->is_flushing = false;
        error = session_flush(t, s);
        break;
    case SESSION_WELCOME:
        on_welcome(t, s, rt_body(m));
        return RT_OK;
    case SESSION_LEAVE:
        on_leave(t, s, rt_body(m));
        return RT_OK;
    case SESSION_SILENCE:
        error = s->phase == SESSION_GREETED ? -EPROTO : 0;
        break;
    default:
        break;
    }
    return go_on(s, error);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct session *s = *(struct session **)state;

    s->silence = rt_after(t, SESSION_SILENCE_MS, SESSION_SILENCE);
    return go_on(s, session_take_frames(t, s));
}

static void stop(struct rt_turn *t, void *state)
{
    struct session *s = *(struct session **)state;

    rt_unwatch(t, s->fd);
    close(s->fd);
    calls_finish(&s->calls);
    wire_finish(&s->in);
    outbox_finish(&s->out);
    rt_obj_drop(&s->context->obj);
    free(s);
}

static const struct rt_behaviour behaviour = {.name = "session",
                                              .size = sizeof(struct session *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref session_spawn(struct rt_turn *t,
                            const struct session_setup *setup)
{
    struct session *s = bytes_zalloc(sizeof(*s));

    s->context = RT_KEEP(setup->context);
    s->tools = setup->tools;
    s->log = setup->log;
    s->registry = setup->registry;
    s->fd = setup->peer->fd;
    setup->peer->fd = -1;
    s->pid = setup->peer->pid;
    s->accepted = setup->peer->accepted;
    bytes_append(&s->in.buffer, setup->peer->bytes + sizeof(WIRE_GREETING) - 1,
                 setup->peer->len - (sizeof(WIRE_GREETING) - 1));
    return rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &s);
}
