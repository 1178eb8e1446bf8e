/* SPDX-License-Identifier: MIT */
/* What is wrong with a configuration, in Japanese. */
#ifndef CONFIG_MESSAGES_CONFIG_JA_H
#define CONFIG_MESSAGES_CONFIG_JA_H

#include <inttypes.h>

/* clang-format off */

/* config/: config_error.c, replace_file.c, source.c, location.c, identity.c, config.c */
#define JA_CONFIG_RESTLESS \
    "%s: 書き換えが続いていて読めません。先に読んだ内容のまま動作しています"
#define JA_CONFIG_USER_FILE_NOT_YOURS \
    "%s: 自分のもので、他のユーザーが書き込めないファイルでなければなりませ" \
    "ん。chown と chmod で直すか、削除してください"
#define JA_CONFIG_NO_STATE_PLACE \
    "状態の置き場が決まりません。KUROMAJUTSU_HOME、XDG_STATE_HOME、HOME のい" \
    "ずれかに絶対パスを指定してください"
#define JA_CONFIG_NO_DIRECTORY \
    "%s: そのようなディレクトリはありません。プロジェクトのディレクトリを " \
    "--project か KUROMAJUTSU_PROJECT で指定するか、指定をやめて自動で探させ" \
    "てください"
#define JA_CONFIG_NO_PLACE_FOR_DATABASE \
    "%s: データベースを置くディレクトリがありません。作成するか、--db か " \
    "KUROMAJUTSU_DB で別のファイルを指定してください"
#define JA_CONFIG_DATABASE_NO_FILE \
    "%s: ファイルではありません。--db か KUROMAJUTSU_DB でデータベースを指定し" \
    "てください"
#define JA_CONFIG_NO_UTF8 "UTF-8 ではありません（バイト 0x%02X）"
#define JA_CONFIG_NO_TEXT "使えない文字 U+%04X があります"
#define JA_CONFIG_TOO_LARGE "%d バイトまでですが、%zu バイトあります"
#define JA_CONFIG_NO_REGULAR_FILE "%s: 通常のファイルではありません"
#define JA_CONFIG_NAMED_MISSING \
    "%s: そのようなファイルはありません。実在するファイルを %s で指定するか、" \
    "指定をやめてプロジェクトの %s を使ってください"
#define JA_CONFIG_IS_GONE \
    "%s:1:1: 設定ファイルがなくなりました。なしで続けるには、ハブを起動し直し" \
    "てください: kuromajutsu stop --keep-agents"
#define JA_CONFIG_IS_EMPTY \
    "%s:1:1: 設定ファイルが空になりました。なしで続けるには、ハブを起動し直し" \
    "てください: kuromajutsu stop --keep-agents"

/* config/: value.c, keys_text.c */
#define JA_VALUE_WRONG "%s: 書ける値は「%s」です（今の値: %s）"
#define JA_VALUE_EXPECTED_MAPPING "マッピング"
#define JA_VALUE_EXPECTED_LIST "%zu 個までのリスト"
#define JA_VALUE_EXPECTED_TOOL "ツールの ID:"
#define JA_VALUE_EXPECTED_MODEL "モデルの名前"
#define JA_VALUE_EXPECTED_WORD "次のいずれか:"
#define JA_VALUE_EXPECTED_SOME "次のうち 1 つ以上のリスト:"
#define JA_VALUE_EXPECTED_SET "次のものからなるリスト（空でもよい）:"
#define JA_VALUE_EXPECTED_WORDS "%" PRId64 " 個までの語のリスト"
#define JA_VALUE_EXPECTED_URL \
    "http:// か https:// で始まる %" PRId64 " バイトまでのアドレス"
#define JA_VALUE_EXPECTED_INT "%" PRId64 " から %" PRId64 " までの整数%s"
#define JA_VALUE_OR_NULL "、または null"
#define JA_VALUE_EXPECTED_MONEY \
    "%" PRId64 " から %" PRId64 " までの金額（2.50 のように）"
#define JA_VALUE_EXPECTED_BOOL "true か false"
#define JA_VALUE_EXPECTED_TEXT "1 から %" PRId64 " バイトまでの文字列"
#define JA_VALUE_EXPECTED_TEXT_OR_NONE "%" PRId64 " バイトまでの文字列"
#define JA_VALUE_EXPECTED_LINE "1 から %" PRId64 " バイトまでの一行の文字列"
#define JA_VALUE_EXPECTED_LINE_OR_NONE "%" PRId64 " バイトまでの一行の文字列"
#define JA_VALUE_EXPECTED_ID "英数字と _ - からなる 1 文字以上 64 文字以下の ID"
#define JA_VALUE_FOUND_LIST "リスト"
#define JA_VALUE_FOUND_MAPPING "マッピング"
#define JA_VALUE_FOUND_NOTHING "空"
#define JA_VALUE_FOUND_QUOTED "引用符で囲まれた %s"

/* config/: edit.c, yaml_patch.c */
#define JA_EDIT_NO_UTF8 "roles[%s].%s: UTF-8 ではありません（バイト 0x%02X）"
#define JA_EDIT_NO_SUCH_KEY \
    "roles[%s].%.64s: 編集できる職種のキーではありません"
#define JA_EDIT_NOT_TRUSTED \
    "roles[%s].%s: %s はまだ信頼されていないため、変更しても効きません。内容" \
    "を確認してから kuromajutsu trust を実行してください"
#define JA_EDIT_ELSEWHERE_TOO \
    "roles[%s]: %s にもあります。そちらから削除するか、無効にしてください（" \
    "enabled: false）"
#define JA_EDIT_NOT_BY_ITSELF \
    "%s: roles[%s] だけを変更することはできません。他の値と記述を共有している" \
    "か、書き方が特殊です。ファイルを直接編集してください"
#define JA_EDIT_FILE_CHANGED "%s: 読み込んだ後に変更されています"
#define JA_EDIT_BAD_ID \
    "roles[%.64s]: ID は英数字と _ - からなる 1 文字以上 64 文字以下でなけれ" \
    "ばなりません"
#define JA_EDIT_ID_TAKEN \
    "roles[%s]: 既にあります。別の ID にするか、その職種を変更してください"
#define JA_EDIT_BUILT_IN \
    "roles[%s]: 組み込みの職種は削除できません。無効にしてください（enabled: " \
    "false）"
#define JA_EDIT_NO_SUCH_ROLE "roles[%.64s]: そのような職種はありません"
#define JA_EDIT_COUNT "roles[%s]: 一度に変更できるのは 1 件以上 %d 件以下です"
#define JA_CONFIG_FILE_NO_MAPPING "%s: マッピングではありません"

/* config/: token.c, trust.c */
#define JA_TOKEN_TOO_LONG "%s: %d 文字までです"
#define JA_TOKEN_HAS_BLANKS \
    "%s: 英数字と記号だけで、空白を入れずに書いてください"
#define JA_TOKEN_FILE_UNREADABLE "dashboard.tokenFile: %s を読めません（%s）"
#define JA_TRUST_LIST_NOT_YOURS \
    "%s: 自分のもので、他のユーザーが書き込めないファイルでなければなりませ" \
    "ん。削除してから、もう一度信頼してください"
#define JA_TOKEN_FILE_IS_NO_FILE \
    "dashboard.tokenFile: %s は通常のファイルではありません"
#define JA_TOKEN_FILE_IS_ANOTHERS \
    "dashboard.tokenFile: %s は別のユーザーのものです"
#define JA_TOKEN_FILE_IS_OPEN \
    "dashboard.tokenFile: %s を他のユーザーも読めます。chmod 600 で直してくだ" \
    "さい"
#define JA_TOKEN_FILE_IS_EMPTY "dashboard.tokenFile: %s は空です"
#define JA_TOKEN_FILE_IS_TOO_LONG \
    "dashboard.tokenFile: %s はトークンとして長すぎます"
#define JA_TOKEN_FILE_HAS_NO_TEXT \
    "dashboard.tokenFile: %s の中身は文字列ではありません"

/* config/: loader.c, loader_roles.c, tree.c, price.c */
#define JA_CONFIG_ID_TWICE_AT "%s: %s が二度書かれています（最初は %zu 行目）"
#define JA_CONFIG_BAD_NAME "%s: 名前は英数字と _ - で書いてください"
#define JA_CONFIG_KEY_MISSING "%s: キー %s が必要です"
#define JA_CONFIG_NO_SUCH_PARAMETER \
    "%s.%s: ツール %s にそのようなパラメーターはありません"
#define JA_CONFIG_ID_TWICE "%s: %s が二度書かれています"
#define JA_CONFIG_TAB "タブがあります。YAML の字下げは空白だけで書いてください"
#define JA_CONFIG_NO_YAML "YAML として読めません（%s%s%s）"
#define JA_CONFIG_KEY_NO_NAME "キーには名前を書いてください"
#define JA_CONFIG_TOO_MANY_KEYS "一つのマッピングに書けるキーは %d 個までです"
#define JA_CONFIG_KEY_TWICE "%.64s: 二度書かれています（最初は %zu 行目）"
#define JA_CONFIG_MERGE_NO_MAPPING \
    "<<: マッピングか、マッピングのリストを書いてください"
#define JA_CONFIG_MERGE_TOO_MANY \
    "<<: 一つのマッピングに書けるキーは %d 個までです"
#define JA_CONFIG_NO_ANCHOR "*%.64s: これより前にアンカー &%.64s が必要です"
#define JA_CONFIG_TOO_MANY_ANCHORS "アンカーは %d 個までです"
#define JA_CONFIG_TOKEN_NEEDED \
    "dashboard.token: dashboard.host がループバックアドレスでないため、トーク" \
    "ンが必要です"
#define JA_CONFIG_IS_LIST "設定のマッピングを書いてください（今はリストです）"
#define JA_CONFIG_IS_TEXT "設定のマッピングを書いてください（今は文字列です）"
#define JA_CONFIG_TOO_MANY_VALUES "値は %zu 個までです"
#define JA_CONFIG_TEXT_HAS_NUL "NUL 文字は書けません"
#define JA_CONFIG_TOO_MANY_ALIASES "エイリアスは %zu 個までです"
#define JA_CONFIG_TOO_DEEP "入れ子は %zu 段までです"
#define JA_CONFIG_ONE_DOCUMENT "一つのファイルに書ける文書は一つだけです"
#define JA_CONFIG_KEY_UNKNOWN "%s:%zu:%zu: %s%s%.64s というキーはありません"
#define JA_CONFIG_KEY_UNKNOWN_NEAR \
    "%s:%zu:%zu: %s%s%.64s というキーはありません。もしかして: %s"
#define JA_CONFIG_VARIABLE_UNKNOWN_NEAR \
    "KUROMAJUTSU_%.64s という環境変数はありません。もしかして: KUROMAJUTSU_%s"
#define JA_CONFIG_VARIABLE_NOT_READ \
    "%s=%.40s は無視します。使える値: %s"
#define JA_CONFIG_KEY_NOT_TRUSTED \
    "%s:%zu:%zu: %s は無効です（プロジェクトに付属の設定で、まだ信頼されてい" \
    "ません）。内容を確かめてから: kuromajutsu trust"

/* config/reason.c */
#define JA_REASON_NOT_THERE "ファイルやディレクトリがありません"
#define JA_REASON_DENIED "権限がありません"
#define JA_REASON_NO_SPACE "空き容量がありません"
#define JA_REASON_READ_ONLY "読み取り専用のファイルシステムです"
#define JA_REASON_NO_DIRECTORY "ディレクトリではありません"
#define JA_REASON_IS_DIRECTORY "ディレクトリです"
#define JA_REASON_IS_THERE "同じ名前のファイルがもうあります"
#define JA_REASON_TOO_MANY_FILES "開いているファイルが多すぎます"
#define JA_REASON_NO_MEMORY "メモリーが足りません"
#define JA_REASON_NO_ROOM_NOW "一時的に余裕がありません"
#define JA_REASON_IN_USE "使用中です"
#define JA_REASON_INPUT_OUTPUT "読み書きに失敗しました（ディスクの故障かもしれません）"
#define JA_REASON_FILE_TOO_LARGE "ファイルが大きすぎます"
#define JA_REASON_NAME_TOO_LONG "名前が長すぎます"
#define JA_REASON_LINKS_IN_A_CIRCLE "シンボリックリンクが輪になっています"
#define JA_REASON_NOT_RUNNABLE "実行できる形式のファイルではありません"
#define JA_REASON_ADDRESS_IN_USE "アドレスは使用中です"
#define JA_REASON_ADDRESS_NOT_HERE "そのアドレスはこのマシンにありません"
#define JA_REASON_CONNECTION_REFUSED "接続を断られました"
#define JA_REASON_CONNECTION_CUT "相手が接続を切りました"
#define JA_REASON_UNREACHABLE "そこへはネットワークが届きません"
#define JA_REASON_TIMED_OUT "時間内に応答がありません"
#define JA_REASON_NOT_OUR_PROTOCOL "相手の応答を理解できません"
#define JA_REASON_OTHER "システムのエラーです（%s）"

/* clang-format on */

#endif
