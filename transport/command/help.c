/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "transport/command/command.h"
#include "transport/command/help_text.h"
#include "transport/command/options.h"
#include "transport/wire/build.h"

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
        term_format(&con->out, TERM_PLAIN, "%s\n", SAY(con, c->ja, c->en));
    }
}

static int show_all(struct console *con)
{
    const struct help_text *text =
        con->is_english ? &help_text_en : &help_text_ja;

    term_put(&con->out, TERM_PLAIN, text->head);
    list(con);
    term_put(&con->out, TERM_PLAIN, text->tail);
    return CONSOLE_FINE;
}

static int show_one(struct console *con, const char *name)
{
    const struct command *c = command_find(name);

    if (!strcmp(name, "config")) {
        config_describe(con->out.out);
        return CONSOLE_FINE;
    }
    for (const struct help_topic *t = help_topics; !c && t->name; t++) {
        if (strcmp(t->name, name))
            continue;
        term_put(&con->out, TERM_PLAIN, SAY(con, t->ja, t->en));
        return CONSOLE_FINE;
    }
    if (!c) {
        const char *meant = command_near(name);
        COMPLAIN(con, "'%s' の説明はありません。%s%s",
                 "there is no help on '%s'. %s%s", name,
                 meant ? SAY(con, "もしかして: ", "Did you mean ")
                       : SAY(con, "`kuromajutsu --help` を参照",
                             "See `kuromajutsu --help`"),
                 meant ? meant : "");
        return CONSOLE_USAGE;
    }
    usage_of(con, c);
    term_format(&con->out, TERM_PLAIN, "\n%s\n", SAY(con, c->ja, c->en));
    const char *more = SAY(con, c->more_ja, c->more_en);
    if (*more)
        term_format(&con->out, TERM_PLAIN, "\n%s\n", more);
    return CONSOLE_FINE;
}

static int run_help(struct console *con, int argc, char **argv)
{
    const struct option options[] = {{NULL}};

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
    .ja = "この説明、またはコマンドや設定キーの説明",
    .en = "this text, or the manual of a command or of all settings",
    .more_ja = "kuromajutsu help config は設定ファイルの全キー。",
    .more_en = "kuromajutsu help config lists all keys of the settings.",
    .run = run_help,
};

const struct command command_version = {
    .name = "version",
    .words = "",
    .ja = "版とビルドを表示する（--version）",
    .en = "tells which version and build this is (--version)",
    .more_ja = "",
    .more_en = "",
    .run = run_version,
};
