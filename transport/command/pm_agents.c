/* SPDX-License-Identifier: MIT */
/*
 * Profiles, and their passkeys: one is shown when it is drawn, and then never
 * again; one that a person gives comes from stdin, for others can read words.
 */
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/options.h"
#include "transport/command/pm.h"
#include "transport/command/records.h"
#include "transport/command/table.h"
#include "transport/command/text_file.h"

#define PASSKEY_MAX ((size_t)1024)

static const char *const states[] = {"active", "inactive", "suspended",
                                     "archived", NULL};
static const char *const types[] = {"ai", "human", NULL};
static const char *const ai_types[] = {"cursor", "claude", "gemini",
                                       "openai", "other",  NULL};
static const char *const role_types[] = {"developer", "reviewer", "tester",
                                         "architect", "manager",  "writer",
                                         "designer",  "analyst",  NULL};
static const char *const ranks[] = {"manager", "worker", NULL};

#define SHARED                                                                 \
    {"--role", "role", PM_TEXT, NULL}, {"--type", "type", PM_TEXT, types},     \
        {"--ai-type", "ai_type", PM_TEXT, ai_types},                           \
        {"--model", "model", PM_OR_NONE, NULL},                                \
        {"--runs-as", "runs_as", PM_OR_NONE, NULL},                            \
        {"--role-type", "role_type", PM_TEXT, role_types},                     \
        {"--rank", "hierarchy_type", PM_TEXT, ranks},                          \
        {"--parent", "parent_agent_id", PM_OR_NONE, NULL},                     \
        {"--max-tasks", "max_parallel_tasks", PM_NUMBER, NULL},                \
        {"--can", "capabilities", PM_LIST, NULL},                              \
        {"--prompt-file", "system_prompt", PM_CONTENTS, NULL},                 \
    {                                                                          \
        NULL                                                                   \
    }
static const struct pm_field fields[] = {{"--id", "agent_id", PM_TEXT, NULL},
                                         SHARED};
static const struct pm_field changes[] = {
    {"--name", "name", PM_TEXT, NULL},
    {"--status", "status", PM_TEXT, states},
    SHARED};
#undef SHARED
static const struct pm_field nothing[] = {{NULL}};

/* ---- lists --------------------------------------------------------------- */

static void add_row(struct table *t, yyjson_val *agent)
{
    struct slice status = FIELD_TEXT(agent, "status");
    struct slice type = FIELD_TEXT(agent, "type");
    struct slice ai = FIELD_TEXT(agent, "ai_type");

    table_add(t, TERM_PLAIN, FIELD_TEXT(agent, "id"));
    table_add(t, pm_style(status), status);
    table_add(t, TERM_PLAIN, ai.len > 0 ? ai : type);
    table_add(t, TERM_PLAIN, FIELD_TEXT(agent, "name"));
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "role_type"));
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "runs_as"));
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "role"));
}

static void show_list(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_STATUS)},
        {.head = SAY(con, COLUMN_TYPE)},
        {.head = SAY(con, COLUMN_NAME), .min = 10},
        {.head = SAY(con, COLUMN_WORK), .is_spare = true},
        {.head = SAY(con, COLUMN_RUNS_AS), .min = 8, .is_spare = true},
        {.head = SAY(con, COLUMN_ROLE), .min = 10, .is_spare = true},
    };
    yyjson_val *agent;
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(FIELD(root, "agents")) == 0) {
        term_put(&con->out, TERM_DIM, SAY(con, PM_NO_AGENTS));
        return;
    }
    table_init(&t, columns, 7);
    yyjson_arr_foreach(FIELD(root, "agents"), i, count, agent)
    {
        add_row(&t, agent);
    }
    table_print(&t, &con->out);
    table_finish(&t);
    pm_show_more(con, root, yyjson_arr_size(FIELD(root, "agents")));
}

int pm_agents_list(struct console *con, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    return records_show(con, "list_agents", SLICE("{\"kind\":\"profile\"}"),
                        is_json, show_list);
}

/* ---- passkeys ------------------------------------------------------------ */

/* What is typed is not shown. False: it was no terminal. */
static bool hide(struct termios *was)
{
    struct termios now;

    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, was) != 0)
        return false;
    now = *was;
    now.c_lflag &= ~(tcflag_t)ECHO;
    return tcsetattr(STDIN_FILENO, TCSAFLUSH, &now) == 0;
}

/* Appends the first line of stdin as the member "passkey". */
static int put_passkey(struct console *con, struct bytes *args)
{
    struct termios was;
    bool is_hidden = hide(&was);
    char line[PASSKEY_MAX + 2] = "";
    int code = CONSOLE_FAILED;

    if (is_hidden)
        term_put(&con->err, TERM_PLAIN, SAY(con, PM_TYPE_PASSKEY));
    bool is_read = fgets(line, sizeof(line), stdin) != NULL;
    if (is_hidden) {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
        fputc('\n', con->err.out);
    }
    size_t len = strcspn(line, "\r\n");
    if (!is_read || len == 0) {
        COMPLAIN(con, PM_NO_PASSKEY_THERE, "--stdin");
    } else {
        JSON_TEXT(args, "passkey", slice_of(line, len));
        code = CONSOLE_FINE;
    }
    explicit_bzero(line, sizeof(line));
    return code;
}

void pm_show_passkey(struct console *con, struct slice agent,
                     struct slice passkey)
{
    if (passkey.len == 0)
        return;
    term_format(&con->out, TERM_PLAIN, SAY(con, PM_PASSKEY_IS), (int)agent.len,
                agent.ptr);
    term_line(&con->out, TERM_BOLD, passkey);
    term_put(&con->out, TERM_DIM, SAY(con, PM_PASSKEY_ONCE));
}

static void show_made(struct console *con, yyjson_val *root)
{
    struct slice id = FIELD_TEXT(FIELD(root, "agent"), "id");

    PM_SAY(con, PM_AGENT_MADE, id);
    pm_show_passkey(con, id, FIELD_TEXT(root, "passkey"));
}

static void show_passkey(struct console *con, yyjson_val *root)
{
    struct slice id = FIELD_TEXT(root, "agent_id");

    PM_SAY(con, PM_PASSKEY_SET, id);
    pm_show_passkey(con, id, FIELD_TEXT(root, "passkey"));
}

/* An order with one word that may bring a passkey. */
static int with_passkey(struct console *con, int argc, char **argv,
                        const struct pm_order *o)
{
    bool is_json = false, is_stdin = false;
    struct bytes args = {0};
    int code;

    argc =
        pm_fields_take(con, o->fields, argc, argv, &args, &is_json, &is_stdin);
    code = options_want(con, argc, argv, 1, 1, o->what);
    if (!code && is_stdin)
        code = put_passkey(con, &args);
    if (!code) {
        json_key(&args, slice_cstr(o->members[0]));
        json_string(&args, slice_cstr(argv[1]));
        JSON_RAW(&args, "}");
        code = ask_and_show(con, o->name, bytes_slice(&args), is_json, o->show);
    }
    if (args.ptr)
        explicit_bzero(args.ptr, args.len);
    bytes_finish(&args);
    return code;
}

int pm_agents_add(struct console *con, int argc, char **argv)
{
    return with_passkey(con, argc, argv,
                        &(struct pm_order){.name = "create_agent",
                                           .fields = fields,
                                           .members = {"name"},
                                           .what = SAY(con, OPERAND_PM_NAME),
                                           .show = show_made});
}

int pm_agents_passkey(struct console *con, int argc, char **argv)
{
    return with_passkey(con, argc, argv,
                        &(struct pm_order){.name = "set_passkey",
                                           .fields = nothing,
                                           .members = {"agent_id"},
                                           .what = SAY(con, OPERAND_PM_AGENT),
                                           .show = show_passkey});
}

static void show_changed(struct console *con, yyjson_val *root)
{
    PM_SAY(con, PM_AGENT_CHANGED, FIELD_TEXT(FIELD(root, "agent"), "id"));
}

int pm_agents_set(struct console *con, int argc, char **argv)
{
    return pm_order_run(con, argc, argv,
                        &(struct pm_order){.name = "update_agent",
                                           .fields = changes,
                                           .members = {"agent_id"},
                                           .least = 1,
                                           .most = 1,
                                           .what = SAY(con, OPERAND_PM_AGENT),
                                           .wants_field = true,
                                           .show = show_changed});
}
