/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/table.h"

/* Why it cannot be used: its model is no good, or its check has failed. Of one
 * that can be, what its agents will miss. */
static struct slice words_of(yyjson_val *role)
{
    yyjson_val *check = FIELD(role, "healthCheck");
    struct slice said = FIELD_TEXT(FIELD(role, "modelValidation"), "message");

    if (yyjson_is_true(FIELD(role, "available")))
        return FIELD_TEXT(check, "warning");
    return said.len > 0 ? said : FIELD_TEXT(check, "reason");
}

static void add_state(struct console *con, struct table *t, yyjson_val *role)
{
    struct slice check = FIELD_TEXT(FIELD(role, "healthCheck"), "status");

    if (slice_eq(check, SLICE("pending")))
        table_addf(t, TERM_YELLOW, "%s", SAY(con, ROLES_CHECKING));
    else if (yyjson_is_true(FIELD(role, "available")))
        table_addf(t, TERM_GREEN, "%s", SAY(con, ROLES_READY));
    else
        table_addf(t, TERM_RED, "%s", SAY(con, ROLES_UNUSABLE));
}

/* Whether the CLI's list has it; a CLI without a list is told apart. */
static void add_model(struct console *con, struct table *t, yyjson_val *role)
{
    struct slice model = FIELD_TEXT(role, "model");
    struct slice status = FIELD_TEXT(FIELD(role, "modelValidation"), "status");

    if (slice_eq(status, SLICE("notChecked")))
        table_addf(t, TERM_PLAIN, "%.*s %s", (int)model.len, model.ptr,
                   SAY(con, ROLES_NOT_CHECKED));
    else
        table_add(t, TERM_PLAIN, model);
}

static void show_table(struct console *con, yyjson_val *roles)
{
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_STATE)},
        {.head = SAY(con, COLUMN_MODEL), .min = 8},
        {.head = "CLI", .is_spare = true},
        {.head = SAY(con, COLUMN_NAME), .min = 6, .is_spare = true},
    };
    struct table t;
    size_t i, count;
    yyjson_val *role;

    table_init(&t, columns, 5);
    yyjson_arr_foreach(roles, i, count, role)
    {
        table_add(&t, TERM_PLAIN, FIELD_TEXT(role, "id"));
        add_state(con, &t, role);
        add_model(con, &t, role);
        table_add(&t, TERM_DIM, FIELD_TEXT(role, "backend"));
        table_add(&t, TERM_DIM, FIELD_TEXT(role, "name"));
    }
    table_print(&t, &con->out);
    table_finish(&t);
}

static void show_words(struct console *con, yyjson_val *roles)
{
    size_t i, count;
    yyjson_val *role;

    yyjson_arr_foreach(roles, i, count, role)
    {
        bool is_usable = yyjson_is_true(FIELD(role, "available"));
        struct slice words = words_of(role);
        if (words.len == 0)
            continue;
        term_line(&con->out, is_usable ? TERM_YELLOW : TERM_RED,
                  FIELD_TEXT(role, "id"));
        fputs(": ", con->out.out);
        term_block(&con->out, TERM_PLAIN, words, "  ");
        fputc('\n', con->out.out);
    }
}

static void show(struct console *con, yyjson_val *root)
{
    yyjson_val *roles = FIELD(root, "roles");

    show_table(con, roles);
    show_words(con, roles);
}

static int run(struct console *con, int argc, char **argv)
{
    return ask_plainly(con, argc, argv, "list_roles", show);
}

const struct command command_roles = {
    .name = "roles",
    .words = "[--json]",
    .what = BOTH(ROLES_COMMAND),
    .more = BOTH(ROLES_MANUAL),
    .needs_home = true,
    .run = run,
};
