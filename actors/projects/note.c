/* SPDX-License-Identifier: MIT */
/* Notes are what is kept of a task on the way: its contexts, the newest of
 * which counts. */
#include <stdio.h>

#include "actors/projects/inside.h"

void note_put_row(struct bytes *out, const struct sql *q)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", sql_column(q, 0));
    JSON_TEXT(out, "task_id", sql_column(q, 1));
    PM_TEXT(out, "agent_id", sql_column(q, 2));
    PM_TEXT(out, "session_id", sql_column(q, 3));
    PM_TEXT(out, "progress", sql_column(q, 4));
    PM_TEXT(out, "findings", sql_column(q, 5));
    PM_TEXT(out, "blockers", sql_column(q, 6));
    PM_TEXT(out, "next_steps", sql_column(q, 7));
    PM_TIME(out, "created_at", sql_number(q, 8));
    if (sql_number(q, 9))
        JSON_BOOL(out, "truncated", true);
}

static bool put_newest(struct work *w, struct bytes *out, const char *sql,
                       struct slice task)
{
    struct sql q = sql_open(w, sql);
    bool is_there;

    sql_text(&q, 1, task);
    is_there = sql_next(&q);
    if (is_there) {
        note_put_row(out, &q);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    return is_there;
}

bool note_put_newest(struct work *w, struct bytes *out, struct slice task)
{
    return put_newest(w, out,
                      "SELECT " NOTE_COLUMNS " FROM pm_contexts WHERE task = ?1"
                      " ORDER BY number DESC LIMIT 1",
                      task);
}

/* Newest first. */
void note_put_all(struct work *w, struct bytes *out, struct slice task)
{
    struct sql q = sql_open(w, "SELECT " NOTE_COLUMNS " FROM pm_contexts WHERE"
                               " task = ?1 ORDER BY number DESC LIMIT 500");
    bool is_first = true;

    sql_text(&q, 1, task);
    JSON_RAW(out, "[");
    while (sql_next(&q)) {
        if (!is_first)
            JSON_RAW(out, ",");
        is_first = false;
        note_put_row(out, &q);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    JSON_RAW(out, "]");
}

void note_add(struct pm_work *w, const struct note *n)
{
    struct sql q = sql_open(
        &w->work, "INSERT INTO pm_contexts(id, task, agent, session, progress,"
                  " findings, blockers, next_steps, created_at)"
                  " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    char id[PM_ID];

    snprintf(id, sizeof(id), "ctx_%s", w->drawn[1]);
    sql_text(&q, 1, slice_cstr(id));
    sql_text(&q, 2, n->task);
    sql_text_or_null(&q, 3, n->agent);
    sql_text_or_null(&q, 4, n->session);
    sql_text_or_null(&q, 5, n->progress);
    sql_text_or_null(&q, 6, n->findings);
    sql_text_or_null(&q, 7, n->blockers);
    sql_text_or_null(&q, 8, n->next_steps);
    sql_int(&q, 9, (int64_t)w->work.now);
    sql_run(&q);
    put_newest(&w->work, work_event(&w->work, "pm:context"),
               "SELECT " NOTE_TOLD " FROM pm_contexts WHERE task = ?1"
               " ORDER BY number DESC LIMIT 1",
               n->task);
}

/* ---- orders ------------------------------------------------------------ */

/* For whom it is kept: the session's profile, or the one that is named. */
static bool find_author(struct work *w, struct session *s, struct slice *agent)
{
    struct slice named = PM_ARG(w, "agent_id");
    bool is_there;

    if (named.len > 0) {
        *agent = named;
        return profile_exists(w, named) && session_may_act(w, named, s);
    }
    if (!session_find_any(w, s, &is_there))
        return false;
    *agent = slice_cstr(s->agent);
    if (is_there || w->order->caller->agent_id[0] == 0)
        return true;
    WORK_REFUSE(w, CODE_NOT_PERMITTED, PM_NO_SESSION,
                w->order->caller->agent_id);
    return false;
}

void note_save(struct work *w)
{
    struct note n = {.task = PM_ARG(w, "task_id"),
                     .session = PM_ARG(w, "session_id"),
                     .progress = PM_ARG(w, "progress"),
                     .findings = PM_ARG(w, "findings"),
                     .blockers = PM_ARG(w, "blockers"),
                     .next_steps = PM_ARG(w, "next_steps")};
    struct session s = {0};
    struct bytes *out;
    struct task t;

    if (n.progress.len + n.findings.len + n.blockers.len + n.next_steps.len ==
        0) {
        WORK_REFUSE_PLAIN(w, CODE_VALIDATION_ERROR, PM_EMPTY_CONTEXT);
        return;
    }
    if (!task_require(w, n.task, &t) || !find_author(w, &s, &n.agent))
        return;
    if (s.id[0] != 0)
        n.session = slice_cstr(s.id);
    session_prolong(w, &s);
    note_add((struct pm_work *)w, &n);
    out = work_answer(w);
    JSON_RAW(out, "{\"success\":true,\"context\":");
    note_put_newest(w, out, n.task);
    JSON_RAW(out, "}");
}

void note_get(struct work *w)
{
    struct slice task = PM_ARG(w, "task_id");
    struct bytes *out;
    struct task t;

    if (!task_require(w, task, &t))
        return;
    out = work_answer(w);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "task_id", task);
    if (yyjson_is_true(FIELD(w->order->args, "include_history"))) {
        JSON_KEY(out, "contexts");
        note_put_all(w, out, task);
        JSON_KEY(out, "handoffs");
        handoff_put_all(w, out, task);
    } else {
        JSON_KEY(out, "latest_context");
        if (!note_put_newest(w, out, task))
            JSON_RAW(out, "null");
    }
    JSON_RAW(out, "}");
}
