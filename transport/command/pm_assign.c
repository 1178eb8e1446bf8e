/* SPDX-License-Identifier: MIT */
/* Who is in which project, and what was handed over and not yet taken. */
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/humanize.h"
#include "transport/command/options.h"
#include "transport/command/pm.h"
#include "transport/command/table.h"

static void show_assignment(struct console *con, yyjson_val *root)
{
    struct slice agent = FIELD_TEXT(root, "agent_id");
    struct slice project = FIELD_TEXT(root, "project_id");

    term_format(&con->out, TERM_PLAIN,
                yyjson_is_true(FIELD(root, "assigned"))
                    ? SAY(con, PM_ASSIGNED)
                    : SAY(con, PM_UNASSIGNED),
                (int)agent.len, agent.ptr, (int)project.len, project.ptr);
}

static int set(struct console *con, int argc, char **argv, bool is_assigned)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    struct bytes args = {0};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 2, 2, SAY(con, OPERAND_PM_ASSIGNMENT)))
        return CONSOLE_USAGE;
    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "agent_id", slice_cstr(argv[1]));
    JSON_TEXT(&args, "project_id", slice_cstr(argv[2]));
    JSON_BOOL(&args, "assigned", is_assigned);
    JSON_RAW(&args, "}");
    int code = ask_and_show(con, "assign_agent", bytes_slice(&args), is_json,
                            show_assignment);
    bytes_finish(&args);
    return code;
}

int pm_assign(struct console *con, int argc, char **argv)
{
    return set(con, argc, argv, true);
}

int pm_unassign(struct console *con, int argc, char **argv)
{
    return set(con, argc, argv, false);
}

/* ---- handoffs ------------------------------------------------------------ */

static void show_handoffs(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_TASK), .min = 10},
        {.head = SAY(con, COLUMN_FROM), .min = 8},
        {.head = SAY(con, COLUMN_TO), .min = 8},
        {.head = SAY(con, COLUMN_SUMMARY), .min = 10, .is_spare = true},
        {.head = SAY(con, COLUMN_CREATED), .is_spare = true},
    };
    yyjson_val *one;
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(FIELD(root, "handoffs")) == 0) {
        term_put(&con->out, TERM_DIM, SAY(con, PM_NO_HANDOFFS));
        return;
    }
    table_init(&t, columns, 6);
    yyjson_arr_foreach(FIELD(root, "handoffs"), i, count, one)
    {
        struct slice to = FIELD_TEXT(one, "to_agent_id");

        table_add(&t, TERM_PLAIN, FIELD_TEXT(one, "id"));
        table_add(&t, TERM_PLAIN, FIELD_TEXT(one, "task_id"));
        table_add(&t, TERM_PLAIN, FIELD_TEXT(one, "from_agent_id"));
        table_add(&t, TERM_PLAIN,
                  to.len > 0 ? to : slice_cstr(SAY(con, PM_ANYBODY)));
        table_add(&t, TERM_DIM, FIELD_TEXT(one, "summary"));
        table_addf(&t, TERM_DIM, "%s",
                   humanize_time(FIELD_TEXT(one, "created_at")).text);
    }
    table_print(&t, &con->out);
    table_finish(&t);
}

int pm_handoffs(struct console *con, int argc, char **argv)
{
    static const struct pm_field fields[] = {
        {"--agent", "agent_id", PM_TEXT, NULL}, {NULL}};

    return pm_order_run(con, argc, argv,
                        &(struct pm_order){.name = "get_pending_handoffs",
                                           .fields = fields,
                                           .what = "",
                                           .is_question = true,
                                           .show = show_handoffs});
}
