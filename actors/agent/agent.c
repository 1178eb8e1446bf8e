/* SPDX-License-Identifier: MIT */
/*
 * The agent's state machine. Its parent is the group that commands it; it owns
 * its transcript and its timers, and through the processes actor its process.
 *
 * The order of ends: what is done by a report stays so, and later exits,
 * timeouts and cancels only end the tree; cancelled wins over all that comes
 * after it. Everything the stream says is a function of its bytes, so an
 * agent read again from byte 0 by another hub ends the same way.
 */
#include "actors/agent/inside.h"

#include <string.h>

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

static void say_why(struct bytes *out, const char *reason)
{
    struct slice why = slice_of(reason, strnlen(reason, AGENT_REASON - 1));

    bytes_append(out, "cancelled", strlen("cancelled"));
    if (why.len > 0)
        bytes_append(out, ": ", 2);
    bytes_append(out, why.ptr, why.len);
}

/* One that never ran is gone at once; a tree must first end. */
static void on_cancel(struct rt_turn *t, struct agent *a,
                      const struct agent_cancel *c)
{
    if (a->is_gone)
        return;
    /* What it came to is known already: only its tree can be hurried. */
    if (a->is_done || a->state == AGENT_TIMED_OUT) {
        agent_end_tree(t, a, 0);
        return;
    }
    a->state = AGENT_CANCELLED;
    if (a->why_cancelled.len == 0)
        say_why(&a->why_cancelled, c->reason);
    if (!a->is_ordered) {
        agent_become_done(t, a, bytes_slice(&a->why_cancelled));
        agent_become_gone(t, a);
        agent_tell(t, a, AGENT_NEWS_STATE | AGENT_NEWS_DONE | AGENT_NEWS_GONE);
        return;
    }
    agent_end_tree(t, a, a->spec->grace_ms);
    agent_tell(t, a, AGENT_NEWS_STATE);
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
    bytes_finish(&a->why_cancelled);
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
