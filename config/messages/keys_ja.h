/* SPDX-License-Identifier: MIT */
/* What each key of a configuration means, in Japanese. */
#ifndef CONFIG_MESSAGES_KEYS_JA_H
#define CONFIG_MESSAGES_KEYS_JA_H

/* clang-format off */

/* config/: keys.c, keys_text.c */
#define JA_KEY_OF_LANGUAGE \
    "プロンプトとメッセージの言語。auto は LC_ALL、LC_MESSAGES、LANG に従い" \
    "、どれも言語を示さなければ日本語"
#define JA_KEY_OF_TOOLSETS "MCP クライアントに見せるツールの組"
#define JA_KEY_OF_DASHBOARD_PORT \
    "HTTP と WebSocket のポート。0 は空いているものを使う"
#define JA_KEY_OF_DASHBOARD_HOST \
    "待ち受けるアドレス。ループバック以外にはトークンが必要"
#define JA_KEY_OF_DASHBOARD_TOKEN \
    "すべてのリクエストが示すべき秘密の文字列。なければ自分のユーザーだけが" \
    "使える"
#define JA_KEY_OF_DASHBOARD_TOKEN_FILE \
    "その文字列を代わりに置くファイル。自分だけが読めるものに限る"
#define JA_KEY_OF_AGENT_BACKEND \
    "Agent として起動する CLI。職種に指定があればそちらを使う"
#define JA_KEY_OF_AGENT_COMMAND \
    "PATH で見つかるものの代わりに起動するプログラム"
#define JA_KEY_OF_AGENT_MAX_CONCURRENT "同時に実行する Agent の数"
#define JA_KEY_OF_AGENT_MAX_ORCHESTRATORS \
    "Agent とは別に、同時に実行するオーケストレーターの数"
#define JA_KEY_OF_AGENT_MAX_QUEUED \
    "空きを待てる Agent の数。0 は待たせずに断る"
#define JA_KEY_OF_AGENT_DEFAULT_TIMEOUT_MS \
    "指定のない Agent のタイムアウト。null はタイムアウトなし"
#define JA_KEY_OF_AGENT_EXIT_GRACE_MS \
    "ストリームの最後のイベントから終了するまでの猶予"
#define JA_KEY_OF_AGENT_REPORT_GRACE_MS \
    "結果の報告からストリームの終わりまでに、ツールの実行中を除いて許される" \
    "無音の時間"
#define JA_KEY_OF_AGENT_STALL_WARN_MS \
    "停滞と表示するまでの無音の時間。0 は表示しない"
#define JA_KEY_OF_AGENT_INJECT_LIMIT_BYTES \
    "プロンプトに入れる前のステージの結果の合計"
#define JA_KEY_OF_AGENT_LINE_LIMIT_BYTES \
    "Agent から読む行の最大の長さ。これより長い行は読み飛ばす"
#define JA_KEY_OF_AGENT_TRANSCRIPT_LIMIT_BYTES \
    "1 つの Agent の出力の上限。超えると終了させる"
#define JA_KEY_OF_AGENT_NICE \
    "混んだマシンで、ハブや自分のプログラムよりどれだけ Agent を後回し" \
    "にするか。0 と null は後回しにしない"
#define JA_KEY_OF_AGENT_MEMORY_MAX_BYTES \
    "1 つの Agent のプロセス全体が使えるメモリー。超えると強制終了され" \
    "る。委譲された cgroup v2 が必要（doctor を参照）。null は上限なし"
#define JA_KEY_OF_AGENT_ALLOW_NESTING \
    "オーケストレーター以外の Agent にも Agent の起動を許す"
#define JA_KEY_OF_MCP_WAIT_SLICE_MS \
    "progress token のない wait_agent が待つ最長の時間。0 は上限なし"
#define JA_KEY_OF_MCP_WAIT_MAX_MS \
    "progress token があり timeout_ms のない wait_agent が待つ時間"
#define JA_KEY_OF_MAIL_KEEP_DAYS "Agent 間のメッセージを残す日数"
#define JA_KEY_OF_PHASES_PROMPT_DIRECTORY \
    "自分で用意したフェーズのプロンプト phase0.md〜phase4.md のあるディレクトリ"
#define JA_KEY_OF_PHASES_API_URL \
    "フェーズのプロンプトを持つ Cloud API。https か、このマシンの http"
#define JA_KEY_OF_PHASES_API_KEY "そこへ送るキー。環境変数で渡すほうが安全"
#define JA_KEY_OF_PHASES_CACHE_TTL_MS \
    "プロンプトを問い合わせ直さずに使う時間。0 なら毎回問い合わせる"
#define JA_KEY_OF_PHASES_ENFORCE_ORDER \
    "前のフェーズがすべて終わるまでフェーズを終えられないようにする"
#define JA_KEY_OF_PHASES_ROLES \
    "`phases run` の Agent の職種を phase0 から順に。書かない分は既定のまま"
#define JA_KEY_OF_PM_SESSION_TTL_S \
    "エージェントのセッションは最後に使ってからこの秒数続く"
#define JA_KEY_OF_PM_SESSION_MAX_S \
    "セッションの最長の秒数"
#define JA_KEY_OF_RUNNER_ENABLED \
    "true にすると、エージェントを待つプロジェクトのタスクに Agent を起動する"
#define JA_KEY_OF_RUNNER_START_TODO \
    "着手を待つ（todo の）タスクも始める"
#define JA_KEY_OF_RUNNER_ROLE \
    "runs_as を指定していないエージェントのロール"
#define JA_KEY_OF_RUNNER_MAX_CONCURRENT \
    "ランナーが同時に動かす Agent の数"
#define JA_KEY_OF_RUNNER_INTERVAL_MS \
    "変化がなくても見に行く間隔"
#define JA_KEY_OF_RUNNER_LEASE_MS \
    "起動した Agent が認証するまでの猶予"
#define JA_KEY_OF_RUNNER_COOLDOWN_MS \
    "失敗した後の休み。失敗のたびに倍になる"
#define JA_KEY_OF_RUNNER_COOLDOWN_MAX_MS \
    "休みの上限"
#define JA_KEY_OF_RUNNER_MAX_FAILURES \
    "タスクを blocked にする失敗の回数"
#define JA_KEY_OF_MAGENTIC_MAX_DEPTH \
    "magentic グループの下に作れるグループの段数"
#define JA_KEY_OF_HUB_LINGER_MS "誰も使わなくなったハブが残る時間"
#define JA_KEY_OF_HUB_HTTP_LINGER_MS \
    "最後の HTTP の呼び出しの後に残る時間。こちらが長い場合に使う"
#define JA_KEY_OF_HUB_LEASE_MS \
    "ハブがなくなってから Agent が終了させられるまでの時間"
#define JA_KEY_OF_HEALTH_KEEP_MS "合格したヘルスチェックが有効な時間"
#define JA_KEY_OF_HEALTH_GATE_MS \
    "実行中のヘルスチェックを run_agents が待つ最長の時間"
#define JA_KEY_OF_STORE_RELAXED \
    "ディスクへの同期を待たずに答える。停電で直前の記録が失われることがある"
#define JA_KEY_OF_HISTORY_KEEP_DAYS \
    "削除されたグループの Agent をデータベースに残す日数"
#define JA_KEY_OF_HISTORY_TRANSCRIPTS \
    "終了した Agent のトランスクリプトをやがてどうするか"
#define JA_KEY_OF_HISTORY_TRANSCRIPT_DAYS "Agent の終了からそれまでの日数"
#define JA_KEY_OF_HISTORY_KEEP_BYTES \
    "終了した Agent のトランスクリプトの合計。超えると古いものから捨て" \
    "る。0 は上限なし"
#define JA_KEY_OF_HISTORY_SAMPLES_MAX_BYTES \
    "過去の時点を見せるための、終了した Agent の進み具合の記録の合計。" \
    "超えると古いものから捨てる"
#define JA_KEY_OF_BUDGET_GROUP_USD \
    "グループとその子グループに使える金額（ドル）。超えると Agent を起" \
    "動できない。0 は上限なし"
#define JA_KEY_OF_BUDGET_DAY_USD \
    "1 日（UTC）に起動した全 Agent に使える金額（ドル）。超えるとそれ以" \
    "上起動しない。0 は上限なし"
#define JA_KEY_OF_NOTIFICATIONS_FAILED \
    "Agent の失敗とタイムアウトの通知先"
#define JA_KEY_OF_NOTIFICATIONS_STALLED "Agent の停滞の通知先"
#define JA_KEY_OF_NOTIFICATIONS_CONFLICT \
    "複数の Agent が同じファイルを変更したことの通知先"
#define JA_KEY_OF_NOTIFICATIONS_GROUP_DONE \
    "グループの全 Agent が終了したことの通知先"
#define JA_KEY_OF_NOTIFICATIONS_BUDGET "予算を使い切ったことの通知先"
#define JA_KEY_OF_NOTIFICATIONS_NO_ROLE "使える職種がないことの通知先"
#define JA_KEY_OF_NOTIFICATIONS_COMMAND \
    "通知先 command のプログラムと引数。通知を JSON で標準入力に受け取る"
#define JA_KEY_OF_NOTIFICATIONS_WEBHOOK "通知先 webhook が JSON を送る URL"
#define JA_KEY_OF_NOTIFICATIONS_TIMEOUT_MS \
    "desktop、command、webhook が 1 件に使える時間"
#define JA_KEY_OF_NOTIFICATIONS_INTERVAL_MS \
    "同じ種類の通知の最短の間隔。その間の出来事は数えて 1 件にまとめる"
#define JA_KEY_OF_LOG_LEVEL "記録するメッセージの最低の重要度"
#define JA_KEY_OF_LOG_FORMAT \
    "人が読む行かプログラムが読む行か。auto は端末なら text"
#define JA_KEY_OF_ROLE_ID "ツールが職種を指定する名前"
#define JA_KEY_OF_ROLE_NAME "表示する名前"
#define JA_KEY_OF_ROLE_DESCRIPTION \
    "職種の用途。list_roles がメイン Agent に示す"
#define JA_KEY_OF_ROLE_MODEL "CLI の --model に渡すモデル"
#define JA_KEY_OF_ROLE_SYSTEM_PROMPT "プロンプトの最初の層"
#define JA_KEY_OF_ROLE_HEALTH_CHECK_PROMPT "ヘルスチェックのプロンプト"
#define JA_KEY_OF_ROLE_BACKEND "agent.backend の代わりにこの職種が使う CLI"
#define JA_KEY_OF_ROLE_TIMEOUT_MS \
    "agent.defaultTimeout_ms の代わりにこの職種が使うタイムアウト。null は" \
    "タイムアウトなし"
#define JA_KEY_OF_ROLE_ENABLED "false で職種を外す"
#define JA_KEY_OF_TOOL_ID "roles[].tools がツールを指定する名前"
#define JA_KEY_OF_TOOL_NAME "表示する名前"
#define JA_KEY_OF_TOOL_DESCRIPTION "ツールが行うこと"
#define JA_KEY_OF_TOOL_PROMPT_INSTRUCTIONS \
    "プロンプトに入れる使い方。{{name}} はパラメーター"
#define JA_KEY_OF_TOOL_HEALTH_CHECK_COMMAND \
    "インストール済みなら成功するコマンド。失敗は警告になる"
#define JA_KEY_OF_PRICE_MODEL \
    "職種の指定または CLI の示すモデル。* は任意の文字列"
#define JA_KEY_OF_PRICE_INPUT "入力 100 万トークンあたりの金額（ドル）"
#define JA_KEY_OF_PRICE_OUTPUT "出力 100 万トークンあたりの金額（ドル）"
#define JA_KEY_OF_PRICE_CACHE_READ \
    "キャッシュから読む 100 万トークンあたりの金額（ドル）"
#define JA_KEY_OF_PRICE_CACHE_WRITE \
    "キャッシュに書く 100 万トークンあたりの金額（ドル）"
#define JA_KEY_OF_ROLE_TOOLS \
    "職種に知らせるツール。id のリスト、または {id, parameters} のリスト"
#define JA_KEY_OF_TOOL_PARAMETERS "{{name}} の名前と既定値の対応"
#define JA_KEY_DEFAULT "（既定: %s）"
#define JA_KEY_NEEDS_TRUST "（プロジェクトのファイルでは信頼が必要）"
#define JA_KEY_IS_AT_START "（変更はハブの次の起動で有効になる）"

/* clang-format on */

#endif
