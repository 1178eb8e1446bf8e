/* SPDX-License-Identifier: MIT */
#include "transport/command/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/distance.h"

static const struct command *const table[] = {
    &command_status,  &command_agents, &command_show,       &command_logs,
    &command_wait,    &command_groups, &command_roles,      &command_cancel,
    &command_retry,   &command_start,  &command_stop,       &command_hubs,
    &command_history, &command_usage,  &command_phases,     &command_pm,
    &command_export,  &command_report, &command_replay,     &command_gc,
    &command_doctor,  &command_trust,  &command_mcp_config, &command_help,
    &command_version,
};

enum { COUNT = sizeof(table) / sizeof(*table) };

/* What all of them take, with a value. */
enum { CONFIG, PROJECT, DATABASE, COMMONS };
static const char *const commons[COMMONS] = {"--config", "--project", "--db"};

/* Not ours to run, but to be meant by a misspelt word. */
static const char *const others[] = {"mcp", "serve"};

const struct command *command_at(size_t i)
{
    return i < COUNT ? table[i] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (!strcmp(table[i]->name, name))
            return table[i];
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        return &command_help;
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        return &command_version;
    return NULL;
}

const char *command_near(const char *name)
{
    const char *names[COUNT + 3] = {0};

    for (size_t i = 0; i < COUNT; i++)
        names[i] = table[i]->name;
    memcpy(names + COUNT, others, sizeof(others));
    return distance_nearest(name, names);
}

/* The value of --NAME VALUE or --NAME=VALUE at argv[*i], which moves on. NULL:
 * it is something else. */
static const char *value_of(const char *name, char **argv, int *i)
{
    size_t len = strlen(name);

    if (!strcmp(argv[*i], name) && argv[*i + 1])
        return argv[++*i];
    if (!strncmp(argv[*i], name, len) && argv[*i][len] == '=')
        return argv[*i] + len + 1;
    return NULL;
}

/* Which of them stands there without a value, or NULL. */
static const char *lacking(char *const *argv, const char *const *values)
{
    for (int i = 0; i < COMMONS; i++)
        if (values[i] && !*values[i])
            return commons[i];
    for (; *argv && strcmp(*argv, "--"); argv++)
        for (int i = 0; i < COMMONS; i++)
            if (!strcmp(*argv, commons[i]))
                return commons[i];
    return NULL;
}

/* Whether it was one of them, whose value is taken. */
static bool take_one(char **argv, int *i, const char **values)
{
    for (int k = 0; k < COMMONS; k++) {
        const char *value = value_of(commons[k], argv, i);

        if (value)
            values[k] = value;
        if (value)
            return true;
    }
    return false;
}

/* Takes them out, wherever before a "--" they stand. */
static int take_common(int argc, char **argv, const char **values)
{
    int kept = 1;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--")) {
            memmove(&argv[kept], &argv[i], (size_t)(argc - i) * sizeof(*argv));
            kept += argc - i;
            break;
        }
        if (!take_one(argv, &i, values))
            argv[kept++] = argv[i];
    }
    argv[kept] = NULL;
    return kept;
}

static int refuse(struct console *con, const char *word)
{
    const char *meant = command_near(word);

    if (word[0] == '-')
        COMPLAIN(con, COMMAND_UNKNOWN_OPTION, word);
    else if (meant)
        COMPLAIN(con, COMMAND_UNKNOWN_NEAR, word, meant);
    else
        COMPLAIN(con, COMMAND_UNKNOWN, word);
    return CONSOLE_USAGE;
}

/* `kuromajutsu agents --help` is what people ask at some time. */
static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

static int run(struct console *con, int argc, char **argv)
{
    const struct command *c = command_find(argv[0]);
    char help[] = "help", *asked[] = {help, argv[0], NULL};

    if (!c)
        return refuse(con, argv[0]);
    if (c != &command_help && wants_help(argc, argv))
        return command_help.run(con, 2, asked);
    bool is_about_us = c == &command_help || c == &command_version;
    /* A file that was named and is not there would be passed over. */
    bool is_missing = con->home_error == -ENOENT && !is_about_us;
    if ((c->needs_home || is_missing) && console_needs_home(con))
        return CONSOLE_USAGE;
    return c->run(con, argc, argv);
}

int command_main(int argc, char **argv)
{
    const char *values[COMMONS] = {NULL};
    char help[] = "help", *nothing[] = {help, NULL};
    struct console con;

    argc = take_common(argc, argv, values);
    const char *without = lacking(argv, values);
    if (values[PROJECT] && !without)
        home_name_project(values[PROJECT]);
    if (!without)
        home_name_database(values[DATABASE]);
    console_open(&con, without ? NULL : values[CONFIG]);
    int code = CONSOLE_USAGE;
    if (without)
        COMPLAIN(&con, COMMAND_NEEDS_VALUE, without);
    else
        code = argc > 1 ? run(&con, argc - 1, argv + 1) : run(&con, 1, nothing);
    /* A full disk or a reader that left is a failure, not a success. */
    if ((fflush(stdout) || ferror(stdout)) && code == CONSOLE_FINE)
        code = CONSOLE_FAILED;
    console_close(&con);
    return code;
}
