/* SPDX-License-Identifier: MIT */
/* What `kuromajutsu doctor` and `mcp-config` say, in Japanese. */
#ifndef CONFIG_MESSAGES_DOCTOR_JA_H
#define CONFIG_MESSAGES_DOCTOR_JA_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/client.c */
#define JA_CLIENT_CURSOR "CURSOR_API_KEY などは \"env\" に書けます。"
#define JA_CLIENT_CLAUDE \
"初回に claude が承認を求めます。環境変数はそのまま渡ります。待ち時間の\n" \
"設定は不要です: 進捗を受け取る間は切りません（MCP_TOOL_TIMEOUT を\n" \
"設定しているなら 300000 以上に）。"
#define JA_CLIENT_CODEX \
"default_tools_approval_mode がないと、既定の方針では run_agents を拒みます。\n" \
"環境変数は env_vars に挙げたものだけが渡り、呼び出しは tool_timeout_sec で\n" \
"切られます。"
#define JA_CLIENT_GEMINI \
"鍵になる環境変数は、\"env\" に \"NAME\": \"$NAME\" と書いたものだけが渡ります。\n" \
"信頼していないフォルダーではサーバーが無効です。確認なしに呼ばせるなら\n" \
"\"trust\": true を足します。"
#define JA_CLIENT_OPENCODE \
    "環境変数はそのまま渡ります。呼び出しは timeout（ミリ秒）で切られます。"

/* transport/command/doctor.c */
#define JA_SUBJECT_CONFIG "設定"
#define JA_SUBJECT_STATE "状態"
#define JA_SUBJECT_SOCKET "ソケット"
#define JA_SUBJECT_PROGRAM "プログラム"
#define JA_SUBJECT_HUB "ハブ"
#define JA_SUBJECT_ROLE "職種"
#define JA_SUBJECT_LOGIN "ログイン"
#define JA_SUBJECT_CLIENT "クライアント"
#define JA_SUBJECT_OPEN_FILES "ファイル数"
#define JA_SUBJECT_MEMORY_LIMIT "メモリ上限"
#define JA_SUBJECT_NOTIFICATIONS "通知"
#define JA_DOCTOR_SUM_BAD "問題 %u 件、注意 %u 件。\n"
#define JA_DOCTOR_SUM_GOOD "問題ありません（注意 %u 件）。\n"

/* transport/command/doctor_cli.c */
#define JA_CLI_ANOTHER_MAKERS \
    "%s は --help の内容から別の製品と判断し、使わない"
#define JA_CLI_DID_NOT_END "`%s %s` が %d 秒で終わりません"
#define JA_CLI_FAILED "`%s %s` が失敗（%d）: %.*s"
#define JA_CLI_TRY_IN_TERMINAL "端末で `%s %s` を試してください"
#define JA_CLI_HAS_NOT_THE_MODEL "%s のモデル '%s' がこの CLI にありません"
#define JA_CLI_CHANGE_THE_MODEL "設定の roles で %s の model を変えてください"
#define JA_CLI_NOT_LOGGED_IN "%s: ログインしていません"
#define JA_CLI_LOGIN_OF_CURSOR "login`、または環境変数 `CURSOR_API_KEY"
#define JA_CLI_ANSWERS_MODELS "%s は `models` に答える"
#define JA_CLI_LOGIN_NOT_KNOWN "%s: ログインしているか確かめられない版です"
#define JA_CLI_UPDATE_OR_TRY "更新するか、端末で試す: %s -p hi"
#define JA_CLI_LOGGED_IN "ログイン済み（%.*s）"
#define JA_CLI_LOGIN_OF_CLAUDE "auth login`、または環境変数 `ANTHROPIC_API_KEY"
#define JA_CLI_REFUSES_ROOT \
    "%s は root では --dangerously-skip-permissions を拒み、Agent が起動しな" \
    "い"
#define JA_CLI_NOT_AS_ROOT \
    "root でないユーザーで使う。隔離された環境なら IS_SANDBOX=1 をクライアン" \
    "トの設定の env に%s"
#define JA_CLI_NOT_ON_PATH "'%s' が PATH にありません（バックエンド %s）"
#define JA_CLI_INSTALL_CURSOR \
"Cursor CLI を入れる: curl https://cursor.com/install -fsS | bash\n" \
"試すだけなら KUROMAJUTSU_AGENT_COMMAND=kuromajutsu-puppet%s"
#define JA_CLI_INSTALL "'%s' を入れるか、職種の backend を変えてください"
#define JA_CLI_NOT_TRUSTED \
    "%s の agent.command はまだ信頼されていないため、実行しません"
#define JA_CLI_TRUST "内容を確かめてから: kuromajutsu trust '%s'"
#define JA_CLI_TOOL_UNUSABLE "ツール %s が使えません: %.*s"

/* transport/command/doctor_clients.c */
#define JA_CLIENT_BY_URL "%s: %s（URL による登録）"
#define JA_CLIENT_PROGRAM_MISSING "%s: %s の '%s' が見つかりません"
#define JA_CLIENT_SET_COMMAND "command を \"%s\" に"
#define JA_CLIENT_ANOTHER_PROGRAM "%s: %s は別のプログラム %s を使う"
#define JA_CLIENT_SET_COMMAND_TO_THIS "これを使うなら command を \"%s\" に"
#define JA_CLIENT_KEEPS_VARIABLE "%s: 環境変数 %s をサーバーに渡さない"
#define JA_CLIENT_MEND_ENTRY "%s を見本に直す: kuromajutsu mcp-config --for %s"
#define JA_CLIENT_CODEX_REFUSES \
    "%s: default_tools_approval_mode = \"approve\" がないと、codex exec は " \
    "run_agents を拒む"
#define JA_CLIENT_FILE_UNREADABLE "%s: %s を読めません（%s）"
#define JA_CLIENT_MEND_FILE "見本を参考に直す: kuromajutsu mcp-config --for %s"
#define JA_CLIENT_ADD_ENTRY \
"%s に足す（kuromajutsu mcp-config --for %s）:\n" \
"%.*s"
#define JA_CLIENT_WITHOUT_ENTRY "%s (%s): 未登録"
#define JA_CLIENT_NONE_HAS_ENTRY \
    "どの MCP クライアントにも kuromajutsu が登録されていない%s"

/* transport/command/doctor_hub.c */
#define JA_HUB_HANGS "pid %d がロックを持ったまま応答しません: %s"
#define JA_HUB_SEE_LOG_OR_KILL "ログ %s/hub.log を見て、必要なら: kill %d"
#define JA_HUB_IS_ANOTHER_USERS "%s で他のユーザーが待ち受けています"
#define JA_HUB_SET_HOME "KUROMAJUTSU_HOME を自分の場所に%s"
#define JA_HUB_NOT_RUNNING \
    "動いていない（MCP クライアントが使う時に自動で起動）%s"
#define JA_HUB_LEFT_ITS_SOCKET \
    "動いていない。前のハブのソケットが残るが、次のハブが置き換える%s"
#define JA_HUB_CANNOT_CONNECT "%s に接続できません: %s"
#define JA_HUB_LOOK_AT_RIGHTS "ls -l '%s' で所有者と権限を確認"
#define JA_HUB_CONFIG_AT_RESTART "%s の変更はハブの再起動後に有効"
#define JA_HUB_CONFIG_OF_BEFORE "動作中のハブは前に読み込んだ設定のままです: %s"
#define JA_HUB_MEND_CONFIG "その行を直せば、ハブが読み込み直します%s"
#define JA_HUB_RUNNING \
    "動作中 pid %d、Agent 実行中 %" PRIu64 "、待機中 %" PRIu64 "、終了処理中 " \
    "%" PRIu64
#define JA_HUB_GIVES_NO_ANSWER "pid %d が質問に答えません"
#define JA_HUB_SEE_LOG "ログ %s/hub.log を見てください"
#define JA_HUB_ROLE_UNUSABLE "%.*s は使えません: %.*s"
#define JA_HUB_ROLES_USABLE "%zu 件中 %zu 件が使える（確認中 %zu 件）"
#define JA_HUB_OF_ANOTHER_BUILD "pid %d は別のビルド: %s（こちらは %s）"
#define JA_HUB_STOP_WHEN_ENDED "Agent が終わったら: kuromajutsu stop%s"

/* transport/command/doctor_notify.c */
#define JA_NOTIFY_NO_SESSION "デスクトップのセッションがないため、デスクトップには表示しません%s"
#define JA_NOTIFY_NO_PROGRAM "%s が見つからないため、デスクトップには表示しません"
#define JA_NOTIFY_INSTALL "インストールしてください（パッケージは %s など）"
#define JA_NOTIFY_DESKTOP "デスクトップに表示します（%s）"
#define JA_NOTIFY_WITHHELD "%s は無効です（プロジェクトに付属の設定で、まだ信頼されていません）"
#define JA_NOTIFY_TRUST "内容を確かめてから: kuromajutsu trust%s"
#define JA_NOTIFY_NOT_SET "通知先 %s が選ばれていますが、%s が空です"
#define JA_NOTIFY_SET "%s を設定するか、notifications から %s を外してください"
#define JA_NOTIFY_NOT_WANTED "%s は設定されていますが、どの種類も通知先 %s を選んでいません"
#define JA_NOTIFY_WANT "notifications.failed などに %s を加えてください"
#define JA_NOTIFY_COMMAND "コマンドで知らせます（%s）"
#define JA_NOTIFY_COMMAND_MISSING "notifications.command: %s が見つかりません"
#define JA_NOTIFY_COMMAND_NAME "PATH にあるプログラムの名前か、絶対パスを書いてください%s"
#define JA_NOTIFY_WEBHOOK "webhook で知らせます（%.*s）"

/* transport/command/doctor_setup.c */
#define JA_SETUP_MEND_CONFIG \
    "その行を直すか削除してください。全キーは kuromajutsu help config%s"
#define JA_SETUP_NO_CONFIG "ファイルなし、既定値を使う（%s）"
#define JA_SETUP_HOME_IS_NO_DIRECTORY "%s はディレクトリではありません"
#define JA_SETUP_REMOVE_HOME "取り除くか、KUROMAJUTSU_HOME を別の場所に: %s"
#define JA_SETUP_HOME_IS_ANOTHERS "%s は他のユーザー（uid %u）のものです"
#define JA_SETUP_CHOWN_HOME "chown するか、KUROMAJUTSU_HOME を自分の場所に%s"
#define JA_SETUP_CANNOT_WRITE "%s に書けません: %s"
#define JA_SETUP_OTHERS_CAN_READ "%s を他のユーザーが読めます（%03o）"
#define JA_SETUP_CANNOT_MAKE "%s を作れません: %s に書けない"
#define JA_SETUP_WRITABLE_HOME "KUROMAJUTSU_HOME を書ける場所に%s"
#define JA_SETUP_NOT_YET_THERE "%s（まだない。最初の使用時に作られる）"
#define JA_SETUP_SOCKET_PATH_LONG \
    "パスが %zu バイト（107 を超える）: 動くが、他の道具からは届かない"
#define JA_SETUP_PROGRAM_MISSING "%s がない、または実行できない"
#define JA_SETUP_BUILD_AGAIN \
    "三つのプログラムは同じディレクトリに置く。もう一度: ./run build%s"

/* transport/command/doctor_system.c */
#define JA_SYSTEM_TOO_FEW_FILES "上限 %llu では足りません（要 %llu）"
#define JA_SYSTEM_RAISE_FILES \
    "ulimit -Hn を上げるか、agent.maxConcurrent を下げる%s"
#define JA_SYSTEM_ENOUGH_FILES "%llu（%llu 必要）"
#define JA_SYSTEM_MEMORY_ENFORCED "agent.memoryMax_bytes が有効（%s）"
#define JA_SYSTEM_MEMORY_NOT_ENFORCED \
    "agent.memoryMax_bytes は設定されているが、ここでは強制できない。Agent は" \
    "上限なしで動く: %s"
#define JA_SYSTEM_INOTIFY_ROOM "使える%s"
#define JA_SYSTEM_INOTIFY_UNUSABLE "使えません: %s"
#define JA_SYSTEM_INOTIFY_RAISE "sysctl %s を上げてください"

/* clang-format on */

#endif
