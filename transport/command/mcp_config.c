/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/toolset.h"
#include "runtime/text/utf8.h"
#include "transport/command/client.h"
#include "transport/command/command.h"
#include "transport/command/options.h"

/* JSON and TOML have no other names. */
static bool is_text(struct console *con, const char *path)
{
    if (utf8_is_valid(path, strlen(path)))
        return true;
    COMPLAIN(con, MCP_CONFIG_NO_UTF8, path);
    return false;
}

/* One that cannot be written is found by who is started in it. */
static void leave_out(struct console *con, struct location *where)
{
    if (!where->project || is_text(con, where->project))
        return;
    COMPLAIN(con, MCP_CONFIG_IN_PROJECT_ALONE, SAY(con, MCP_CONFIG_PROJECT));
    *where->project = '\0';
}

static int no_client(struct console *con, const char *name)
{
    struct bytes all = {0};

    client_names(&all, ", ");
    COMPLAIN(con, MCP_CONFIG_NO_CLIENT, (int)all.len, all.ptr, name);
    bytes_finish(&all);
    return CONSOLE_USAGE;
}

/* Where it goes, and what there is to know; stdout is the file alone. */
static void say_where(struct console *con, const struct client *c)
{
    char user[PATH_MAX];
    const char *file = c->project_file ? c->project_file : user;

    client_user_file(c, user);
    fflush(stdout);
    term_format(&con->err, TERM_DIM, SAY(con, MCP_CONFIG_WHERE), c->title,
                *file ? file : c->user_file, c->servers);
    term_format(&con->err, TERM_DIM, "%s\n", console_say(con, c->what));
}

static int print(struct console *con, const struct client *c,
                 struct client_words *w)
{
    struct bytes text = {0};

    if (!is_text(con, w->program) ||
        (w->where.database && !is_text(con, w->where.database)) ||
        (!w->where.project && !is_text(con, w->where.file)))
        return CONSOLE_FAILED;
    leave_out(con, &w->where);
    client_put(&text, c, w);
    term_block(&con->out, TERM_PLAIN, bytes_slice(&text), "");
    fputc('\n', con->out.out);
    bytes_finish(&text);
    say_where(con, c);
    return CONSOLE_FINE;
}

static int check_toolsets(struct console *con, const char *command,
                          const char *list)
{
#define NAME(name, word) word,
    static const char *const names[] = {TOOLSET_LIST(NAME) NULL};
#undef NAME
    int code = CONSOLE_FINE;
    size_t len;

    do {
        len = strcspn(list, ",");
        char *word = bytes_text("%.*s", (int)len, list);

        code = options_one_of(con, command, "--toolsets", word, names);
        free(word);
        list += len + 1;
    } while (!code && list[-1]);
    return code;
}

static int run(struct console *con, int argc, char **argv)
{
    const char *name = "cursor", *toolsets = CLIENT_TOOLSETS;
    const struct option options[] = {
        {"--for", 0, NULL, &name}, {"--toolsets", 0, NULL, &toolsets}, {NULL}};
    struct client_words w;
    struct config_error e;
    int code;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, "") ||
        check_toolsets(con, argv[0], toolsets))
        return CONSOLE_USAGE;
    if (!client_find(name))
        return no_client(con, name);
    if (client_words_find(&w, con->config_file, &e)) {
        console_complain(con, "%s", config_error_in(&e, con->is_english));
        code = CONSOLE_USAGE;
    } else {
        w.toolsets = toolsets;
        code = print(con, client_find(name), &w);
    }
    client_words_finish(&w);
    return code;
}

const struct command command_mcp_config = {
    .name = "mcp-config",
    .words = "[--for CLIENT] [--toolsets LIST]",
    .what = BOTH(MCP_CONFIG_COMMAND),
    .more = BOTH(MCP_CONFIG_MANUAL),
    .run = run,
};
