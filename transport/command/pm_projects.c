/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"
#include "transport/command/pm.h"
#include "transport/command/records.h"
#include "transport/command/table.h"

static const char *const states[] = {"active", "paused", "archived", NULL};
static const struct pm_field fields[] = {
    {"--id", "project_id", PM_TEXT, NULL},
    {"--directory", "working_directory", PM_PATH, NULL},
    {"--description", "description", PM_TEXT, NULL},
    {NULL}};
static const struct pm_field changes[] = {
    {"--name", "name", PM_TEXT, NULL},
    {"--directory", "working_directory", PM_PATH, NULL},
    {"--description", "description", PM_TEXT, NULL},
    {"--status", "status", PM_TEXT, states},
    {NULL}};

static void show_list(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_STATUS)},
        {.head = SAY(con, COLUMN_NAME), .min = 10},
        {.head = SAY(con, COLUMN_DIRECTORY), .min = 12, .is_spare = true},
    };
    yyjson_val *project;
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(FIELD(root, "projects")) == 0) {
        term_put(&con->out, TERM_DIM, SAY(con, PM_NO_PROJECTS));
        return;
    }
    table_init(&t, columns, 4);
    yyjson_arr_foreach(FIELD(root, "projects"), i, count, project)
    {
        struct slice status = FIELD_TEXT(project, "status");

        table_add(&t, TERM_PLAIN, FIELD_TEXT(project, "id"));
        table_add(&t, pm_style(status), status);
        table_add(&t, TERM_PLAIN, FIELD_TEXT(project, "name"));
        table_add(&t, TERM_DIM, FIELD_TEXT(project, "working_directory"));
    }
    table_print(&t, &con->out);
    table_finish(&t);
}

int pm_projects_list(struct console *con, int argc, char **argv)
{
    return records_plainly(con, argc, argv, "list_projects", show_list);
}

static void show_made(struct console *con, yyjson_val *root)
{
    PM_SAY(con, PM_PROJECT_MADE, FIELD_TEXT(FIELD(root, "project"), "id"));
}

static void show_changed(struct console *con, yyjson_val *root)
{
    PM_SAY(con, PM_PROJECT_CHANGED, FIELD_TEXT(FIELD(root, "project"), "id"));
}

int pm_projects_add(struct console *con, int argc, char **argv)
{
    return pm_order_run(con, argc, argv,
                        &(struct pm_order){.name = "create_project",
                                           .fields = fields,
                                           .members = {"name"},
                                           .least = 1,
                                           .most = 1,
                                           .what = SAY(con, OPERAND_PM_NAME),
                                           .show = show_made});
}

int pm_projects_set(struct console *con, int argc, char **argv)
{
    return pm_order_run(con, argc, argv,
                        &(struct pm_order){.name = "update_project",
                                           .fields = changes,
                                           .members = {"project_id"},
                                           .least = 1,
                                           .most = 1,
                                           .what = SAY(con, OPERAND_PM_PROJECT),
                                           .wants_field = true,
                                           .show = show_changed});
}
