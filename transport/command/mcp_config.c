/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "runtime/text/utf8.h"
#include "transport/command/client.h"
#include "transport/command/command.h"
#include "transport/command/options.h"

/* JSON and TOML have no other names. */
static bool is_text(struct console *con, const char *path)
{
    if (utf8_is_valid(path, strlen(path)))
        return true;
    COMPLAIN(con, "UTF-8 でないパスは書けません: %s",
             "a path that is no UTF-8 cannot be written: %s", path);
    return false;
}

/* One that cannot be written is found by who is started in it. */
static void leave_out(struct console *con, struct location *where)
{
    if (!where->project || is_text(con, where->project))
        return;
    COMPLAIN(con, "%sのディレクトリで起動するクライアントにだけ使えます",
             "the entry is for clients that start it in the project%s alone",
             SAY(con, "プロジェクト", ""));
    *where->project = '\0';
}

static int no_client(struct console *con, const char *name)
{
    struct bytes all = {0};

    client_names(&all, ", ");
    COMPLAIN(con, "mcp-config: --for は %.*s のいずれかです: '%s'",
             "mcp-config: --for is one of %.*s, not '%s'", (int)all.len,
             all.ptr, name);
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
    term_format(&con->err, TERM_DIM,
                SAY(con,
                    "%s: %s に置いてください（既にあれば %s に kuromajutsu を"
                    "足す）。\n",
                    "%s: put this into %s (if there is one, add kuromajutsu to "
                    "its %s).\n"),
                c->title, *file ? file : c->user_file, c->servers);
    term_format(&con->err, TERM_DIM, "%s\n", SAY(con, c->ja, c->en));
}

static int print(struct console *con, const struct client *c,
                 struct client_words *w)
{
    struct bytes text = {0};

    if (!is_text(con, w->program) ||
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

static int run(struct console *con, int argc, char **argv)
{
    const char *name = "cursor";
    const struct option options[] = {{"--for", 0, NULL, &name}, {NULL}};
    struct client_words w;
    struct config_error e;
    int code;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    if (!client_find(name))
        return no_client(con, name);
    if (client_words_find(&w, con->config_file, &e)) {
        console_complain(con, "%s", e.text);
        code = CONSOLE_USAGE;
    } else {
        code = print(con, client_find(name), &w);
    }
    client_words_finish(&w);
    return code;
}

const struct command command_mcp_config = {
    .name = "mcp-config",
    .words = "[--for CLIENT]",
    .ja = "MCP クライアントの設定に書く項目を出力する",
    .en = "prints the entry for an MCP client's configuration",
    .more_ja =
        "CLIENT は cursor（既定）, claude, codex, gemini, vscode, opencode の"
        "いずれか。\n標準出力はそのクライアントの設定ファイルの形式だけ:\n"
        "  kuromajutsu mcp-config > .cursor/mcp.json\n"
        "  kuromajutsu mcp-config --for claude > .mcp.json\n"
        "  kuromajutsu mcp-config --for codex >> ~/.codex/config.toml\n"
        "  kuromajutsu mcp-config --for gemini > .gemini/settings.json\n"
        "  kuromajutsu mcp-config --for vscode > .vscode/mcp.json\n"
        "  kuromajutsu mcp-config --for opencode > opencode.json\n"
        "必要な設定（待ち時間、承認、渡す環境変数）も入る。今いる場所から"
        "見つかった\nプロジェクト（または --project DIR）の絶対パスが入り、"
        "どこから起動されても\n同じハブを使う（Codex の設定は全プロジェクト"
        "共通なので --project DIR を\n付けた時だけ）。--config FILE "
        "を付けると、"
        "代わりに KUROMAJUTSU_CONFIG が入る。",
    .more_en =
        "CLIENT is cursor (unless said), claude, codex, gemini, vscode or "
        "opencode.\nstdout is that client's own format alone:\n"
        "  kuromajutsu mcp-config > .cursor/mcp.json\n"
        "  kuromajutsu mcp-config --for claude > .mcp.json\n"
        "  kuromajutsu mcp-config --for codex >> ~/.codex/config.toml\n"
        "  kuromajutsu mcp-config --for gemini > .gemini/settings.json\n"
        "  kuromajutsu mcp-config --for vscode > .vscode/mcp.json\n"
        "  kuromajutsu mcp-config --for opencode > opencode.json\n"
        "It has the settings that are needed: time-outs, approval, variables.\n"
        "It names the project that is found from here (or --project DIR), so"
        " that it\nmeans the same hub wherever it is started; Codex's, which "
        "is "
        "for all projects,\nonly if --project DIR is given. With --config FILE "
        "it holds KUROMAJUTSU_CONFIG\ninstead.",
    .run = run,
};
