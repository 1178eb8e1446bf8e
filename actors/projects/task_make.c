/* SPDX-License-Identifier: MIT */
#include "actors/projects/inside.h"

/* ---- what is asked for ------------------------------------------------- */

/* A project's tasks depend on each other, and on no others'. */
static bool check_dependency(struct work *w, struct slice project,
                             struct slice needs)
{
    struct slice brief = order_brief(needs);
    struct task t;

    if (!task_require(w, needs, &t))
        return false;
    if (slice_eq(slice_cstr(t.project), project))
        return true;
    WORK_REFUSE(w, CODE_VALIDATION_ERROR, PM_OTHER_PROJECT, (int)brief.len,
                brief.ptr, (int)project.len, project.ptr);
    return false;
}

/* Whether `from` waits for `to`, by however many others. */
static bool is_behind(struct work *w, struct slice from, struct slice to)
{
    struct sql q = sql_open(
        w, "WITH RECURSIVE behind(id) AS (SELECT ?1 UNION SELECT d.needs FROM"
           " behind b JOIN pm_dependencies d ON d.task = b.id)"
           " SELECT 1 FROM behind WHERE id = ?2");
    bool is_so;

    sql_text(&q, 1, from);
    sql_text(&q, 2, to);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

/* There is no way back to what nothing waits for; and to look for one takes as
 * long as the way is. */
static bool is_circle(struct work *w, struct slice task, struct slice needs,
                      bool is_waited_for)
{
    return slice_eq(needs, task) ||
           (is_waited_for && is_behind(w, needs, task));
}

static bool check_dependencies(struct work *w, struct slice project,
                               struct slice task)
{
    yyjson_val *list = FIELD(w->order->args, "dependencies"), *one;
    bool is_waited_for =
        pm_is_there(w, "SELECT 1 FROM pm_dependencies WHERE needs = ?1", task);
    yyjson_arr_iter it;

    yyjson_arr_iter_init(list, &it);
    while ((one = yyjson_arr_iter_next(&it))) {
        struct slice needs = field_text(one), brief = order_brief(needs);

        if (!check_dependency(w, project, needs))
            return false;
        if (!is_circle(w, task, needs, is_waited_for))
            continue;
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, PM_CIRCLE, (int)brief.len,
                    brief.ptr);
        return false;
    }
    return true;
}

static bool check_parent(struct work *w, struct slice project,
                         struct slice task)
{
    struct slice parent = PM_ARG(w, "parent_task_id");

    if (parent.len == 0)
        return true;
    if (!check_dependency(w, project, parent))
        return false;
    /* Of what has no parts none is above it. */
    if (!slice_eq(parent, task) &&
        !pm_is_there(w, "SELECT 1 FROM pm_tasks WHERE parent = ?1", task))
        return true;
    for (struct task t = {0}; task.len > 0 && task_find(w, parent, &t);) {
        if (slice_eq(slice_cstr(t.id), task)) {
            parent = order_brief(PM_ARG(w, "parent_task_id"));
            WORK_REFUSE(w, CODE_VALIDATION_ERROR, PM_CIRCLE, (int)parent.len,
                        parent.ptr);
            return false;
        }
        if (t.parent[0] == 0)
            break;
        parent = slice_cstr(t.parent);
    }
    return true;
}

static bool check_assignee(struct work *w, struct slice project)
{
    struct slice assignee = PM_ARG(w, "assignee_id");

    return assignee.len == 0 || (profile_exists(w, assignee) &&
                                 assignment_require(w, project, assignee));
}

static void set_dependencies(struct work *w, struct slice task)
{
    yyjson_val *list = FIELD(w->order->args, "dependencies"), *one;
    yyjson_arr_iter it;
    struct sql q;

    if (list == NULL)
        return;
    q = sql_open(w, "DELETE FROM pm_dependencies WHERE task = ?1");
    sql_text(&q, 1, task);
    sql_run(&q);
    yyjson_arr_iter_init(list, &it);
    while ((one = yyjson_arr_iter_next(&it))) {
        q = sql_open(w, "INSERT INTO pm_dependencies(task, needs)"
                        " VALUES(?1, ?2) ON CONFLICT DO NOTHING");
        sql_text(&q, 1, task);
        sql_text(&q, 2, field_text(one));
        sql_run(&q);
    }
}

static void bind_minutes(struct sql *q, int param, const struct work *w)
{
    yyjson_val *given = FIELD(w->order->args, "estimated_minutes");

    if (given != NULL && !yyjson_is_null(given))
        sql_int(q, param, (int64_t)field_count(given));
}

static void answer(struct work *w, struct slice id)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true,\"task\":");
    task_put(w, out, id);
    JSON_RAW(out, "}");
}

/* ---- orders ------------------------------------------------------------ */

static void insert(struct work *w, const char *id)
{
    struct sql q = sql_open(
        w, "INSERT INTO pm_tasks(id, project, title, description, status,"
           " priority, assignee, parent, estimated, created_at, updated_at)"
           " VALUES(?1, ?2, ?3, ?4, coalesce(?5, 'backlog'),"
           " coalesce(?6, 'medium'), ?7, ?8, ?9, ?10, ?10)");

    sql_text(&q, 1, slice_cstr(id));
    sql_text(&q, 2, PM_ARG(w, "project_id"));
    sql_text(&q, 3, PM_ARG(w, "title"));
    sql_text(&q, 4, PM_ARG(w, "description"));
    sql_text_or_null(&q, 5, PM_ARG(w, "status"));
    sql_text_or_null(&q, 6, PM_ARG(w, "priority"));
    sql_text_or_null(&q, 7, PM_ARG(w, "assignee_id"));
    sql_text_or_null(&q, 8, PM_ARG(w, "parent_task_id"));
    bind_minutes(&q, 9, w);
    sql_int(&q, 10, (int64_t)w->now);
    sql_run(&q);
}

void task_create(struct work *w)
{
    struct slice project = PM_ARG(w, "project_id");
    char id[PM_ID];

    if (!pm_may_manage(w) || !project_exists(w, project) ||
        !check_assignee(w, project) || !check_parent(w, project, SLICE_EMPTY) ||
        !pm_new_id(w, "task_id", "tsk_", "SELECT 1 FROM pm_tasks WHERE id = ?1",
                   id) ||
        !check_dependencies(w, project, slice_cstr(id)))
        return;
    insert(w, id);
    set_dependencies(w, slice_cstr(id));
    task_tell(w, slice_cstr(id), &(struct task_change){.event = "created"});
    answer(w, slice_cstr(id));
}

void task_update(struct work *w)
{
    yyjson_val *args = w->order->args;
    struct slice id = PM_ARG(w, "task_id"), project;
    struct task t;
    struct sql q;

    if (!pm_may_manage(w) || !task_require(w, id, &t))
        return;
    project = slice_cstr(t.project);
    if (!check_parent(w, project, id) || !check_dependencies(w, project, id))
        return;
    q = sql_open(w, "UPDATE pm_tasks SET title = coalesce(?2, title),"
                    " description = coalesce(?3, description),"
                    " priority = coalesce(?4, priority),"
                    " parent = CASE WHEN ?5 THEN ?6 ELSE parent END,"
                    " estimated = CASE WHEN ?7 THEN ?8 ELSE estimated END,"
                    " updated_at = ?9 WHERE id = ?1");
    sql_text(&q, 1, id);
    sql_text_or_null(&q, 2, PM_ARG(w, "title"));
    if (FIELD(args, "description"))
        sql_text(&q, 3, PM_ARG(w, "description"));
    sql_text_or_null(&q, 4, PM_ARG(w, "priority"));
    sql_int(&q, 5, FIELD(args, "parent_task_id") != NULL);
    sql_text_or_null(&q, 6, PM_ARG(w, "parent_task_id"));
    sql_int(&q, 7, FIELD(args, "estimated_minutes") != NULL);
    bind_minutes(&q, 8, w);
    sql_int(&q, 9, (int64_t)w->now);
    sql_run(&q);
    set_dependencies(w, id);
    task_tell(w, id, &(struct task_change){.event = "updated"});
    answer(w, id);
}

/* Who is at work on it passes it on by a handoff; nobody takes it away. */
static bool may_reassign(struct work *w, const struct task *t,
                         struct slice assignee)
{
    if (t->assignee[0] == 0 || slice_eq(slice_cstr(t->assignee), assignee) ||
        (strcmp(t->status, "in_progress") != 0 &&
         strcmp(t->status, "blocked") != 0))
        return true;
    WORK_REFUSE(w, CODE_TASK_ACCESS_DENIED, PM_CANNOT_REASSIGN, t->id,
                t->status);
    return false;
}

void task_assign(struct work *w)
{
    struct slice id = PM_ARG(w, "task_id");
    struct slice assignee = PM_ARG(w, "assignee_id");
    struct task t;
    struct sql q;

    if (!pm_may_manage(w) || !task_require(w, id, &t) ||
        !check_assignee(w, slice_cstr(t.project)) ||
        !may_reassign(w, &t, assignee))
        return;
    q = sql_open(w, "UPDATE pm_tasks SET assignee = ?2, updated_at = ?3"
                    " WHERE id = ?1");
    sql_text(&q, 1, id);
    sql_text_or_null(&q, 2, assignee);
    sql_int(&q, 3, (int64_t)w->now);
    sql_run(&q);
    task_tell(w, id,
              &(struct task_change){.event = assignee.len > 0 ? "assigned"
                                                              : "unassigned",
                                    .from = slice_cstr(t.assignee),
                                    .to = assignee});
    answer(w, id);
}
