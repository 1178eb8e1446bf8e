/* SPDX-License-Identifier: MIT */
#include "actors/agent/inside.h"

#include <stdlib.h>
#include <string.h>

/* A report may be in before the spawn is known: it was done in no time. */
uint64_t agent_elapsed_ms(struct rt_turn *t, const struct agent *a)
{
    uint64_t end = a->is_done ? a->done : rt_now(t);

    return a->started == 0 || end < a->started ? 0 : (end - a->started) / MS;
}

/* What the stream shows, as far as it was read. */
void agent_look_at_stream(struct agent *a)
{
    const struct transcript_state *s;
    const struct transcript_call *call;
    struct agent_view *v = &a->last;

    if (a->transcript == NULL)
        return;
    s = transcript_state(a->transcript);
    call = transcript_running(a->transcript);
    v->progress = (struct agent_progress){.lines = s->lines,
                                          .bytes = s->bytes,
                                          .tool_calls = s->tool_calls,
                                          .messages = s->messages};
    memcpy(v->session_id, s->session_id, sizeof(v->session_id));
    memcpy(v->model, s->model, sizeof(v->model));
    memcpy(v->tool, call != NULL ? call->name : "",
           call != NULL ? sizeof(v->tool) : 1);
    v->usage = s->usage;
    v->unknown_lines = s->notes[EVENT_NOTE_UNKNOWN];
    v->skipped_lines = s->notes[EVENT_NOTE_TOO_LONG];
}

static void free_view(struct rt_obj *o)
{
    struct agent_view *v = (struct agent_view *)o;

    if (v->result != NULL)
        rt_obj_drop(&v->result->obj);
    rt_obj_drop(&v->def->obj);
    free(v);
}

struct agent_view *agent_view_create(const struct agent_view *from)
{
    struct agent_view *v = bytes_alloc(sizeof(*v));

    *v = *from;
    rt_obj_init(&v->obj, free_view);
    rt_obj_keep(&v->def->obj);
    v->id = v->def->id;
    if (v->result != NULL)
        rt_obj_keep(&v->result->obj);
    return v;
}

static struct agent_view *view_of(struct rt_turn *t, struct agent *a,
                                  unsigned news)
{
    struct agent_view v;

    agent_look_at_stream(a);
    v = a->last;
    v.def = a->def;
    v.state = a->state;
    v.news = news;
    v.is_done = a->is_done;
    v.is_gone = a->is_gone;
    v.is_stalled = a->is_stalled;
    v.pid = a->pid;
    v.started_at = a->started_at;
    v.elapsed_ms = agent_elapsed_ms(t, a);
    v.result = a->result;
    return agent_view_create(&v);
}

void agent_send_view(struct rt_turn *t, struct agent *a, struct rt_ref to,
                     uint16_t kind, unsigned news)
{
    rt_pass_take(t, to, kind, &view_of(t, a, news)->obj);
}

void agent_tell(struct rt_turn *t, struct agent *a, unsigned news)
{
    agent_send_view(t, a, a->def->listener, AGENT_NEWS, news);
}
