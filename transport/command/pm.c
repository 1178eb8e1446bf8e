/* SPDX-License-Identifier: MIT */
#include "transport/command/pm.h"

#include <string.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/options.h"
#include "transport/command/records.h"

static const struct way {
    const char *noun, *verb; /* a verb of NULL: the noun is enough */
    pm_verb_fn *run;
} ways[] = {
    {"projects", "list", pm_projects_list},
    {"projects", "add", pm_projects_add},
    {"projects", "set", pm_projects_set},
    {"agents", "list", pm_agents_list},
    {"agents", "add", pm_agents_add},
    {"agents", "set", pm_agents_set},
    {"agents", "passkey", pm_agents_passkey},
    {"tasks", "list", pm_tasks_list},
    {"tasks", "add", pm_tasks_add},
    {"tasks", "set", pm_tasks_set},
    {"tasks", "move", pm_tasks_move},
    {"tasks", "assign", pm_tasks_assign},
    {"show", NULL, pm_show},
    {"assign", NULL, pm_assign},
    {"unassign", NULL, pm_unassign},
    {"handoffs", NULL, pm_handoffs},
    {"import", NULL, pm_import},
    {"setup", NULL, pm_setup},
};

enum { WAYS = sizeof(ways) / sizeof(*ways) };

enum term_style pm_style(struct slice status)
{
    static const struct {
        struct slice status;
        enum term_style style;
    } styles[] = {{SLICE_INIT("in_progress"), TERM_YELLOW},
                  {SLICE_INIT("blocked"), TERM_RED},
                  {SLICE_INIT("done"), TERM_GREEN},
                  {SLICE_INIT("active"), TERM_GREEN},
                  {SLICE_INIT("todo"), TERM_PLAIN}};

    for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++)
        if (slice_eq(styles[i].status, status))
            return styles[i].style;
    return TERM_DIM;
}

void pm_show_more(struct console *con, yyjson_val *root, size_t shown)
{
    uint64_t total = FIELD_COUNT(root, "total");

    if (total > shown)
        term_format(&con->out, TERM_DIM, SAY(con, AGENTS_MORE),
                    humanize_number(total - shown).text);
}

/* What the words become is behind what the options say. */
static int complete(struct console *con, int argc, char **argv,
                    const struct pm_order *o, struct bytes *args)
{
    if (options_want(con, argc, argv, o->least, o->most, o->what) ||
        (o->words && options_one_of(con, argv[0], o->members[o->most - 1],
                                    argv[o->most], o->words)))
        return CONSOLE_USAGE;
    if (o->wants_field && args->len <= 1) {
        COMPLAIN(con, PM_NOTHING_TO_CHANGE, argv[0], o->fields[0].option);
        return CONSOLE_USAGE;
    }
    for (int i = 1; i < argc; i++) {
        json_key(args, slice_cstr(o->members[i - 1]));
        json_string(args, slice_cstr(argv[i]));
    }
    JSON_RAW(args, "}");
    return CONSOLE_FINE;
}

int pm_order_run(struct console *con, int argc, char **argv,
                 const struct pm_order *o)
{
    struct bytes args = {0};
    bool is_json = false;
    int code;

    argc = pm_fields_take(con, o->fields, argc, argv, &args, &is_json, NULL);
    code = complete(con, argc, argv, o, &args);
    if (!code)
        code = (o->is_question ? records_show : ask_and_show)(
            con, o->name, bytes_slice(&args), is_json, o->show);
    bytes_finish(&args);
    return code;
}

/* Of the noun, or of all nouns for NULL; each once. */
static void gather(const char *noun, const char **words)
{
    size_t n = 0;

    for (size_t i = 0; i < WAYS; i++) {
        const char *word = noun ? ways[i].verb : ways[i].noun;
        bool is_meant = !noun || !strcmp(noun, ways[i].noun);

        if (is_meant && (n == 0 || strcmp(words[n - 1], word)))
            words[n++] = word;
    }
    words[n] = NULL;
}

static const struct way *find(const char *noun, const char *verb)
{
    for (size_t i = 0; i < WAYS; i++)
        if (!strcmp(ways[i].noun, noun) &&
            (!ways[i].verb || !strcmp(ways[i].verb, verb)))
            return &ways[i];
    return NULL;
}

/* A noun alone, or with options, lists. */
static int run(struct console *con, int argc, char **argv)
{
    const char *words[WAYS + 1];
    bool has_verb = argc > 2 && argv[2][0] != '-';
    const struct way *way;

    gather(NULL, words);
    if (options_want(con, argc, argv, 1, -1, SAY(con, OPERAND_PM)) ||
        options_one_of(con, argv[0], argv[0], argv[1], words))
        return CONSOLE_USAGE;
    way = find(argv[1], has_verb ? argv[2] : "list");
    if (!way) {
        gather(argv[1], words);
        return options_one_of(con, argv[0], argv[1], argv[2], words);
    }
    int taken = has_verb && way->verb ? 2 : 1;
    argv[taken] = argv[0];
    return way->run(con, argc - taken, argv + taken);
}

const struct command command_pm = {
    .name = "pm",
    .words =
        "projects [list]\n"
        "            pm projects add NAME [--id ID] [--directory DIR]\n"
        "                      [--description TEXT]\n"
        "            pm projects set ID [--name NAME] [--directory DIR]\n"
        "                      [--description TEXT] [--status "
        "active|paused|archived]\n"
        "            pm agents [list]\n"
        "            pm agents add NAME [--id ID] [--stdin] [OPTION]...\n"
        "            pm agents set ID [--name NAME] [OPTION]...\n"
        "                      [--status active|inactive|suspended|archived]\n"
        "            pm agents passkey ID [--stdin]\n"
        "            pm tasks [list] [--in PROJECT] [--assignee AGENT] "
        "[--status STATUS]\n"
        "                      [--limit N]\n"
        "            pm tasks add PROJECT TITLE [--id ID] [--assignee AGENT]\n"
        "                      [--status backlog|todo] [OPTION]...\n"
        "            pm tasks set ID [--title TITLE] [OPTION]...\n"
        "            pm tasks move ID STATUS [--reason TEXT]\n"
        "            pm tasks assign ID [AGENT]\n"
        "            pm show ID\n"
        "            pm assign AGENT PROJECT\n"
        "            pm unassign AGENT PROJECT\n"
        "            pm handoffs [--agent AGENT]\n"
        "            pm import FILE\n"
        "            pm setup",
    .what = BOTH(PM_COMMAND),
    .more = BOTH(PM_MANUAL),
    .needs_home = true,
    .run = run,
};
