/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "transport/build.h"
#include "transport/command/command.h"
#include "transport/command/help_text.h"
#include "transport/command/options.h"

static void usage_of(struct desk *d, const struct command *c)
{
    term_format(&d->out, TERM_BOLD, "kuromajutsu %s", c->name);
    term_format(&d->out, TERM_PLAIN, "%s%s\n", *c->words ? " " : "", c->words);
}

static void list(struct desk *d)
{
    const struct command *c;

    for (size_t i = 0; (c = command_at(i)); i++) {
        fputs("  ", d->out.out);
        term_put(&d->out, TERM_BOLD, c->name);
        for (size_t n = strlen(c->name); n < 13; n++)
            fputc(' ', d->out.out);
        term_format(&d->out, TERM_PLAIN, "%s\n", SAY(d, c->ja, c->en));
    }
}

static int show_all(struct desk *d)
{
    const struct help_text *text =
        d->is_english ? &help_text_en : &help_text_ja;

    term_put(&d->out, TERM_PLAIN, text->head);
    list(d);
    term_put(&d->out, TERM_PLAIN, text->tail);
    return DESK_FINE;
}

static int show_one(struct desk *d, const char *name)
{
    const struct command *c = command_find(name);

    if (!strcmp(name, "config")) {
        config_describe(d->out.out);
        return DESK_FINE;
    }
    for (const struct help_topic *t = help_topics; !c && t->name; t++) {
        if (strcmp(t->name, name))
            continue;
        term_put(&d->out, TERM_PLAIN, SAY(d, t->ja, t->en));
        return DESK_FINE;
    }
    if (!c) {
        const char *meant = command_near(name);
        COMPLAIN(d, "'%s' の説明はありません。%s%s",
                 "there is no help on '%s'. %s%s", name,
                 meant ? SAY(d, "もしかして: ", "Did you mean ")
                       : SAY(d, "`kuromajutsu --help` を参照",
                             "See `kuromajutsu --help`"),
                 meant ? meant : "");
        return DESK_USAGE;
    }
    usage_of(d, c);
    term_format(&d->out, TERM_PLAIN, "\n%s\n", SAY(d, c->ja, c->en));
    const char *more = SAY(d, c->more_ja, c->more_en);
    if (*more)
        term_format(&d->out, TERM_PLAIN, "\n%s\n", more);
    return DESK_FINE;
}

static int run_help(struct desk *d, int argc, char **argv)
{
    const struct option options[] = {{NULL}};

    argc = options_take(d, options, argc, argv);
    if (options_want(d, argc, argv, 0, 1, ""))
        return DESK_USAGE;
    return argc > 1 ? show_one(d, argv[1]) : show_all(d);
}

static int run_version(struct desk *d, int argc, char **argv)
{
    const struct option options[] = {{NULL}};

    argc = options_take(d, options, argc, argv);
    if (options_want(d, argc, argv, 0, 0, ""))
        return DESK_USAGE;
    term_format(&d->out, TERM_PLAIN, "kuromajutsu %s\n", build_name());
    return DESK_FINE;
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
