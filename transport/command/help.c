/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "transport/command/command.h"
#include "transport/command/options.h"
#include "transport/wire/build.h"

/* What --help says around the list of commands. */
struct help_text {
    const char *head, *tail;
};

/* The manual of a word that the main program knows by itself. */
struct help_topic {
    const char *name; /* NULL ends the list */
    const char *ja, *en;
};

/* clang-format off */
static const struct help_text text_ja = {
.head =
"kuromajutsu: Cursor などの MCP クライアントから、多数のサブ Agent を並列に、\n"
"順番に、または Orchestrator の下で動かす MCP サーバー。\n"
"\n"
"はじめかた（プロジェクトのディレクトリで）:\n"
"  1. kuromajutsu doctor                            環境を調べる\n"
"  2. mkdir -p .cursor\n"
"     kuromajutsu mcp-config > .cursor/mcp.json     Cursor に登録する\n"
"  3. Cursor に「Agent 3 台で手分けして…」と頼み、様子を見る:\n"
"     kuromajutsu agents      kuromajutsu logs -f ID\n"
"\n"
"使い方: kuromajutsu [--project DIR] [--config FILE] COMMAND ...\n"
"\n"
"  mcp           MCP サーバー（標準入出力）。mcp.json が起動するもの\n"
"  serve         ハブを前面で動かす。普段は mcp が自動で起動する\n"
"  --standalone  ハブと MCP サーバーを一つのプロセスで\n",
.tail =
"\n"
"詳細: kuromajutsu help COMMAND      設定の全キー: kuromajutsu help config\n"
"\n"
"環境変数:\n"
"  KUROMAJUTSU_PROJECT        プロジェクト（既定: 今いる場所から上へ探す）\n"
"  KUROMAJUTSU_CONFIG         設定ファイル（既定: その kuromajutsu.config.yaml）\n"
"  XDG_CONFIG_HOME            自分の設定の場所（既定: ~/.config/kuromajutsu/）\n"
"  KUROMAJUTSU_HOME           状態の置き場（既定: ~/.local/state/kuromajutsu）\n"
"  KUROMAJUTSU_AGENT_COMMAND  Agent の CLI（既定: agent、なければ cursor-agent）\n"
"  KUROMAJUTSU_LANGUAGE       ja、en、auto（LC_ALL・LC_MESSAGES・LANG による）\n"
"  KUROMAJUTSU_LOG_LEVEL      debug, info, warn, error\n"
"  CURSOR_API_KEY             そのまま Agent に渡る\n"
"  NO_COLOR, COLUMNS          色を使わない、表の幅\n"
"\n"
"終了コード: 0 成功  1 失敗・見つからない  2 使い方か設定の誤り  3 ハブがない\n",
};

static const struct help_text text_en = {
.head =
"kuromajutsu: an MCP server that lets Cursor and other MCP clients run many\n"
"sub-agents: at once, one after the other, or under an orchestrator.\n"
"\n"
"To begin, in your project's directory:\n"
"  1. kuromajutsu doctor                            look at the set-up\n"
"  2. mkdir -p .cursor\n"
"     kuromajutsu mcp-config > .cursor/mcp.json     tell Cursor of it\n"
"  3. ask Cursor to \"share this among three agents\", and watch:\n"
"     kuromajutsu agents      kuromajutsu logs -f ID\n"
"\n"
"Usage: kuromajutsu [--project DIR] [--config FILE] COMMAND ...\n"
"\n"
"  mcp           the MCP server on stdin and stdout: what mcp.json starts\n"
"  serve         runs the hub in the foreground; mcp starts one by itself\n"
"  --standalone  hub and MCP server in one process\n",
.tail =
"\n"
"More: kuromajutsu help COMMAND      all settings: kuromajutsu help config\n"
"\n"
"Environment:\n"
"  KUROMAJUTSU_PROJECT        the project (found upwards from here)\n"
"  KUROMAJUTSU_CONFIG         configuration (its kuromajutsu.config.yaml)\n"
"  XDG_CONFIG_HOME            has your own kuromajutsu/config.yaml (~/.config)\n"
"  KUROMAJUTSU_HOME           where state lies (~/.local/state/kuromajutsu)\n"
"  KUROMAJUTSU_AGENT_COMMAND  the agents' CLI (Cursor's agent, else cursor-agent)\n"
"  KUROMAJUTSU_LANGUAGE       ja, en or auto (by LC_ALL, LC_MESSAGES, LANG)\n"
"  KUROMAJUTSU_LOG_LEVEL      debug, info, warn or error\n"
"  CURSOR_API_KEY             is handed on to the agents\n"
"  NO_COLOR, COLUMNS          no colours; width of tables\n"
"\n"
"Exit codes: 0 fine  1 failed, not found  2 wrong use or settings  3 no hub\n",
};

static const struct help_topic topics[] = {
{"mcp",
"kuromajutsu mcp\n"
"\n"
"MCP サーバー。標準入出力で JSON-RPC を話し、仕事はハブに渡す。ハブがなければ\n"
"起動する。.cursor/mcp.json から起動されるもので、人が打つことはない。\n"
"引数なしの kuromajutsu も、標準入力が端末でなければ同じ。\n",
"kuromajutsu mcp\n"
"\n"
"The MCP server: JSON-RPC on stdin and stdout, the work is the hub's, which it\n"
"starts if there is none. Clients start it by .cursor/mcp.json, people do not.\n"
"Plain kuromajutsu does the same where stdin is no terminal.\n"},
{"serve",
"kuromajutsu serve\n"
"\n"
"ハブを前面で動かし、Ctrl-C または kuromajutsu stop で終わる。設定ファイル\n"
"（なければディレクトリ）ごとに一つ。既にあればすぐ終了コード 0 で終わる。\n"
"ログは端末には読みやすい形で、それ以外には JSON で出る（設定の log.format）。\n"
"バックグラウンドで動かすには kuromajutsu start。\n",
"kuromajutsu serve\n"
"\n"
"Runs the hub in the foreground until Ctrl-C or kuromajutsu stop. There is one\n"
"for a configuration (or directory); if it runs already, this ends at once\n"
"with 0. The log is for people on a terminal and JSON elsewhere (log.format).\n"
"In the background: kuromajutsu start.\n"},
{"--standalone",
"kuromajutsu --standalone\n"
"\n"
"ハブと MCP サーバーを一つのプロセスで。同じ設定のハブがあれば断る。\n",
"kuromajutsu --standalone\n"
"\n"
"Hub and MCP server in one process; refused while a hub of the same\n"
"configuration runs.\n"},
{NULL, NULL, NULL},
};
/* clang-format on */

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
        con->is_english ? &text_en : &text_ja;

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
    for (const struct help_topic *t = topics; !c && t->name; t++) {
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
