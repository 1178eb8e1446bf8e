/* SPDX-License-Identifier: MIT */
#include "actors/agent/inside.h"

#include <stdlib.h>
#include <string.h>

#include "actors/stream/tool_name.h"

/* ---- timers ---- */

void agent_arm(struct rt_turn *t, uint64_t *timer, uint64_t ms, uint16_t kind)
{
    if (*timer != 0)
        rt_cancel(t, *timer);
    *timer = rt_after(t, ms, kind);
}

void agent_disarm(struct rt_turn *t, uint64_t *timer)
{
    if (*timer != 0)
        rt_cancel(t, *timer);
    *timer = 0;
}

/* Whether a fired timer is the one that is armed; then it no longer is. */
bool agent_is_due(uint64_t *timer, struct rt_msg *m)
{
    if (((struct rt_alarm *)rt_body(m))->id != *timer)
        return false;
    *timer = 0;
    return true;
}

/* ---- ends ---- */

void agent_end_tree(struct rt_turn *t, struct agent *a, uint64_t grace_ms)
{
    struct process_end end = {.grace_ms = grace_ms};

    if (!a->is_ordered || a->is_gone)
        return;
    a->is_ending = true;
    rt_tell(t, a->def->processes, PROCESS_END, &end, sizeof(end));
}

/* A report may be in before the spawn is known: it was done in no time. What
 * has been told once stays, also when another hub's clock would say a
 * millisecond more. */
static uint64_t elapsed_ms(struct rt_turn *t, const struct agent *a)
{
    uint64_t end = a->is_done ? a->done : rt_now(t);

    if (a->result != NULL && a->result->duration_ms > 0)
        return a->result->duration_ms;
    return a->started == 0 || end < a->started ? 0 : (end - a->started) / MS;
}

/* What the stream says it is, else what we were asked for. */
static struct slice cwd_of(const struct agent *a)
{
    const char *asked = a->spec != NULL ? a->spec->cwd : NULL;
    struct slice said = a->transcript != NULL
                            ? bytes_slice(&transcript_files(a->transcript)->cwd)
                            : bytes_slice(&a->cwd);

    return said.len > 0 || asked == NULL ? said : slice_cstr(asked);
}

static struct agent_end end_of(struct rt_turn *t, const struct agent *a,
                               struct slice error)
{
    return (struct agent_end){.state = a->state,
                              .report = a->report,
                              .transcript = a->transcript,
                              .before = a->seen,
                              .cwd = cwd_of(a),
                              .error = error,
                              .duration_ms = elapsed_ms(t, a),
                              .finished_at = a->finished_at};
}

static void take_result(struct agent *a, struct agent_result *result)
{
    struct agent_result *before = a->result;

    a->result = result;
    if (before != NULL)
        rt_obj_drop(&before->obj);
}

/* The result as it stands: a report merged with the stream, or the stream. */
void agent_set_result(struct rt_turn *t, struct agent *a, struct slice error)
{
    struct agent_end end = end_of(t, a, error);

    take_result(a, agent_end_result(&end));
}

/* A result that was read stays to the letter, whatever it said on its way out:
 * a last word after a cancellation is not what it came to. */
void agent_grow_result(struct rt_turn *t, struct agent *a)
{
    struct agent_end end = end_of(t, a, SLICE_EMPTY);

    if (a->report != NULL)
        agent_set_result(t, a, SLICE_EMPTY);
    else
        take_result(a, agent_end_grow(a->result, &end));
}

/* Final to read from now on. */
void agent_become_done(struct rt_turn *t, struct agent *a, struct slice error)
{
    if (!a->is_done) {
        a->is_done = true;
        a->done = rt_now(t);
        a->finished_at = rt_wall_ms(t);
    }
    a->is_stalled = false;
    agent_disarm(t, &a->stall_look);
    agent_set_result(t, a, error);
}

void agent_become_gone(struct rt_turn *t, struct agent *a)
{
    agent_disarm(t, &a->time_out);
    agent_disarm(t, &a->exit_grace);
    agent_disarm(t, &a->report_grace);
    agent_disarm(t, &a->stall_look);
    agent_leave_listeners(t, a);
    agent_look_at_stream(t, a);
    a->seen = agent_end_result(
        &(struct agent_end){.state = a->state, .transcript = a->transcript});
    bytes_append(&a->cwd, cwd_of(a).ptr, cwd_of(a).len);
    transcript_destroy(a->transcript);
    a->transcript = NULL;
    a->is_gone = true;
}

/* ---- the picture of it ---- */

/* The call started last of those under way. Of one that came with what was
 * there before this hub it is not known when it began. */
static void look_at_call(struct rt_turn *t, struct agent *a)
{
    const struct transcript_state *s = transcript_state(a->transcript);
    const struct transcript_call *call = transcript_running(a->transcript);
    struct agent_view *v = &a->last;

    if (call == NULL) {
        v->tool[0] = v->title[0] = a->call[0] = '\0';
        v->tool_at = 0;
        return;
    }
    if (v->tool[0] == '\0' || strcmp(a->call, call->id) != 0 ||
        s->tool_calls != v->progress.tool_calls)
        v->tool_at = s->bytes > a->past ? rt_wall_ms(t) : 0;
    memcpy(a->call, call->id, sizeof(a->call));
    tool_name(v->tool, slice_cstr(call->name), NULL);
    slice_keep(v->title, sizeof(v->title),
               slice_first_line(slice_cstr(call->title)));
}

/* What the stream shows, as far as it was read. */
void agent_look_at_stream(struct rt_turn *t, struct agent *a)
{
    const struct transcript_state *s;
    struct agent_view *v = &a->last;

    if (a->transcript == NULL)
        return;
    s = transcript_state(a->transcript);
    look_at_call(t, a);
    v->progress = (struct agent_progress){.lines = s->lines,
                                          .bytes = s->bytes,
                                          .tool_calls = s->tool_calls,
                                          .messages = s->messages};
    memcpy(v->session_id, s->session_id, sizeof(v->session_id));
    memcpy(v->model, s->model, sizeof(v->model));
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

    agent_look_at_stream(t, a);
    v = a->last;
    v.def = a->def;
    v.state = a->state;
    v.news = news;
    v.is_done = a->is_done;
    v.is_gone = a->is_gone;
    v.is_stalled = a->is_stalled;
    v.pid = a->pid;
    v.started_at = a->started_at;
    v.elapsed_ms = elapsed_ms(t, a);
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
