/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/command/command.h"
#include "transport/command/options.h"
#include "transport/command/term_wrap.h"
#include "transport/wire/build.h"

/* The manual of a word that the main program knows by itself. */
struct help_topic {
    const char *name; /* NULL ends the list */
    struct message text;
};

static const struct help_topic topics[] = {
    {"mcp", BOTH(MCP_MANUAL)},
    {"serve", BOTH(SERVE_MANUAL)},
    {"--standalone", BOTH(STANDALONE_MANUAL)},
    {NULL, {NULL, NULL}},
};

static void usage_of(struct console *con, const struct command *c)
{
    term_format(&con->out, TERM_BOLD, "kuromajutsu %s", c->name);
    term_format(&con->out, TERM_PLAIN, "%s%s\n", *c->words ? " " : "",
                c->words);
}

static void list(struct console *con)
{
    const struct command *c;

    for (size_t i = 0; (c = command_at(i)); i++) {
        fputs("  ", con->out.out);
        term_put(&con->out, TERM_BOLD, c->name);
        for (size_t n = strlen(c->name); n < 14; n++)
            fputc(' ', con->out.out);
        term_format(&con->out, TERM_PLAIN, "%s\n", console_say(con, c->what));
    }
}

static int show_all(struct console *con)
{
    term_put(&con->out, TERM_PLAIN, SAY(con, HELP_HEAD));
    list(con);
    term_put(&con->out, TERM_PLAIN, SAY(con, HELP_TAIL));
    return CONSOLE_FINE;
}

static void show_config(struct console *con)
{
    struct bytes lines = {0};
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);

    if (!f)
        abort();
    config_describe(f, con->is_english);
    fclose(f);
    term_wrap(&lines, slice_of(text, len), con->out.width);
    fwrite(lines.ptr, 1, lines.len, con->out.out);
    bytes_finish(&lines);
    free(text);
}

static int show_one(struct console *con, const char *name)
{
    const struct command *c = command_find(name);

    if (!strcmp(name, "config")) {
        show_config(con);
        return CONSOLE_FINE;
    }
    for (const struct help_topic *t = topics; !c && t->name; t++) {
        if (strcmp(t->name, name))
            continue;
        term_put(&con->out, TERM_PLAIN, console_say(con, t->text));
        return CONSOLE_FINE;
    }
    if (!c) {
        const char *meant = command_near(name);
        COMPLAIN(con, HELP_NONE, name,
                 meant ? SAY(con, HELP_DID_YOU_MEAN) : SAY(con, HELP_SEE),
                 meant ? meant : "");
        return CONSOLE_USAGE;
    }
    usage_of(con, c);
    term_format(&con->out, TERM_PLAIN, "\n%s\n", console_say(con, c->what));
    const char *more = console_say(con, c->more);
    if (*more)
        term_format(&con->out, TERM_PLAIN, "\n%s%s", more,
                    more[strlen(more) - 1] == '\n' ? "" : "\n");
    return CONSOLE_FINE;
}

static int run_help(struct console *con, int argc, char **argv)
{
    const struct option options[] = {{NULL}};

    /* A word that people type first, and so a topic: not an option of ours. */
    if (argc == 2 && !strcmp(argv[1], "--standalone"))
        return show_one(con, argv[1]);
    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 1, ""))
        return CONSOLE_USAGE;
    return argc > 1 ? show_one(con, argv[1]) : show_all(con);
}

static int run_version(struct console *con, int argc, char **argv)
{
    const struct option options[] = {{NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    term_format(&con->out, TERM_PLAIN, "kuromajutsu %s\n", build_id());
    return CONSOLE_FINE;
}

const struct command command_help = {
    .name = "help",
    .words = "[COMMAND | config]",
    .what = BOTH(HELP_COMMAND),
    .more = BOTH(HELP_MANUAL),
    .run = run_help,
};

const struct command command_version = {
    .name = "version",
    .words = "",
    .what = BOTH(VERSION_COMMAND),
    .more = {"", ""},
    .run = run_version,
};
