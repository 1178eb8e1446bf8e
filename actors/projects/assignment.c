/* SPDX-License-Identifier: MIT */
#include "actors/projects/inside.h"

bool assignment_exists(struct work *w, struct slice project, struct slice agent)
{
    struct sql q = sql_open(w, "SELECT 1 FROM pm_assignments WHERE project = ?1"
                               " AND agent = ?2");
    bool is_so;

    sql_text(&q, 1, project);
    sql_text(&q, 2, agent);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

bool assignment_require(struct work *w, struct slice project,
                        struct slice agent)
{
    if (assignment_exists(w, project, agent))
        return true;
    agent = order_brief(agent);
    project = order_brief(project);
    WORK_REFUSE(w, CODE_AGENT_NOT_ASSIGNED, PM_NOT_ASSIGNED, (int)agent.len,
                agent.ptr, (int)project.len, project.ptr);
    return false;
}

/* Who has a task there that is not over cannot be taken off. */
static bool may_leave(struct work *w, struct slice project, struct slice agent)
{
    struct sql q = sql_open(
        w, "SELECT id FROM pm_tasks WHERE project = ?1 AND assignee = ?2"
           " AND status NOT IN ('done', 'cancelled') ORDER BY number LIMIT 1");
    bool is_so;

    sql_text(&q, 1, project);
    sql_text(&q, 2, agent);
    is_so = !sql_next(&q);
    if (!is_so)
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, PM_HAS_TASKS, (int)agent.len,
                    agent.ptr, (int)sql_column(&q, 0).len,
                    sql_column(&q, 0).ptr);
    sql_close(&q);
    return is_so;
}

void assignment_put_row(struct bytes *out, const struct sql *q)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "project_id", sql_column(q, 1));
    JSON_TEXT(out, "agent_id", sql_column(q, 2));
    JSON_BOOL(out, "assigned", true);
    if (sql_number(q, 3) > 0)
        JSON_UINT(out, "failures", (uint64_t)sql_number(q, 3));
    PM_TIME(out, "cool_until", sql_number(q, 4));
    PM_TEXT(out, "cool_reason", sql_column(q, 5));
}

static void put(struct bytes *out, struct slice project, struct slice agent,
                bool is_assigned)
{
    JSON_TEXT(out, "project_id", project);
    JSON_TEXT(out, "agent_id", agent);
    JSON_BOOL(out, "assigned", is_assigned);
}

static void tell(struct work *w, struct slice project, struct slice agent,
                 struct slice event)
{
    struct bytes *out = work_event(w, "pm:assigned");
    struct sql q = sql_open(w, "SELECT " ASSIGNMENT_COLUMNS
                               " FROM pm_assignments WHERE project = ?1"
                               " AND agent = ?2");

    sql_text(&q, 1, project);
    sql_text(&q, 2, agent);
    if (sql_next(&q)) {
        assignment_put_row(out, &q);
    } else {
        JSON_RAW(out, "{");
        put(out, project, agent, false);
    }
    sql_close(&q);
    JSON_TEXT(out, "event", event);
    JSON_RAW(out, "}");
}

/* What changes nothing is not told. */
void assignment_cool(struct work *w, struct slice project, struct slice agent,
                     const struct cooling *c)
{
    struct sql q =
        sql_open(w, "UPDATE pm_assignments SET failures = ?3, cool_until = ?4,"
                    " cool_reason = ?5 WHERE project = ?1 AND agent = ?2 AND"
                    " (failures, cool_until, coalesce(cool_reason, '')) <>"
                    " (?3, ?4, coalesce(?5, ''))");

    sql_text(&q, 1, project);
    sql_text(&q, 2, agent);
    sql_int(&q, 3, c->failures);
    sql_int(&q, 4, c->until);
    sql_text_or_null(&q, 5, c->why);
    if (sql_run(&q) > 0)
        tell(w, project, agent,
             c->until > 0 ? SLICE("cooldown") : SLICE("recovered"));
}

static void change(struct work *w, struct slice project, struct slice agent,
                   bool is_assigned)
{
    struct sql q = sql_open(
        w, is_assigned ? "INSERT INTO pm_assignments(project, agent,"
                         " assigned_at) VALUES(?1, ?2, ?3)"
                       : "DELETE FROM pm_assignments WHERE project = ?1"
                         " AND agent = ?2 AND ?3");

    sql_text(&q, 1, project);
    sql_text(&q, 2, agent);
    sql_int(&q, 3, (int64_t)w->now);
    sql_run(&q);
    tell(w, project, agent,
         is_assigned ? SLICE("assigned") : SLICE("unassigned"));
}

void assignment_set(struct work *w)
{
    struct slice project = PM_ARG(w, "project_id");
    struct slice agent = PM_ARG(w, "agent_id");
    bool is_wanted = !yyjson_is_false(FIELD(w->order->args, "assigned"));
    struct bytes *out;

    if (!pm_may_manage(w) || !project_exists(w, project) ||
        !profile_exists(w, agent) ||
        (!is_wanted && !may_leave(w, project, agent)))
        return;
    if (assignment_exists(w, project, agent) != is_wanted)
        change(w, project, agent, is_wanted);
    out = work_answer(w);
    JSON_RAW(out, "{\"success\":true");
    put(out, project, agent, is_wanted);
    JSON_RAW(out, "}");
}
