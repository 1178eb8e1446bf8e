/* SPDX-License-Identifier: MIT */
#include "transport/command/service.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "transport/command/command.h"
#include "transport/command/options.h"

static char names[SERVICE_KINDS][16] = {"", "mcp", "serve", "--standalone"};

/* Whether it is --NAME or --NAME=VALUE. */
static bool is_option(const char *word, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(word, name, len) && (word[len] == '=' || word[len] == 0);
}

/* The first word that is no option of the program itself, or argc. */
static int first_word(int argc, char **argv)
{
    int i = 1;

    while (i < argc &&
           (is_option(argv[i], "--config") || is_option(argv[i], "--project") ||
            is_option(argv[i], "--db")))
        i += strchr(argv[i], '=') ? 1 : 2;
    return i < argc ? i : argc;
}

static enum service_kind kind_of(const char *word)
{
    enum service_kind kind = SERVICE_NONE;

    for (int i = 1; i < SERVICE_KINDS; i++)
        if (!strcmp(names[i], word))
            kind = (enum service_kind)i;
    return kind;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

/* The name of the service stands at `at`, or nowhere if that is argc. */
static int read_words(struct console *con, struct service *s, int at, int argc,
                      char **argv)
{
    const struct option options[] = {
        {"--config", 0, NULL, &s->config},
        {"--project", 0, NULL, &s->project},
        {"--db", 0, NULL, &s->database},
        {s->kind == SERVICE_MCP ? "--toolsets" : NULL, 0, NULL, &s->toolsets},
        {"--standalone", 0, &s->is_standalone, NULL},
        {NULL}};
    char **words = calloc((size_t)argc + 2, sizeof(*words));
    int count = 0;

    if (!words)
        abort();
    words[count++] = names[s->kind];
    for (int i = 1; i < argc; i++)
        if (i != at)
            words[count++] = argv[i];
    count = options_take(con, options, count, words);
    int code = options_want(con, count, words, 0, 0, "");
    free(words);
    return code;
}

/* A client's words are right, and it waits: what is needed to complain of them
 * is opened for those that are not. */
static int refuse(const struct service *s, int at, int argc, char **argv)
{
    struct service again = {.kind = s->kind};
    struct console con;

    console_open(&con, s->config);
    read_words(&con, &again, at, argc, argv);
    console_close(&con);
    return CONSOLE_USAGE;
}

int service_read(struct service *s, int argc, char **argv)
{
    int at = first_word(argc, argv);
    char help[] = "help", *asked[] = {argv[0], help, NULL, NULL};
    struct console quiet = {.is_quiet = true};

    *s = (struct service){.kind = SERVICE_NONE};
    if (at < argc)
        s->kind = kind_of(argv[at]);
    else if (!isatty(STDIN_FILENO))
        s->kind = SERVICE_MCP;
    if (s->kind == SERVICE_NONE)
        return -1;
    asked[2] = names[s->kind];
    if (wants_help(argc, argv))
        return command_main(3, asked);
    return read_words(&quiet, s, at, argc, argv) ? refuse(s, at, argc, argv)
                                                 : -1;
}
