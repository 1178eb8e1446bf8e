/* SPDX-License-Identifier: MIT */
/* The texts of the prompts in Japanese. */
#include "actors/projects/inside.h"

/* clang-format off */
#define FACTS \
    "## 識別情報\n" \
    "- タスク ID: {task_id}\n" \
    "- プロジェクト ID: {project_id}\n" \
    "- プロジェクト名: {project_name}\n" \
    "- エージェント ID: {agent_id}\n" \
    "- エージェント名: {agent_name}\n" \
    "\n" \
    "## 説明\n" \
    "{description}\n" \
    "\n" \
    "## 状態\n" \
    "- ステータス: {status}\n" \
    "- 優先度: {priority}\n" \
    "- 依存するタスク: {dependencies}\n" \
    "\n" \
    "## 作業ディレクトリ\n" \
    "{directory}\n" \
    "\n" \
    "## これまでの経過\n" \
    "- 進捗: {progress}\n" \
    "- 分かったこと: {findings}\n" \
    "- 妨げ: {blockers}\n" \
    "- 次にすること: {next_steps}\n" \
    "\n" \
    "## 引き継ぎ\n" \
    "- 渡した人: {handoff_from}\n" \
    "- 要約: {handoff_summary}\n" \
    "- 背景: {handoff_context}\n" \
    "- 勧めること: {handoff_advice}\n" \
    "\n"

const char *const prompt_ja[PROMPTS] = {
    [PROMPT_TASK_START] =
    "# タスク: {title}\n"
    "\n"
    FACTS
    "## 進め方\n"
    "1. 上の説明のとおりにタスクを完了してください。\n"
    "2. {directory} で作業し、成果物もそこに置いてください。\n"
    "3. 途中で分かったことは残してください: save_context"
    "(task_id=\"{task_id}\", agent_id=\"{agent_id}\", progress=..., "
    "findings=...)\n"
    "4. 他のエージェントに続きを任せるときは引き継ぎます: create_handoff"
    "(task_id=\"{task_id}\", from_agent_id=\"{agent_id}\", summary=...)\n"
    "5. 終わったら、token があれば report_completed(token=..., "
    "result=\"success\", summary=...)、なければ update_task_status"
    "(task_id=\"{task_id}\", status=\"done\") を呼びます。\n"
    "6. 続けられないときは理由を伝えます: report_completed(token=..., "
    "result=\"blocked\", summary=...) または update_task_status"
    "(task_id=\"{task_id}\", status=\"blocked\", reason=...)\n",

    [PROMPT_HANDOFF_TEMPLATE] =
    "# 引き継ぎ: {title}\n"
    "\n"
    FACTS
    "## 引き継ぎを書く\n"
    "このタスクを何も知らない相手が、書かれたことだけを頼りに続けます。次を"
    "書いてください。\n"
    "1. 済んだことと、その置き場所\n"
    "2. 今の状態と、残っていること\n"
    "3. 次にすると良いことと、その順序\n"
    "4. うまくいかないおそれのあることと、試して駄目だったこと\n"
    "\n"
    "## 送る\n"
    "create_handoff(task_id=\"{task_id}\", from_agent_id=\"{agent_id}\", "
    "to_agent_id=..., summary=\"1 と 2 を数文で\", "
    "context=\"詳細、パス、決めたこと\", recommendations=\"3 と 4\")\n"
    "誰でも受けられるようにするなら to_agent_id を省きます。\n"
    "\n"
    "## 受けられる相手\n"
    "{others}\n",

    [PROMPT_CONTEXT_SUMMARY] =
    "# 経過のまとめ: {title}\n"
    "\n"
    FACTS
    "## まとめる\n"
    "続きをする人のために、このタスクの作業をまとめてください。\n"
    "- progress: 済んだこと\n"
    "- findings: 分かったこと（パスや数値も）\n"
    "- blockers: 妨げになっていること（あれば）\n"
    "- next_steps: 次にすること（順に）\n"
    "\n"
    "## 残す\n"
    "save_context(task_id=\"{task_id}\", progress=..., findings=..., "
    "blockers=..., next_steps=...)\n",

    [PROMPT_TASK_BREAKDOWN] =
    "# 手順に分ける: {title}\n"
    "\n"
    FACTS
    "## 分ける\n"
    "このタスクを手順に分けてください。一つの手順は、一人のエージェントが単独"
    "で終えられる一つの行動です。それぞれに次を書きます。\n"
    "- 行動を表す題名\n"
    "- 終わったと判断する基準\n"
    "- 先に済ませる手順\n"
    "待つ手順より前に並ばない順にします。説明にないことは加えず、説明で決まっ"
    "ていないことは挙げてください。\n",

    [PROMPT_STATUS_REPORT] =
    "# 進捗: {project_name}\n"
    "\n"
    "## プロジェクト\n"
    "- プロジェクト ID: {project_id}\n"
    "- ステータス: {status}\n"
    "- 説明: {description}\n"
    "- 作業ディレクトリ: {directory}\n"
    "\n"
    "## タスク\n"
    "- backlog: {backlog}\n"
    "- todo: {todo}\n"
    "- in_progress: {in_progress}\n"
    "- blocked: {blocked}\n"
    "- done: {done}\n"
    "- cancelled: {cancelled}\n"
    "\n"
    "## 終わっていないタスク\n"
    "{open}\n"
    "\n"
    "## メンバー\n"
    "{others}\n"
    "\n"
    "## 報告\n"
    "毎日は見ていない人に向けて、プロジェクトの様子を報告してください。\n"
    "1. 全体の進み具合\n"
    "2. 達成したこと\n"
    "3. 妨げとリスク\n"
    "4. 次にすることと、その時期\n"
    "数字だけで足りないところは get_task と list_tasks(project_id="
    "\"{project_id}\") で確かめてください。\n",
};
/* clang-format on */
