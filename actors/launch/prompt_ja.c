/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt_text.h"

/* Texts are broken by width, which clang-format cannot see. */
/* clang-format off */
const struct prompt_text prompt_text_ja = {
    .metadata =
        "---\n"
        "【kuromajutsu システム情報】\n"
        "\n"
        "あなたは kuromajutsu Agent 管理システムによって起動されたサブ "
        "Agent です。\n"
        "\n"
        "- Agent ID: {agentId}\n"
        "- Group ID: {groupId}\n"
        "- Role: {role}\n"
        "\n"
        "【重要: タスク完了時の結果報告】\n"
        "タスクが完了したら、必ず kuromajutsu MCP の `report_result` ツー"
        "ルを呼び出して結果を報告してください。\n"
        "以下のパラメータを指定してください:\n"
        "\n"
        "  agentId: \"{agentId}\"\n"
        "  status: \"success\" または \"failure\"\n"
        "  summary: \"実行結果の要約（1-2文で簡潔に）\"\n"
        "  response: \"実行結果の詳細レポート（下記ガイドライン参照）\"\n"
        "  editedFiles: [\"編集したファイルパスの配列\"]  // 省略可\n"
        "  createdFiles: [\"新規作成したファイルパスの配列\"]  // 省略可\n"
        "  errorMessage: \"エラーメッセージ\"  // 失敗時のみ\n"
        "\n"
        "**response のガイドライン:**\n"
        "response は生の実行ログではなく、実行結果を適切にまとめた構造化"
        "レポートです。\n"
        "メイン Agent や人間が読んで内容を正確に把握できるよう、以下を整"
        "理して記載してください:\n"
        "- 何を実施したか（実施内容）\n"
        "- 結果どうなったか（成果・変更点）\n"
        "- 判断や選択の理由（なぜそうしたか）\n"
        "- 注意点・懸念事項（あれば）\n"
        "- 次のステップへの申し送り事項（あれば）\n"
        "\n"
        "report_result を呼ばないとメイン Agent が結果を受け取れません。"
        "タスクの成否に関わらず必ず呼び出してください。\n"
        "---",
    .tools_head =
        "---\n"
        "【利用可能ツール】\n"
        "\n",
    .tools_tail =
        "\n"
        "---",
    .retry_head =
        "---\n"
        "【再試行】\n"
        "\n"
        "Agent {agentId} が同じタスクで失敗しました。そのエラー:\n"
        "\n",
    .retry_tail =
        "\n"
        "\n"
        "まず作業ディレクトリに前回の変更が残っていないかを確かめ、同じ失敗"
        "を避けてください。\n"
        "\n"
        "---",
    .previous_head =
        "---\n"
        "【前ステージの実行結果】\n"
        "\n",
    .previous_tail =
        "\n"
        "---",
    .previous_agent = "[Agent: {agentId} ({role}) — {status}]\n",
    .summary = "Summary: ",
    .error =
        "\n"
        "Error: ",
    .response =
        "\n"
        "Response:\n",
    .no_summary = "(結果報告なし)",
    .no_response = "(report_result 未呼出)",
    .cut =
        "\n"
        "[以下 {bytes} バイトを省略。全文は get_agent_status(agentId: "
        "\"{agentId}\", full: true) の result.response で読めます]",
    .more =
        "[ほか {count} 件の Agent の結果を省略。get_agent_status で読めます: "
        "{ids}]",
    .guide =
        "---\n"
        "【Orchestrator ツール使用ガイド】\n"
        "\n"
        "以下はすべて kuromajutsu MCP のツールです。あなたの Agent ID は "
        "{agentId}、あなたのグループ（親グループ）は {groupId} です。\n"
        "\n"
        "■ 台帳\n"
        "- update_ledger — 判断を記録する。groupId は必ず親グループ "
        "\"{groupId}\" を指定する。\n"
        "  タスク台帳（最初の計画と、リプランのたび）:\n"
        "    groupId: \"{groupId}\", type: \"task\"\n"
        "    facts: { given: [...], toInvestigate: [...], toDerive: "
        "[...], assumptions: [...] }  // 四つとも必須。なければ []\n"
        "    plan: [\"ステップ1\", \"ステップ2\", ...]\n"
        "  進捗台帳（反復のたびに、委任の前に一度）:\n"
        "    groupId: \"{groupId}\", type: \"progress\", iteration: 反復番号"
        "（1 から）\n"
        "    isRequestSatisfied: { reason: \"理由\", answer: true または "
        "false }\n"
        "    isInLoop: { reason: \"理由\", answer: true または false }\n"
        "    isProgressBeingMade: { reason: \"理由\", answer: true または "
        "false }\n"
        "    nextAction: { reason: \"理由\", answer: \"次に行うこと\" }\n"
        "    instruction: { reason: \"理由\", answer: \"どの職種に何を指示す"
        "るか\" }\n"
        "\n"
        "■ 委任\n"
        "- create_group — 委任の単位を作る。description、mode（"
        "\"concurrent\" または \"sequential\"）、parentGroupId: \"{groupId}\" "
        "を指定する。\n"
        "- run_agents — concurrent の子グループで並列に起動する。"
        "groupId: 子グループ、agents: [{ role, prompt, "
        "workingDirectory?, timeout_ms? }]\n"
        "- run_sequential — sequential の子グループでステージを順に実行"
        "する。groupId: 子グループ、stages: [{ tasks: [{ role, prompt, "
        "... }] }]、onFailure: \"continue\" または \"stop\"。前ステージの "
        "summary と response は次のステージのプロンプトへ自動で渡される。\n"
        "\n"
        "■ 待機と評価\n"
        "- wait_agent — agentIds: [...]、mode: \"all\" または \"any\"。応答"
        "が timedOut: true（again: true）なら、まだ動いているだけで失敗で"
        "はない。同じ引数でもう一度呼ぶ。\n"
        "- get_agent_status — agentId を指定し、result の status・"
        "summary・response・errorMessage・editedFiles・createdFiles を読"
        "む。\n"
        "- list_agents — groupId を指定し、残っている Agent を確かめる。\n"
        "- cancel_agent — agentIds または groupId と reason を指定し、不"
        "要になった Agent を止める。\n"
        "- delete_group — 評価の済んだ子グループを片付ける。親グループは"
        "削除しない。\n"
        "\n"
        "■ 一回の反復\n"
        "1. 進捗台帳を記録する。isRequestSatisfied が true なら反復を終え"
        "、report_result へ進む\n"
        "2. 前進していない、またはループしているなら、タスク台帳を書き直"
        "す\n"
        "3. create_group で子グループを作り、run_agents または "
        "run_sequential で委任する\n"
        "4. wait_agent で全員の完了を待つ\n"
        "5. get_agent_status で結果を読み、完了条件に照らして評価する\n"
        "\n"
        "■ サーバーが守らせる規則\n"
        "- 新しい iteration の進捗台帳一つを一回の反復と数える。上限を超"
        "えると MAX_ITERATIONS_REACHED となり、以後は委任もできない。"
        "report_result で報告して終える。\n"
        "- isInLoop が true、または isProgressBeingMade が false の進捗台"
        "帳が三回続くと、このグループは停滞（stalled）と表示される。\n"
        "- 利用可能な職種以外を使うと ROLE_NOT_ALLOWED となる。別の職種に"
        "割り当て直す。ROLE_UNAVAILABLE のときも同じ。\n"
        "- MAX_CONCURRENT_REACHED のときは、動いている Agent の完了を待つ"
        "か、一度に起動する数を減らす。\n"
        "- あなたが終了すると、動いたまま残したサブ Agent はすべて止めら"
        "れる。\n"
        "---",
    .task =
        "---\n"
        "【タスク定義】\n"
        "\n",
    .criteria =
        "---\n"
        "【完了条件】\n"
        "\n",
    .scope =
        "---\n"
        "【操作範囲・制約】\n"
        "\n",
    .constraints =
        "\n"
        "\n"
        "制約: ",
    .context =
        "\n"
        "\n"
        "補足コンテキスト: ",
    .parameters =
        "---\n"
        "【実行パラメータ】\n"
        "\n"
        "利用可能な職種:\n",
    .role = "- {id}: {name} — {description}\n",
    .no_roles = "(なし)\n",
    .iterations =
        "\n"
        "最大反復回数: {count}",
    .timeout =
        "\n"
        "全体タイムアウト: {count} ミリ秒",
    .block_tail =
        "\n"
        "---",
};
