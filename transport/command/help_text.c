/* SPDX-License-Identifier: MIT */
#include "transport/command/help_text.h"

#include <stddef.h>

/* clang-format off */
const struct help_text help_text_ja = {
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
"使い方: kuromajutsu [--config FILE] COMMAND ...\n"
"\n"
"  mcp           MCP サーバー（標準入出力）。mcp.json が起動するもの\n"
"  serve         ハブを前面で動かす。普段は mcp が自動で起動する\n"
"  --standalone  ハブと MCP サーバーを一つのプロセスで\n",
.tail =
"\n"
"詳細: kuromajutsu help COMMAND      設定の全キー: kuromajutsu help config\n"
"\n"
"環境変数:\n"
"  KUROMAJUTSU_CONFIG         設定ファイル（既定: ./kuromajutsu.config.yaml）\n"
"  KUROMAJUTSU_HOME           状態の置き場（既定: ~/.local/state/kuromajutsu）\n"
"  KUROMAJUTSU_AGENT_COMMAND  Agent の CLI（既定: cursor-agent、なければ agent）\n"
"  KUROMAJUTSU_LANGUAGE       ja または en\n"
"  KUROMAJUTSU_LOG_LEVEL      debug, info, warn, error\n"
"  CURSOR_API_KEY             そのまま Agent に渡る\n"
"  NO_COLOR, COLUMNS          色を使わない、表の幅\n"
"\n"
"終了コード: 0 成功  1 失敗・見つからない  2 使い方か設定の誤り  3 ハブがない\n",
};

const struct help_text help_text_en = {
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
"Usage: kuromajutsu [--config FILE] COMMAND ...\n"
"\n"
"  mcp           the MCP server on stdin and stdout: what mcp.json starts\n"
"  serve         runs the hub in the foreground; mcp starts one by itself\n"
"  --standalone  hub and MCP server in one process\n",
.tail =
"\n"
"More: kuromajutsu help COMMAND      all settings: kuromajutsu help config\n"
"\n"
"Environment:\n"
"  KUROMAJUTSU_CONFIG         configuration (./kuromajutsu.config.yaml)\n"
"  KUROMAJUTSU_HOME           where state lies (~/.local/state/kuromajutsu)\n"
"  KUROMAJUTSU_AGENT_COMMAND  the agents' CLI (cursor-agent, else agent)\n"
"  KUROMAJUTSU_LANGUAGE       ja or en\n"
"  KUROMAJUTSU_LOG_LEVEL      debug, info, warn or error\n"
"  CURSOR_API_KEY             is handed on to the agents\n"
"  NO_COLOR, COLUMNS          no colours; width of tables\n"
"\n"
"Exit codes: 0 fine  1 failed, not found  2 wrong use or settings  3 no hub\n",
};

const struct help_topic help_topics[] = {
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
"（なければディレクトリ）ごとに一つ。既にあればすぐ終了コード 0 で終わる。\n",
"kuromajutsu serve\n"
"\n"
"Runs the hub in the foreground until Ctrl-C or kuromajutsu stop. There is one\n"
"for a configuration (or directory); if it runs already, this ends at once\n"
"with 0.\n"},
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
