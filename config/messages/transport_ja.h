/* SPDX-License-Identifier: MIT */
/* What the hub's front, its log and the relay say, in Japanese. */
#ifndef CONFIG_MESSAGES_TRANSPORT_JA_H
#define CONFIG_MESSAGES_TRANSPORT_JA_H

#include <inttypes.h>

/* clang-format off */

/* transport/feed/commands.c */
#define JA_FEED_AFTER_FIELD "' は"
#define JA_FEED_TOO_MANY_REQUESTS "未応答の要求が多すぎます"
#define JA_FEED_IS_REQUIRED "必須です"
#define JA_FEED_MUST_BE_ID " ID の文字列でなければなりません"
#define JA_FEED_MUST_BE_BOOL "真偽値でなければなりません"
#define JA_FEED_REQUIRED_WITH_TEXT "'text' に必要です"
#define JA_FEED_MUST_BE_JSON \
    "メッセージは JSON オブジェクトでなければなりません"
#define JA_FEED_STRING_REQUIRED "必須です: 文字列"
#define JA_FEED_NO_KNOWN_KIND "知らない種類です"
#define JA_FEED_MUST_BE_OBJECT "オブジェクトでなければなりません"

/* transport/hub/hub.c */
#define JA_LOG_HUB_SERVES "ハブを起動しました（ビルド %s、ソケット %s）"
#define JA_LOG_SIGNAL "シグナルを受け取りました: %s（プロセス %u から）"
#define JA_LOG_LOCK_LOST "%s はもうこのハブのロックではありません"
#define JA_LOG_NOBODY_NEEDS_HUB "使うクライアントがいなくなったため終わります"
#define JA_LOG_CLIENT_LEFT "クライアントが去りました"
#define JA_LOG_ACTOR_ENDED "%s が終わりました: %s"

/* transport/hub/hub_config.c */
#define JA_LOG_CONFIG_AT_RESTART "%s の変更はハブの再起動後に有効になります"
#define JA_LOG_CONFIG_WRONG "%s。前に読み込んだ設定のまま動作します"
#define JA_LOG_CONFIG_FINE_AGAIN "設定ファイルを読み込めるようになりました"

/* transport/hub/hub_leave.c */
#define JA_LOG_HUB_LEAVES "ハブを終了します"
#define JA_LOG_HUB_LEAVES_AGENTS_STAY \
    "ハブを終了します。Agent は次のハブが引き継ぎます"
#define JA_LOG_HUB_LEAVES_AGENTS_END "ハブを終了し、Agent %u 件も終わらせます"
#define JA_LOG_AGENTS_NOT_ENDED "Agent %u 件が時間内に終わりませんでした"

/* transport/hub/hub_say.c */
#define JA_LOG_STORE_FINE_AGAIN "データベースへの書き込みが回復しました"
#define JA_LOG_STORE_TROUBLE "直るまで何も変更できません: %s"
#define JA_LOG_NOT_DELIVERED "通知を %s に届けられませんでした: %s"
#define JA_LOG_MEMORY_ENFORCED \
    "agent.memoryMax_bytes を適用します（Agent ごとに cgroup）"
#define JA_LOG_MEMORY_NOT_ENFORCED \
    "agent.memoryMax_bytes はここでは適用できず、Agent は制限なしで動きます: " \
    "%s。%s"
#define JA_LOG_PROCESSES_NOT_KILLED \
    "%s は終わりましたが、プロセス %u 個を終わらせられませんでした"

/* transport/hub/main.c */
#define JA_LOG_SIGNING_KEY_NOT_KEPT \
    "%s: %s。Agent と HTTP の MCP セッションの鍵は再起動で失われます"
#define JA_LOG_NEVER_FREED "解放されなかったもの: %llu"
#define JA_LOG_HUB_HAS_LEFT "ハブは終わりました（終了コード %d）"
#define JA_HUB_ALREADY_SERVES \
    "kuromajutsu-hub: ハブ（PID %d）が %s で既に動いています%s\n"
#define JA_HUB_DATABASE_IS_ANOTHERS \
    "他のユーザーのものです。--db で自分のデータベースを指定してください"
#define JA_HUB_DATABASE_IS_OPEN \
    "別のハブがこのデータベースを別の名前で開いています: kuromajutsu hubs"
#define JA_HUB_DATABASE_IS_FOREIGN \
    "kuromajutsu-hub: %s をここで使うのは初めてで、終わっていない Agent が " \
    "%lld あります。ここで起動されることになるため開きません。元の場所で開き、" \
    "終わらせて（kuromajutsu cancel）から使ってください\n"
#define JA_HUB_ALONE_NEEDS_IT_GONE \
    "。--standalone を使うには kuromajutsu stop で止めてください"

/* transport/hub/narrator.c */
#define JA_NOTE_PLACE "（職種 %s、グループ %s）"
#define JA_NOTE_AGENT_ENDED "%s は%s（%s）"
#define JA_NOTE_AGENT_ENDED_EARLY "%s は%s"
#define JA_NOTE_AGENT_STARTED "%s を起動しました"
#define JA_NOTE_COMPLETED "完了しました"
#define JA_NOTE_FAILED "失敗しました"
#define JA_NOTE_TIMED_OUT "時間切れになりました"
#define JA_NOTE_CANCELLED "中止されました"
#define JA_NOTE_REPORTED_FAILURE "失敗を報告しました"
#define JA_NOTE_REPORTED_SUCCESS "成功を報告しました"
#define JA_NOTE_AGENT_QUEUED "%s は開始を待っています"
#define JA_NOTE_AGENT_STALLED "%s は止まっているようです（開始から %s）"
#define JA_NOTE_CONFLICT "%s と %s が同じファイルを変更しています: %.*s"
#define JA_NOTE_AGENT_GONE "%s のプロセスは全て終わりました"
#define JA_NOTE_GROUP_CREATED "グループ %s を作りました"
#define JA_NOTE_STAGE_BEGINS \
    "グループ %s: ステージ %" PRIu64 "/%" PRIu64 " を始めます"
#define JA_NOTE_GROUP_STALLED \
    "グループ %s は進んでいません（台帳が三回続けて停滞）"
#define JA_NOTE_GROUP_DONE "グループ %s の Agent は全て終わりました"
#define JA_NOTE_GROUP_DELETED "グループ %s を削除しました"
#define JA_NOTE_ROLE_WITHOUT_MODEL "職種 %s のモデルは使えません"
#define JA_NOTE_ROLE_CHECKING "職種 %s を確認しています"
#define JA_NOTE_ROLE_READY "職種 %s は使えます（応答 %s）"
#define JA_NOTE_ROLE_UNUSABLE "職種 %s は使えません"
#define JA_NOTE_ROLES_CHECKED \
    "職種の確認が終わりました: 使える職種 %" PRIu64 "/%" PRIu64
#define JA_NOTE_BUDGET_OF_GROUP \
    "グループ %s の予算を使い切ったため、新しい Agent を断りました: 使用額 " \
    "$%.6g、上限 $%.6g (budget.groupUsd)"
#define JA_NOTE_BUDGET_OF_DAY \
    "今日 (UTC) の予算を使い切ったため、新しい Agent を断りました: 使用額 " \
    "$%.6g、上限 $%.6g (budget.dayUsd)"
#define JA_NOTE_CONFIG_CHANGED "設定が変わりました: %.*s"

/* transport/mcp/answer.c */
#define JA_ANSWER_TOO_LARGE \
    "回答が大きすぎます。full を外す、limit を小さくする、groupId で絞るなど" \
    "して範囲を狭めてください"

/* transport/mcp/args_check.c */
#define JA_ARGS_STRING "文字列"
#define JA_ARGS_INTEGER "整数"
#define JA_ARGS_NUMBER "数値"
#define JA_ARGS_BOOLEAN "真偽値"
#define JA_ARGS_OBJECT "オブジェクト"
#define JA_ARGS_ARRAY "配列"
#define JA_ARGS_NULL "null"
#define JA_ARGS_ONE_OF " のいずれか"
#define JA_ARGS_FROM "%s 以上"
#define JA_ARGS_RANGE "%s 以上 %s 以下"
#define JA_ARGS_LENGTH "%s バイト以下"
#define JA_ARGS_TIME "1970年からのミリ秒または ISO 8601 の時刻"
#define JA_ARGS_UNKNOWN "引数 '%s' は受け付けません。使える引数: "
#define JA_ARGS_MISSING "'%s' は必須です: "
#define JA_ARGS_WRONG "'%s' の値が正しくありません。期待する値: "
#define JA_ARGS_EMPTY "%s 配列が空です。1 件以上指定してください"
#define JA_ARGS_WITHOUT_NUL "NUL 文字を含まない文字列"
#define JA_ARGS_NOT_BLANK "空でない（空白だけでもない）文字列"
#define JA_ARGS_OR_LEAVE_OUT "。すべてでよければ省略してください"
#define JA_ARGS_EXACTLY_ONE " のどちらか一方"
#define JA_ARGS_MAGENTIC_ELSEWHERE \
    "。magentic のグループは run_magentic が作成します"
#define JA_ARGS_NONE "(なし)"
#define JA_ARGS_BOUNDS_OPEN "（"
#define JA_ARGS_BOUNDS_CLOSE "）"

/* transport/mcp/args_own.c */
#define JA_ARGS_INVALID "%s の値 %s は使えません。次のいずれかにしてください: "
#define JA_ARGS_CANNOT_BE_EMPTY "%s は空にできません"
#define JA_ARGS_ALL_MISSING "必須の引数がありません: %.*s"
#define JA_ARGS_INVALID_RESULT \
    "result の値が正しくありません。'success'、'failed'、'blocked' のいずれかを" \
    "使ってください"
#define JA_ARGS_INVALID_STATUS "status の値 %s は使えません。使える値: %.*s"
#define JA_PM_TOKEN_REQUIRED \
    "この操作には token が必要です。先に authenticate を呼んで取得してください。"

/* transport/mcp/news.c */
#define JA_PROGRESS_DONE "%u/%u 完了"

/* transport/relay/forward.c */
#define JA_RELAY_HUB_RESTARTED \
    "ハブが再起動しました。この呼び出しが実行されたかどうかを list_groups と " \
    "list_agents で確認してください"
#define JA_RELAY_HUB_STOPPED \
    "ハブは停止されました。もう一度呼び出すと新しいハブが起動します"

/* transport/relay/relay.c */
#define JA_RELAY_NO_TOOLSET \
    "kuromajutsu: --toolsets: ツールの組 '%.*s' はありません。次から選んで" \
    "ください: "
#define JA_RELAY_NO_SET_OF_TOOLS \
    "kuromajutsu: KUROMAJUTSU_TOOLS: ツールの組 '%s' はありません。すべての" \
    "ツールを提供します\n"

/* transport/relay/seeker.c */
#define JA_RELAY_CONFIG_WRONG "設定に誤りがあります: "
#define JA_RELAY_NO_HUB_REACHED "ハブに接続できません (%lld 秒試行、%s): "
#define JA_RELAY_NO_ANSWER "応答なし"
#define JA_RELAY_HUB_CANNOT_START "ハブを起動できません: "
#define JA_RELAY_HUB_DID_NOT_START "ハブが起動しません: "
#define JA_RELAY_ANOTHER_USERS_HUB \
    ": 他のユーザーが待ち受けているため接続しません。KUROMAJUTSU_HOME を自分" \
    "の場所にしてください"
#define JA_RELAY_ANOTHER_BUILD \
    "kuromajutsu: ハブ（PID %d）は別のビルドです: %s（こちらは %s）\n"

/* transport/session/calls.c */
#define JA_CALL_WAIT_ENDED "待機が途中で終わりました"
#define JA_CALL_UNKNOWN \
    "その名前の呼び出しはありません。tools/list で名前を確認してください"
#define JA_CALL_ARGUMENTS_NO_OBJECT "引数はオブジェクトでなければなりません"
#define JA_CALL_HUB_LEAVES \
    "ハブは終了処理中のため、新しく開始できません。しばらくしてからもう一度呼" \
    "び出してください"
#define JA_CALL_TOO_MANY \
    "処理中の呼び出しが多すぎます。応答を待ってからもう一度呼び出してください"

/* transport/session/session.c */
#define JA_LOG_NOT_THE_WIRE "プロセス %d の通信が規約に合わないため切断しました"
#define JA_LOG_CONNECTION "プロセス %d との接続: %s"

/* transport/session/session_commands.c */
#define JA_STOP_NOT_OWN_HUB "Agent は自分のハブを停止できません"

/* transport/session/session_hello.c */
#define JA_ANCESTRY_IN_CONTAINER \
    "別の PID 名前空間（コンテナ）から接続しています。ハブと同じコンテナで動" \
    "かすか、HTTP の /mcp に接続してください。Agent であれば " \
    "KUROMAJUTSU_AGENT_KEY を渡してください"
#define JA_ANCESTRY_HAS_ENDED \
    "接続を開いたプロセスは既に終了しています。MCP サーバーまたはコマンドを起" \
    "動し直してください"
#define JA_ANCESTRY_NOT_SEEN \
    "/proc に呼び出し元のプロセスが見えません。ハブが動く環境に /proc をマウ" \
    "ントしてください"
#define JA_ANCESTRY_ENDED_MEANWHILE \
    "確認中に親プロセスが次々と終了しました。MCP サーバーまたはコマンドを起動" \
    "し直してください"
#define JA_ANCESTRY_TOO_DEEP \
    "親プロセスが多すぎます。入れ子の浅いシェルから起動し直してください"
#define JA_ANCESTRY_HIDDEN \
    "/proc が親プロセスを隠していて（hidepid）、環境変数に " \
    "KUROMAJUTSU_AGENT_ID があります。Agent でなければその変数を外し、Agent " \
    "であれば KUROMAJUTSU_AGENT_KEY も渡してください"
#define JA_CALLER_NOT_KNOWN \
    "呼び出し元がこのハブの Agent かどうか判別できません: %s"
#define JA_LOG_CALLER_REFUSED "プロセス %d の呼び出しを拒否します: %s"
#define JA_LOG_BUILD_DIFFERS \
    "プロセス %d のビルドは %.*s、このハブのビルドは %s です"

/* transport/session/sessions.c */
#define JA_LOG_TOO_MANY_CLIENTS \
    "クライアントが %u 件接続中のため、プロセス %d を断りました"

/* transport/web/api.c */
#define JA_API_NO_SUCH_PATH "%.*s というパスはありません。パスの一覧は docs/api.md にあります"
#define JA_API_GET_ONLY "ここで受け付けるのは GET だけです（%.*s ではなく）"
#define JA_API_UNKNOWN_PARAMETER "知らないパラメーターです: %.*s"
#define JA_API_PARAMETERS_ARE "。使えるのは: "
#define JA_API_PARAMETER_TWICE "パラメーター %.*s が 2 回以上指定されています"
#define JA_API_PARAMETER_NO_BOOLEAN \
    "パラメーター %.*s には true か false を指定してください"
#define JA_API_PARAMETER_NO_NUMBER \
    "パラメーター %.*s には 0 以上の整数を指定してください"

/* transport/web/web.c */
#define JA_LOG_PORT_TAKEN "ポート %d は使用中です。ダッシュボード: %s"
#define JA_LOG_DASHBOARD "ダッシュボード: %s"
#define JA_LOG_NO_DASHBOARD \
    "ダッシュボードも HTTP の MCP も使えません。%s のポート %d 以降で待ち受け" \
    "られません: %s"

/* transport/wire/cgroup_text.c */
#define JA_CGROUP_NONE_HERE "この環境には cgroup v2 がない"
#define JA_CGROUP_IS_V1 "このマシンではメモリは cgroup v1 が管理している"
#define JA_CGROUP_WITHOUT_MEMORY "ハブの cgroup に memory コントローラーがない"
#define JA_CGROUP_NOT_WRITABLE "ハブの cgroup に書き込めない"
#define JA_CGROUP_IS_SHARED "ハブの cgroup に他のプロセスもいる"
#define JA_CGROUP_NOT_DIVIDED "カーネルが cgroup の分割を拒んだ"
#define JA_CGROUP_REMEDY_BOOT \
    "systemd.unified_cgroup_hierarchy=1 を付けてカーネルを起動する（cgroup " \
    "v2 だけを使う）"
#define JA_CGROUP_REMEDY_DELEGATE \
    "ハブを専用の cgroup で起動する: systemd-run --user --scope -p " \
    "Delegate=yes kuromajutsu serve"

/* transport/wire/home.c */
#define JA_HOME_IS_ANOTHERS \
    "他のユーザーのものです。chown するか、KUROMAJUTSU_HOME を自分の場所にし" \
    "てください"

/* transport/wire/hubstart.c */
#define JA_HUB_KILLED "kuromajutsu-hub がシグナル %d で終了しました"
#define JA_HUB_EXITED "kuromajutsu-hub が終了コード %d で終了しました"

/* transport/wire/log.c */
#define JA_LOG_LINES_LOST "%llu 行をここに書けませんでした"

/* clang-format on */

#endif
