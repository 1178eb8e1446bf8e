/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/options.h"
#include "transport/command/pm.h"
#include "transport/command/table.h"

static const char *const first_states[] = {"backlog", "todo", NULL};
static const char *const priorities[] = {"low", "medium", "high", "urgent",
                                         NULL};
static const struct pm_field chosen[] = {
    {"--in", "project_id", PM_TEXT, NULL},
    {"--assignee", "assignee_id", PM_TEXT, NULL},
    {"--status", "status", PM_TEXT, pm_task_states},
    {"--limit", "limit", PM_NUMBER, NULL},
    {NULL}};

#define SHARED                                                                 \
    {"--description", "description", PM_TEXT, NULL},                           \
        {"--priority", "priority", PM_TEXT, priorities},                       \
        {"--needs", "dependencies", PM_LIST, NULL},                            \
        {"--parent", "parent_task_id", PM_OR_NONE, NULL},                      \
        {"--minutes", "estimated_minutes", PM_NUMBER, NULL},                   \
    {                                                                          \
        NULL                                                                   \
    }
static const struct pm_field fields[] = {
    {"--id", "task_id", PM_TEXT, NULL},
    {"--status", "status", PM_TEXT, first_states},
    {"--assignee", "assignee_id", PM_OR_NONE, NULL},
    SHARED};
static const struct pm_field changes[] = {{"--title", "title", PM_TEXT, NULL},
                                          SHARED};
#undef SHARED
static const struct pm_field moving[] = {{"--reason", "reason", PM_TEXT, NULL},
                                         {NULL}};
static const struct pm_field nothing[] = {{NULL}};

/* ---- lists --------------------------------------------------------------- */

void pm_tasks_show(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_STATUS)},
        {.head = SAY(con, COLUMN_TITLE), .min = 10},
        {.head = SAY(con, COLUMN_ASSIGNEE), .min = 8, .is_spare = true},
        {.head = SAY(con, COLUMN_PRIORITY), .is_spare = true},
        {.head = SAY(con, COLUMN_PROJECT), .min = 8, .is_spare = true},
    };
    yyjson_val *tasks = FIELD(root, "tasks"), *task;
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(tasks) == 0) {
        term_put(&con->out, TERM_DIM, SAY(con, PM_NO_TASKS));
        return;
    }
    table_init(&t, columns, 6);
    yyjson_arr_foreach(tasks, i, count, task)
    {
        struct slice status = FIELD_TEXT(task, "status");

        table_add(&t, TERM_PLAIN, FIELD_TEXT(task, "id"));
        table_add(&t, pm_style(status), status);
        table_add(&t, TERM_PLAIN, FIELD_TEXT(task, "title"));
        table_add(&t, TERM_PLAIN, FIELD_TEXT(task, "assignee_id"));
        table_add(&t, TERM_DIM, FIELD_TEXT(task, "priority"));
        table_add(&t, TERM_DIM, FIELD_TEXT(task, "project_id"));
    }
    table_print(&t, &con->out);
    table_finish(&t);
    pm_show_more(con, root, yyjson_arr_size(tasks));
}

int pm_tasks_list(struct console *con, int argc, char **argv)
{
    return pm_order_run(con, argc, argv,
                        &(struct pm_order){.name = "list_tasks",
                                           .fields = chosen,
                                           .what = "",
                                           .is_question = true,
                                           .show = pm_tasks_show});
}

/* ---- changes ------------------------------------------------------------- */

static void show_made(struct console *con, yyjson_val *root)
{
    PM_SAY(con, PM_TASK_MADE, FIELD_TEXT(FIELD(root, "task"), "id"));
}

static void show_changed(struct console *con, yyjson_val *root)
{
    PM_SAY(con, PM_TASK_CHANGED, FIELD_TEXT(FIELD(root, "task"), "id"));
}

static void show_moved(struct console *con, yyjson_val *root)
{
    yyjson_val *task = FIELD(root, "task");
    struct slice id = FIELD_TEXT(task, "id");
    struct slice from = FIELD_TEXT(task, "previous_status");
    struct slice to = FIELD_TEXT(task, "new_status");

    term_format(&con->out, TERM_PLAIN, "%.*s: %.*s -> ", (int)id.len, id.ptr,
                (int)from.len, from.ptr);
    term_line(&con->out, pm_style(to), to);
    fputc('\n', con->out.out);
}

static void show_assigned(struct console *con, yyjson_val *root)
{
    yyjson_val *task = FIELD(root, "task");
    struct slice id = FIELD_TEXT(task, "id");
    struct slice who = FIELD_TEXT(task, "assignee_id");

    if (who.len == 0)
        PM_SAY(con, PM_TASK_NOBODYS, id);
    else
        term_format(&con->out, TERM_PLAIN, SAY(con, PM_TASK_ASSIGNED),
                    (int)id.len, id.ptr, (int)who.len, who.ptr);
}

int pm_tasks_add(struct console *con, int argc, char **argv)
{
    return pm_order_run(con, argc, argv,
                        &(struct pm_order){.name = "create_task",
                                           .fields = fields,
                                           .members = {"project_id", "title"},
                                           .least = 2,
                                           .most = 2,
                                           .what = SAY(con, OPERAND_PM_TITLE),
                                           .show = show_made});
}

int pm_tasks_set(struct console *con, int argc, char **argv)
{
    return pm_order_run(con, argc, argv,
                        &(struct pm_order){.name = "update_task",
                                           .fields = changes,
                                           .members = {"task_id"},
                                           .least = 1,
                                           .most = 1,
                                           .what = SAY(con, OPERAND_PM_TASK),
                                           .wants_field = true,
                                           .show = show_changed});
}

int pm_tasks_move(struct console *con, int argc, char **argv)
{
    return pm_order_run(
        con, argc, argv,
        &(struct pm_order){.name = "update_task_status",
                           .fields = moving,
                           .members = {"task_id", "status"},
                           .least = 2,
                           .most = 2,
                           .what = SAY(con, OPERAND_PM_TASK_STATUS),
                           .words = pm_task_states,
                           .show = show_moved});
}

int pm_tasks_assign(struct console *con, int argc, char **argv)
{
    return pm_order_run(
        con, argc, argv,
        &(struct pm_order){.name = "assign_task",
                           .fields = nothing,
                           .members = {"task_id", "assignee_id"},
                           .least = 1,
                           .most = 2,
                           .what = SAY(con, OPERAND_PM_TASK),
                           .show = show_assigned});
}
