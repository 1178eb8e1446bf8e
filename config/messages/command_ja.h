/* SPDX-License-Identifier: MIT */
/* What commands complain of and report, in Japanese. */
#ifndef CONFIG_MESSAGES_COMMAND_JA_H
#define CONFIG_MESSAGES_COMMAND_JA_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/cancel.c */
#define JA_CANCEL_NOTHING "実行中の Agent はありません"
#define JA_CANCEL_DONE "中止しました"
#define JA_CANCEL_WAS_NOT_RUNNING "実行中ではありません"

/* transport/command/command.c */
#define JA_COMMAND_UNKNOWN_NEAR "不明なコマンド '%s'。もしかして: %s"
#define JA_COMMAND_UNKNOWN_OPTION \
    "不明なオプション '%s'。`kuromajutsu --help` を参照"
#define JA_COMMAND_NEEDS_VALUE \
    "オプション %s に値が必要です。`kuromajutsu --help` を参照"
#define JA_COMMAND_UNKNOWN "不明なコマンド '%s'。`kuromajutsu --help` を参照"

/* transport/command/export.c */
#define JA_EXPORT_UNREADABLE "%s の出力を読めません: %s"
#define JA_EXPORT_CANNOT_WRITE "%s に書けません: %s"
#define JA_OPERAND_AGENT_OR_GROUP "Agent かグループの ID"
#define JA_EXPORT_NOT_TO_TERMINAL \
    "%s: 端末には書きません。-o FILE を指定してください"
#define JA_EXPORT_FULL_IS_OF_HTML \
    "%s: --full は --html と一緒に指定してください"
#define JA_EXPORT_HTML_IS_OF_GROUPS \
    "--html: '%s' はグループの ID ではありません。グループを指定してください" \
    "（その Agent はすべて入ります）: kuromajutsu groups"

/* transport/command/export_html.c */
#define JA_EXPORT_NO_PAGE \
    "kuromajutsu-hub からページを受け取れません: %s。kuromajutsu と同じ版を" \
    "同じディレクトリに置いてください"
#define JA_EXPORT_STORIES_CUT \
    "経緯が長いため、%s 台の Agent については始めの部分を省きました。" \
    "--full で全体が入ります"

/* transport/command/hub_log.c */
#define JA_LOGS_NO_HUB_LOG \
    "ハブのログがありません（%s）。前面のハブ（kuromajutsu serve）は端末に書" \
    "きます"

/* transport/command/hub_question.c */
#define JA_NO_HUB_CONFIG_WRONG \
"ハブは動いておらず、設定に誤りがあるため起動もできません:\n" \
"%s"
#define JA_NO_HUB \
"ハブは動いていません%s。\n" \
"MCP クライアントが最初に使う時に自動で起動します。手動なら: kuromajutsu start"
#define JA_NO_HUB_OF_DATABASE \
"データベース %s のハブが動いていません。\n" \
"MCP クライアントが最初に使う時に起動します。手動では: kuromajutsu start " \
"--db '%s'"
#define JA_HUB_DOES_NOT_ANSWER "ハブが応答しません（%s）。ログ: %s/hub.log"
#define JA_HUB_BELONGS_TO_ANOTHER \
    "%s: 他のユーザーが待ち受けているため接続しません。KUROMAJUTSU_HOME を自" \
    "分の場所にしてください"
#define JA_HUB_IS_LEAVING "ハブは終了処理中です（%s）"
#define JA_HUB_CANNOT_SPEAK "ハブと話せません（%s）: %s"

/* transport/command/ids.c */
#define JA_ID_AMBIGUOUS "'%s' に当てはまる ID が複数あります:%.*s"
#define JA_ID_TOO_SHORT "'%s' は短すぎます。ID の一部は %zu 文字以上必要です"

/* transport/command/mcp_config.c */
#define JA_MCP_CONFIG_NO_UTF8 "UTF-8 でないパスは書けません: %s"
#define JA_MCP_CONFIG_IN_PROJECT_ALONE \
    "%sのディレクトリで起動するクライアントにだけ使えます"
#define JA_MCP_CONFIG_PROJECT "プロジェクト"
#define JA_MCP_CONFIG_NO_CLIENT "mcp-config: --for は %.*s のいずれかです: '%s'"
#define JA_MCP_CONFIG_WHERE \
    "%s: %s に置いてください（既にあれば %s に kuromajutsu を足す）。\n"

/* transport/command/options.c */
#define JA_OPTION_UNKNOWN_NEAR "%s: 不明なオプション '%s'。もしかして: %s"
#define JA_OPTION_UNKNOWN \
    "%s: 不明なオプション '%s'。`kuromajutsu help %s` を参照"
#define JA_OPTION_TAKES_NO_VALUE "%s: オプション %s は値を取りません"
#define JA_OPTION_NEEDS_VALUE "%s: オプション %s に値が必要です"
#define JA_OPTION_TWICE "%s: オプション %s が二度指定されています"
#define JA_OPERAND_MISSING \
    "%s: %s を指定してください。`kuromajutsu help %s` を参照"
#define JA_OPERAND_TOO_MUCH "%s: 余分な引数 '%s'。`kuromajutsu help %s` を参照"
#define JA_OPTION_NO_NUMBER \
    "%s: %s は %" PRIu64 " から %" PRIu64 " までの整数です: '%s'"
#define JA_OPTION_NO_CHOICE \
    "%s: %s に '%s' は使えません。%s%s%s次のいずれか: %.*s"
#define JA_OPTION_AFTER_NEAR "。"

/* transport/command/records.c */
#define JA_RECORDS_NONE \
"このプロジェクトの記録はまだなく、ハブも動いていません%s。\n" \
"MCP クライアントが最初に使う時に始まります。手動なら: kuromajutsu start"
#define JA_RECORDS_NO_READER \
    "記録を読むプログラム kuromajutsu-hub と話せません: %s"
#define JA_RECORDS_WITHOUT_HUB \
    "ハブが動いていません。引き継ぐには: kuromajutsu start\n"

/* transport/command/retry.c */
#define JA_RETRY_GROUP "グループ "
#define JA_RETRY_GROUP_ALONE \
    "%s: グループは一つずつ、Agent とは別に指定してください: '%s'"
#define JA_RETRY_FAILED_OF_GROUP \
    "%s: --failed はグループに使います（グループ ID は grp- で始まります）: " \
    "'%s'"
#define JA_RETRY_PAST_PART \
    "Agent '%s' は古い計画の一部で、ハブには結果だけが残り、依頼全体は残って" \
    "いません。もう一度行うには、プロンプトをメイン Agent に渡してくだ" \
    "さい: kuromajutsu show %s"
#define JA_RETRY_PAST_APART \
    "'%s' などには古い Agent とそうでないものが混ざっています。古い Agent は" \
    "別に再試行してください"
#define JA_RETRY_OF_THE_PAST "%s の再試行"
#define JA_OPERAND_AN_AGENT_OR_GROUP "Agent ID またはグループ ID"

/* transport/command/start.c */
#define JA_START_FAILED "ハブを起動できません: %.*s。ログ: %s/hub.log"
#define JA_START_DONE "ハブを起動しました（pid %u）。"
#define JA_START_RUNS_ALREADY "ハブは既に動いています（pid %u）。"
#define JA_START_DASHBOARD "ダッシュボード: "
#define JA_START_NO_DASHBOARD "ダッシュボードはありません。"
#define JA_START_NOT_FOR_AGENTS \
    "%s: Agent の中ではハブを起動できません（Agent と共に終わるため）。人が端" \
    "末で実行してください"

/* transport/command/stop.c */
#define JA_STOP_DOES_NOT_END "ハブ（pid %d）が終わりません。ログ: %s/hub.log"
#define JA_STOP_DONE "ハブ（pid %d）を止めました。"
#define JA_STOP_AGENTS_WAIT_ONE \
    "Agent %" PRIu64 " 件は次のハブを待っています。"
#define JA_STOP_AGENTS_WAIT "Agent %" PRIu64 " 件は次のハブを待っています。"
#define JA_STOP_AGENTS_ENDED_ONE "Agent %" PRIu64 " 件も終わらせました。"
#define JA_STOP_AGENTS_ENDED "Agent %" PRIu64 " 件も終わらせました。"

/* transport/command/trust.c */
#define JA_TRUST_SECRET "（秘密）"
#define JA_TRUST_TAKEN_UP \
    "動作中のハブには数秒で反映されます（dashboard の host・token・tokenFile " \
    "は再起動後: kuromajutsu stop --keep-agents）\n"
#define JA_TRUST_NOT_NEEDED ": 信頼が必要な設定はありません\n"
#define JA_TRUST_DONE "信頼しました。上の値が変わればまた尋ねます。\n"
#define JA_TRUST_TAKEN_BACK ": 信頼を取り消しました\n"
#define JA_TRUST_NOT_FOR_AGENTS \
    "%s: Agent からは信頼できません。人が端末で実行してください"

/* transport/command/wait.c */
#define JA_WAIT_TIMED_OUT "%s はまだ終わっていません（--timeout）"
#define JA_WAIT_NO_HUB \
    "%.*s は終わっておらず、ハブが動いていないため待てません。引き継ぐには: " \
    "kuromajutsu start"

/* transport/command/when.c */
#define JA_OPTION_NO_TIME \
    "%s: %s に使えない時刻です: '%s'（例: 2h, 3d, 2026-02-13, " \
    "2026-02-13T12:00）"

/* clang-format on */

#endif
