/* SPDX-License-Identifier: MIT */
/* What `kuromajutsu pm` says, in Japanese. */
#ifndef CONFIG_MESSAGES_PM_JA_H
#define CONFIG_MESSAGES_PM_JA_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/pm.c */
#define JA_PM_COMMAND "プロジェクトとタスク、担当エージェントを管理する"
#define JA_PM_MANUAL \
"      --json               応答をそのまま出力する（どれにも使える）\n" \
"      --stdin              パスキーを作らず、標準入力から受け取る\n" \
"agents の OPTION:\n" \
"      --role TEXT          役割の説明\n" \
"      --role-type KIND     developer, reviewer, tester, architect, manager,\n" \
"                           writer, designer, analyst\n" \
"      --type KIND          ai または human\n" \
"      --ai-type KIND       cursor, claude, gemini, openai, other\n" \
"      --model MODEL        AI のモデル\n" \
"      --runs-as ROLE       起動に使う Kuromajutsu のロール\n" \
"      --rank KIND          manager または worker\n" \
"      --parent AGENT       上司にあたるエージェント\n" \
"      --max-tasks N        プロジェクト内で同時に作業できるタスクの数\n" \
"      --can LIST           できること\n" \
"      --prompt-file FILE   システムプロンプトのファイル\n" \
"tasks の OPTION:\n" \
"      --priority KIND      low, medium, high, urgent\n" \
"      --needs LIST         先に完了しているべきタスク\n" \
"      --parent TASK        親のタスク\n" \
"      --minutes N          見積もり（分）\n" \
"      --description TEXT   作業の内容\n" \
"\n" \
"作られたパスキーの表示は一度だけです。STATUS は backlog, todo, in_progress,\n" \
"blocked, done, cancelled のいずれかで、エージェントが作業中のまま残したタスクも\n" \
"戻せます。tasks assign で AGENT を省くと担当なしになります。空の値は、なくても\n" \
"よい項目を消します。show はタスク・プロジェクト・エージェントの詳細を、handoffs\n" \
"はまだ受け取られていない引き継ぎを表示します。一覧と show はハブがなくても、記\n" \
"録された内容を表示します。setup は prj_default と、その担当 agt_claude を作りま\n" \
"す。\n" \
"\n" \
"FILE（- は標準入力）は配列を持つ JSON です: projects（project_id, name）、agents\n" \
"（agent_id, name）、assignments（agent_id, project_id）、tasks（task_id,\n" \
"project_id, title）。ほかに create_* ツールの引数を指定できます。すべて作るか、\n" \
"何も作らないかのどちらかで、同じ ID が既にあればそのまま残します。"
#define JA_OPERAND_PM "最初の語（projects, agents, tasks, show など）"
#define JA_PM_NOTHING_TO_CHANGE \
    "%s: 変更する項目がありません（%s など）。kuromajutsu help pm を参照"

/* transport/command/text_file.c */
#define JA_TEXT_FILE_TOO_BIG "%s: 大きすぎます（上限 %zu バイト）"
#define JA_TEXT_FILE_UNREADABLE "%s を読み込めません: %s"

/* transport/command/pm_projects.c */
#define JA_COLUMN_DIRECTORY "ディレクトリ"
#define JA_PM_NO_PROJECTS "プロジェクトはありません。はじめに: kuromajutsu pm setup\n"
#define JA_PM_PROJECT_MADE "プロジェクト %.*s を作成しました\n"
#define JA_PM_PROJECT_CHANGED "プロジェクト %.*s を変更しました\n"
#define JA_OPERAND_PM_NAME "名前"
#define JA_OPERAND_PM_PROJECT "プロジェクトの ID（kuromajutsu pm projects）"

/* transport/command/pm_agents.c */
#define JA_COLUMN_TYPE "種別"
#define JA_COLUMN_WORK "職種"
#define JA_COLUMN_RUNS_AS "実行ロール"
#define JA_COLUMN_ROLE "役割"
#define JA_PM_NO_AGENTS "エージェントはありません。追加: kuromajutsu pm agents add 名前\n"
#define JA_PM_TYPE_PASSKEY "パスキー: "
#define JA_PM_NO_PASSKEY_THERE "%s: 標準入力にパスキーがありません。8 バイト以上の 1 行を渡してください"
#define JA_PM_PASSKEY_IS "%.*s のパスキー: "
#define JA_PM_PASSKEY_ONCE \
    "\n（表示は今回限りです。再発行: kuromajutsu pm agents passkey ID）\n"
#define JA_PM_AGENT_MADE "エージェント %.*s を作成しました\n"
#define JA_PM_PASSKEY_SET "エージェント %.*s のパスキーを変更しました\n"
#define JA_PM_AGENT_CHANGED "エージェント %.*s を変更しました\n"
#define JA_OPERAND_PM_AGENT "エージェントの ID（kuromajutsu pm agents）"

/* transport/command/pm_tasks.c */
#define JA_COLUMN_TITLE "題名"
#define JA_COLUMN_ASSIGNEE "担当"
#define JA_COLUMN_PRIORITY "優先度"
#define JA_PM_NO_TASKS "タスクはありません。\n"
#define JA_PM_TASK_MADE "タスク %.*s を作成しました\n"
#define JA_PM_TASK_CHANGED "タスク %.*s を変更しました\n"
#define JA_PM_TASK_NOBODYS "タスク %.*s の担当を外しました\n"
#define JA_PM_TASK_ASSIGNED "タスク %.*s の担当を %.*s にしました\n"
#define JA_OPERAND_PM_TITLE "プロジェクトの ID とタスクの題名"
#define JA_OPERAND_PM_TASK "タスクの ID（kuromajutsu pm tasks）"
#define JA_OPERAND_PM_TASK_STATUS "タスクの ID と新しい状態"

/* transport/command/pm_assign.c */
#define JA_PM_ASSIGNED "%.*s を %.*s に割り当てました\n"
#define JA_PM_UNASSIGNED "%.*s を %.*s から外しました\n"
#define JA_OPERAND_PM_ASSIGNMENT "エージェントとプロジェクトの ID"
#define JA_COLUMN_TASK "タスク"
#define JA_COLUMN_FROM "渡し元"
#define JA_COLUMN_TO "渡し先"
#define JA_PM_NO_HANDOFFS "未処理の引き継ぎはありません。\n"
#define JA_PM_ANYBODY "（誰でも）"

/* transport/command/pm_show.c */
#define JA_PM_CONTEXT_OF "文脈  %s  %.*s\n"
#define JA_PM_PROGRESS "進捗"
#define JA_PM_FINDINGS "わかったこと"
#define JA_PM_BLOCKERS "妨げ"
#define JA_PM_NEXT_STEPS "次にすること"
#define JA_PM_HANDOFF_OF "引き継ぎ  %s  %.*s -> %.*s\n"
#define JA_PM_CONTEXT "文脈"
#define JA_PM_RECOMMENDATIONS "推奨事項"
#define JA_PM_TAKEN_BY "受け取り"
#define JA_PM_NOT_TAKEN "まだ誰も受け取っていません"
#define JA_PM_PROJECT "プロジェクト"
#define JA_PM_ASSIGNEE "担当"
#define JA_PM_PRIORITY "優先度"
#define JA_PM_NEEDS "依存先"
#define JA_PM_PARENT "親"
#define JA_PM_BLOCKED "妨げ"
#define JA_PM_COMPLETED "完了"
#define JA_PM_DESCRIPTION "説明"
#define JA_PM_TASKS "タスク"
#define JA_PM_TASK_COUNTS \
    "完了 %" PRIu64 "/%" PRIu64 "  作業中 %" PRIu64 "  停止中 %" PRIu64 "\n"
#define JA_PM_ROLE "役割"
#define JA_PM_TYPE "種別"
#define JA_PM_RUNS_AS "実行ロール"
#define JA_PM_WORK "職種"
#define JA_PM_CAN "できること"
#define JA_OPERAND_PM_ANY "タスク・プロジェクト・エージェントの ID"
#define JA_PM_NOTHING_OF_ID \
    "'%s' というタスク・プロジェクト・エージェントはありません。一覧: kuromajutsu pm tasks"

/* transport/command/pm_import.c */
#define JA_PM_PROJECTS "プロジェクト"
#define JA_PM_IMPORTED "作成 %" PRIu64 "  既存 %" PRIu64 "\n"
#define JA_PM_FILE_NO_JSON "%s: %zu 行 %zu 桁が JSON ではありません: %s"
#define JA_PM_FILE_NO_OBJECT \
    "%s: projects, agents, assignments, tasks（いずれも配列）を持つオブジェクトが必要です"
#define JA_OPERAND_FILE "ファイル（- は標準入力）"

/* clang-format on */

#endif
