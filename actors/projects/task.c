/* SPDX-License-Identifier: MIT */
#include "actors/projects/inside.h"

#define LIST_LIMIT 100

static const char by_id[] =
    "SELECT " TASK_COLUMNS " FROM pm_tasks t WHERE t.id = ?1";

static void put_minutes(struct bytes *out, struct slice name,
                        const struct sql *q, int column)
{
    if (sql_is_null(q, column))
        return;
    json_key(out, name);
    json_uint(out, (uint64_t)sql_number(q, column));
}

void task_put_row(struct bytes *out, const struct sql *q)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", sql_column(q, 0));
    JSON_TEXT(out, "project_id", sql_column(q, 1));
    JSON_TEXT(out, "title", sql_column(q, 2));
    JSON_TEXT(out, "description", sql_column(q, 3));
    JSON_TEXT(out, "status", sql_column(q, 4));
    JSON_TEXT(out, "priority", sql_column(q, 5));
    PM_TEXT(out, "assignee_id", sql_column(q, 6));
    PM_TEXT(out, "parent_task_id", sql_column(q, 7));
    PM_TEXT(out, "blocked_reason", sql_column(q, 8));
    PM_TEXT(out, "completion_result", sql_column(q, 9));
    PM_TEXT(out, "completion_summary", sql_column(q, 10));
    put_minutes(out, SLICE("estimated_minutes"), q, 11);
    put_minutes(out, SLICE("actual_minutes"), q, 12);
    PM_TIME(out, "created_at", sql_number(q, 13));
    PM_TIME(out, "updated_at", sql_number(q, 14));
    PM_TIME(out, "completed_at", sql_number(q, 15));
    JSON_KEY(out, "dependencies");
    json_raw(out, sql_column(q, 16));
}

bool task_put(struct work *w, struct bytes *out, struct slice id)
{
    struct sql q = sql_open(w, by_id);
    bool is_there;

    sql_text(&q, 1, id);
    is_there = sql_next(&q);
    if (is_there) {
        task_put_row(out, &q);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    return is_there;
}

bool task_find(struct work *w, struct slice id, struct task *t)
{
    struct sql q = sql_open(w, by_id);
    bool is_there;

    sql_text(&q, 1, id);
    is_there = sql_next(&q);
    if (is_there) {
        slice_keep(t->id, sizeof(t->id), sql_column(&q, 0));
        slice_keep(t->project, sizeof(t->project), sql_column(&q, 1));
        slice_keep(t->title, sizeof(t->title), sql_column(&q, 2));
        slice_keep(t->status, sizeof(t->status), sql_column(&q, 4));
        slice_keep(t->assignee, sizeof(t->assignee), sql_column(&q, 6));
        slice_keep(t->parent, sizeof(t->parent), sql_column(&q, 7));
    }
    sql_close(&q);
    return is_there;
}

bool task_require(struct work *w, struct slice id, struct task *t)
{
    if (task_find(w, id, t))
        return true;
    id = order_brief(id);
    WORK_REFUSE(w, CODE_TASK_NOT_FOUND, PM_NO_TASK, (int)id.len, id.ptr);
    return false;
}

void task_tell(struct work *w, struct slice id, const struct task_change *c)
{
    struct bytes *out = work_event(w, "pm:task");
    struct sql q = sql_open(
        w, "SELECT " TASK_COLUMNS_WITH(PM_CUT("t.description")) ", " PM_IS_CUT(
               "t.description") " FROM pm_tasks t WHERE t.id = ?1");

    sql_text(&q, 1, id);
    if (sql_next(&q)) {
        task_put_row(out, &q);
        if (sql_number(&q, 17))
            JSON_BOOL(out, "truncated", true);
        JSON_TEXT(out, "event", slice_cstr(c->event));
        PM_TEXT(out, "previous_state", c->from);
        PM_TEXT(out, "new_state", c->to);
        PM_TEXT(out, "reason", c->reason);
        PM_TEXT(out, "by", c->by);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
}

/* ---- telling ----------------------------------------------------------- */

void task_put_whole(struct work *w, struct bytes *out, struct slice id)
{
    struct sql q = sql_open(w, by_id);
    struct bytes note = {0};

    sql_text(&q, 1, id);
    if (sql_next(&q)) {
        task_put_row(out, &q);
        if (note_put_newest(w, &note, id)) {
            JSON_KEY(out, "latest_context");
            json_raw(out, bytes_slice(&note));
        }
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    bytes_finish(&note);
}

void task_get(struct work *w)
{
    struct slice id = PM_ARG(w, "task_id");
    struct task t;

    if (task_require(w, id, &t))
        task_put_whole(w, work_answer(w), id);
}

/* Newest first, of the session's project, or of the one that is named. */
static void put_list(struct work *w, struct slice project, uint64_t limit)
{
    struct sql q = sql_open(
        w, "SELECT " TASK_COLUMNS ", count(*) OVER () FROM pm_tasks t WHERE"
           " (?1 IS NULL OR t.project = ?1) AND (?2 IS NULL OR t.status = ?2)"
           " AND (?3 IS NULL OR t.assignee = ?3)"
           " ORDER BY t.updated_at DESC, t.number DESC LIMIT ?4");
    struct bytes *out = work_answer(w);
    uint64_t total = 0;
    bool is_first = true;

    sql_text_or_null(&q, 1, project);
    sql_text_or_null(&q, 2, PM_ARG(w, "status"));
    sql_text_or_null(&q, 3, PM_ARG(w, "assignee_id"));
    sql_int(&q, 4, (int64_t)limit);
    JSON_RAW(out, "{\"tasks\":[");
    while (sql_next(&q)) {
        if (!is_first)
            JSON_RAW(out, ",");
        is_first = false;
        task_put_row(out, &q);
        JSON_RAW(out, "}");
        total = (uint64_t)sql_number(&q, 17);
    }
    sql_close(&q);
    JSON_RAW(out, "]");
    JSON_UINT(out, "total", total);
    JSON_RAW(out, "}");
}

void task_list(struct work *w)
{
    struct slice project = PM_ARG(w, "project_id");
    uint64_t limit = FIELD_COUNT(w->order->args, "limit");
    bool has_session;
    struct session s;

    if (!session_find_any(w, &s, &has_session))
        return;
    if (has_session)
        project = slice_cstr(s.project);
    else if (project.len > 0 && !project_exists(w, project))
        return;
    put_list(w, project, limit > 0 ? limit : LIST_LIMIT);
}
