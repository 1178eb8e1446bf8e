/* SPDX-License-Identifier: MIT */
/*
 * The agent's state machine. Its parent is the group that commands it; it owns
 * its transcript and its timers, and through the processes actor its process.
 *
 * The order of ends: the first is the agent's, and what comes later only ends
 * the tree; a report alone replaces another end, but never a cancellation.
 * Everything the stream says is a function of its bytes, so an agent read again
 * from byte 0 by another hub ends the same way.
 */
#include "actors/agent/inside.h"

#include <string.h>

#include "config/messages.h"

const char *agent_state_name(enum agent_state state)
{
    static const char *const names[AGENT_STATES] = {
        "queued",   "running",   "completed",     "failed",
        "timedOut", "cancelled", "resultReported"};

    return names[state];
}

/* ---- from its group ---- */

void agent_order_process(struct rt_turn *t, struct agent *a, uint16_t how)
{
    a->is_ordered = true;
    rt_pass(t, a->def->processes, how, &a->spec->obj);
}

static void on_run(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    struct process_spec *spec = RT_OBJ(m, struct process_spec);

    if (a->is_ordered || a->is_done)
        return;
    a->spec = RT_KEEP(spec);
    agent_order_process(t, a, PROCESS_START);
}

static void on_report(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    struct agent_result *report = RT_OBJ(m, struct agent_result);

    if (!a->is_ordered || a->state == AGENT_CANCELLED) {
        rt_tell(t, m->from, AGENT_REPORT_REFUSED, NULL, 0);
        return;
    }
    if (a->report != NULL)
        rt_obj_drop(&a->report->obj);
    a->report = RT_KEEP(report);
    a->state = AGENT_RESULT_REPORTED;
    agent_become_done(t, a, SLICE_EMPTY);
    agent_tell(t, a, AGENT_NEWS_STATE | AGENT_NEWS_DONE);
    rt_tell(t, m->from, AGENT_REPORT_TAKEN, NULL, 0);
}

/* From now on it may be expected to leave. A tree that was ended earlier would
 * be, to the hub after this one, one that was ended without a report. */
static void on_kept(struct rt_turn *t, struct agent *a)
{
    if (!a->is_gone && !a->is_ending)
        agent_arm(t, &a->report_grace, a->def->report_grace_ms, REPORT_GRACE);
}

static void say_why(struct bytes *out, const char *reason, bool is_english)
{
    const char *word = MESSAGE(is_english, END_CANCELLED);
    struct slice why = slice_of(reason, strnlen(reason, AGENT_REASON - 1));

    bytes_append(out, word, strlen(word));
    if (why.len > 0)
        bytes_append(out, ": ", 2);
    bytes_append(out, why.ptr, why.len);
}

/* Done at once, with what its stream has shown so far: whoever cancelled it
 * need not wait for its tree. One that never ran is gone at once, too. */
static void on_cancel(struct rt_turn *t, struct agent *a,
                      const struct agent_cancel *c)
{
    unsigned news = AGENT_NEWS_STATE | AGENT_NEWS_DONE;
    struct bytes why = {0};

    if (a->is_gone)
        return;
    /* What it came to is known already: only its tree can be hurried. */
    if (a->is_done) {
        agent_end_tree(t, a, 0);
        return;
    }
    say_why(&why, c->reason, a->def->is_english);
    a->state = AGENT_CANCELLED;
    agent_become_done(t, a, bytes_slice(&why));
    bytes_finish(&why);
    if (a->is_ordered) {
        agent_end_tree(t, a, a->spec->grace_ms);
    } else {
        agent_become_gone(t, a);
        news |= AGENT_NEWS_GONE;
    }
    agent_tell(t, a, news);
}

/* ---- the actor ---- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct agent *a = state;

    switch (m->kind) {
    case AGENT_RUN:
        on_run(t, a, m);
        break;
    case AGENT_RECOVER:
        agent_on_recover(t, a, RT_OBJ(m, struct agent_past));
        break;
    case AGENT_REPORT:
        on_report(t, a, m);
        break;
    case AGENT_KEPT:
        on_kept(t, a);
        break;
    case AGENT_CANCEL:
        on_cancel(t, a, rt_body(m));
        break;
    case AGENT_ASK:
        agent_send_view(t, a, m->from, AGENT_VIEW, 0);
        break;
    case AGENT_LISTEN:
        agent_on_listen(t, a, rt_body(m));
        break;
    case RT_DOWN:
        agent_forget_listener(a, m->from);
        break;
    case PROCESS_STARTED:
        agent_on_started(t, a, rt_body(m));
        break;
    case PROCESS_CHUNK:
        agent_on_chunk(t, a, m);
        break;
    case PROCESS_CPU_USED:
        agent_on_cpu_used(t, a, rt_body(m));
        break;
    case PROCESS_NOT_STARTED:
        agent_on_not_started(t, a);
        break;
    case PROCESS_GONE:
        agent_on_gone(t, a, m);
        break;
    default:
        agent_on_timer(t, a, m);
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct agent *a = state;

    (void)t;
    transcript_destroy(a->transcript);
    if (a->report != NULL)
        rt_obj_drop(&a->report->obj);
    if (a->result != NULL)
        rt_obj_drop(&a->result->obj);
    if (a->seen != NULL)
        rt_obj_drop(&a->seen->obj);
    if (a->spec != NULL)
        rt_obj_drop(&a->spec->obj);
    bytes_finish(&a->cwd);
    rt_obj_drop(&a->def->obj);
}

static const struct rt_behaviour behaviour = {.name = "agent",
                                              .size = sizeof(struct agent),
                                              .handle = handle,
                                              .stop = stop};

struct agent_def *agent_def_create(const struct agent_def *from)
{
    size_t id = strlen(from->id) + 1;
    struct agent_def *def = bytes_alloc(sizeof(*def) + id);

    *def = *from;
    rt_obj_init(&def->obj, rt_obj_free);
    def->id = memcpy(def + 1, from->id, id);
    return def;
}

struct rt_ref agent_spawn(struct rt_turn *t, struct agent_def *def)
{
    struct transcript_limits limits = {.line_bytes = def->line_limit};
    struct agent a = {.def = RT_KEEP(def)};
    struct rt_ref ref;

    a.transcript = transcript_create(def->backend, &limits);
    ref = rt_spawn(t, &behaviour, &a);
    if (ref.id == 0)
        stop(t, &a);
    return ref;
}
