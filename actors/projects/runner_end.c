/* SPDX-License-Identifier: MIT */
/*
 * What became of the agents that were started, as their rows say it: whichever
 * hub looks, and however often, each end is entered once. A task whose agent
 * has reported by report_result ends by that; one that its agent has left
 * undone is tried again after a pause, and blocked after too many.
 */
#include "actors/projects/inside.h"

struct instance {
    char id[PM_ID], agent[PM_ID], project[PM_ID], task[PM_ID], run[ORDER_ID];
    char state[24];
    bool is_settled, is_gone, is_reported, is_good;
    int64_t serial; /* of its agent's row */
};

/* ---- pauses ------------------------------------------------------------ */

static int64_t pause_of(const struct pm_work *w, int64_t failures)
{
    int64_t ms = w->limits.cooldown_ms;

    for (int64_t i = 1; i < failures && ms < w->limits.cooldown_max_ms; i++)
        ms *= 2;
    return ms < w->limits.cooldown_max_ms ? ms : w->limits.cooldown_max_ms;
}

static int64_t failures_of(struct pm_work *w, struct slice agent,
                           struct slice project)
{
    struct sql q = sql_open(&w->work, "SELECT failures FROM pm_assignments"
                                      " WHERE project = ?1 AND agent = ?2");
    int64_t failures;

    sql_text(&q, 1, project);
    sql_text(&q, 2, agent);
    failures = sql_next(&q) ? sql_number(&q, 0) : 0;
    sql_close(&q);
    return failures;
}

void runner_cool(struct pm_work *w, struct slice agent, struct slice project,
                 struct slice why, bool is_failure)
{
    int64_t failures = failures_of(w, agent, project) + is_failure;

    assignment_cool(
        &w->work, project, agent,
        &(struct cooling){.failures = failures,
                          .until = (int64_t)w->work.now + pause_of(w, failures),
                          .why = why});
}

/* ---- tasks ------------------------------------------------------------- */

static bool is_undone(struct pm_work *w, const struct instance *i,
                      struct task *t)
{
    return i->task[0] != 0 && task_find(&w->work, slice_cstr(i->task), t) &&
           strcmp(t->status, "in_progress") == 0 &&
           strcmp(t->assignee, i->agent) == 0 &&
           !handoff_was_made(&w->work, slice_cstr(t->id), slice_cstr(i->agent));
}

/* It has reported as a launched agent does. */
static void enter_report(struct pm_work *w, const struct instance *i,
                         const struct task *t)
{
    struct sql q = sql_open(
        &w->work, "SELECT CASE WHEN ?2 OR error = '' THEN summary ELSE error"
                  " END FROM texts WHERE serial = ?1");
    struct bytes summary = {0};

    sql_int(&q, 1, i->serial);
    sql_int(&q, 2, i->is_good);
    if (sql_next(&q))
        bytes_append_capped(&summary, sql_column(&q, 0), 4000);
    sql_close(&q);
    q = sql_open(&w->work, "UPDATE pm_tasks SET result = ?2, summary = ?3"
                           " WHERE id = ?1");
    sql_text(&q, 1, slice_cstr(t->id));
    sql_text(&q, 2, i->is_good ? SLICE("success") : SLICE("failed"));
    sql_text_or_null(&q, 3, bytes_slice(&summary));
    sql_run(&q);
    status_set(&w->work, t, i->is_good ? SLICE("done") : SLICE("blocked"),
               bytes_slice(&summary), slice_cstr(i->agent));
    bytes_finish(&summary);
}

/* It has left its task, or has never asked for one though there is one. */
static void enter_failure(struct pm_work *w, const struct instance *i,
                          const struct task *t)
{
    struct slice agent = slice_cstr(i->agent), project = slice_cstr(i->project);
    bool is_cancelled = strcmp(i->state, "cancelled") == 0;
    struct bytes why = {0};

    bytes_format(&why, MESSAGE(w->is_english, RUNNER_LEFT), i->run, i->state);
    if (t != NULL && !is_cancelled &&
        failures_of(w, agent, project) + 1 >= w->limits.max_failures) {
        status_set(&w->work, t, SLICE("blocked"), bytes_slice(&why),
                   SLICE("runner"));
        assignment_cool(&w->work, project, agent, &(struct cooling){0});
    } else {
        runner_cool(w, agent, project, bytes_slice(&why), !is_cancelled);
    }
    bytes_finish(&why);
}

/* ---- instances --------------------------------------------------------- */

void runner_bind(struct work *w, const struct session *s, struct slice task)
{
    struct sql q = sql_open(w, "UPDATE pm_instances SET task = ?2 WHERE"
                               " run = ?1 AND run <> '' AND ended_at = 0");

    sql_text(&q, 1, slice_cstr(s->run));
    sql_text(&q, 2, task);
    sql_run(&q);
}

static void settle(struct pm_work *w, const struct instance *i)
{
    struct slice agent = slice_cstr(i->agent), project = slice_cstr(i->project);
    struct slice outcome = SLICE("success");
    struct sql q;
    struct task t;
    bool is_undone_now = is_undone(w, i, &t);

    if (is_undone_now && i->is_reported) {
        enter_report(w, i, &t);
        outcome = i->is_good ? SLICE("success") : SLICE("failed");
    } else if (is_undone_now) {
        outcome = SLICE("failed");
        enter_failure(w, i, &t);
    } else if (i->task[0] == 0 && !i->is_reported) {
        outcome = SLICE("idle");
        enter_failure(w, i, NULL);
    }
    if (slice_eq(outcome, SLICE("success")))
        assignment_cool(&w->work, project, agent, &(struct cooling){0});
    q = sql_open(&w->work, "UPDATE pm_instances SET outcome = ?2"
                           " WHERE id = ?1");
    sql_text(&q, 1, slice_cstr(i->id));
    sql_text(&q, 2, outcome);
    sql_run(&q);
}

static void end_session(struct pm_work *w, const struct instance *i)
{
    struct sql q = sql_open(&w->work, "SELECT id, coalesce(task, '') FROM"
                                      " pm_sessions WHERE run = ?1"
                                      " AND agent = ?2 AND project = ?3");
    struct session s = {0};

    sql_text(&q, 1, slice_cstr(i->run));
    sql_text(&q, 2, slice_cstr(i->agent));
    sql_text(&q, 3, slice_cstr(i->project));
    if (sql_next(&q)) {
        slice_keep(s.id, sizeof(s.id), sql_column(&q, 0));
        slice_keep(s.task, sizeof(s.task), sql_column(&q, 1));
    }
    sql_close(&q);
    if (s.id[0] == 0)
        return;
    memcpy(s.agent, i->agent, sizeof(s.agent));
    memcpy(s.project, i->project, sizeof(s.project));
    memcpy(s.run, i->run, sizeof(s.run));
    session_end(&w->work, &s, "ended");
}

static void end(struct pm_work *w, const struct instance *i)
{
    struct sql q = sql_open(&w->work, "UPDATE pm_instances SET ended_at = ?2"
                                      " WHERE id = ?1");

    end_session(w, i);
    sql_text(&q, 1, slice_cstr(i->id));
    sql_int(&q, 2, (int64_t)w->work.now);
    sql_run(&q);
}

/* The first whose agent is done and has not been entered, or is gone. One whose
 * row is gone too has ended long ago. */
static bool find_ended(struct work *w, struct instance *i)
{
    struct sql q = sql_open(
        w, "SELECT i.id, i.agent, i.project, coalesce(i.task, ''), i.run,"
           " coalesce(a.state, 'lost'), i.outcome <> '',"
           " a.serial IS NULL OR a.gone_at > 0, coalesce(a.is_reported, 0),"
           " coalesce(a.outcome = 'success', 0), coalesce(a.serial, 0)"
           " FROM pm_instances i LEFT JOIN agents a ON a.id = i.run WHERE"
           " i.ended_at = 0 AND i.run <> '' AND (a.serial IS NULL OR"
           " a.gone_at > 0 OR (a.finished_at > 0 AND i.outcome = ''))"
           " ORDER BY i.id LIMIT 1");
    bool is_there;

    is_there = sql_next(&q);
    if (is_there) {
        slice_keep(i->id, sizeof(i->id), sql_column(&q, 0));
        slice_keep(i->agent, sizeof(i->agent), sql_column(&q, 1));
        slice_keep(i->project, sizeof(i->project), sql_column(&q, 2));
        slice_keep(i->task, sizeof(i->task), sql_column(&q, 3));
        slice_keep(i->run, sizeof(i->run), sql_column(&q, 4));
        slice_keep(i->state, sizeof(i->state), sql_column(&q, 5));
        i->is_settled = sql_number(&q, 6);
        i->is_gone = sql_number(&q, 7);
        i->is_reported = sql_number(&q, 8);
        i->is_good = sql_number(&q, 9);
        i->serial = sql_number(&q, 10);
    }
    sql_close(&q);
    return is_there;
}

void runner_settle(struct pm_work *w)
{
    struct instance i;

    while (w->work.code == SQLITE_OK && find_ended(&w->work, &i)) {
        if (!i.is_settled)
            settle(w, &i);
        if (i.is_gone)
            end(w, &i);
    }
}

/* ---- starts ------------------------------------------------------------ */

/* One that could not be started is no failure of its agent's. */
static void give_up(struct pm_work *w)
{
    struct sql q = sql_open(&w->work, "SELECT agent, project FROM pm_instances"
                                      " WHERE id = ?1 AND ended_at = 0");
    char agent[PM_ID] = "", project[PM_ID] = "";

    sql_text(&q, 1, slice_cstr(w->instance));
    if (sql_next(&q)) {
        slice_keep(agent, sizeof(agent), sql_column(&q, 0));
        slice_keep(project, sizeof(project), sql_column(&q, 1));
    }
    sql_close(&q);
    if (agent[0] == 0)
        return;
    q = sql_open(&w->work, "UPDATE pm_instances SET ended_at = ?2,"
                           " outcome = 'not_started' WHERE id = ?1");
    sql_text(&q, 1, slice_cstr(w->instance));
    sql_int(&q, 2, (int64_t)w->work.now);
    sql_run(&q);
    runner_cool(w, slice_cstr(agent), slice_cstr(project), slice_cstr(w->why),
                false);
}

void runner_note(struct work *work)
{
    struct pm_work *w = (struct pm_work *)work;
    struct sql q;

    if (w->run[0] == 0) {
        give_up(w);
        return;
    }
    q = sql_open(work, "UPDATE pm_instances SET run = ?2 WHERE id = ?1");
    sql_text(&q, 1, slice_cstr(w->instance));
    sql_text(&q, 2, slice_cstr(w->run));
    sql_run(&q);
}
