/* SPDX-License-Identifier: MIT */
#include "transport/command/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/distance.h"

#define MOST 16

static int unknown(struct console *con, const struct option *options,
                   const char *command, const char *word)
{
    const char *names[MOST + 1] = {0};
    char bare[64] = "";

    for (size_t i = 0; options[i].name && i < MOST; i++)
        names[i] = options[i].name;
    strncat(bare, word, strcspn(word, "=") < 63 ? strcspn(word, "=") : 63);
    const char *meant = distance_nearest(bare, names);
    if (meant)
        COMPLAIN(con, OPTION_UNKNOWN_NEAR, command, word, meant);
    else
        COMPLAIN(con, OPTION_UNKNOWN, command, word, command);
    return -1;
}

static const struct option *find(const struct option *options, const char *word)
{
    size_t len = strcspn(word, "=");

    for (; options->name; options++) {
        bool is_long =
            strlen(options->name) == len && !strncmp(options->name, word, len);
        if (is_long ||
            (options->letter && word[1] == options->letter && !word[2]))
            return options;
    }
    return NULL;
}

/* How many words it took, or -1. */
static int take(struct console *con, const struct option *o,
                const char *command, char **words)
{
    const char *equal = strchr(words[0], '=');

    if (o->flag && equal) {
        COMPLAIN(con, OPTION_TAKES_NO_VALUE, command, o->name);
        return -1;
    }
    if (o->flag) {
        *o->flag = true;
        return 1;
    }
    if (!equal && !words[1]) {
        COMPLAIN(con, OPTION_NEEDS_VALUE, command, o->name);
        return -1;
    }
    *o->value = equal ? equal + 1 : words[1];
    return equal ? 1 : 2;
}

/* Of two values one would be passed over without a word. */
static bool is_new(struct console *con, const struct option *o,
                   const char *command, uint64_t *seen, size_t place)
{
    bool was_there = (*seen >> place) & 1;

    *seen |= (uint64_t)1 << place;
    if (was_there && o->value)
        COMPLAIN(con, OPTION_TWICE, command, o->name);
    return !was_there || !o->value;
}

int options_take(struct console *con, const struct option *options, int argc,
                 char **argv)
{
    uint64_t seen = 0;
    int kept = 1, i = 1;

    while (i < argc && strcmp(argv[i], "--")) {
        if (argv[i][0] != '-' || !argv[i][1]) {
            argv[kept++] = argv[i++];
            continue;
        }
        const struct option *o = find(options, argv[i]);
        int taken = o ? take(con, o, argv[0], &argv[i])
                      : unknown(con, options, argv[0], argv[i]);
        if (taken < 0 || !is_new(con, o, argv[0], &seen, (size_t)(o - options)))
            return -1;
        i += taken;
    }
    while (++i < argc)
        argv[kept++] = argv[i];
    argv[kept] = NULL;
    return kept;
}

int options_want(struct console *con, int argc, char **argv, int least,
                 int most, const char *what)
{
    int given = argc - 1;

    if (argc < 0)
        return CONSOLE_USAGE;
    if (given < least)
        COMPLAIN(con, OPERAND_MISSING, argv[0], what, argv[0]);
    else if (most >= 0 && given > most)
        COMPLAIN(con, OPERAND_TOO_MUCH, argv[0], argv[most + 1], argv[0]);
    else
        return CONSOLE_FINE;
    return CONSOLE_USAGE;
}

int options_number(struct console *con, const char *command, const char *option,
                   const char *text, uint64_t least, uint64_t most,
                   uint64_t *number)
{
    *number = 0;
    if (!text)
        return CONSOLE_FINE;
    errno = 0;
    *number = strtoull(text, NULL, 10);
    if (*text && !text[strspn(text, "0123456789")] && !errno &&
        *number >= least && *number <= most)
        return CONSOLE_FINE;
    COMPLAIN(con, OPTION_NO_NUMBER, command, option, least, most, text);
    return CONSOLE_USAGE;
}

const char *const options_states[] = {"queued",         "running",  "completed",
                                      "failed",         "timedOut", "cancelled",
                                      "resultReported", "all",      NULL};

int options_one_of(struct console *con, const char *command, const char *option,
                   const char *text, const char *const *words)
{
    struct bytes list = {0};

    for (size_t i = 0; text && words[i]; i++) {
        if (!strcmp(words[i], text)) {
            bytes_finish(&list);
            return CONSOLE_FINE;
        }
        bytes_format(&list, i ? ", %s" : "%s", words[i]);
    }
    if (!text)
        return CONSOLE_FINE;
    const char *meant = distance_nearest(text, words);
    COMPLAIN(con, OPTION_NO_CHOICE, command, option, text,
             meant ? SAY(con, HELP_DID_YOU_MEAN) : "", meant ? meant : "",
             meant ? SAY(con, OPTION_AFTER_NEAR) : "", (int)list.len, list.ptr);
    bytes_finish(&list);
    return CONSOLE_USAGE;
}
