/* SPDX-License-Identifier: MIT */
/* What the manual says: `kuromajutsu help`, in Japanese. */
#ifndef CONFIG_MESSAGES_MANUAL_JA_H
#define CONFIG_MESSAGES_MANUAL_JA_H

/* clang-format off */

/* transport/command/agents.c */
#define JA_AGENTS_COMMAND "Agent の一覧を表示する"
#define JA_AGENTS_MANUAL \
"  -g, --group G    このグループの Agent だけ\n" \
"  -s, --status S   running, completed, failed, all, queued, timedOut,\n" \
"                   resultReported, cancelled のいずれか\n" \
"  -w, --watch      全て終わるまで表示し直す\n" \
"      --json       答えをそのまま JSON で\n" \
"ハブがなければ、記録されたものを表示する。"

/* transport/command/cancel.c */
#define JA_CANCEL_COMMAND "Agent を、またはグループ全体を中止する"
#define JA_CANCEL_MANUAL \
"ID は Agent のもの、またはグループのもの（子グループも含めて全て）。\n" \
"\n" \
"  -g, --group G    ID の代わりに、このグループ\n" \
"  -r, --reason R   理由\n"

/* transport/command/doctor.c */
#define JA_DOCTOR_COMMAND "環境を調べ、問題と直し方を示す"
#define JA_DOCTOR_MANUAL \
"設定ファイル、状態ディレクトリ、プログラム、ハブと職種、Agent の CLI と\n" \
"ログイン、MCP クライアント（Cursor、Claude Code、Codex、Gemini）の設定、\n" \
"システムの上限を調べる。何も変更せず、ハブも起動しない。\n" \
"fail が一つもなければ終了コード 0、あれば 1。"

/* transport/command/export.c */
#define JA_EXPORT_COMMAND "定義・結果・記録を一つのファイルにする"
#define JA_EXPORT_MANUAL \
"  -o, --output FILE   このファイルに（なければ標準出力）\n" \
"      --html          グループを一つの HTML ファイルに: 時系列、経緯、\n" \
"                      過去の時点。ハブも通信もなしにブラウザで開ける\n" \
"      --full          --html で、長い経緯も省かずに\n" \
"--html がなければ一行に一つの JSON（NDJSON）。グループはその下のグループも。\n" \
"ハブがなくても使える。\n" \
"どちらにもプロンプト、Agent の発言、コマンドの出力、差分がそのまま入る。\n" \
"人に渡す前に、秘密の情報がないか確かめること。"

/* transport/command/gc.c */
#define JA_GC_COMMAND "古い履歴と記録ファイルを片付ける"
#define JA_GC_MANUAL \
"  -n, --dry-run   何が消えるかを言うだけ\n" \
"      --json      gc の答えをそのまま JSON で\n" \
"ハブも一時間ごとに同じことをする。期限は設定の history.*。\n" \
"ディレクトリの削除と圧縮はこのあとハブが少しずつ行う。"

/* transport/command/groups.c */
#define JA_GROUPS_COMMAND "グループの一覧を表示する（子グループは親の下に）"
#define JA_GROUPS_MANUAL \
"  -n, --limit N   新しい N 件（1～1000、既定 100）\n" \
"      --json      list_groups の答えをそのまま JSON で\n" \
"ハブがなければ、記録されたものを表示する。"

/* transport/command/help.c */
#define JA_HELP_HEAD \
"kuromajutsu: Cursor などの MCP クライアントから、多数のサブ Agent を並列に、\n" \
"順番に、または Orchestrator の下で動かす MCP サーバー。\n" \
"\n" \
"はじめかた（プロジェクトのディレクトリで）:\n" \
"  1. kuromajutsu doctor                            環境を調べる\n" \
"  2. mkdir -p .cursor\n" \
"     kuromajutsu mcp-config > .cursor/mcp.json     Cursor に登録する\n" \
"  3. Cursor に「Agent 3 台で手分けして…」と頼み、様子を見る:\n" \
"     kuromajutsu agents      kuromajutsu logs -f ID\n" \
"\n" \
"使い方: kuromajutsu [--project DIR] [--config FILE] [--db FILE] COMMAND ...\n" \
"\n" \
"  mcp           MCP サーバー（標準入出力）。mcp.json が起動するもの\n" \
"  serve         ハブを前面で動かす。普段は mcp が自動で起動する\n" \
"  --standalone  ハブと MCP サーバーを一つのプロセスで\n"
#define JA_HELP_TAIL \
"\n" \
"詳細: kuromajutsu help COMMAND      設定の全キー: kuromajutsu help config\n" \
"\n" \
"環境変数:\n" \
"  KUROMAJUTSU_PROJECT        プロジェクト（既定: 今いる場所から上へ探す）\n" \
"  KUROMAJUTSU_CONFIG         設定ファイル（既定: その kuromajutsu.config.yaml）\n" \
"  KUROMAJUTSU_DB             データベース。専用のハブが使う（既定: 状態の中）\n" \
"  XDG_CONFIG_HOME            自分の設定の場所（既定: ~/.config/kuromajutsu/）\n" \
"  KUROMAJUTSU_HOME           状態の置き場（既定: ~/.local/state/kuromajutsu）\n" \
"  KUROMAJUTSU_AGENT_COMMAND  Agent の CLI（既定: agent、なければ cursor-agent）\n" \
"  KUROMAJUTSU_LANGUAGE       ja、en、auto（LC_ALL・LC_MESSAGES・LANG による）\n" \
"  KUROMAJUTSU_LOG_LEVEL      debug, info, warn, error\n" \
"  CURSOR_API_KEY             そのまま Agent に渡る\n" \
"  NO_COLOR, COLUMNS          色を使わない、表の幅\n" \
"\n" \
"終了コード: 0 成功  1 失敗・見つからない  2 使い方か設定の誤り  3 ハブがない\n"
#define JA_MCP_MANUAL \
"kuromajutsu mcp [--toolsets LIST] [--db FILE] [--standalone]\n" \
"\n" \
"MCP サーバー。標準入出力で JSON-RPC を話し、仕事はハブに渡す。ハブがなければ\n" \
"起動する。.cursor/mcp.json から起動されるもので、人が打つことはない。\n" \
"引数なしの kuromajutsu も、標準入力が端末でなければ同じ。\n" \
"\n" \
"  --toolsets LIST  使わせるツールの組。例: kuro,mail（省略時は設定の toolsets）\n" \
"  --db FILE        このデータベースに保存し、専用のハブを使う。同じファイルを\n" \
"                   指定したものは、どこから起動しても同じハブにつながる\n" \
"  --standalone     ハブと MCP サーバーを一つのプロセスで\n" \
"\n" \
"--db を付けても、ハブの設定は起動した場所のもの。確実にするには --project DIR\n" \
"か --config FILE も指定する。--db FILE はどのコマンドにも付けられる。ファイルが\n" \
"なければ作るが、ディレクトリは作らない。\n"
#define JA_SERVE_MANUAL \
"kuromajutsu serve\n" \
"\n" \
"ハブを前面で動かし、Ctrl-C または kuromajutsu stop で終わる。設定ファイル\n" \
"（なければディレクトリ）ごとに一つ。既にあればすぐ終了コード 0 で終わる。\n" \
"ログは端末には読みやすい形で、それ以外には JSON で出る（設定の log.format）。\n" \
"バックグラウンドで動かすには kuromajutsu start。\n"
#define JA_STANDALONE_MANUAL \
"kuromajutsu --standalone\n" \
"\n" \
"ハブと MCP サーバーを一つのプロセスで。同じ設定のハブがあれば断る。\n"
#define JA_HELP_NONE "'%s' の説明はありません。%s%s"
#define JA_HELP_DID_YOU_MEAN "もしかして: "
#define JA_HELP_SEE "`kuromajutsu --help` を参照"
#define JA_HELP_COMMAND "この説明、またはコマンドや設定キーの説明"
#define JA_HELP_MANUAL "kuromajutsu help config は設定ファイルの全キー。"
#define JA_VERSION_COMMAND "版とビルドを表示する（--version）"

/* transport/command/history.c */
#define JA_HISTORY_COMMAND "これまでの Agent を検索する（新しい順）"
#define JA_HISTORY_MANUAL \
"  -q, --search TEXT  プロンプト・要約・結果・ファイル名にある語（空白区切り）\n" \
"      --since WHEN   これ以降（2h, 3d, 2026-02-13, 2026-02-13T12:00 など）\n" \
"      --until WHEN   これより前\n" \
"  -g, --group G      このグループだけ\n" \
"  -r, --role R       この職種だけ\n" \
"  -s, --status S     agents の --status と同じ\n" \
"  -n, --limit N      一度に N 件（1～500、既定 50）\n" \
"      --before N     前のページの終わりに表示された番号から続ける\n" \
"      --json         history の答えをそのまま JSON で\n"

/* transport/command/hubs.c */
#define JA_HUBS_COMMAND "このユーザーの全てのハブを表示する"
#define JA_HUBS_MANUAL \
"  -a, --all    ハブが動いていない状態ディレクトリも\n" \
"      --json   表を JSON で\n" \
"プロジェクト、pid、開始時刻、実行中の Agent 数、ダッシュボード。"

/* transport/command/logs.c */
#define JA_LOGS_COMMAND "Agent やグループが言ったこと・したことを表示する"
#define JA_LOGS_MANUAL \
"  -f, --follow      終わるまで追いかける（言葉は出るそばから）\n" \
"  -n, --tail N      最後の N 件だけ\n" \
"      --since WHEN  これ以降だけ（90s, 2h, 2026-02-13T12:00 など）\n" \
"      --raw         CLI が出力した stream-json をそのまま\n" \
"ハブが動いていなくても読める。\n" \
"  logs --hub [-f] [-n N] [--json]   ハブ自身のログ（最後の N 行、既定 100）"

/* transport/command/mcp_config.c */
#define JA_MCP_CONFIG_COMMAND "MCP クライアントの設定に書く項目を出力する"
#define JA_MCP_CONFIG_MANUAL \
"CLIENT は cursor（既定）, claude, codex, gemini, vscode, opencode のいずれか。\n" \
"標準出力はそのクライアントの設定ファイルの形式だけ:\n" \
"  kuromajutsu mcp-config > .cursor/mcp.json\n" \
"  kuromajutsu mcp-config --for claude > .mcp.json\n" \
"  kuromajutsu mcp-config --for codex >> ~/.codex/config.toml\n" \
"  kuromajutsu mcp-config --for gemini > .gemini/settings.json\n" \
"  kuromajutsu mcp-config --for vscode > .vscode/mcp.json\n" \
"  kuromajutsu mcp-config --for opencode > opencode.json\n" \
"必要な設定（待ち時間、承認、渡す環境変数）も入る。今いる場所から見つかった\n" \
"プロジェクト（または --project DIR）の絶対パスが入り、どこから起動されても\n" \
"同じハブを使う（Codex の設定は全プロジェクト共通なので --project DIR を\n" \
"付けた時だけ）。--config FILE を付けると、代わりに KUROMAJUTSU_CONFIG が入る。\n" \
"--db FILE はそのまま入る。\n" \
"\n" \
"  --for CLIENT     クライアント。既定は cursor\n" \
"  --toolsets LIST  使わせるツールの組（kuro, mail, phases, pm, pm_admin）。コン\n" \
"                   マで区切る。既定は kuro,mail（全サーバー合わせて 40 個までの\n" \
"                   クライアントがあるため）"

/* transport/command/replay.c */
#define JA_REPLAY_COMMAND "グループとその下で起きたことを、起きた速さで再生する"
#define JA_REPLAY_MANUAL \
"  -s, --speed N   N 倍の速さで（1～100、既定 1）\n" \
"  -f, --follow    今起きていることも、グループが削除されるまで\n"

/* transport/command/report.c */
#define JA_REPORT_COMMAND \
    "グループの仕事を Markdown にまとめる（プルリクエスト向け）"
#define JA_REPORT_MANUAL \
"  -o, --output FILE   このファイルに（なければ標準出力）\n" \
"課題、結果、要約、ファイル、git の差分、費用。下のグループも。\n" \
"ハブがなくても使える。"

/* transport/command/retry.c */
#define JA_RETRY_COMMAND \
    "終わった Agent を、同じ指示と前回のエラーでもう一度動かす"
#define JA_RETRY_MANUAL \
"      --failed   グループの Agent のうち失敗したものだけ\n" \
"      --json     ハブの答えをそのまま JSON で\n" \
"指示・職種・作業ディレクトリ・制限時間は前と同じ。失敗したものには前回の\n" \
"エラーも伝える。新しい Agent の show に、元の ID が「再試行」として出る。\n" \
"  並列グループ       同じグループで。削除済みなら新しいグループで\n" \
"  順次実行グループ   最後の計画を最初のステージから全て。--failed は失敗が\n" \
"                     あるときだけ動かす。一つのステージだけはできない\n" \
"  magentic グループ  Orchestrator を新しいグループで\n" \
"予算、権限、実行枠は run_agents と同じ。"

/* transport/command/roles.c */
#define JA_ROLES_COMMAND "職種と、使えるかどうかを表示する"
#define JA_ROLES_MANUAL \
"使えない職種には理由を、使えるがツールの足りない職種には注意を付ける。\n" \
"「確認中」の職種にも仕事を頼める: 確認が済んでから始まる。「未確認」の\n" \
"モデルは、CLI に一覧がなく確かめられないもの。直し方は `kuromajutsu doctor`。"

/* transport/command/show.c */
#define JA_SHOW_COMMAND "一つの Agent またはグループについて全てを表示する"
#define JA_SHOW_MANUAL \
"Agent: 状態、時間、トークン、費用、指示、結果。出力は `kuromajutsu logs ID`。\n" \
"グループ: 計画、台帳、メンバー。\n" \
"ID は始めか終わりの一部でもよい。知らない ID なら終了コード 1。\n" \
"ハブがなければ、記録されたものを表示する。"

/* transport/command/start.c */
#define JA_START_COMMAND \
    "ハブをバックグラウンドで起動し、ダッシュボードの場所を示す"
#define JA_START_MANUAL \
"kuromajutsu stop まで動き続ける（MCP クライアントが自動で起動したハブは、\n" \
"使われなくなると自分で終わる）。既に動いていればその場所を示すだけ。\n" \
"ログ: kuromajutsu logs --hub"

/* transport/command/status.c */
#define JA_STATUS_COMMAND "ハブの状態（Agent 数、実行枠、場所）を表示する"
#define JA_STATUS_MANUAL "ハブが動いていなければ終了コード 3。"

/* transport/command/stop.c */
#define JA_STOP_COMMAND "ハブを止める"
#define JA_STOP_MANUAL \
"  -k, --keep-agents   Agent は生かしておき、次のハブが引き継ぐ\n" \
"                      （hub.lease_ms 以内に起動しなければ終わる）\n" \
"指定しなければ全ての Agent も終わる。ハブがなければ終了コード 3。"

/* transport/command/trust.c */
#define JA_TRUST_COMMAND "プロジェクトに付属の設定を信頼する"
#define JA_TRUST_MANUAL \
"FILE がなければ、このプロジェクトの kuromajutsu.config.yaml。\n" \
"プログラムを実行したり外に公開したりできる設定（agent.command、\n" \
"agent.allowNesting、dashboard の host・token・tokenFile、\n" \
"healthCheckPrompt、healthCheckCommand）は、プロジェクトのファイルに\n" \
"あるだけでは効かず、これを実行して初めて有効になる。値が変われば\n" \
"もう一度必要。自分のファイル ~/.config/kuromajutsu/config.yaml、\n" \
"環境変数、--config で指定したファイルには不要。\n" \
"      --revoke   信頼を取り消す"

/* transport/command/phases.c */
#define JA_PHASES_COMMAND \
    "プロジェクトのフェーズの状態を表示し、または実行する"
#define JA_PHASES_MANUAL \
"      --project-path DIR   対象のプロジェクト（run の既定は現在の場所）\n" \
"      --from PHASE         run をこのフェーズから始める。既定は phase0\n" \
"      --json               ハブの応答をそのまま出力する\n" \
"run はフェーズごとに Agent を一つずつ順に起動し、フェーズのプロンプトと TEXT\n" \
"（顧客の要望。人に尋ねられないため）を渡します。失敗するとそこで止まるので、\n" \
"原因を直してから --from で続けてください。前のフェーズが完了していれば始めら\n" \
"れます。"

/* transport/command/usage.c */
#define JA_USAGE_COMMAND "使ったトークンと費用を集計する"
#define JA_USAGE_MANUAL \
"  -b, --by KEY       agent, group, role, model, day（既定: day、UTC）\n" \
"      --since WHEN   これ以降に始まった Agent（2h, 3d, 2026-02-13 など）\n" \
"      --until WHEN   これより前に始まった Agent\n" \
"  -n, --limit N      N 行まで（1～1000、既定 100）\n" \
"      --json         usage の答えをそのまま JSON で\n" \
"費用は CLI が言うもの、なければ設定の prices による。"

/* transport/command/wait.c */
#define JA_WAIT_COMMAND "Agent やグループが終わるまで待つ"
#define JA_WAIT_MANUAL \
"  -t, --timeout S   S 秒まで（既定: 終わるまで）\n" \
"      --json        wait_agent の答えをそのまま JSON で\n" \
"全て成功なら終了コード 0、失敗や時間切れがあれば 1。\n" \
"ハブがなければ記録から答え、終わっていないものがあれば 3。"

/* clang-format on */

#endif
