/* SPDX-License-Identifier: MIT */
#include "actors/projects/inside.h"

static const char by_id[] =
    "SELECT " PROJECT_COLUMNS " FROM pm_projects p WHERE p.id = ?1";

void project_put_row(struct bytes *out, const struct sql *q)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", sql_column(q, 0));
    JSON_TEXT(out, "name", sql_column(q, 1));
    JSON_TEXT(out, "description", sql_column(q, 2));
    JSON_TEXT(out, "status", sql_column(q, 3));
    PM_TEXT(out, "working_directory", sql_column(q, 4));
    PM_TIME(out, "created_at", sql_number(q, 5));
    PM_TIME(out, "updated_at", sql_number(q, 6));
}

bool project_put(struct work *w, struct bytes *out, struct slice id)
{
    struct sql q = sql_open(w, by_id);
    bool is_there;

    sql_text(&q, 1, id);
    is_there = sql_next(&q);
    if (is_there) {
        project_put_row(out, &q);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    return is_there;
}

bool project_exists(struct work *w, struct slice id)
{
    if (pm_is_there(w, by_id, id))
        return true;
    id = order_brief(id);
    WORK_REFUSE(w, CODE_PROJECT_NOT_FOUND, PM_NO_PROJECT, (int)id.len, id.ptr);
    return false;
}

void project_directory(struct work *w, struct slice id, struct bytes *out)
{
    struct sql q = sql_open(w, by_id);

    sql_text(&q, 1, id);
    if (sql_next(&q))
        json_raw(out, sql_column(&q, 4));
    sql_close(&q);
}

static void tell(struct work *w, struct slice id, const char *event)
{
    struct bytes *out = work_event(w, "pm:project");
    struct sql q = sql_open(w, by_id);

    sql_text(&q, 1, id);
    if (sql_next(&q)) {
        project_put_row(out, &q);
        JSON_TEXT(out, "event", slice_cstr(event));
        JSON_RAW(out, "}");
    }
    sql_close(&q);
}

static void answer(struct work *w, struct slice id)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true,\"project\":");
    project_put(w, out, id);
    JSON_RAW(out, "}");
}

/* ---- making ------------------------------------------------------------ */

/* A path that is not absolute would be another one for everybody. */
static bool check_directory(struct work *w)
{
    struct slice path = PM_ARG(w, "working_directory"), brief;

    if (path.len == 0 || path.ptr[0] == '/')
        return true;
    brief = order_brief(path);
    WORK_REFUSE(w, CODE_VALIDATION_ERROR, PM_DIRECTORY_NOT_ABSOLUTE,
                (int)brief.len, brief.ptr);
    return false;
}

void project_create(struct work *w)
{
    char id[PM_ID];
    struct sql q;

    if (!pm_may_manage(w) || !check_directory(w) ||
        !pm_new_id(w, "project_id", "prj_", by_id, id))
        return;
    q = sql_open(w, "INSERT INTO pm_projects(id, name, description, status,"
                    " directory, created_at, updated_at)"
                    " VALUES(?1, ?2, ?3, 'active', ?4, ?5, ?5)");
    sql_text(&q, 1, slice_cstr(id));
    sql_text(&q, 2, PM_ARG(w, "name"));
    sql_text(&q, 3, PM_ARG(w, "description"));
    sql_text_or_null(&q, 4, PM_ARG(w, "working_directory"));
    sql_int(&q, 5, (int64_t)w->now);
    sql_run(&q);
    tell(w, slice_cstr(id), "created");
    answer(w, slice_cstr(id));
}

/* What is not named stays; a directory of null is taken away. */
void project_update(struct work *w)
{
    struct slice id = PM_ARG(w, "project_id");
    struct sql q;

    if (!pm_may_manage(w) || !project_exists(w, id) || !check_directory(w))
        return;
    q = sql_open(w, "UPDATE pm_projects SET name = coalesce(?2, name),"
                    " description = coalesce(?3, description),"
                    " status = coalesce(?4, status), directory ="
                    " CASE WHEN ?5 THEN ?6 ELSE directory END,"
                    " updated_at = ?7 WHERE id = ?1");
    sql_text(&q, 1, id);
    sql_text_or_null(&q, 2, PM_ARG(w, "name"));
    if (FIELD(w->order->args, "description"))
        sql_text(&q, 3, PM_ARG(w, "description"));
    sql_text_or_null(&q, 4, PM_ARG(w, "status"));
    sql_int(&q, 5, FIELD(w->order->args, "working_directory") != NULL);
    sql_text_or_null(&q, 6, PM_ARG(w, "working_directory"));
    sql_int(&q, 7, (int64_t)w->now);
    sql_run(&q);
    tell(w, id, "updated");
    answer(w, id);
}

/* ---- telling ----------------------------------------------------------- */

void project_list(struct work *w)
{
    struct sql q = sql_open(w, "SELECT " PROJECT_COLUMNS " FROM pm_projects p"
                               " ORDER BY p.created_at, p.id");
    struct bytes *out = work_answer(w);
    uint64_t total = 0;

    JSON_RAW(out, "{\"projects\":[");
    while (sql_next(&q)) {
        if (total++ > 0)
            JSON_RAW(out, ",");
        project_put_row(out, &q);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    JSON_RAW(out, "]");
    JSON_UINT(out, "total", total);
    JSON_RAW(out, "}");
}

static void put_ids(struct work *w, struct bytes *out, const char *sql,
                    struct slice id)
{
    struct sql q = sql_open(w, sql);
    struct slice comma = SLICE("[");

    sql_text(&q, 1, id);
    while (sql_next(&q)) {
        json_raw(out, comma);
        json_string(out, sql_column(&q, 0));
        comma = SLICE(",");
    }
    sql_close(&q);
    json_raw(out, comma.ptr[0] == '[' ? SLICE("[]") : SLICE("]"));
}

static void put_counts(struct work *w, struct bytes *out, struct slice id)
{
    struct sql q = sql_open(
        w, "SELECT (SELECT count(*) FROM pm_tasks WHERE project = ?1),"
           " (SELECT count(*) FROM pm_tasks WHERE project = ?1 AND"
           " status = 'done'), (SELECT count(*) FROM pm_tasks WHERE"
           " project = ?1 AND status = 'in_progress'), (SELECT count(*) FROM"
           " pm_tasks WHERE project = ?1 AND status = 'blocked'),"
           " count(*), coalesce(sum(a.type = 'ai'), 0),"
           " coalesce(sum(a.type = 'human'), 0) FROM pm_assignments s"
           " JOIN pm_agents a ON a.id = s.agent WHERE s.project = ?1");
    static const struct slice names[] = {
        SLICE_INIT("total_tasks"),       SLICE_INIT("completed_tasks"),
        SLICE_INIT("in_progress_tasks"), SLICE_INIT("blocked_tasks"),
        SLICE_INIT("total_agents"),      SLICE_INIT("ai_agents"),
        SLICE_INIT("human_agents")};

    sql_text(&q, 1, id);
    JSON_RAW(out, "{");
    if (sql_next(&q)) {
        for (int i = 0; i < 7; i++) {
            json_key(out, names[i]);
            json_uint(out, (uint64_t)sql_number(&q, i));
        }
    }
    sql_close(&q);
    JSON_RAW(out, "}");
}

bool project_put_whole(struct work *w, struct bytes *out, struct slice id)
{
    if (!pm_is_there(w, by_id, id))
        return false;
    JSON_RAW(out, "{\"project\":");
    project_put(w, out, id);
    JSON_RAW(out, ",\"agents\":");
    put_ids(w, out,
            "SELECT a.id FROM pm_assignments s JOIN pm_agents a"
            " ON a.id = s.agent WHERE s.project = ?1 ORDER BY a.name, a.id",
            id);
    JSON_RAW(out, ",\"summary\":");
    put_counts(w, out, id);
    JSON_RAW(out, "}");
    return true;
}

void project_get(struct work *w)
{
    struct slice id = PM_ARG(w, "project_id");

    if (project_exists(w, id))
        project_put_whole(w, work_answer(w), id);
}

/* ---- for runners ------------------------------------------------------- */

/* People are assigned too, but nobody starts them. */
static const char startable[] =
    "SELECT a.id FROM pm_assignments s JOIN pm_agents a ON a.id = s.agent"
    " WHERE s.project = ?1 AND a.status = 'active' AND a.type = 'ai'"
    " ORDER BY a.name, a.id";

void project_list_active(struct work *w)
{
    struct sql q =
        sql_open(w, "SELECT " PROJECT_COLUMNS " FROM pm_projects p WHERE"
                    " p.status = 'active'"
                    " ORDER BY p.created_at, p.id");
    struct bytes *out = work_answer(w);
    struct slice comma = SLICE_EMPTY;

    JSON_RAW(out, "{\"success\":true,\"projects\":[");
    while (sql_next(&q)) {
        json_raw(out, comma);
        JSON_RAW(out, "{");
        JSON_TEXT(out, "project_id", sql_column(&q, 0));
        JSON_TEXT(out, "project_name", sql_column(&q, 1));
        JSON_TEXT(out, "working_directory", sql_column(&q, 4));
        JSON_KEY(out, "agents");
        put_ids(w, out, startable, sql_column(&q, 0));
        JSON_RAW(out, "}");
        comma = SLICE(",");
    }
    sql_close(&q);
    JSON_RAW(out, "]}");
}

void project_check_health(struct work *w)
{
    struct sql q = sql_open(w, "SELECT (SELECT count(*) FROM pm_agents),"
                               " (SELECT count(*) FROM pm_projects)");
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true,\"status\":\"ok\"");
    JSON_TEXT(out, "version", slice_cstr(((struct pm_work *)w)->version));
    JSON_KEY(out, "timestamp");
    json_time(out, w->now);
    if (sql_next(&q)) {
        JSON_UINT(out, "agent_count", (uint64_t)sql_number(&q, 0));
        JSON_UINT(out, "project_count", (uint64_t)sql_number(&q, 1));
    }
    sql_close(&q);
    JSON_RAW(out, "}");
}
