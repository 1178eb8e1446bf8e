/* SPDX-License-Identifier: MIT */
/*
 * An agent of an earlier hub. What its stream shows is read again; what the
 * stream does not know is taken from the past: that it was cancelled or out of
 * time, or that it had reported, and when. A result that was final to read
 * stays to the letter: a client may have read it.
 */
#include <stdlib.h>

#include "actors/agent/inside.h"
#include "config/messages.h"

static void free_past(struct rt_obj *o)
{
    struct agent_past *p = (struct agent_past *)o;

    if (p->spec != NULL)
        rt_obj_drop(&p->spec->obj);
    if (p->view != NULL)
        rt_obj_drop(&p->view->obj);
    free(p);
}

struct agent_past *agent_past_create(struct process_spec *spec,
                                     struct agent_view *view)
{
    struct agent_past *p = bytes_zalloc(sizeof(*p));

    rt_obj_init(&p->obj, free_past);
    if (spec != NULL)
        p->spec = RT_KEEP(spec);
    if (view != NULL)
        p->view = RT_KEEP(view);
    return p;
}

static void take_result(struct rt_turn *t, struct agent *a,
                        const struct agent_view *v)
{
    a->is_done = true;
    a->finished_at = v->result->finished_at;
    a->done = agent_moment(t, a->finished_at);
    a->result = RT_KEEP(v->result);
    if (v->result->is_reported)
        a->report = RT_KEEP(v->result);
}

/* All is known of it; it is here only to take a late report. */
static void be_gone(struct agent *a, const struct agent_view *v)
{
    a->is_ordered = true;
    a->last = *v;
    a->last.result = NULL;
    a->last.def = NULL;
    a->started_at = v->started_at;
    if (a->started_at != 0 && a->done > v->elapsed_ms * MS)
        a->started = a->done - v->elapsed_ms * MS;
    a->seen = RT_KEEP(v->result);
    transcript_destroy(a->transcript);
    a->transcript = NULL;
    a->is_gone = true;
}

/* Builds before this one wrote such a state down without a result. */
static void end_again(struct rt_turn *t, struct agent *a)
{
    agent_end_tree(t, a, a->spec->grace_ms);
    if (a->is_done)
        return;
    agent_become_done(
        t, a,
        slice_cstr(a->state == AGENT_CANCELLED
                       ? MESSAGE(a->def->is_english, END_CANCELLED)
                       : MESSAGE(a->def->is_english, END_TIMED_OUT)));
    agent_tell(t, a, AGENT_NEWS_DONE);
}

void agent_on_recover(struct rt_turn *t, struct agent *a,
                      const struct agent_past *past)
{
    const struct agent_view *v = past->view;

    if (a->is_ordered || a->is_done)
        return;
    if (v != NULL && v->state >= AGENT_RUNNING)
        a->state = v->state;
    if (v != NULL && v->result != NULL)
        take_result(t, a, v);
    if (v != NULL && v->is_gone) {
        be_gone(a, v);
        return;
    }
    if (v != NULL && v->started_at != 0) {
        a->started_at = v->started_at;
        a->started = agent_moment(t, v->started_at);
    }
    a->spec = RT_KEEP(past->spec);
    agent_order_process(t, a,
                        v != NULL && v->started_at != 0 ? PROCESS_ADOPT_STARTED
                                                        : PROCESS_ADOPT);
    if (a->state == AGENT_CANCELLED || a->state == AGENT_TIMED_OUT)
        end_again(t, a);
    else if (a->report != NULL)
        agent_arm(t, &a->report_grace, a->def->report_grace_ms, REPORT_GRACE);
}
