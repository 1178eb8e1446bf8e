/* SPDX-License-Identifier: MIT */
/*
 * A handoff gives a task to another profile, or to whoever takes it. Taking it
 * makes the task that one's, and puts it to work if it was not: by word, or by
 * asking for a task once who gave it has left.
 */
#include <stdio.h>

#include "actors/projects/inside.h"

#define COLUMNS                                                                \
    "h.id, h.task, h.sender, h.receiver, h.summary, h.context,"                \
    " h.recommendations, h.accepted_by, h.accepted_at, h.created_at,"          \
    " t.project, 0"
#define FROM " FROM pm_handoffs h JOIN pm_tasks t ON t.id = h.task"

void handoff_put_row(struct bytes *out, const struct sql *q)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", sql_column(q, 0));
    JSON_TEXT(out, "task_id", sql_column(q, 1));
    JSON_TEXT(out, "project_id", sql_column(q, 10));
    JSON_TEXT(out, "from_agent_id", sql_column(q, 2));
    PM_TEXT(out, "to_agent_id", sql_column(q, 3));
    JSON_TEXT(out, "summary", sql_column(q, 4));
    PM_TEXT(out, "context", sql_column(q, 5));
    PM_TEXT(out, "recommendations", sql_column(q, 6));
    PM_TEXT(out, "accepted_by", sql_column(q, 7));
    PM_TIME(out, "accepted_at", sql_number(q, 8));
    PM_TIME(out, "created_at", sql_number(q, 9));
    if (sql_number(q, 11))
        JSON_BOOL(out, "truncated", true);
}

static bool put_one(struct work *w, struct bytes *out, const char *sql,
                    struct slice id, const char *event)
{
    struct sql q = sql_open(w, sql);
    bool is_there;

    sql_text(&q, 1, id);
    is_there = sql_next(&q);
    if (is_there) {
        handoff_put_row(out, &q);
        PM_TEXT(out, "event", slice_cstr(event));
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    return is_there;
}

static const char by_id[] = "SELECT " COLUMNS FROM " WHERE h.id = ?1";
static const char told[] = "SELECT " HANDOFF_TOLD FROM " WHERE h.id = ?1";

bool handoff_put_newest(struct work *w, struct bytes *out, struct slice task)
{
    return put_one(w, out,
                   "SELECT " COLUMNS FROM " WHERE h.task = ?1"
                   " ORDER BY h.number DESC LIMIT 1",
                   task, "");
}

static uint64_t put_list(struct bytes *out, struct sql *q)
{
    uint64_t count = 0;

    JSON_RAW(out, "[");
    while (sql_next(q)) {
        if (count++ > 0)
            JSON_RAW(out, ",");
        handoff_put_row(out, q);
        JSON_RAW(out, "}");
    }
    sql_close(q);
    JSON_RAW(out, "]");
    return count;
}

void handoff_put_all(struct work *w, struct bytes *out, struct slice task)
{
    struct sql q = sql_open(w, "SELECT " COLUMNS FROM " WHERE h.task = ?1"
                               " ORDER BY h.number DESC LIMIT 500");

    sql_text(&q, 1, task);
    put_list(out, &q);
}

static void answer(struct work *w, struct slice id)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true,\"handoff\":");
    put_one(w, out, by_id, id, "");
    JSON_RAW(out, "}");
}

/* ---- making ------------------------------------------------------------ */

static bool check(struct work *w, const struct task *t, struct slice from,
                  struct slice to)
{
    if (strcmp(t->status, "done") == 0 || strcmp(t->status, "cancelled") == 0)
        WORK_REFUSE(w, CODE_TASK_CLOSED, PM_TASK_IS_OVER, t->id, t->status);
    else if (t->assignee[0] != 0 && !slice_eq(slice_cstr(t->assignee), from))
        WORK_REFUSE(w, CODE_TASK_ACCESS_DENIED, PM_TASK_NOT_YOURS, t->id,
                    yyjson_get_str(FIELD(w->order->args, "from_agent_id")));
    else if (to.len > 0 && slice_eq(from, to))
        WORK_REFUSE_PLAIN(w, CODE_VALIDATION_ERROR, PM_HANDOFF_TO_SELF);
    return !work_is_refused(w) &&
           (to.len == 0 || (profile_exists(w, to) &&
                            assignment_require(w, slice_cstr(t->project), to)));
}

static void insert(struct work *w, const char *id)
{
    struct sql q = sql_open(
        w, "INSERT INTO pm_handoffs(id, task, sender, receiver, summary,"
           " context, recommendations, created_at)"
           " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");

    sql_text(&q, 1, slice_cstr(id));
    sql_text(&q, 2, PM_ARG(w, "task_id"));
    sql_text(&q, 3, PM_ARG(w, "from_agent_id"));
    sql_text_or_null(&q, 4, PM_ARG(w, "to_agent_id"));
    sql_text(&q, 5, PM_ARG(w, "summary"));
    sql_text_or_null(&q, 6, PM_ARG(w, "context"));
    sql_text_or_null(&q, 7, PM_ARG(w, "recommendations"));
    sql_int(&q, 8, (int64_t)w->now);
    sql_run(&q);
}

/* Who is to take it over reads of it where it reads what agents write. */
static void send_mail(struct work *w, const struct task *t, const char *id)
{
    struct pm_work *p = (struct pm_work *)w;
    struct slice to = PM_ARG(w, "to_agent_id");
    struct slice summary = PM_ARG(w, "summary");
    struct bytes content = {0}, metadata = {0};

    bytes_format(&content, MESSAGE(order_is_english(w->order), PM_HANDOFF_MAIL),
                 t->title, t->id, (int)summary.len, summary.ptr);
    JSON_RAW(&metadata, "{");
    JSON_TEXT(&metadata, "handoff_id", slice_cstr(id));
    JSON_TEXT(&metadata, "task_id", slice_cstr(t->id));
    JSON_RAW(&metadata, "}");
    mail_tell(w, p->mail, PM_ARG(w, "from_agent_id"), to, bytes_slice(&content),
              bytes_slice(&metadata));
    p->has_told = true;
    slice_keep(p->told, sizeof(p->told), to);
    bytes_finish(&content);
    bytes_finish(&metadata);
}

void handoff_create(struct work *w)
{
    struct slice from = PM_ARG(w, "from_agent_id");
    struct slice to = PM_ARG(w, "to_agent_id");
    struct session s;
    char id[PM_ID];
    struct task t;

    ((struct pm_work *)w)->has_told = false;
    if (!task_require(w, PM_ARG(w, "task_id"), &t) ||
        !profile_exists(w, from) || !session_may_act(w, from, &s) ||
        !check(w, &t, from, to))
        return;
    snprintf(id, sizeof(id), "hnd_%s", ((struct pm_work *)w)->drawn[0]);
    session_prolong(w, &s);
    insert(w, id);
    put_one(w, work_event(w, "pm:handoff"), told, slice_cstr(id), "created");
    send_mail(w, &t, id);
    answer(w, slice_cstr(id));
}

/* ---- finding ----------------------------------------------------------- */

/* Its own author is not shown one that is for anybody. */
void handoff_list_pending(struct work *w)
{
    struct slice agent = PM_ARG(w, "agent_id");
    struct bytes *out;
    uint64_t total;
    struct sql q;

    if (agent.len > 0 && !profile_exists(w, agent))
        return;
    q = sql_open(w, "SELECT " COLUMNS FROM " WHERE h.accepted_at = 0 AND"
                    " (?1 IS NULL OR h.receiver = ?1 OR (h.receiver IS NULL"
                    " AND h.sender <> ?1)) ORDER BY h.number DESC LIMIT 500");
    sql_text_or_null(&q, 1, agent);
    out = work_answer(w);
    JSON_RAW(out, "{\"handoffs\":");
    total = put_list(out, &q);
    JSON_UINT(out, "total", total);
    JSON_RAW(out, "}");
}

bool handoff_was_made(struct work *w, struct slice task, struct slice agent)
{
    struct sql q = sql_open(w, "SELECT 1 FROM pm_handoffs WHERE task = ?1 AND"
                               " sender = ?2 AND accepted_at = 0");
    bool is_so;

    sql_text(&q, 1, task);
    sql_text(&q, 2, agent);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

bool handoff_find_waiting(struct work *w, struct slice agent,
                          struct slice project, struct bytes *id,
                          struct bytes *task)
{
    struct sql q = sql_open(
        w, "SELECT h.id, h.task" FROM " WHERE h.accepted_at = 0 AND"
           " h.receiver = ?1 AND t.project = ?2 AND t.status NOT IN ('done',"
           " 'cancelled') AND NOT EXISTS (SELECT 1 FROM pm_sessions s WHERE"
           " s.agent = h.sender AND s.project = t.project AND s.task = t.id"
           " AND s.expires_at > ?3)" TASK_ORDER " LIMIT 1");
    bool is_there;

    sql_text(&q, 1, agent);
    sql_text(&q, 2, project);
    sql_int(&q, 3, (int64_t)w->now);
    is_there = sql_next(&q);
    if (is_there) {
        json_raw(id, sql_column(&q, 0));
        json_raw(task, sql_column(&q, 1));
    }
    sql_close(&q);
    return is_there;
}

/* ---- taking ------------------------------------------------------------ */

static void change_task(struct work *w, struct slice id, struct slice agent)
{
    struct sql q = sql_open(
        w, "UPDATE pm_tasks SET assignee = ?2, updated_at = ?3, started_at ="
           " CASE WHEN status IN ('todo', 'blocked') THEN ?3 ELSE started_at"
           " END, blocked_reason = NULL, status = CASE WHEN status IN"
           " ('todo', 'blocked') THEN 'in_progress' ELSE status END"
           " WHERE id = (SELECT task FROM pm_handoffs WHERE id = ?1)");

    sql_text(&q, 1, id);
    sql_text(&q, 2, agent);
    sql_int(&q, 3, (int64_t)w->now);
    sql_run(&q);
}

void handoff_take(struct work *w, struct slice id, struct slice agent)
{
    struct sql q = sql_open(w, "UPDATE pm_handoffs SET accepted_by = ?2,"
                               " accepted_at = ?3 WHERE id = ?1");
    char task[PM_ID] = "";

    sql_text(&q, 1, id);
    sql_text(&q, 2, agent);
    sql_int(&q, 3, (int64_t)w->now);
    sql_run(&q);
    change_task(w, id, agent);
    q = sql_open(w, by_id);
    sql_text(&q, 1, id);
    if (sql_next(&q))
        slice_keep(task, sizeof(task), sql_column(&q, 1));
    sql_close(&q);
    put_one(w, work_event(w, "pm:handoff"), told, id, "completed");
    task_tell(
        w, slice_cstr(task),
        &(struct task_change){.event = "assigned", .to = agent, .by = agent});
}

struct found {
    char task[PM_ID], sender[PM_ID], receiver[PM_ID];
    bool is_accepted;
};

static bool find(struct work *w, struct slice id, struct found *f)
{
    struct slice brief = order_brief(id);
    struct sql q = sql_open(w, by_id);
    bool is_there;

    sql_text(&q, 1, id);
    is_there = sql_next(&q);
    if (is_there) {
        slice_keep(f->task, sizeof(f->task), sql_column(&q, 1));
        slice_keep(f->sender, sizeof(f->sender), sql_column(&q, 2));
        slice_keep(f->receiver, sizeof(f->receiver), sql_column(&q, 3));
        f->is_accepted = sql_number(&q, 8) != 0;
    } else {
        WORK_REFUSE(w, CODE_HANDOFF_NOT_FOUND, PM_NO_HANDOFF, (int)brief.len,
                    brief.ptr);
    }
    sql_close(&q);
    return is_there;
}

static bool may_take(struct work *w, struct slice id, const struct found *f,
                     struct slice agent)
{
    struct slice to = slice_cstr(f->receiver);
    struct task t;

    if (f->is_accepted)
        WORK_REFUSE(w, CODE_HANDOFF_ALREADY_ACCEPTED, PM_HANDOFF_ACCEPTED,
                    (int)id.len, id.ptr);
    else if (to.len > 0 ? !slice_eq(to, agent)
                        : slice_eq(slice_cstr(f->sender), agent))
        WORK_REFUSE(w, CODE_HANDOFF_NOT_FOR_YOU, PM_HANDOFF_NOT_YOURS,
                    (int)id.len, id.ptr);
    else if (!task_require(w, slice_cstr(f->task), &t))
        return false;
    else if (strcmp(t.status, "done") == 0 ||
             strcmp(t.status, "cancelled") == 0)
        WORK_REFUSE(w, CODE_TASK_CLOSED, PM_TASK_IS_OVER, t.id, t.status);
    return !work_is_refused(w) &&
           assignment_require(w, slice_cstr(t.project), agent);
}

void handoff_accept(struct work *w)
{
    struct slice id = PM_ARG(w, "handoff_id"), agent = PM_ARG(w, "agent_id");
    struct session s;
    struct found f;

    if (!find(w, id, &f) || !profile_exists(w, agent) ||
        !session_may_act(w, agent, &s) || !may_take(w, id, &f, agent))
        return;
    session_prolong(w, &s);
    handoff_take(w, id, agent);
    answer(w, id);
}
