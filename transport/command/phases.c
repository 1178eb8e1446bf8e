/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/options.h"
#include "transport/command/table.h"

/* ---- how they stand ----------------------------------------------------- */

static enum term_style style_of(struct slice status)
{
    return slice_eq(status, SLICE("completed"))     ? TERM_GREEN
           : slice_eq(status, SLICE("failed"))      ? TERM_RED
           : slice_eq(status, SLICE("in_progress")) ? TERM_YELLOW
                                                    : TERM_DIM;
}

static struct slice title_of(yyjson_val *prompts, struct slice phase)
{
    yyjson_val *one;
    size_t i, count;

    yyjson_arr_foreach(prompts, i, count, one)
    {
        if (slice_eq(FIELD_TEXT(one, "phase"), phase))
            return FIELD_TEXT(one, "title");
    }
    return SLICE_EMPTY;
}

static void add_phase(struct table *t, yyjson_val *prompts, yyjson_val *phase)
{
    struct slice name = FIELD_TEXT(phase, "phase");
    struct slice status = FIELD_TEXT(phase, "status");

    table_add(t, TERM_PLAIN, name);
    table_add(t, style_of(status), status);
    table_addf(t, TERM_PLAIN, "%zu",
               yyjson_arr_size(FIELD(phase, "checkpoints")));
    table_addf(t, TERM_PLAIN, "%zu",
               yyjson_arr_size(FIELD(phase, "outputFiles")));
    table_add(t, TERM_DIM, title_of(prompts, name));
}

static void show_project(struct console *con, yyjson_val *prompts,
                         yyjson_val *project)
{
    const struct table_column columns[] = {
        {.head = SAY(con, COLUMN_PHASE)},
        {.head = SAY(con, COLUMN_STATUS)},
        {.head = SAY(con, COLUMN_CHECKPOINTS), .is_right = true},
        {.head = SAY(con, COLUMN_MADE), .is_right = true},
        {.head = "", .min = 10, .is_spare = true}};
    struct slice path = FIELD_TEXT(project, "projectPath");
    yyjson_val *phase;
    struct table t;
    size_t i, count;

    term_format(&con->out, TERM_BOLD, "%.*s\n", (int)path.len, path.ptr);
    table_init(&t, columns, 5);
    yyjson_arr_foreach(FIELD(project, "phases"), i, count, phase)
    {
        add_phase(&t, prompts, phase);
    }
    table_print(&t, &con->out);
    table_finish(&t);
}

static void show_status(struct console *con, yyjson_val *root)
{
    yyjson_val *project;
    size_t i, count;

    yyjson_arr_foreach(FIELD(root, "projects"), i, count, project)
    {
        if (i > 0)
            term_put(&con->out, TERM_PLAIN, "\n");
        show_project(con, FIELD(root, "prompts"), project);
    }
}

static void show_run(struct console *con, yyjson_val *root)
{
    struct slice group = FIELD_TEXT(root, "groupId");

    term_format(&con->out, TERM_PLAIN, SAY(con, PHASES_STARTED), (int)group.len,
                group.ptr);
}

/* ---- the command -------------------------------------------------------- */

/* The hub stands elsewhere than who types. */
static void put_path(struct bytes *args, const char *path)
{
    char *real = path != NULL ? realpath(path, NULL) : realpath(".", NULL);

    if (real != NULL || path != NULL)
        JSON_TEXT(args, "projectPath", slice_cstr(real != NULL ? real : path));
    free(real);
}

static int run_plan(struct console *con, int argc, char **argv,
                    const char *path, const char *from, bool is_json)
{
    struct bytes args = {0}, text = {0};

    for (int i = 2; i < argc; i++) {
        bytes_append(&text, " ", text.len > 0 ? 1 : 0);
        bytes_append(&text, argv[i], strlen(argv[i]));
    }
    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "text", bytes_slice(&text));
    put_path(&args, path);
    if (from != NULL)
        JSON_TEXT(&args, "from", slice_cstr(from));
    JSON_RAW(&args, "}");
    int code =
        ask_and_show(con, "run_phases", bytes_slice(&args), is_json, show_run);
    bytes_finish(&text);
    bytes_finish(&args);
    return code;
}

static int show_all(struct console *con, const char *path, bool is_json)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{");
    if (path != NULL)
        put_path(&args, path);
    JSON_RAW(&args, "}");
    int code =
        ask_and_show(con, "phases", bytes_slice(&args), is_json, show_status);
    bytes_finish(&args);
    return code;
}

static int run(struct console *con, int argc, char **argv)
{
    static const char *const verbs[] = {"status", "run", NULL};
    static const char *const names[] = {"phase0", "phase1", "phase2",
                                        "phase3", "phase4", NULL};
    const char *path = NULL, *from = NULL;
    bool is_json = false;
    const struct option options[] = {{"--project-path", 0, NULL, &path},
                                     {"--from", 0, NULL, &from},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, -1, SAY(con, OPERAND_STATUS_OR_RUN)) ||
        options_one_of(con, argv[0], argv[0], argv[1], verbs) ||
        options_one_of(con, argv[0], "--from", from, names))
        return CONSOLE_USAGE;
    if (strcmp(argv[1], "run") == 0)
        return options_want(con, argc, argv, 2, -1, SAY(con, OPERAND_WISHES))
                   ? CONSOLE_USAGE
                   : run_plan(con, argc, argv, path, from, is_json);
    return options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_STATUS_OR_RUN))
               ? CONSOLE_USAGE
               : show_all(con, path, is_json);
}

const struct command command_phases = {
    .name = "phases",
    .words = "status [--project-path DIR] [--json] |\n"
             "                   run [--project-path DIR] [--from PHASE] "
             "[--json] TEXT...",
    .what = BOTH(PHASES_COMMAND),
    .more = BOTH(PHASES_MANUAL),
    .needs_home = true,
    .run = run,
};
