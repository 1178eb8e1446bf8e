/* SPDX-License-Identifier: MIT */
/* What actors answer, in Japanese. */
#ifndef CONFIG_MESSAGES_ACTORS_JA_H
#define CONFIG_MESSAGES_ACTORS_JA_H

#include <inttypes.h>

/* clang-format off */

/* actors/agent/agent.c, process.c, recover.c, result.c */
#define JA_END_CANCELLED "キャンセルされました"
#define JA_END_TIMED_OUT "タイムアウトしました"
#define JA_END_INTERRUPTED "中断されました"
#define JA_END_OUTPUT_LIMIT \
    "出力の上限（agent.transcriptLimit_bytes）に達しました"
#define JA_END_MEMORY_LIMIT \
    "メモリーの上限（agent.memoryMax_bytes）に達しました"
#define JA_END_WITHOUT_RESULT "結果のないままストリームが終わりました"
#define JA_END_BY_SIGNAL "シグナル %d で終了しました"
#define JA_END_BY_CODE "終了コード %d で終了しました"
#define JA_END_AND "。"
#define JA_END_ONE_LEFT "%u 個のプロセスを終了できませんでした"
#define JA_END_SOME_LEFT "%u 個のプロセスを終了できませんでした"
#define JA_END_CANNOT_RUN "%s を実行できません（%s）"
#define JA_END_CANNOT_ENTER "作業ディレクトリ %s に入れません（%s）"
#define JA_END_CANNOT_START "起動の準備（%s%s%s）に失敗しました（%s）"

/* actors/group/magentic.c */
#define JA_LEDGER_FIELD_REQUIRED "'%s' は type '%s' の台帳では必須です"
#define JA_LEDGER_ITERATIONS_USED_UP \
    "最大反復回数 (%" PRIu64 ") に達しました。report_result で結果を報告して" \
    "終了してください"

/* actors/group/report.c */
#define JA_RESULT_CANNOT_BE_REPORTED \
    "Agent '%s' は結果を登録できる状態ではありません（未起動またはキャンセル" \
    "済み）。状態は get_agent_status で確認できます"

/* actors/group/run.c */
#define JA_RUN_MORE_THAN_LIMIT \
    "一度に %u 台は起動できません。同時実行上限 (%s) は %u です。1 回の呼び出" \
    "し（計画では 1 ステージ）を %u 台以下に分け、wait_agent で完了を待ちなが" \
    "ら進めてください"
#define JA_RUN_TOO_FEW_PLACES \
    "空きが足りません。%u 台を要求、同時実行上限 %u (%s) のうち実行中 %u、待" \
    "機中 %u、空き %u。wait_agent で完了を待つか、cancel_agent で不要な " \
    "Agent を中断してから、もう一度呼び出してください"

/* actors/health/config_writer.c */
#define JA_CONFIG_CHANGE_IS_WRONG "設定を変更できません: %s"
#define JA_CONFIG_CHANGE_IS_LATE \
    "%s。ハブが読み込み直してから（誤りがあれば kuromajutsu status に出ます）" \
    "もう一度変更してください"
#define JA_CONFIG_FILE_CANNOT_BE_WRITTEN "設定ファイルに書き込めません: %s"

/* actors/health/text.c */
#define JA_HEALTH_CLI_OF_CURSOR "Cursor CLI (https://cursor.com/cli)"
#define JA_HEALTH_NO_PROGRAM \
    "agent.command のプログラム '%s' が見つかりません。設定を直すか、%s をイ" \
    "ンストールして agent.command を外してください"
#define JA_HEALTH_NO_CLI_ON_PATH "Agent の CLI が PATH に見つかりません ("
#define JA_HEALTH_INSTALL_CLI \
    ")。%s をインストールするか、設定の agent.command にプログラムを指定して" \
    "ください"
#define JA_HEALTH_ANOTHER_MAKERS_PROGRAM \
    "'%s' は --help の内容から別の製品と判断しました。%s をインストールする" \
    "か、設定の agent.command にプログラムを指定してください"
#define JA_HEALTH_COMMAND_NOT_TRUSTED \
    "agent.command はプロジェクトに付属の設定で、まだ信頼されていません。内容" \
    "を確かめてから実行してください: kuromajutsu trust '%s'"
#define JA_HEALTH_TOO_MUCH_OUTPUT "出力が多すぎます"
#define JA_HEALTH_OVER_MEMORY_LIMIT "agent.memoryMax_bytes を超えました"
#define JA_HEALTH_KILLED_BY_SIGNAL "シグナル %d で終了"
#define JA_HEALTH_EXIT_CODE "終了コード %d"
#define JA_HEALTH_INTERRUPTED "中断されました"
#define JA_HEALTH_NO_ANSWER "%llu ms 以内に応答がありません"
#define JA_HEALTH_ANSWER_EMPTY "応答が空です"
#define JA_HEALTH_MODELS_FAILED \
    "%s models コマンドの実行に失敗したため検証できません: "
#define JA_HEALTH_MODEL_NOT_NAMED "モデルが一つもありません"
#define JA_HEALTH_MODEL_NOT_AVAILABLE "モデル '%s' は利用できません"
#define JA_HEALTH_SKIPPED_FOR_MODEL "モデル検証に失敗したためスキップ"
#define JA_HEALTH_NEXT_SENTENCE "。"
#define JA_HEALTH_WITHOUT_TOOL "ツール %s なしで動きます: %s"
#define JA_HEALTH_CANNOT_RUN "%s を実行できません（%s）"

/* actors/notify/words.c */
#define JA_TOLD_FAILED_ONE "Agent が失敗しました"
#define JA_TOLD_FAILED_MANY "Agent %" PRIu64 " 件が失敗しました"
#define JA_TOLD_STALLED_ONE "Agent が止まっているようです"
#define JA_TOLD_STALLED_MANY "Agent %" PRIu64 " 件が止まっているようです"
#define JA_TOLD_CONFLICT_ONE "二つの Agent が同じファイルを変更しています"
#define JA_TOLD_CONFLICT_MANY "ファイルの競合が %" PRIu64 " 件あります"
#define JA_TOLD_GROUP_ONE "グループが終わりました"
#define JA_TOLD_GROUP_MANY "グループ %" PRIu64 " 件が終わりました"
#define JA_TOLD_BUDGET_ONE "予算を使い切りました"
#define JA_TOLD_BUDGET_MANY "予算 %" PRIu64 " 件を使い切りました"
#define JA_TOLD_NO_ROLE "使える職種がありません"
#define JA_TOLD_NO_ROLE_REMEDY "kuromajutsu doctor で理由を確かめてください"
#define JA_TOLD_AGENT "%s（職種 %s、グループ %s）"
#define JA_TOLD_AGENTS_OF_GROUP "グループ %s。最初は %s"
#define JA_TOLD_FIRST "最初は %s"
#define JA_TOLD_PAIR "%s と %s"
#define JA_TOLD_OUTCOME "%s: 成功 %" PRIu64 "、失敗 %" PRIu64
#define JA_TOLD_GROUP_BUDGET "グループ %s: $%.6g / $%.6g (budget.groupUsd)"
#define JA_TOLD_DAY_BUDGET "今日 (UTC): $%.6g / $%.6g (budget.dayUsd)"

/* actors/order/answer.c */
#define JA_GROUP_NOT_FOUND \
    "グループ '%.*s' が見つかりません。list_groups で一覧を確認してください"
#define JA_AGENT_NOT_FOUND \
    "Agent '%.*s' が見つかりません。list_agents で一覧を確認してください"

/* actors/registry/config_orders.c */
#define JA_CONFIG_NOT_FOR_AGENTS "%s: Agent は設定を変更できません"
#define JA_CONFIG_NOT_CHANGEABLE "%s: このハブは設定を変更できません"
#define JA_ROLE_IS_BUILT_IN \
    "'%s' は組み込みの職種のため削除できません。代わりに無効にしてください"
#define JA_ROLE_IS_THERE \
    "'roleId': 職種 '%s' はすでにあります。別の ID を選ぶか、その職種を変更して" \
    "ください"
#define JA_ROLE_ID_IS_WRONG \
    "'roleId': '%s' は ID にできません。英数字と _ と - で 1〜64 文字にして" \
    "ください"
#define JA_FIELD_REQUIRED "%s は必須です"

/* actors/registry/durable.c */
#define JA_HISTORY_NOT_KEPT "%s: このハブは履歴を持ちません"

/* actors/registry/judge.c */
#define JA_GROUP_NOT_ACTIVE \
    "グループ '%.*s' は削除済みのためアクティブではありません。create_group " \
    "で新しいグループを作成してください"
#define JA_GROUP_OF_AGENT_DELETED \
    "サブ Agent '%s' のグループは既に削除されています。作業を終え、" \
    "report_result で結果を報告してください"
#define JA_GROUP_HAS_RUNNING_AGENTS \
    "グループ '%s' に未完了の Agent が %u 件あります: %.*s。" \
    "wait_agent(groupId) で完了を待つか、cancel_agent(groupId) で中断してから" \
    "削除してください"
#define JA_GROUP_ALREADY_DELETED \
    "グループ '%s' は既に削除されています。することはありません。残っているグ" \
    "ループは list_groups で確認できます"
#define JA_GROUP_MODE_MISMATCH \
    "グループ '%s' のモードは '%.*s' です。%s は %s グループでのみ使用できま" \
    "す。create_group(mode: %s) でグループを作成してください"
#define JA_PLAN_NOT_DONE \
    "グループ '%s' の実行計画には、まだ終わっていない Agent が %u 件ありま" \
    "す。wait_agent で完了を待つか、cancel_agent で中止してから再度投入する" \
    "か、別のグループを使ってください"
#define JA_MAGENTIC_NESTED_TOO_DEEP \
    "Magentic の入れ子は %" PRId64 " 段までです。create_group と run_agents " \
    "か run_sequential を使ってください"
#define JA_RESULT_OF_ITSELF_ONLY \
    "サブ Agent は自分の結果だけを報告できます。report_result に agentId: %s " \
    "を指定してください"
#define JA_LEDGER_GROUP_NOT_MAGENTIC \
    "グループ '%s' は magentic モードではありません。update_ledger は " \
    "run_magentic が作成したグループでのみ使用できます"
#define JA_LEDGER_ORCHESTRATOR_ONLY \
    "グループ '%s' の台帳を更新できるのはそのオーケストレーターだけです。結果" \
    "は report_result で報告してください"

/* actors/registry/permission.c */
#define JA_PERMISSION_BELOW_OWN_GROUP \
    "サブ Agent は自分のグループ配下以外 ('%s') を操作できません。" \
    "list_groups で配下のグループを確認してください"
#define JA_PERMISSION_TOOL_DENIED \
    "サブ Agent '%s' は %s を使えません。自分のタスクを行い、report_result で" \
    "結果を報告してください"
#define JA_PERMISSION_NO_DELEGATION \
    "サブ Agent '%s' はグループの作成や Agent の起動ができません。自分でタス" \
    "クを行い、report_result で結果を報告してください"
#define JA_ROLE_NOT_IN_AVAILABLE_ROLES \
    "職種 '%s' は Magentic グループ '%s' の availableRoles に含まれていませ" \
    "ん。使える職種: %.*s"
#define JA_ROLE_NOT_FOUND \
    "職種 '%.*s' が見つかりません。使える職種: %.*s（説明は list_roles）"
#define JA_GROUP_ITERATIONS_USED_UP \
    "グループ '%s' は最大反復回数に達しました (反復 %" PRIu64 " 回)。" \
    "report_result で結果を報告して終了してください"

/* actors/registry/registry.c */
#define JA_STORE_CANNOT_KEEP \
    "データベースに書き込めないため実行できません: %s。空き容量と権限を " \
    "kuromajutsu doctor で確かめるよう利用者に伝えてください"

/* actors/registry/retry.c */
#define JA_RETRY_NOT_ENDED \
    "Agent '%s' はまだ終わっていません。wait_agent で待つか、cancel_agent で" \
    "中止してから再試行してください"
#define JA_RETRY_ANOTHER_GROUP \
    "Agent '%s' は別のグループ '%s' のものです。グループごとに再試行してくだ" \
    "さい"
#define JA_RETRY_GROUP_EMPTY "グループ '%s' に再試行する Agent はありません"
#define JA_RETRY_AGENTS_REQUIRED \
    "%s: 再試行する Agent ID を一つ以上指定してください"
#define JA_RETRY_WHOLE_PLAN \
    "Agent '%s' は順次実行グループのステージです。ステージだけは再試行できま" \
    "せん。計画全体なら: kuromajutsu retry %s"

/* actors/registry/spend.c */
#define JA_BUDGET_OF_GROUP_USED_UP \
    "グループ '%s' の予算を使い切りました: 使用額 $%.6g、上限 $%.6g " \
    "(budget.groupUsd)。上限を上げるかどうかを利用者に確認してください"
#define JA_BUDGET_OF_DAY_USED_UP \
    "今日 (UTC) の予算を使い切りました: 使用額 $%.6g、上限 $%.6g " \
    "(budget.dayUsd)。明日 (UTC) まで待つか、上限を上げるかどうかを利用者に確" \
    "認してください"

/* actors/registry/tasks.c */
#define JA_DIRECTORY_DOES_NOT_EXIST "存在しません"
#define JA_DIRECTORY_IS_NONE "ディレクトリではありません"
#define JA_DIRECTORY_DENIED "アクセスできません"
#define JA_DIRECTORY_TOO_LONG "長すぎます"
#define JA_DIRECTORY_CANNOT_BE_USED \
    "'%sworkingDirectory' の '%.*s' は使えません: %s。存在するディレクトリを" \
    "指定してください"
#define JA_ROLE_UNAVAILABLE \
    "職種 '%s' はヘルスチェック未通過のため利用できません: %s。list_roles で " \
    "available: true の職種を選ぶか、kuromajutsu doctor を実行するよう利用者" \
    "に伝えてください"
#define JA_ROLE_OF_ORCHESTRATOR_MISSING \
    "職種 '%s' が設定にないため run_magentic を使えません。run_agents か " \
    "run_sequential を使うか、設定にこの職種を加えるよう利用者に伝えてくださ" \
    "い"
#define JA_WARDEN_CANNOT_BE_RUN \
    "Agent を起動できません: '%s' が見つからないか、実行できません。" \
    "kuromajutsu をインストールし直すよう利用者に伝えてください"

/* actors/registry/wait_watch.c */
#define JA_WAIT_AGENT_UNREADABLE \
    "Agent '%.*s' が手元になく、データベースも読めません: %s。kuromajutsu " \
    "doctor を実行するよう利用者に伝えてください"

/* actors/store/ask.c */
#define JA_HISTORY_TAKES_TOO_LONG \
    "%s: 時間がかかりすぎます。条件を絞ってください"
#define JA_HISTORY_UNREADABLE \
    "データベースを読めません: %s。kuromajutsu doctor を実行するよう利用者に" \
    "伝えてください"
#define JA_HISTORY_NO_SUCH_QUESTION "'%s' は履歴への問いではありません"

/* actors/store/ask_history.c */
#define JA_HISTORY_STATUS_UNKNOWN \
    "'%s' に '%.*s' は使えません。使えるもの: all, queued, running, " \
    "completed, failed, timedOut, cancelled, resultReported"
#define JA_HISTORY_ORDER_UNKNOWN \
    "'order' に '%.*s' は使えません。使えるもの: newest, oldest"
#define JA_MOMENT_UNREADABLE \
    "%s には出来事の番号か時刻を指定してください"
#define JA_MOMENT_NOT_KEPT \
    "'at' の時点の記録はありません。残っている最初の時点: " \
    "%lld 番の出来事、%.*s"
#define JA_MOMENT_NONE_KEPT "%s: まだどの時点の記録もありません"
#define JA_MOMENT_NOT_YET \
    "'at': %lld 番の出来事はまだありません。最新は %lld 番です"
#define JA_HISTORY_TOO_MANY_WORDS "'search' は %d 語以下でなければなりません"

/* actors/store/batch.c */
#define JA_STORE_FAULT "保存できません。このプログラムの不具合です: %s"

/* actors/store/database.c, peek.c */
#define JA_DATABASE_LOCKED "%s: ほかのプロセスが使用中です"
#define JA_DATABASE_FULL "%s: 空き容量がありません（%s）"
#define JA_DATABASE_READ_ONLY \
    "%s: データベースかそのディレクトリに書き込めません（%s）"
#define JA_DATABASE_CANNOT_OPEN "%s: 開けません（%s）"
#define JA_DATABASE_DAMAGED \
    "%s: 壊れているか、別のファイルです（%s）。別の場所へ移すと新しく作られます"
#define JA_DATABASE_INPUT_OUTPUT "%s: 読み書きに失敗しました（%s）"
#define JA_DATABASE_REFUSED "%s: データベースのエラーです（%s）"
#define JA_DATABASE_LOG_ALONE \
    "%s は空なのに %s は空ではありません（何も変更していません）"
#define JA_DATABASE_NO_DATABASE \
    "%s: データベースではありません（何も変更していません）"
#define JA_DATABASE_TOO_NEW \
    "%s のバージョンは %u で、このプログラムが扱えるのは %d までです（何も変更していません）"
#define JA_DATABASE_ANOTHERS \
    "%s は別のプログラムのデータベースです（何も変更していません）"

/* actors/store/reader.c */
#define JA_READER_DATABASE_OLD \
    "%s は古い形式（版 %d、現在は %d）です。ハブを起動すると新しくなります: " \
    "kuromajutsu start"
#define JA_READER_DATABASE_NEW \
    "%s は新しい形式（版 %d、このプログラムは %d まで）です。新しい方の " \
    "kuromajutsu で読んでください"
#define JA_READER_NOTHING_RECORDED "まだ何も記録されていません（%s）"
#define JA_READER_DATABASE_HALF_WRITTEN \
    "%s は書き込みの途中で止まっています。ハブを起動すると直ります: " \
    "kuromajutsu start"
#define JA_STORE_UNREADABLE "データベースを読めません: %s"
#define JA_READER_NEEDS_HUB "'%s' にはハブが必要です: kuromajutsu start"
#define JA_READER_HUB_HAS_STARTED \
    "%s は書き込み中です。ハブが起動したので、もう一度実行してください"

/* actors/store/recalls.c */
#define JA_RECALL_UNREADABLE \
    "データベースを読めないため、この呼び出しが実行済みかどうか分かりません: " \
    "%s"

/* actors/store/retention.c */
#define JA_STORE_CANNOT_BE_WRITTEN "データベースに書き込めません: %s"

/* actors/store/transcript_pages.c */
#define JA_TRANSCRIPT_FROM_AND_BEFORE \
    "%s: from と before は同時に指定できません。どちらか一方にしてください"
#define JA_TRANSCRIPT_UNREADABLE "Agent '%s' の出力を読めません: %s"
#define JA_TRANSCRIPT_NOT_KEPT \
    "Agent '%s' の出力は残っていません（起動していないか、保存期間が過ぎまし" \
    "た）"

/* actors/mail */
#define JA_MAIL_NO_AGENT "エージェントが見つかりません: %.*s"
#define JA_MAIL_TALK_NEEDS_TWO \
    "agent と with は組で指定します: 両方なら 2 者の会話、どちらもなければ全員宛て" \
    "のメッセージです"
#define JA_MAIL_NO_CONTEXT \
    "コンテキストが見つからないか、アクセスできません: %.*s"
#define JA_MAIL_NOT_YOUR_NAME \
    "'%.*s' として行動することはできません。自分の ID '%s' を使うか、まだ誰も" \
    "使っていない名前を agent_register で登録してください"
#define JA_MAIL_DIRECT_NEEDS_RECEIVER \
    "direct のメッセージには receiver_id が必要です"
#define JA_MAIL_BROADCAST_HAS_RECEIVER \
    "broadcast のメッセージでは receiver_id を省いてください"
#define JA_MAIL_TOO_LONG \
    "content が長すぎます（%zu バイト）。1000000 バイトまでです（エスケープが" \
    "必要な文字が多いときはさらに短く）。ファイルに書いて、そのパスを送ってく" \
    "ださい"
#define JA_MAIL_VALUE_TOO_LONG \
    "value が長すぎます（JSON で %zu バイト）。1048576 バイトまでです。ファイル" \
    "に書いて、そのパスを共有してください"
#define JA_MAIL_RECEIVER_UNKNOWN "宛先 '%.*s' はまだ登録されていません"
#define JA_MAIL_RECEIVER_ENDED \
    "Agent '%.*s' は終了しています。このメッセージを自分で読むことはありません"

/* actors/phases */
#define JA_PHASE_NO_PROJECT \
    "%s: %.*s はディレクトリとして使えません（%s）。プロジェクトのディレクトリを絶対パスで指定してください"
#define JA_PHASE_NOT_YOURS \
    "Agent '%s' はこの用途に %s を使えません。フェーズ計画の Agent は自分のプロジェクトのフェーズを参照し、自分のフェーズだけを変更できます"
#define JA_PHASE_TOO_LONG \
    "%s は JSON で %zu バイトあり、上限の %zu バイトを超えています。長い内容はファイルに書き、そのパスを渡してください"
#define JA_PHASE_OUT_OF_ORDER \
    "フェーズ %d は、フェーズ %d が完了するまで終えられません。%s を続けてください"
#define JA_PHASE_ALREADY_COMPLETED \
    "フェーズ %d はすでに完了しています。%s を続けてください"
#define JA_PHASE_ALL_COMPLETED \
    "フェーズ %d はすでに完了しています。すべてのフェーズが完了しています"
#define JA_PHASE_HAS_FAILED \
    "フェーズ %d は失敗し、現在のフェーズのままです: %.*s。原因を直してから inject_phase_prompt を phase=%s で呼んでください"
#define JA_PHASE_INJECT_NEXT "inject_phase_prompt を phase=%s で呼んでください。"
#define JA_PHASE_PREVIOUS_RESULTS "前のフェーズの結果"
#define JA_PHASE_NO_PROMPT "フェーズのプロンプトが見つかりません: %s"
#define JA_PHASE_CLOUD_FAILED "Cloud API からプロンプトを取得できません: %.*s"
#define JA_PHASE_FILE_UNREADABLE \
    "phases.promptDirectory: %s/%s.md は使えません（%s）。200 KiB までの UTF-8 の通常ファイルである必要があります"
#define JA_PHASE_NO_PLAN_BY_AGENTS \
    "Agent '%s' はフェーズを開始できません。開始できるのは人とメインの Agent だけです"
#define JA_PHASE_PLAN_OF "%s のフェーズ"
#define JA_PHASE_PLAN_TASK \
    "\n\n## 顧客の要望\n\n%.*s\n\n## 今回の実行\n\n人に尋ねることはできません。ヒアリングで分かるはずのことは、上の要望から読み取ってください。作業場所は %s です。フェーズのツールには projectPath としてこのディレクトリを渡します。フェーズが終わったら transition_to_next_phase（currentPhase: %s、projectPath: %s）を呼び、続けて report_result を呼んでください。次のフェーズは別の Agent が行うので始めないでください。"

/* actors/projects */
#define JA_PM_NO_ID \
    "'%s' は ID として使えません: %.*s。英数字と _ - . の 128 文字までにし" \
    "てください"
#define JA_PM_EXISTS \
    "%s は既にあります: %.*s。別の値にするか、省略してください"
#define JA_PM_NOT_FOR_AGENTS \
    "Agent '%s' は %s を呼べません。プロジェクトの管理は人とメイン Agent が" \
    "行います"
#define JA_PM_NO_PROJECT "プロジェクトが見つかりません: %.*s"
#define JA_PM_PROJECT_NOT_FOUND "プロジェクトが見つかりません"
#define JA_PM_NO_TASK "タスクが見つかりません: %.*s"
#define JA_PM_NO_CURSOR \
    "'cursor' が正しくありません: %.*s。指定せずに最初から読んでください"
#define JA_PM_NO_RESOURCE "リソースが見つかりません: %.*s"
#define JA_PM_NO_URI \
    "リソースの URI が正しくありません: %.*s。agent://ID、project://ID、" \
    "task://ID、context://TASK_ID、handoff://TASK_ID のいずれかを指定してく" \
    "ださい"
#define JA_PM_RESOURCE_PROJECT "プロジェクト"
#define JA_PM_RESOURCE_AGENT "登録エージェント"
#define JA_PM_RESOURCE_TASK "タスク"
#define JA_PM_NO_PROMPT "プロンプトがありません: %.*s"
#define JA_PM_PROMPT_NEEDS \
    "プロンプト '%s' には引数 '%s'（空でない文字列）が必要です"
#define JA_PM_NO_HANDOFF "引き継ぎが見つかりません: %.*s"
#define JA_PM_DIRECTORY_NOT_ABSOLUTE \
    "'working_directory' は絶対パスで指定してください: %.*s"
#define JA_PM_NOT_ASSIGNED \
    "エージェント '%.*s' はプロジェクト '%.*s' に割り当てられていません。先" \
    "に割り当ててください。"
#define JA_PM_HAS_TASKS \
    "エージェント '%.*s' はまだタスク %.*s を担当しています。先に担当を変え" \
    "るか取り消してください"
#define JA_PM_TOKEN_OR_AGENT "必須の引数がありません: token（または agent_id）"
#define JA_PM_TOKEN_INVALID \
    "token が無効です。authenticate をやり直してください。"
#define JA_PM_OTHER_AGENT \
    "セッションはエージェント '%s' のものですが、'%.*s' としての操作が求め" \
    "られました"
#define JA_PM_NOT_YOU \
    "Agent '%s' は '%.*s' として認証していません。先に authenticate を呼ん" \
    "でください"
#define JA_PM_NO_SESSION \
    "Agent '%s' にはセッションがありません。先に authenticate を呼んでくだ" \
    "さい"
#define JA_PM_LOGGED_OUT "セッションを閉じました。タスクはそのままです。"
#define JA_PM_AUTH_FAILED "agent_id または passkey が正しくありません"
#define JA_PM_AGENT_NOT_ASSIGNED \
    "エージェントはプロジェクトに割り当てられていません"
#define JA_PM_PROJECT_NOT_ACTIVE "プロジェクトは稼働中ではありません"
#define JA_PM_AGENT_NOT_ACTIVE "エージェントは有効ではありません"
#define JA_PM_ALREADY_RUNNING \
    "エージェントはこのプロジェクトで既に動いています"
#define JA_PM_CALL_GET_TASK \
    "get_my_task を呼んでタスクの詳細を取得してください。"
#define JA_PM_PASSKEY_SHORT \
    "'passkey' は 8 文字以上にしてください。省略すると生成されます"
#define JA_PM_OTHER_PROJECT \
    "タスク %.*s はプロジェクト %.*s のものではありません"
#define JA_PM_CIRCLE "循環しています: %.*s は既にこのタスクを待っています"
#define JA_PM_CANNOT_REASSIGN \
    "タスク %s は %s なので担当を変えられません。担当エージェントが " \
    "create_handoff で引き継ぎます"
#define JA_PM_WAITS_FOR "タスク %s は未完了の依存タスクを待っています: %.*s"
#define JA_PM_TOO_MANY \
    "エージェント %s は同時に進められるタスクの上限に達しています（%d/%d）"
#define JA_PM_NO_ASSIGNEE \
    "タスク %s には担当がいません。始める前に割り当ててください"
#define JA_PM_HAS_CHILDREN \
    "タスク %s には終わっていない子タスクがあります: %.*s"
#define JA_PM_NO_TRANSITION "状態を %s から %s へは変えられません"
#define JA_PM_TASK_NOT_YOURS \
    "タスク %s はエージェント '%s' のものではありません"
#define JA_PM_TASK_IS_OVER "タスク %s は既に %s です"
#define JA_PM_THEN_REPORT \
    "タスクが終わったら report_completed を呼んでください。"
#define JA_PM_NOTHING_TO_DO "現在割り当てられたタスクはありません。"
#define JA_PM_FINISHED \
    "タスクを終え、セッションを閉じました。プロセスを終了してください。"
#define JA_PM_NO_TASK_AT_WORK \
    "このエージェントの in_progress のタスクがありません"
#define JA_PM_EMPTY_CONTEXT \
    "progress、findings、blockers、next_steps のいずれかを指定してください"
#define JA_PM_HANDOFF_TO_SELF \
    "'to_agent_id' は 'from_agent_id' と別のエージェントにしてください"
#define JA_PM_HANDOFF_MAIL "タスク「%s」（%s）の引き継ぎ: %.*s"
#define JA_PM_HANDOFF_ACCEPTED "引き継ぎは既に受領されています: %.*s"
#define JA_PM_HANDOFF_NOT_YOURS "引き継ぎ %.*s はあなた宛てではありません"
#define JA_RUNNER_PROMPT \
    "# タスク: %.*s\n" \
    "\n" \
    "## 識別情報\n" \
    "- タスク ID: %.*s\n" \
    "- プロジェクト ID: %.*s\n" \
    "- エージェント ID: %.*s\n" \
    "- エージェント名: %.*s\n" \
    "\n" \
    "## 作業ディレクトリ\n" \
    "%.*s\n" \
    "\n" \
    "## 説明\n" \
    "%.*s\n" \
    "\n" \
    "## 手順\n" \
    "1. authenticate(agent_id=\"%.*s\", passkey=\"env:KUROMAJUTSU_PM_KEY\", " \
    "project_id=\"%.*s\") をこのとおりに呼ぶ。返された system_prompt をあなたの" \
    "役割とする。\n" \
    "2. get_my_task(token) でタスクの詳細・文脈・引き継ぎを取得する。\n" \
    "3. 作業ディレクトリでタスクを行う。大事なことは save_context で残す。\n" \
    "4. 終わったら report_completed(token, result=\"success\", summary=...) を" \
    "呼ぶ。できないときは理由を添えて result=\"failed\" または \"blocked\" と" \
    "する。\n" \
    "5. 別のエージェントに渡すときは create_handoff(task_id, " \
    "from_agent_id=\"%.*s\", to_agent_id, summary) の後に logout(token) を" \
    "呼ぶ。\n" \
    "6. その後終了する。"
#define JA_RUNNER_LEFT "Agent %s はタスクを終えずに終了しました（%s）"

/* clang-format on */

#endif
