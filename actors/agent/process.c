/* SPDX-License-Identifier: MIT */
#include "actors/agent/inside.h"

#include <string.h>

#include "config/messages.h"
#include "runtime/text/utf8.h"

/* ---- its process ---- */

uint64_t agent_moment(struct rt_turn *t, uint64_t wall_ms)
{
    uint64_t now = rt_now(t), wall = rt_wall_ms(t);
    uint64_t ago = wall_ms < wall ? (wall - wall_ms) * MS : 0;

    return ago < now ? now - ago : 1;
}

/* A start is read off a file, whose times are of a coarser clock than the
 * order's: none was before it was asked for. */
static void begin_at(struct rt_turn *t, struct agent *a, uint64_t wall_ms)
{
    a->started_at = wall_ms > a->def->created_at ? wall_ms : a->def->created_at;
    a->started = agent_moment(t, a->started_at);
}

void agent_on_started(struct rt_turn *t, struct agent *a,
                      const struct process_started *s)
{
    uint64_t now, ago_ms, left;

    if (a->pid != 0)
        return;
    a->pid = s->pid;
    begin_at(t, a, s->started_at); /* adopted ones began earlier */
    now = rt_now(t); /* after that: it may have begun in this moment */
    a->last_event = now;
    ago_ms = (now - a->started) / MS;
    if (a->def->timeout_ms != 0) {
        left = a->def->timeout_ms > ago_ms ? a->def->timeout_ms - ago_ms : 0;
        agent_arm(t, &a->time_out, left, TIME_OUT);
    }
    /* It reported before it was known how long it took. The result of another
     * end is of an earlier hub, and the stream has yet to be read again. */
    if (a->is_done && a->report != NULL)
        agent_set_result(t, a, a->result->error);
    if (!a->is_done)
        agent_watch_stall(t, a);
    if (a->state == AGENT_QUEUED)
        a->state = AGENT_RUNNING;
    agent_tell(t, a, AGENT_NEWS_STATE);
}

/* Anything the stream says is a sign of life. */
static void note_life(struct rt_turn *t, struct agent *a)
{
    a->last_event = rt_now(t);
    if (a->report_grace != 0)
        agent_arm(t, &a->report_grace, a->def->report_grace_ms, REPORT_GRACE);
    agent_stall_is_over(t, a);
}

/* A terminal event starts the exit's grace, and so does the next one, also
 * when all between them came in one portion; a stream that goes on ends it, and
 * so does a task in the background, after which it will. */
static void watch_terminal(struct rt_turn *t, struct agent *a)
{
    const struct transcript_state *s = transcript_state(a->transcript);

    if (!transcript_is_over(a->transcript)) {
        agent_disarm(t, &a->exit_grace);
        a->results = 0;
    } else if (s->results != a->results && !a->is_ending) {
        a->results = s->results;
        agent_disarm(t, &a->report_grace);
        agent_arm(t, &a->exit_grace, a->def->exit_grace_ms, EXIT_GRACE);
    }
}

static void look_live(struct agent_live *live, const struct agent *a)
{
    const struct files *files = transcript_files(a->transcript);

    live->progress = a->last.progress;
    live->usage = a->last.usage;
    live->edited = (uint32_t)files->lengths[FILES_EDITED];
    live->created = (uint32_t)files->lengths[FILES_CREATED];
    live->unknown = (uint32_t)a->last.unknown_lines;
    live->skipped = (uint32_t)a->last.skipped_lines;
    slice_keep(live->tool, sizeof(live->tool), slice_cstr(a->last.tool));
    memcpy(live->title, a->last.title, sizeof(live->title));
    live->tool_at = a->last.tool_at;
}

/* What it said is long and seldom new, so it is told only then. */
static void tell_progress(struct rt_turn *t, struct agent *a)
{
    const struct transcript_state *s = transcript_state(a->transcript);
    size_t len = s->messages == a->told
                     ? 0
                     : utf8_cut(s->message.ptr, s->message.len, AGENT_SAID);
    bool was_met = a->last.model[0] != 0;
    struct agent_step *step;
    struct rt_msg *m;

    agent_look_at_stream(t, a);
    /* Said once, at its beginning, so that no step has to carry the names. */
    if (!was_met && a->last.model[0] != 0 && !a->is_done)
        agent_tell(t, a, AGENT_NEWS_MET);
    if (rt_same(a->def->watcher, RT_NOBODY))
        return;
    m = rt_msg_raw(t, AGENT_PROGRESS, sizeof(*step) + len);
    step = rt_body(m);
    *step = (struct agent_step){.serial = a->def->serial,
                                .past = a->past,
                                .has_said = s->messages != a->told,
                                .said_len = (uint32_t)len};
    look_live(&step->live, a);
    if (len > 0)
        memcpy(step->said, s->message.ptr, len);
    a->told = s->messages;
    rt_send(t, a->def->watcher, m);
}

void agent_on_chunk(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    const struct process_chunk *chunk = RT_OBJ(m, struct process_chunk);
    struct agent_portion portion;
    uint64_t lines;
    event_fn fn;

    if (a->transcript == NULL)
        return;
    lines = transcript_state(a->transcript)->lines;
    fn = agent_portion_begin(t, a, chunk->past, &portion);
    transcript_feed(a->transcript, chunk->bytes, chunk->len, fn, &portion);
    agent_portion_end(t, &portion);
    rt_tell(t, m->from, PROCESS_CREDIT, NULL, 0);
    if (transcript_state(a->transcript)->lines == lines)
        return;
    note_life(t, a);
    watch_terminal(t, a);
    agent_tell_touched(t, a);
    tell_progress(t, a);
}

/* A hub that comes after the end is not told of the start: the record has it.
 */
static void take_start(struct rt_turn *t, struct agent *a,
                       const struct process_exit *exit)
{
    if (a->started != 0 || exit->started_at == 0)
        return;
    begin_at(t, a, exit->started_at);
}

/* The end was when the record says, however late we hear of it. */
static void take_end(struct rt_turn *t, struct agent *a,
                     const struct process_exit *exit)
{
    if (a->started == 0 || exit->ended_at == 0)
        return;
    a->is_done = true;
    a->done = agent_moment(t, exit->ended_at);
    a->finished_at = exit->ended_at;
}

/* The hub before died before its warden began: it is started now, unless a
 * cancel or a report came first; then there is no tree to wait for. */
void agent_on_not_started(struct rt_turn *t, struct agent *a)
{
    a->is_ordered = false;
    if (!a->is_done) {
        agent_order_process(t, a, PROCESS_START);
        return;
    }
    agent_become_gone(t, a);
    agent_tell(t, a, AGENT_NEWS_GONE);
}

/* The last line may have no end. */
static void end_stream(struct rt_turn *t, struct agent *a)
{
    struct agent_portion portion;
    event_fn fn = agent_portion_begin(t, a, 0, &portion);

    transcript_end(a->transcript, fn, &portion);
    agent_portion_end(t, &portion);
}

/* Its tree's end is its own: it exited, or a hub before had ended it. */
static void end_with_tree(struct rt_turn *t, struct agent *a,
                          const struct process_exit *exit)
{
    struct bytes error = {0};

    a->state = agent_end_state(exit, a->transcript, a->def->timeout_ms);
    agent_end_explain(&error, a->state, exit, a->transcript,
                      a->def->is_english);
    if (a->state != AGENT_COMPLETED)
        agent_end_say_left(&error, exit->left, a->def->is_english);
    take_end(t, a, exit);
    agent_become_done(t, a, bytes_slice(&error));
    bytes_finish(&error);
}

void agent_on_gone(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    const struct process_exit *exit = RT_OBJ(m, struct process_exit);
    unsigned news = AGENT_NEWS_GONE;

    end_stream(t, a);
    take_start(t, a, exit);
    if (a->is_done) {
        agent_grow_result(t, a);
    } else {
        end_with_tree(t, a, exit);
        news |= AGENT_NEWS_DONE | AGENT_NEWS_STATE;
    }
    agent_become_gone(t, a);
    agent_tell(t, a, news);
}

/* ---- time ---- */

static void on_time_out(struct rt_turn *t, struct agent *a)
{
    if (a->is_gone)
        return;
    agent_end_tree(t, a, a->spec->grace_ms);
    if (a->is_done)
        return;
    a->state = AGENT_TIMED_OUT;
    agent_become_done(t, a,
                      slice_cstr(MESSAGE(a->def->is_english, END_TIMED_OUT)));
    agent_tell(t, a, AGENT_NEWS_STATE | AGENT_NEWS_DONE);
}

/* It said its last word and did not leave: that is still its own end. */
static void on_exit_grace(struct rt_turn *t, struct agent *a)
{
    const struct transcript_state *s;

    if (a->is_gone)
        return;
    agent_end_tree(t, a, a->spec->grace_ms);
    if (a->is_done)
        return;
    s = transcript_state(a->transcript);
    a->state = s->is_ok ? AGENT_COMPLETED : AGENT_FAILED;
    agent_become_done(
        t, a, s->is_ok ? SLICE_EMPTY : agent_end_stream_error(a->transcript));
    agent_tell(t, a, AGENT_NEWS_STATE | AGENT_NEWS_DONE);
}

/* Silence while a tool is at work is no silence. What ends the call is an event
 * of the stream, from which the grace is counted anew. */
static void on_report_grace(struct rt_turn *t, struct agent *a)
{
    if (a->is_gone)
        return;
    if (transcript_has_open_call(a->transcript))
        agent_arm(t, &a->report_grace, a->def->report_grace_ms, REPORT_GRACE);
    else
        agent_end_tree(t, a, a->spec->grace_ms);
}

void agent_on_timer(struct rt_turn *t, struct agent *a, struct rt_msg *m)
{
    if (m->kind == TIME_OUT && agent_is_due(&a->time_out, m))
        on_time_out(t, a);
    else if (m->kind == EXIT_GRACE && agent_is_due(&a->exit_grace, m))
        on_exit_grace(t, a);
    else if (m->kind == REPORT_GRACE && agent_is_due(&a->report_grace, m))
        on_report_grace(t, a);
    else if (m->kind == STALL_LOOK && agent_is_due(&a->stall_look, m))
        agent_on_stall_look(t, a);
}
