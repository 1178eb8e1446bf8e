/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/table.h"

/* Why it cannot be used: its model is no good, or its check has failed. */
static struct slice reason_of(yyjson_val *role)
{
    yyjson_val *model = FIELD(role, "modelValidation");
    yyjson_val *check = FIELD(role, "healthCheck");
    struct slice said = FIELD_TEXT(model, "message");

    return said.len > 0 ? said : FIELD_TEXT(check, "reason");
}

static void add_state(struct console *con, struct table *t, yyjson_val *role)
{
    struct slice check = FIELD_TEXT(FIELD(role, "healthCheck"), "status");

    if (yyjson_is_true(FIELD(role, "available")))
        table_addf(t, TERM_GREEN, "%s", SAY(con, "利用可", "ready"));
    else if (slice_eq(check, SLICE("pending")))
        table_addf(t, TERM_YELLOW, "%s", SAY(con, "確認中", "checking"));
    else
        table_addf(t, TERM_RED, "%s", SAY(con, "利用不可", "unusable"));
}

static void show_table(struct console *con, yyjson_val *roles)
{
    const struct table_column columns[] = {
        {.head = "ID"},
        {.head = SAY(con, "状態", "STATE")},
        {.head = SAY(con, "モデル", "MODEL"), .min = 8},
        {.head = "CLI", .is_spare = true},
        {.head = SAY(con, "名前", "NAME"), .min = 6, .is_spare = true},
    };
    struct table t;
    size_t i, count;
    yyjson_val *role;

    table_init(&t, columns, 5);
    yyjson_arr_foreach(roles, i, count, role)
    {
        table_add(&t, TERM_PLAIN, FIELD_TEXT(role, "id"));
        add_state(con, &t, role);
        table_add(&t, TERM_PLAIN, FIELD_TEXT(role, "model"));
        table_add(&t, TERM_DIM, FIELD_TEXT(role, "backend"));
        table_add(&t, TERM_DIM, FIELD_TEXT(role, "name"));
    }
    table_print(&t, &con->out);
    table_finish(&t);
}

static void show_reasons(struct console *con, yyjson_val *roles)
{
    size_t i, count;
    yyjson_val *role;

    yyjson_arr_foreach(roles, i, count, role)
    {
        struct slice reason = reason_of(role);
        if (yyjson_is_true(FIELD(role, "available")) || reason.len == 0)
            continue;
        term_line(&con->out, TERM_RED, FIELD_TEXT(role, "id"));
        fputs(": ", con->out.out);
        term_block(&con->out, TERM_PLAIN, reason, "  ");
        fputc('\n', con->out.out);
    }
}

static void show(struct console *con, yyjson_val *root)
{
    yyjson_val *roles = FIELD(root, "roles");

    show_table(con, roles);
    show_reasons(con, roles);
}

static int run(struct console *con, int argc, char **argv)
{
    return ask_plainly(con, argc, argv, "list_roles", show);
}

const struct command command_roles = {
    .name = "roles",
    .words = "[--json]",
    .ja = "職種と、使えるかどうかを表示する",
    .en = "lists the roles and whether they can be used",
    .more_ja = "使えない職種には理由を付ける。直し方は `kuromajutsu doctor`。",
    .more_en = "Says why one cannot be used. How to mend it: "
               "`kuromajutsu doctor`.",
    .needs_home = true,
    .run = run,
};
