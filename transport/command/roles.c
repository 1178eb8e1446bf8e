/* SPDX-License-Identifier: MIT */
#include "actors/field.h"
#include "transport/command/ask.h"
#include "transport/command/command.h"
#include "transport/command/options.h"
#include "transport/command/table.h"

/* Why it cannot be used: its model is no good, or its check has failed. */
static struct slice reason_of(yyjson_val *role)
{
    yyjson_val *model = FIELD(role, "modelValidation");
    yyjson_val *check = FIELD(role, "healthCheck");
    struct slice said = FIELD_TEXT(model, "message");

    return said.len > 0 ? said : FIELD_TEXT(check, "reason");
}

static void add_state(struct desk *d, struct table *t, yyjson_val *role)
{
    struct slice check = FIELD_TEXT(FIELD(role, "healthCheck"), "status");

    if (yyjson_is_true(FIELD(role, "available")))
        table_addf(t, TERM_GREEN, "%s", SAY(d, "利用可", "ready"));
    else if (slice_eq(check, SLICE("pending")))
        table_addf(t, TERM_YELLOW, "%s", SAY(d, "確認中", "checking"));
    else
        table_addf(t, TERM_RED, "%s", SAY(d, "利用不可", "unusable"));
}

static void show(struct desk *d, yyjson_val *roles)
{
    const struct table_column columns[] = {
        {.head = "ID"},
        {.head = SAY(d, "状態", "STATE")},
        {.head = SAY(d, "モデル", "MODEL"), .min = 8},
        {.head = "CLI", .is_spare = true},
        {.head = SAY(d, "名前", "NAME"), .min = 6, .is_spare = true},
    };
    struct table t;
    size_t i, count;
    yyjson_val *role;

    table_init(&t, columns, 5);
    yyjson_arr_foreach(roles, i, count, role)
    {
        table_add(&t, TERM_PLAIN, FIELD_TEXT(role, "id"));
        add_state(d, &t, role);
        table_add(&t, TERM_PLAIN, FIELD_TEXT(role, "model"));
        table_add(&t, TERM_DIM, FIELD_TEXT(role, "backend"));
        table_add(&t, TERM_DIM, FIELD_TEXT(role, "name"));
    }
    table_print(&t, &d->out);
    table_finish(&t);
}

static void show_reasons(struct desk *d, yyjson_val *roles)
{
    size_t i, count;
    yyjson_val *role;

    yyjson_arr_foreach(roles, i, count, role)
    {
        struct slice reason = reason_of(role);
        if (yyjson_is_true(FIELD(role, "available")) || reason.len == 0)
            continue;
        term_line(&d->out, TERM_RED, FIELD_TEXT(role, "id"));
        fputs(": ", d->out.out);
        term_block(&d->out, TERM_PLAIN, reason, "  ");
        fputc('\n', d->out.out);
    }
}

static int run(struct desk *d, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    yyjson_doc *doc;

    argc = options_take(d, options, argc, argv);
    if (options_want(d, argc, argv, 0, 0, ""))
        return DESK_USAGE;
    int code = ask_hub(d, "list_roles", SLICE("{}"), &doc);
    if (code)
        return code;
    yyjson_val *roles = FIELD(yyjson_doc_get_root(doc), "roles");
    if (is_json) {
        desk_print_json(d, doc);
    } else {
        show(d, roles);
        show_reasons(d, roles);
    }
    yyjson_doc_free(doc);
    return DESK_FINE;
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
