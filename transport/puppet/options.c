/* SPDX-License-Identifier: MIT */
/*
 * Both CLIs are built on commander.js, and its ways are copied: an unknown
 * flag is an error, `--flag=value` and `--flag value` are the same, except
 * that a list (`<x...>`) given with a space takes every word up to the next
 * flag, the prompt among them. A hub that puts the prompt right after such a
 * flag fails with the real thing, so it has to fail here.
 */
#include "transport/puppet/options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { CURSOR = 1 << BACKEND_CURSOR, CLAUDE = 1 << BACKEND_CLAUDE };
enum arity { ARITY_NONE, ARITY_ONE, ARITY_MAYBE, ARITY_LIST };
enum { PROMPT_LIMIT = 64 * 1024 * 1024 };

struct flag {
    const char *name, *other; /* other: a second spelling */
    enum option option;
    enum arity arity;
    int backends;
    const char *hint, *words; /* words: the only values it takes */
};

static const struct flag flags[] = {
    {"--print", "-p", OPTION_PRINT, ARITY_NONE, CURSOR | CLAUDE},
    {"--output-format", NULL, OPTION_FORMAT, ARITY_ONE, CURSOR | CLAUDE,
     "format", "text, json, stream-json"},
    {"--model", NULL, OPTION_MODEL, ARITY_ONE, CURSOR | CLAUDE, "model"},
    {"--resume", NULL, OPTION_RESUME, ARITY_MAYBE, CURSOR, "chatId"},
    {"--resume", "-r", OPTION_RESUME, ARITY_MAYBE, CLAUDE, "sessionId"},
    {"--continue", NULL, OPTION_CONTINUE, ARITY_NONE, CURSOR},
    {"--continue", "-c", OPTION_CONTINUE, ARITY_NONE, CLAUDE},
    {"--help", "-h", OPTION_HELP, ARITY_NONE, CURSOR | CLAUDE},
    {"--version", "-v", OPTION_VERSION, ARITY_NONE, CURSOR | CLAUDE},
    {"--force", "-f", OPTION_FORCE, ARITY_NONE, CURSOR},
    {"--yolo", NULL, OPTION_FORCE, ARITY_NONE, CURSOR},
    {"--trust", NULL, OPTION_TRUST, ARITY_NONE, CURSOR},
    {"--stream-partial-output", NULL, OPTION_PARTIAL, ARITY_NONE, CURSOR},
    {"--workspace", NULL, OPTION_WORKSPACE, ARITY_ONE, CURSOR, "path"},
    {"--approve-mcps", NULL, OPTION_APPROVE_MCPS, ARITY_NONE, CURSOR},
    {"--plugin-dir", NULL, OPTION_PLUGIN_DIR, ARITY_ONE, CURSOR, "path"},
    {"--list-models", NULL, OPTION_LIST_MODELS, ARITY_NONE, CURSOR},
    {"--mode", NULL, OPTION_OTHER, ARITY_ONE, CURSOR, "mode", "plan, ask"},
    {"--sandbox", NULL, OPTION_OTHER, ARITY_ONE, CURSOR, "mode",
     "enabled, disabled"},
    {"--api-key", NULL, OPTION_OTHER, ARITY_ONE, CURSOR, "key"},
    {"--verbose", NULL, OPTION_VERBOSE, ARITY_NONE, CLAUDE},
    {"--include-partial-messages", NULL, OPTION_PARTIAL, ARITY_NONE, CLAUDE},
    {"--mcp-config", NULL, OPTION_MCP_CONFIG, ARITY_LIST, CLAUDE, "configs..."},
    {"--strict-mcp-config", NULL, OPTION_OTHER, ARITY_NONE, CLAUDE},
    {"--permission-mode", NULL, OPTION_PERMISSION_MODE, ARITY_ONE, CLAUDE,
     "mode", "acceptEdits, bypassPermissions, default, dontAsk, plan"},
    {"--dangerously-skip-permissions", NULL, OPTION_SKIP_PERMISSIONS,
     ARITY_NONE, CLAUDE},
    {"--append-system-prompt", NULL, OPTION_SYSTEM_PROMPT, ARITY_ONE, CLAUDE,
     "prompt"},
    {"--system-prompt", NULL, OPTION_SYSTEM_PROMPT, ARITY_ONE, CLAUDE,
     "prompt"},
    {"--session-id", NULL, OPTION_SESSION_ID, ARITY_ONE, CLAUDE, "uuid"},
    {"--fork-session", NULL, OPTION_OTHER, ARITY_NONE, CLAUDE},
    {"--allowedTools", "--allowed-tools", OPTION_OTHER, ARITY_LIST, CLAUDE,
     "tools..."},
    {"--disallowedTools", "--disallowed-tools", OPTION_OTHER, ARITY_LIST,
     CLAUDE, "tools..."},
    {"--add-dir", NULL, OPTION_OTHER, ARITY_LIST, CLAUDE, "directories..."},
    {"--max-turns", NULL, OPTION_OTHER, ARITY_ONE, CLAUDE, "turns"},
    {"--max-budget-usd", NULL, OPTION_OTHER, ARITY_ONE, CLAUDE, "amount"},
    {"--json-schema", NULL, OPTION_OTHER, ARITY_ONE, CLAUDE, "schema"},
    {"--effort", NULL, OPTION_OTHER, ARITY_ONE, CLAUDE, "level"},
    {"--forward-subagent-text", NULL, OPTION_OTHER, ARITY_NONE, CLAUDE},
    {"--input-format", NULL, OPTION_OTHER, ARITY_ONE, CLAUDE, "format", "text"},
};

struct line {
    struct options *o;
    char **argv;
    int argc, at;
    int words;       /* positional arguments so far */
    bool is_literal; /* after -- */
    const char *first;
    struct text *error;
};

static bool is_named(const char *name, const char *arg, size_t len)
{
    return name && strlen(name) == len && !memcmp(name, arg, len);
}

static const struct flag *find_flag(enum backend backend, const char *arg,
                                    size_t len)
{
    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
        if (flags[i].backends & 1 << backend &&
            (is_named(flags[i].name, arg, len) ||
             is_named(flags[i].other, arg, len)))
            return &flags[i];
    return NULL;
}

static bool has_word(const char *words, const char *value)
{
    size_t len = strlen(value);

    for (const char *at = words; at; at = *at ? at + 2 : NULL) {
        const char *end = strchrnul(at, ',');
        if ((size_t)(end - at) == len && !memcmp(at, value, len))
            return true;
        at = end;
    }
    return false;
}

static int take_value(struct line *l, const struct flag *flag,
                      const char *value)
{
    struct options *o = l->o;

    if (flag->words && !has_word(flag->words, value)) {
        text_addf(l->error,
                  "error: option '%s <%s>' argument '%s' is invalid. Allowed "
                  "choices are %s.",
                  flag->name, flag->hint, value, flag->words);
        return -EINVAL;
    }
    o->values[flag->option] = value;
    if (flag->option != OPTION_MCP_CONFIG)
        return 0;
    if (o->mcp_config_count == OPTION_MCP_CONFIGS) {
        text_addf(l->error, "error: the puppet takes at most %d MCP configs",
                  OPTION_MCP_CONFIGS);
        return -EINVAL;
    }
    o->mcp_configs[o->mcp_config_count++] = value;
    return 0;
}

/* Like commander: a value may begin with a dash only where one is required. */
static bool has_next(const struct line *l, enum arity arity, bool is_first)
{
    if (l->at + 1 >= l->argc)
        return false;
    return (is_first && arity != ARITY_MAYBE) || l->argv[l->at + 1][0] != '-';
}

static int take_flag(struct line *l, const struct flag *flag, const char *equal)
{
    l->o->is_set[flag->option] = true;
    if (flag->arity == ARITY_NONE)
        return 0;
    if (equal)
        return take_value(l, flag, equal + 1);
    if (!has_next(l, flag->arity, true)) {
        if (flag->arity == ARITY_MAYBE)
            return 0;
        text_addf(l->error, "error: option '%s <%s>' argument missing",
                  flag->name, flag->hint);
        return -EINVAL;
    }
    int rc = take_value(l, flag, l->argv[++l->at]);
    while (!rc && flag->arity == ARITY_LIST && has_next(l, ARITY_LIST, false))
        rc = take_value(l, flag, l->argv[++l->at]);
    return rc;
}

static void take_word(struct line *l, const char *word)
{
    if (!l->words++)
        l->first = word;
    if (l->o->prompt.len)
        text_adds(&l->o->prompt, " ");
    text_add_utf8(&l->o->prompt, word, strlen(word));
}

static int take(struct line *l)
{
    const char *arg = l->argv[l->at];
    const char *equal = strncmp(arg, "--", 2) ? NULL : strchr(arg, '=');

    if (!l->is_literal && !strcmp(arg, "--")) {
        l->is_literal = true;
        return 0;
    }
    if (l->is_literal || arg[0] != '-' || !arg[1]) {
        /* `cursor-agent agent -p …` is the long way of writing it. */
        if (l->is_literal || l->words || l->o->backend != BACKEND_CURSOR ||
            strcmp(arg, "agent") || l->at + 1 == l->argc)
            take_word(l, arg);
        return 0;
    }
    size_t len = equal ? (size_t)(equal - arg) : strlen(arg);
    const struct flag *flag = find_flag(l->o->backend, arg, len);
    if (flag)
        return take_flag(l, flag, equal);
    text_addf(l->error, "error: unknown option '%s'", arg);
    return -EINVAL;
}

/* --backend is ours alone, and decides how all the others are read: it is
 * taken out before. */
static int take_backend(struct options *o, int *argc, char **argv,
                        struct text *error)
{
    const char *name = strrchr(argv[0], '/');

    name = name ? name + 1 : argv[0];
    o->backend = strcmp(name, "claude") ? BACKEND_CURSOR : BACKEND_CLAUDE;
    for (int i = 1; i + 1 < *argc && strcmp(argv[i], "--"); i++) {
        if (strcmp(argv[i], "--backend"))
            continue;
        if (!strcmp(argv[i + 1], "claude"))
            o->backend = BACKEND_CLAUDE;
        else if (!strcmp(argv[i + 1], "cursor"))
            o->backend = BACKEND_CURSOR;
        else {
            text_addf(error, "error: unknown backend '%s' (cursor, claude)",
                      argv[i + 1]);
            return -EINVAL;
        }
        memmove(argv + i, argv + i + 2,
                (size_t)(*argc - i - 1) * sizeof(*argv));
        *argc -= 2;
        i--;
    }
    return 0;
}

static int check(struct line *l)
{
    struct options *o = l->o;
    const char *format = o->values[OPTION_FORMAT];
    const char *first = l->first ? l->first : "";

    if (o->is_set[OPTION_HELP])
        o->command = COMMAND_HELP;
    else if (o->is_set[OPTION_VERSION])
        o->command = COMMAND_VERSION;
    else if (o->is_set[OPTION_LIST_MODELS])
        o->command = COMMAND_MODELS;
    else if (!o->is_set[OPTION_PRINT] && l->words == 1 &&
             o->backend == BACKEND_CURSOR && !strcmp(first, "models"))
        o->command = COMMAND_MODELS;
    else if (!o->is_set[OPTION_PRINT] && l->words == 1 &&
             o->backend == BACKEND_CURSOR &&
             (!strcmp(first, "status") || !strcmp(first, "whoami")))
        o->command = COMMAND_STATUS;
    else if (!o->is_set[OPTION_PRINT] && o->backend == BACKEND_CLAUDE &&
             l->words == 2 && !strcmp(text_str(&o->prompt), "auth status"))
        o->command = COMMAND_STATUS;
    if (o->command != COMMAND_RUN)
        return 0;
    if (format)
        o->format = *format == 't'   ? FORMAT_TEXT
                    : *format == 'j' ? FORMAT_JSON
                                     : FORMAT_STREAM;
    if (!o->is_set[OPTION_PRINT])
        text_adds(l->error, "error: the puppet has no interactive mode: "
                            "expected -p (see --help)");
    else if (o->backend == BACKEND_CLAUDE && o->format == FORMAT_STREAM &&
             !o->is_set[OPTION_VERBOSE])
        text_adds(l->error, "Error: When using --print, "
                            "--output-format=stream-json requires --verbose");
    return l->error->len ? -EINVAL : 0;
}

int options_parse(struct options *o, int argc, char **argv, struct text *error)
{
    int rc = take_backend(o, &argc, argv, error);
    struct line l = {
        .o = o, .argv = argv, .argc = argc, .at = 1, .error = error};

    for (; !rc && l.at < argc; l.at++)
        rc = take(&l);
    return rc ? rc : check(&l);
}

int options_read_prompt(struct options *o, struct text *error)
{
    struct text input = {0};
    int rc = 0;

    if (!o->prompt.len && !isatty(STDIN_FILENO))
        rc = text_read(&input, STDIN_FILENO, PROMPT_LIMIT);
    text_add_utf8(&o->prompt, text_str(&input), input.len);
    text_finish(&input);
    if (rc)
        text_addf(error, "Error: cannot read the prompt: %s", strerror(-rc));
    else if (!o->prompt.len)
        text_adds(error, o->backend == BACKEND_CURSOR
                             ? "Error: No prompt provided for print mode"
                             : "Error: Input must be provided either through "
                               "stdin or as a prompt argument when using "
                               "--print");
    return error->len ? -EINVAL : 0;
}

void options_finish(struct options *o)
{
    text_finish(&o->prompt);
}
