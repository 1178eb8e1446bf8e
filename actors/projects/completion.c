/* SPDX-License-Identifier: MIT */
/*
 * The end of a task by who did it, and of its session. A task that has ended
 * otherwise, or was passed on, is left as it is: the session ends all the same.
 */
#include "actors/projects/inside.h"

static void put_end(struct work *w, const char *task, struct slice status,
                    const char *already)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true");
    PM_TEXT(out, "task_id", slice_cstr(task));
    PM_TEXT(out, "new_status", status);
    PM_TEXT(out, "already", slice_cstr(already));
    JSON_TEXT(out, "instruction",
              slice_cstr(MESSAGE(order_is_english(w->order), PM_FINISHED)));
    JSON_RAW(out, ",\"action\":\"exit\"}");
}

static void note_result(struct work *w, const struct task *t,
                        const struct session *s)
{
    struct slice result = PM_ARG(w, "result"), summary = PM_ARG(w, "summary");
    struct sql q = sql_open(w, "UPDATE pm_tasks SET result = ?2, summary = ?3"
                               " WHERE id = ?1");
    struct note n = {.task = slice_cstr(t->id),
                     .agent = slice_cstr(s->agent),
                     .session = slice_cstr(s->id),
                     .progress = summary,
                     .next_steps = PM_ARG(w, "next_steps")};

    sql_text(&q, 1, slice_cstr(t->id));
    sql_text(&q, 2, result);
    sql_text_or_null(&q, 3, summary);
    sql_run(&q);
    if (!slice_eq(result, SLICE("success")))
        n.blockers = summary;
    if (summary.len > 0 || n.next_steps.len > 0)
        note_add((struct pm_work *)w, &n);
}

/* What the agent would say of itself by report_result. */
static void put_report(struct pm_work *w, const struct session *s)
{
    struct slice result = PM_ARG(&w->work, "result");
    struct slice summary = PM_ARG(&w->work, "summary");
    bool is_good = slice_eq(result, SLICE("success"));

    slice_keep(w->run, sizeof(w->run), slice_cstr(s->run));
    w->report.len = 0;
    if (s->run[0] == 0)
        return;
    JSON_RAW(&w->report, "{");
    JSON_TEXT(&w->report, "agentId", slice_cstr(s->run));
    JSON_TEXT(&w->report, "status",
              is_good ? SLICE("success") : SLICE("failure"));
    JSON_TEXT(&w->report, "summary", summary.len > 0 ? summary : result);
    JSON_TEXT(&w->report, "response", summary.len > 0 ? summary : result);
    if (!is_good) {
        struct bytes error = {0};

        bytes_format(&error, "%.*s: %.*s", (int)result.len, result.ptr,
                     (int)summary.len, summary.ptr);
        JSON_TEXT(&w->report, "errorMessage", bytes_slice(&error));
        bytes_finish(&error);
    }
    JSON_RAW(&w->report, "}");
}

static void finish(struct work *w, const struct session *s,
                   const struct task *t)
{
    struct slice result = PM_ARG(w, "result");
    bool is_good = slice_eq(result, SLICE("success"));
    struct slice status = is_good ? SLICE("done") : SLICE("blocked");

    note_result(w, t, s);
    status_set(w, t, status, PM_ARG(w, "summary"), slice_cstr(s->agent));
    if (is_good) /* failing once is forgotten with it */
        assignment_cool(w, slice_cstr(s->project), slice_cstr(s->agent),
                        &(struct cooling){0});
    session_end(w, s, "completed");
    put_end(w, t->id, status, "");
}

/* What has become of the task that the session was bound to; NULL: it is
 * still to be done. */
static const char *already(struct work *w, const struct session *s,
                           struct task *t)
{
    if (s->task[0] == 0 || !task_find(w, slice_cstr(s->task), t))
        return NULL;
    if (handoff_was_made(w, slice_cstr(t->id), slice_cstr(s->agent)))
        return "handed_off";
    return strcmp(t->status, "in_progress") != 0 ||
                   strcmp(t->assignee, s->agent) != 0
               ? t->status
               : NULL;
}

void completion_report(struct work *w)
{
    bool is_good = slice_eq(PM_ARG(w, "result"), SLICE("success"));
    const char *was;
    struct session s;
    struct task t;

    ((struct pm_work *)w)->run[0] = 0;
    if (!session_find(w, &s))
        return;
    was = already(w, &s, &t);
    if (was != NULL) {
        session_end(w, &s, "completed");
        put_end(w, t.id, slice_cstr(t.status), was);
    } else if (!my_task_find(w, &s, &t)) {
        WORK_REFUSE_PLAIN(w, CODE_NO_TASK, PM_NO_TASK_AT_WORK);
        return;
    } else if (status_may(w, &t, is_good ? SLICE("done") : SLICE("blocked"),
                          false)) {
        finish(w, &s, &t);
    }
    if (!work_is_refused(w))
        put_report((struct pm_work *)w, &s);
}
