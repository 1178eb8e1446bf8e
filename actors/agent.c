/* SPDX-License-Identifier: MIT */
/*
 * The agent's state machine. Its parent is whoever commands it (a group); it
 * owns its transcript and its timers, and through the ward its process.
 *
 * The order of ends: what is done by a report stays so, and later exits,
 * timeouts and cancels only end the tree; cancelled wins over all that comes
 * after it. Everything the stream says is a function of its bytes, so an
 * agent read again from byte 0 by another hub ends the same way.
 */
#include "actors/agent.h"

#include <stdlib.h>
#include <string.h>

#include "actors/agent_end.h"
#include "actors/bytes.h"

#define MS 1000000ull

/* The agent's own timers. */
enum { TIME_OUT = 0x280, EXIT_GRACE, REPORT_GRACE, STALL_LOOK };

struct agent {
    struct agent_def *def;
    struct transcript *transcript; /* NULL once gone */
    enum agent_state state;
    bool is_ordered; /* the spawn was */
    bool is_done, is_gone;
    bool is_ending;  /* the tree was ordered to end */
    bool is_stalled; /* and was said to be */
    int32_t pid;
    uint64_t started_at, finished_at; /* wall clock, ms */
    uint64_t started, done;           /* monotonic ns */
    uint64_t last_event;              /* monotonic ns */
    uint64_t cpu_ms, cpu_at;          /* the stall watch's last look */
    uint64_t results;                 /* terminal events given a grace */
    struct agent_result *report;      /* the newest, or NULL */
    struct agent_result *seen;        /* gone: what its stream had shown */
    struct bytes cwd;                 /* gone: where it was */
    struct agent_result *result;      /* final to read, or NULL */
    uint64_t time_out, exit_grace, report_grace, stall_look; /* timer ids */
    struct agent_view last; /* what outlives the transcript */
};

const char *agent_state_name(enum agent_state state)
{
    static const char *const names[AGENT_STATES] = {
        "queued",   "running",   "completed",     "failed",
        "timedOut", "cancelled", "resultReported"};

    return names[state];
}

/* ---- the picture of it ----------------------------------------------- */

/* A report may be in before the spawn is known: it was done in no time. */
static uint64_t elapsed_ms(struct rt_turn *t, const struct agent *a)
{
    uint64_t end = a->is_done ? a->done : rt_now(t);

    return a->started == 0 || end < a->started ? 0 : (end - a->started) / MS;
}

/* What the stream shows, as far as it was read. */
static void look_at_stream(struct agent *a)
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

static struct agent_view *view_of(struct rt_turn *t, struct agent *a,
                                  unsigned news)
{
    struct agent_view *v = bytes_alloc(sizeof(*v));

    look_at_stream(a);
    *v = a->last;
    rt_obj_init(&v->obj, free_view);
    v->def = (struct agent_def *)rt_obj_keep(&a->def->obj);
    v->id = a->def->spec->id;
    v->state = a->state;
    v->news = news;
    v->is_done = a->is_done;
    v->is_gone = a->is_gone;
    v->is_stalled = a->is_stalled;
    v->pid = a->pid;
    v->started_at = a->started_at;
    v->elapsed_ms = elapsed_ms(t, a);
    v->result = a->result;
    if (v->result != NULL)
        rt_obj_keep(&v->result->obj);
    return v;
}

static void send_view(struct rt_turn *t, struct agent *a, struct rt_ref to,
                      uint16_t kind, unsigned news)
{
    struct rt_msg *m = rt_msg(t, kind, sizeof(struct agent_view *));

    m->flags = RT_CARRIES;
    *(struct agent_view **)rt_body(m) = view_of(t, a, news);
    rt_send(t, to, m);
}

static void tell(struct rt_turn *t, struct agent *a, unsigned news)
{
    send_view(t, a, a->def->listener, AGENT_NEWS, news);
}

/* ---- timers ---------------------------------------------------------- */

static void arm(struct rt_turn *t, uint64_t *timer, uint64_t ms, uint16_t kind)
{
    if (*timer != 0)
        rt_cancel(t, *timer);
    *timer = rt_after(t, ms, kind);
}

static void disarm(struct rt_turn *t, uint64_t *timer)
{
    if (*timer != 0)
        rt_cancel(t, *timer);
    *timer = 0;
}

/* Whether a fired timer is the one that is armed; then it no longer is. */
static bool is_due(uint64_t *timer, struct rt_msg *m)
{
    if (((struct rt_alarm *)rt_body(m))->id != *timer)
        return false;
    *timer = 0;
    return true;
}

/* ---- ends ------------------------------------------------------------ */

static void end_tree(struct rt_turn *t, struct agent *a, uint64_t grace_ms)
{
    struct process_end end = {.grace_ms = grace_ms};

    if (!a->is_ordered || a->is_gone)
        return;
    a->is_ending = true;
    rt_tell(t, a->def->ward, PROCESS_END, &end, sizeof(end));
}

/* What the stream says it is, else what we were asked for. */
static struct slice cwd_of(const struct agent *a)
{
    const char *asked = a->def->spec->cwd;
    struct slice said = a->transcript != NULL
                            ? bytes_slice(&transcript_files(a->transcript)->cwd)
                            : bytes_slice(&a->cwd);

    return said.len > 0 || asked == NULL ? said : slice_cstr(asked);
}

/* The result as it stands: a report merged with the stream, or the stream. */
static void set_result(struct rt_turn *t, struct agent *a, struct slice error)
{
    struct agent_end end = {.state = a->state,
                            .report = a->report,
                            .transcript = a->transcript,
                            .before = a->seen,
                            .cwd = cwd_of(a),
                            .error = error,
                            .duration_ms = elapsed_ms(t, a),
                            .finished_at = a->finished_at};
    struct agent_result *before = a->result;

    a->result = agent_end_result(&end);
    if (before != NULL)
        rt_obj_drop(&before->obj);
}

/* Final to read from now on. */
static void become_done(struct rt_turn *t, struct agent *a, struct slice error)
{
    if (!a->is_done) {
        a->is_done = true;
        a->done = rt_now(t);
        a->finished_at = rt_wall_ms(t);
    }
    set_result(t, a, error);
}

static void become_gone(struct rt_turn *t, struct agent *a)
{
    disarm(t, &a->time_out);
    disarm(t, &a->exit_grace);
    disarm(t, &a->report_grace);
    disarm(t, &a->stall_look);
    look_at_stream(a);
    a->seen = agent_end_result(
        &(struct agent_end){.state = a->state, .transcript = a->transcript});
    bytes_append(&a->cwd, cwd_of(a).ptr, cwd_of(a).len);
    transcript_destroy(a->transcript);
    a->transcript = NULL;
    a->is_gone = true;
}

/* ---- from whoever commands it ---------------------------------------- */

static void on_run(struct rt_turn *t, struct agent *a, uint16_t how)
{
    struct rt_msg *m;

    if (a->is_ordered || a->is_done)
        return;
    a->is_ordered = true;
    m = rt_msg(t, how, sizeof(struct process_spec *));
    m->flags = RT_CARRIES;
    *(struct process_spec **)rt_body(m) =
        (struct process_spec *)rt_obj_keep(&a->def->spec->obj);
    rt_send(t, a->def->ward, m);
}

static void on_report(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    struct agent_result *report = *(struct agent_result **)rt_body(m);

    if (!a->is_ordered || a->state == AGENT_CANCELLED) {
        rt_tell(t, m->from, AGENT_REPORT_REFUSED, NULL, 0);
        return;
    }
    if (a->report != NULL)
        rt_obj_drop(&a->report->obj);
    a->report = (struct agent_result *)rt_obj_keep(&report->obj);
    a->state = AGENT_RESULT_REPORTED;
    become_done(t, a, SLICE_EMPTY);
    if (!a->is_gone && !a->is_ending)
        arm(t, &a->report_grace, a->def->report_grace_ms, REPORT_GRACE);
    tell(t, a, AGENT_NEWS_STATE | AGENT_NEWS_DONE);
    rt_tell(t, m->from, AGENT_REPORT_TAKEN, NULL, 0);
}

/* One that never ran is gone at once; a tree must first end. */
static void on_cancel(struct rt_turn *t, struct agent *a)
{
    if (a->is_gone)
        return;
    /* What it came to is known already: only its tree can be hurried. */
    if (a->is_done || a->state == AGENT_TIMED_OUT) {
        end_tree(t, a, 0);
        return;
    }
    a->state = AGENT_CANCELLED;
    if (!a->is_ordered) {
        become_done(t, a, SLICE("cancelled"));
        become_gone(t, a);
        tell(t, a, AGENT_NEWS_STATE | AGENT_NEWS_DONE | AGENT_NEWS_GONE);
        return;
    }
    end_tree(t, a, a->def->spec->grace_ms);
    tell(t, a, AGENT_NEWS_STATE);
}

/* ---- from the process ------------------------------------------------ */

/* A moment of the past on our clock; a wall clock set back is no time travel.
 */
static uint64_t moment_of(struct rt_turn *t, uint64_t wall_ms)
{
    uint64_t now = rt_now(t), wall = rt_wall_ms(t);
    uint64_t ago = wall_ms < wall ? (wall - wall_ms) * MS : 0;

    return ago < now ? now - ago : 1;
}

static void on_started(struct rt_turn *t, struct agent *a,
                       const struct process_started *s)
{
    uint64_t now = rt_now(t), ago_ms, left;

    if (a->started != 0)
        return;
    a->pid = s->pid;
    a->started_at = s->started_at;
    a->started = moment_of(t, s->started_at); /* adopted ones began earlier */
    a->last_event = now;
    ago_ms = (now - a->started) / MS;
    if (a->def->timeout_ms != 0) {
        left = a->def->timeout_ms > ago_ms ? a->def->timeout_ms - ago_ms : 0;
        arm(t, &a->time_out, left, TIME_OUT);
    }
    if (a->is_done) /* before it was known how long it took */
        set_result(t, a, a->result->error);
    if (a->def->stall_warn_ms != 0)
        arm(t, &a->stall_look, a->def->stall_warn_ms, STALL_LOOK);
    if (a->state == AGENT_QUEUED)
        a->state = AGENT_RUNNING;
    tell(t, a, AGENT_NEWS_STATE);
}

/* Anything the stream says is a sign of life. */
static void note_life(struct rt_turn *t, struct agent *a)
{
    a->last_event = rt_now(t);
    if (a->report_grace != 0)
        arm(t, &a->report_grace, a->def->report_grace_ms, REPORT_GRACE);
    if (a->is_stalled) {
        a->is_stalled = false;
        tell(t, a, AGENT_NEWS_REVIVED);
    }
}

/* A terminal event starts the exit's grace, and so does the next one, also
 * when all between them came in one portion; a stream that goes on ends it. */
static void watch_terminal(struct rt_turn *t, struct agent *a)
{
    const struct transcript_state *s = transcript_state(a->transcript);

    if (!s->has_terminal) {
        disarm(t, &a->exit_grace);
    } else if (s->results != a->results && !a->is_ending) {
        a->results = s->results;
        disarm(t, &a->report_grace);
        arm(t, &a->exit_grace, a->def->exit_grace_ms, EXIT_GRACE);
    }
}

static void on_chunk(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    const struct process_chunk *chunk = *(struct process_chunk **)rt_body(m);
    uint64_t lines;

    if (a->transcript == NULL)
        return;
    lines = transcript_state(a->transcript)->lines;
    transcript_feed(a->transcript, chunk->bytes, chunk->len, NULL, NULL);
    rt_tell(t, m->from, PROCESS_CREDIT, NULL, 0);
    if (transcript_state(a->transcript)->lines == lines)
        return;
    note_life(t, a);
    watch_terminal(t, a);
    look_at_stream(a);
    rt_tell(t, a->def->listener, AGENT_PROGRESS, &a->last.progress,
            sizeof(a->last.progress));
}

/* The end was when the record says, however late we hear of it; so was the
 * start, of which a hub that comes after the end is not told. */
static void take_times(struct rt_turn *t, struct agent *a,
                       const struct process_exit *exit)
{
    if (a->started == 0 && exit->started_at != 0) {
        a->started_at = exit->started_at;
        a->started = moment_of(t, exit->started_at);
    }
    if (a->started == 0 || exit->ended_at == 0)
        return;
    a->is_done = true;
    a->done = moment_of(t, exit->ended_at);
    a->finished_at = exit->ended_at;
}

/* The hub before died before its warden began: it is started now, unless a
 * cancel or a report came first; then there is no tree to wait for. */
static void on_not_started(struct rt_turn *t, struct agent *a)
{
    unsigned news = AGENT_NEWS_GONE;

    a->is_ordered = false;
    if (!a->is_done && a->state != AGENT_CANCELLED) {
        on_run(t, a, PROCESS_START);
        return;
    }
    if (!a->is_done) {
        become_done(t, a, SLICE("cancelled"));
        news |= AGENT_NEWS_DONE;
    }
    become_gone(t, a);
    tell(t, a, news);
}

static void on_gone(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    const struct process_exit *exit = *(struct process_exit **)rt_body(m);
    struct bytes error = {0};
    unsigned news = AGENT_NEWS_GONE;
    bool was_done = a->is_done;

    transcript_end(a->transcript, NULL, NULL);
    if (!was_done) {
        enum agent_state before = a->state;
        if (a->state != AGENT_CANCELLED && a->state != AGENT_TIMED_OUT)
            a->state = agent_end_state(exit, a->transcript, a->def->timeout_ms);
        agent_end_explain(&error, a->state, exit, a->transcript);
        news |= AGENT_NEWS_DONE | (a->state != before ? AGENT_NEWS_STATE : 0);
        take_times(t, a, exit);
    }
    if (!was_done || a->report != NULL)
        become_done(t, a, bytes_slice(&error));
    become_gone(t, a);
    tell(t, a, news);
    bytes_finish(&error);
}

/* ---- time ------------------------------------------------------------ */

static void on_time_out(struct rt_turn *t, struct agent *a)
{
    if (a->is_gone)
        return;
    end_tree(t, a, a->def->spec->grace_ms);
    if (a->is_done || a->state == AGENT_CANCELLED)
        return;
    a->state = AGENT_TIMED_OUT;
    tell(t, a, AGENT_NEWS_STATE);
}

/* It said its last word and did not leave: that is still its own end. */
static void on_exit_grace(struct rt_turn *t, struct agent *a)
{
    const struct transcript_state *s;

    if (a->is_gone)
        return;
    end_tree(t, a, a->def->spec->grace_ms);
    /* An adopted one may still be queued: its warden has not come yet. */
    if (a->is_done || a->state == AGENT_CANCELLED ||
        a->state == AGENT_TIMED_OUT)
        return;
    s = transcript_state(a->transcript);
    a->state = s->is_ok ? AGENT_COMPLETED : AGENT_FAILED;
    become_done(t, a,
                s->is_ok ? SLICE_EMPTY : agent_end_stream_error(a->transcript));
    tell(t, a, AGENT_NEWS_STATE | AGENT_NEWS_DONE);
}

/* Silence alone is no stall: a compiler may run. So the tree's use of the CPU
 * is asked for, and only two equal answers a whole period apart count. */
static void on_stall_look(struct rt_turn *t, struct agent *a)
{
    uint64_t silent = (rt_now(t) - a->last_event) / MS;

    if (a->is_gone)
        return;
    if (silent >= a->def->stall_warn_ms)
        rt_tell(t, a->def->ward, PROCESS_CPU, NULL, 0);
    else
        arm(t, &a->stall_look, a->def->stall_warn_ms - silent, STALL_LOOK);
}

static void on_cpu_used(struct rt_turn *t, struct agent *a,
                        const struct process_cpu *used)
{
    uint64_t now = rt_now(t);
    bool idle =
        a->cpu_at >= a->last_event && a->cpu_ms == used->ms && a->cpu_at != 0;

    if (a->is_gone)
        return;
    if (idle && !a->is_stalled) {
        a->is_stalled = true;
        tell(t, a, AGENT_NEWS_STALLED);
    }
    a->cpu_ms = used->ms;
    a->cpu_at = now;
    arm(t, &a->stall_look, a->def->stall_warn_ms, STALL_LOOK);
}

static void on_timer(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    if (m->kind == TIME_OUT && is_due(&a->time_out, m))
        on_time_out(t, a);
    else if (m->kind == EXIT_GRACE && is_due(&a->exit_grace, m))
        on_exit_grace(t, a);
    else if (m->kind == REPORT_GRACE && is_due(&a->report_grace, m))
        end_tree(t, a, a->def->spec->grace_ms);
    else if (m->kind == STALL_LOOK && is_due(&a->stall_look, m))
        on_stall_look(t, a);
}

/* ---- the actor ------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct agent *a = state;

    switch (m->kind) {
    case AGENT_RUN:
        on_run(t, a, PROCESS_START);
        break;
    case AGENT_RECOVER:
        on_run(t, a, PROCESS_ADOPT);
        break;
    case AGENT_REPORT:
        on_report(t, a, m);
        break;
    case AGENT_CANCEL:
        on_cancel(t, a);
        break;
    case AGENT_ASK:
        send_view(t, a, m->from, AGENT_VIEW, 0);
        break;
    case PROCESS_STARTED:
        on_started(t, a, rt_body(m));
        break;
    case PROCESS_CHUNK:
        on_chunk(t, a, m);
        break;
    case PROCESS_CPU_USED:
        on_cpu_used(t, a, rt_body(m));
        break;
    case PROCESS_NOT_STARTED:
        on_not_started(t, a);
        break;
    case PROCESS_GONE:
        on_gone(t, a, m);
        break;
    default:
        on_timer(t, a, m);
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
    bytes_finish(&a->cwd);
    rt_obj_drop(&a->def->obj);
}

static const struct rt_behaviour behaviour = {.name = "agent",
                                              .size = sizeof(struct agent),
                                              .handle = handle,
                                              .stop = stop};

static void free_def(struct rt_obj *o)
{
    struct agent_def *def = (struct agent_def *)o;

    rt_obj_drop(&def->spec->obj);
    free(def);
}

struct agent_def *agent_def_create(const struct agent_def *from)
{
    struct agent_def *def = bytes_alloc(sizeof(*def));

    *def = *from;
    rt_obj_init(&def->obj, free_def);
    rt_obj_keep(&def->spec->obj);
    return def;
}

struct rt_ref agent_spawn(struct rt_turn *t, struct agent_def *def)
{
    struct transcript_limits limits = {.line_bytes = def->line_limit};
    struct agent a = {.def = (struct agent_def *)rt_obj_keep(&def->obj)};
    struct rt_ref ref;

    a.transcript = transcript_create(def->backend, &limits);
    ref = rt_spawn(t, &behaviour, &a);
    if (ref.id == 0)
        stop(t, &a);
    return ref;
}
