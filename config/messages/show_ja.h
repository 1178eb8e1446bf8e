/* SPDX-License-Identifier: MIT */
/* What commands list and show, in Japanese. */
#ifndef CONFIG_MESSAGES_SHOW_JA_H
#define CONFIG_MESSAGES_SHOW_JA_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/agent_words.c */
#define JA_STATE_QUEUED "待機中"
#define JA_STATE_RUNNING "実行中"
#define JA_STATE_COMPLETED "完了"
#define JA_STATE_REPORTED "報告済み"
#define JA_STATE_FAILED "失敗"
#define JA_STATE_TIMED_OUT "時間切れ"
#define JA_STATE_CANCELLED "中止"
#define JA_STATE_ACTIVE "使用中"
#define JA_STATE_DELETED "削除済み"
#define JA_OUTCOME_SUCCESS "成功"
#define JA_OUTCOME_FAILURE "失敗"
#define JA_STATE_RUNNING_NO_HUB "実行中（ハブなし）"
#define JA_STATE_ENDED_NO_HUB "終了（ハブなし）"
#define JA_STATE_QUEUED_NO_HUB "待機中（ハブなし）"
#define JA_STATE_REPORTED_FAILURE "失敗を報告"
#define JA_STATE_STALLED "停滞中"

/* transport/command/agents.c */
#define JA_COLUMN_STATUS "状態"
#define JA_COLUMN_TIME "時間"
#define JA_COLUMN_ABOUT "内容"
#define JA_COLUMN_TOOLS "ツール"
#define JA_COLUMN_GROUP "グループ"
#define JA_COLUMN_MODEL "モデル"
#define JA_AGENTS_NONE "Agent はありません。\n"
#define JA_AGENTS_MORE "ほかに %s 件\n"

/* transport/command/gc.c */
#define JA_GC_WOULD_GO "消えるもの:\n"
#define JA_GC_GONE "消えたもの:\n"
#define JA_LABEL_AGENTS "Agent"
#define JA_LABEL_GROUPS "グループ"
#define JA_GC_EVENTS "イベント"
#define JA_GC_REMEMBERED_ANSWERS "覚えていた答え"
#define JA_GC_TRANSCRIPTS_TO_DROP "消す記録ファイル"
#define JA_GC_TRANSCRIPTS_TO_COMPRESS "圧縮する記録ファイル"

/* transport/command/groups.c */
#define JA_STALLED "停滞"
#define JA_GROUPS_RUNNING " 実行 %" PRIu64
#define JA_GROUPS_QUEUED " 待機 %" PRIu64
#define JA_GROUPS_FAILED " 失敗 %" PRIu64
#define JA_GROUPS_STAGE "段 %" PRIu64 "/%" PRIu64
#define JA_GROUPS_ROUND "周 %" PRIu64 "/%" PRIu64
#define JA_COLUMN_MODE "モード"
#define JA_COLUMN_DONE "完了"
#define JA_COLUMN_AT "進行"
#define JA_COLUMN_DESCRIPTION "説明"
#define JA_GROUPS_NONE "グループはありません。\n"
#define JA_GROUPS_MORE \
    "新しい %zu 件です（全 %s 件）。もっと見るには: --limit N（1000 まで）\n"

/* transport/command/history.c */
#define JA_HISTORY_PAGE \
    "全 %" PRIu64 " 件中 %zu 件。続き: --before %" PRIu64 "\n"
#define JA_COLUMN_CREATED "登録"
#define JA_COLUMN_SUMMARY "要約"
#define JA_HISTORY_NONE "該当する Agent はありません。\n"

/* transport/command/hubs.c */
#define JA_HUBS_SILENT "応答なし"
#define JA_HUBS_NO_HUB "停止中"
#define JA_COLUMN_PROJECT "プロジェクト"
#define JA_COLUMN_HUB "ハブ"
#define JA_COLUMN_SINCE "開始"
#define JA_COLUMN_RUNNING "実行中"
#define JA_COLUMN_DASHBOARD "ダッシュボード"
#define JA_HUBS_NONE "動いているハブはありません。\n"

/* transport/command/logs.c */
#define JA_LOGS_NOTHING_PRINTED "%s はまだ何も出力していません"
#define JA_LOGS_ENDED_WITHOUT_RECORD "プロセスは記録を残さずに消えました\n"
#define JA_LOGS_ENDED "プロセスの終わり:"
#define JA_LOGS_NOT_KEPT "%s の記録はもう残っていません"
#define JA_LOGS_NO_AGENT_ID "Agent ID ではありません: %s"
#define JA_LOGS_RAW_ALONE \
    "%s: --raw はグループや --tail、--since と同時には使えません"

/* transport/command/render.c */
#define JA_TOOL_OK "成功"
#define JA_TOOL_ERROR "エラー"
#define JA_TOOL_FAILED "失敗"
#define JA_TOOL_REJECTED "却下"
#define JA_TOOL_DENIED "不許可"
#define JA_TOOL_ENDED "終了"
#define JA_RENDER_TOKENS "トークン 入力 %s 出力 %s キャッシュ読 %s"
#define JA_RENDER_RETRY "再試行 %" PRIu64 " "
#define JA_RENDER_RATE_LIMIT "利用制限 "
#define JA_RENDER_LINE_SKIPPED "長すぎる行（%s）を飛ばしました"
#define JA_RENDER_DONE "完了"

/* transport/command/replay.c */
#define JA_OPERAND_GROUP "グループ ID"

/* transport/command/replay_words.c */
#define JA_REPLAY_GROUP_CREATED "グループ作成"
#define JA_REPLAY_STAGE "ステージ %" PRIu64 "/%" PRIu64
#define JA_REPLAY_LEDGER "台帳更新 %" PRIu64 " 周目"
#define JA_REPLAY_AGENT_CREATED "登録"
#define JA_REPLAY_AGENT_ENDED "終了"
#define JA_REPLAY_AGENT_CONFLICT "同じファイルを編集"
#define JA_REPLAY_GROUP_COMPLETED "グループ完了"
#define JA_REPLAY_GROUP_DELETED "グループ削除"
#define JA_REPLAY_GROUP_STALLED "グループ停滞"

/* transport/command/report.c */
#define JA_REPORT_LAST_WORDS "最後の発言:"
#define JA_REPORT_ERROR "エラー:"
#define JA_REPORT_OUTCOMES "結果"
#define JA_REPORT_COUNTS_ONE \
"Agent %s 件: 成功 %s、失敗 %s、未完了 %s\n" \
"\n"
#define JA_REPORT_COUNTS \
"Agent %s 件: 成功 %s、失敗 %s、未完了 %s\n" \
"\n"
#define JA_REPORT_TABLE "Agent | 職種 | 状態 | 時間 | 費用"
#define JA_REPORT_FILES "ファイル"
#define JA_REPORT_NO_FILES "変更されたファイルはありません。"
#define JA_REPORT_DIFF "差分"
#define JA_REPORT_COST "費用"
#define JA_REPORT_COST_NOT_KNOWN "不明"
#define JA_REPORT_TOKENS "（%s トークン）"
#define JA_REPORT_TOKENS_UNPRICED "、うち %s トークンは単価不明で含まれません"
#define JA_REPORT_SUMMARIES "要約"

/* transport/command/report_diff.c */
#define JA_REPORT_NEW_FILES \
"\n" \
"git にまだ加えられていないファイル:\n"
#define JA_REPORT_NO_GIT \
    "差分はありません: git の作業ツリーではないか、まだコミットがありません。"
#define JA_REPORT_NO_DIFFERENCE "最後のコミットからの差分はありません。"
#define JA_REPORT_DIFF_CUT \
"\n" \
"（長いため途中まで）"

/* transport/command/roles.c */
#define JA_ROLES_CHECKING "確認中"
#define JA_ROLES_READY "利用可"
#define JA_ROLES_UNUSABLE "利用不可"
#define JA_ROLES_NOT_CHECKED "（未確認）"
#define JA_COLUMN_STATE "状態"
#define JA_COLUMN_NAME "名前"

/* transport/command/show.c */
#define JA_SHOW_EDITED "編集"
#define JA_SHOW_MADE "作成"
#define JA_SHOW_COST "費用"
#define JA_SHOW_COST_NOT_KNOWN "不明（設定の prices に単価がありません）\n"
#define JA_SHOW_STARTED "開始"
#define JA_SHOW_TOOLS "ツール"
#define JA_SHOW_TOOL_NOW "  今: "
#define JA_SHOW_TOKENS "トークン"
#define JA_SHOW_TOKEN_COUNTS "入力 %s  出力 %s  キャッシュ読 %s  書 %s\n"
#define JA_SHOW_OUTPUT "出力"
#define JA_SHOW_OUTPUT_MESSAGES_ONE "メッセージ %s  "
#define JA_SHOW_OUTPUT_MESSAGES "メッセージ %s  "
#define JA_SHOW_OUTPUT_LINES_ONE "%s 行  "
#define JA_SHOW_OUTPUT_LINES "%s 行  "
#define JA_SHOW_OUTPUT_UNREAD "  読めない行 %" PRIu64
#define JA_SHOW_GROUP "グループ"
#define JA_SHOW_MODEL "モデル"
#define JA_SHOW_MODEL_ITS_OWN "CLI のモデル"
#define JA_SHOW_STAGE "ステージ"
#define JA_SHOW_RESULT "結果"
#define JA_SHOW_SUMMARY "要約"
#define JA_SHOW_RESPONSE "報告"
#define JA_SHOW_ERROR "エラー"
#define JA_SHOW_RETRY_OF "再試行"
#define JA_SHOW_DIRECTORY "作業場所"
#define JA_SHOW_FILES "記録"
#define JA_SHOW_SESSION "セッション"
#define JA_SHOW_PROMPT "指示"

/* transport/command/show_group.c */
#define JA_SHOW_DESCRIPTION "説明"
#define JA_SHOW_PARENT "親グループ"
#define JA_SHOW_BELOW "子グループ"
#define JA_SHOW_CREATED "作成"
#define JA_SHOW_DELETED "削除"
#define JA_SHOW_STAGE_NUMBER "  段 %zu\n"
#define JA_SHOW_PLAN "計画"
#define JA_SHOW_STAGE_TASK "    課題"
#define JA_SHOW_STAGE_UNTIL "    完了条件"
#define JA_SHOW_LEDGER "台帳"
#define JA_SHOW_LEDGER_ROUND "  周"
#define JA_SHOW_LEDGER_GIVEN "  事実"
#define JA_SHOW_LEDGER_ASSUMED "  仮定"
#define JA_SHOW_LEDGER_PLAN "  計画"
#define JA_SHOW_LEDGER_NEXT "  次"
#define JA_SHOW_LEDGER_INSTRUCTION "  指示"
#define JA_SHOW_MEMBERS "メンバー"

/* transport/command/status.c */
#define JA_STATUS_RUNNING "動作中"
#define JA_STATUS_UP "稼働"
#define JA_STATUS_ANOTHER_BUILD "このプログラムとは別のビルドです:"
#define JA_STATUS_AGENTS \
    "実行中 %" PRIu64 "  待機中 %" PRIu64 "  終了処理中 %" PRIu64 "  合計 %" \
    PRIu64 "\n"
#define JA_STATUS_GROUPS "有効 %" PRIu64 "  合計 %" PRIu64 "\n"
#define JA_STATUS_PLACES "実行枠"
#define JA_STATUS_PLACES_TAKEN \
    "%" PRIu64 "/%" PRIu64 " 使用  %" PRIu64 " 待ち  Orchestrator %" PRIu64 \
    "/%" PRIu64 "\n"
#define JA_STATUS_NO_CONFIG "なし（既定値）"
#define JA_STATUS_NOT_TRUSTED "未信頼のため無効: "
#define JA_STATUS_TRUST "内容を確かめてから: kuromajutsu trust '"
#define JA_STATUS_CONFIG_OF_BEFORE \
    "直すまでは、前に読み込んだ設定で動作します\n"
#define JA_STATUS_AT_RESTART \
    "再起動後に有効（kuromajutsu stop --keep-agents）: "
#define JA_STATUS_DASHBOARD "ダッシュボード"
#define JA_STATUS_DATABASE "データベース"
#define JA_STATUS_CONFIG "設定"

/* transport/command/phases.c */
#define JA_COLUMN_PHASE "フェーズ"
#define JA_COLUMN_CHECKPOINTS "チェックポイント"
#define JA_COLUMN_MADE "ファイル"
#define JA_PHASES_STARTED \
    "計画をグループ %.*s として開始しました。状態は kuromajutsu phases status で確認できます\n"
#define JA_OPERAND_STATUS_OR_RUN "status または run"
#define JA_OPERAND_WISHES "顧客の要望"

/* transport/command/usage.c */
#define JA_COLUMN_AGENTS "Agent"
#define JA_COLUMN_TOKENS_IN "入力"
#define JA_COLUMN_TOKENS_OUT "出力"
#define JA_COLUMN_CACHE_READ "キャッシュ読"
#define JA_COLUMN_CACHE_WRITTEN "キャッシュ書"
#define JA_COLUMN_COST "費用"
#define JA_USAGE_ALL "合計"
#define JA_USAGE_UNPRICED \
    "* 単価のない %s トークンを含みません（設定の prices）\n"
#define JA_USAGE_MORE "ほかにもあります（--limit）\n"

/* clang-format on */

#endif
