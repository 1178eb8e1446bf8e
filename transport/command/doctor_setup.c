/* SPDX-License-Identifier: MIT */
/* What is ours: the configuration, where state lies, our programs, the hub. */
#include "transport/command/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "runtime/text/path.h"
#include "transport/command/flocked.h"
#include "transport/wire/build.h"
#include "transport/wire/hublink.h"

#define HUB_MS 5000

void doctor_see_config(struct doctor *x)
{
    struct console *con = x->console;
    const char *subject = SAY(con, "設定", "configuration");
    struct config_error e;

    if (config_load(con->config_file, environ, &x->config, &e)) {
        x->config = NULL;
        doctor_find(x, DOCTOR_FAIL, subject, "%s", e.text);
        MEND(x,
             "その行を直すか削除してください。全キーは kuromajutsu help "
             "config%s",
             "mend or remove that line. All keys: kuromajutsu help config%s",
             "");
        return;
    }
    if (x->config->has_file)
        doctor_find(x, DOCTOR_OK, subject, "%s", x->config->file);
    else
        FIND(x, DOCTOR_OK, subject, "ファイルなし、既定値を使う（%s）",
             "no file, the defaults hold (%s)", x->config->file);
    if (x->config->user_file)
        doctor_find(x, DOCTOR_OK, subject, "%s", x->config->user_file);
    for (size_t i = 0; i < x->config->warning_count; i++)
        doctor_find(x, DOCTOR_WARN, subject, "%s", x->config->warnings[i]);
}

static void see_rights(struct doctor *x, const char *subject,
                       const struct stat *st)
{
    const char *dir = x->console->state_dir;

    if (!S_ISDIR(st->st_mode)) {
        FIND(x, DOCTOR_FAIL, subject, "%s はディレクトリではありません",
             "%s is no directory", dir);
        MEND(x, "取り除くか、KUROMAJUTSU_HOME を別の場所に: %s",
             "remove it, or set KUROMAJUTSU_HOME to another place: %s", dir);
    } else if (st->st_uid != geteuid()) {
        FIND(x, DOCTOR_FAIL, subject, "%s は他のユーザー（uid %u）のものです",
             "%s belongs to another user (uid %u)", dir, (unsigned)st->st_uid);
        MEND(x, "chown するか、KUROMAJUTSU_HOME を自分の場所に%s",
             "chown it, or set KUROMAJUTSU_HOME to a place of yours%s", "");
    } else if (access(dir, R_OK | W_OK | X_OK)) {
        FIND(x, DOCTOR_FAIL, subject, "%s に書けません: %s",
             "cannot write to %s: %s", dir, strerror(errno));
        MEND(x, "chmod 700 '%s'", "chmod 700 '%s'", dir);
    } else if (st->st_mode & 077) {
        FIND(x, DOCTOR_WARN, subject, "%s を他のユーザーが読めます（%03o）",
             "others can read %s (%03o)", dir, (unsigned)st->st_mode & 0777);
        MEND(x, "chmod 700 '%s'", "chmod 700 '%s'", dir);
    } else {
        doctor_find(x, DOCTOR_OK, subject, "%s", dir);
    }
}

/* The nearest directory above that is there must let us make the rest. */
static void see_above(struct doctor *x, const char *subject)
{
    char *path = bytes_text("%s", x->console->state_dir), *slash;

    while (access(path, F_OK) && (slash = strrchr(path, '/')))
        slash[slash == path] = '\0';
    if (access(path, W_OK | X_OK)) {
        FIND(x, DOCTOR_FAIL, subject, "%s を作れません: %s に書けない",
             "cannot make %s: %s is not ours to write", x->console->state_dir,
             path);
        MEND(x, "KUROMAJUTSU_HOME を書ける場所に%s",
             "set KUROMAJUTSU_HOME to a place you can write to%s", "");
    } else {
        FIND(x, DOCTOR_OK, subject, "%s（まだない。最初の使用時に作られる）",
             "%s (not yet there; the first use makes it)",
             x->console->state_dir);
    }
    free(path);
}

void doctor_see_state(struct doctor *x)
{
    const char *subject = SAY(x->console, "状態", "state");
    struct stat st;

    if (x->console->home_error) {
        if (x->config)
            doctor_find(x, DOCTOR_FAIL, subject, "%s", x->console->error.text);
        return;
    }
    if (stat(x->console->state_dir, &st))
        see_above(x, subject);
    else
        see_rights(x, subject, &st);
    /* sun_path has 108 bytes. Ours are reached through their directory where
     * that is not enough; other tools cannot do so. */
    size_t len = strlen(x->console->home.socket);
    if (len > 107)
        FIND(
            x, DOCTOR_WARN, SAY(x->console, "ソケット", "socket"),
            "パスが %zu バイト（107 を超える）: 動くが、他の道具からは届かない",
            "its path has %zu bytes (over 107): it works, but other tools "
            "cannot reach it",
            len);
}

static void see_program(struct doctor *x, const char *name)
{
    char path[PATH_MAX];

    if (path_beside(path, name) != 0)
        return;
    if (access(path, X_OK) == 0) {
        doctor_find(x, DOCTOR_OK, SAY(x->console, "プログラム", "program"),
                    "%s", path);
        return;
    }
    FIND(x, DOCTOR_FAIL, SAY(x->console, "プログラム", "program"),
         "%s がない、または実行できない", "%s is missing or cannot be run",
         path);
    MEND(x, "三つのプログラムは同じディレクトリに置く。もう一度: ./run build%s",
         "the three programs belong into one directory. Once more: ./run "
         "build%s",
         "");
}

void doctor_see_programs(struct doctor *x)
{
    see_program(x, "kuromajutsu-hub");
    see_program(x, "kuromajutsu-warden");
}

/* No answer: is that a hub at rest, a dead one, or one that hangs? */
static void see_silence(struct doctor *x, const char *subject, int error)
{
    const char *dir = x->console->state_dir;
    char *lock = bytes_text("%s/hub.lock", dir);
    pid_t holder = flocked_by(lock);
    free(lock);
    if (holder) {
        FIND(x, DOCTOR_FAIL, subject,
             "pid %d がロックを持ったまま応答しません: %s",
             "pid %d holds the lock and does not answer: %s", (int)holder,
             strerror(-error));
        MEND(x, "ログ %s/hub.log を見て、必要なら: kill %d",
             "see %s/hub.log, and if need be: kill %d", dir, (int)holder);
    } else if (error == -EPERM) {
        FIND(x, DOCTOR_FAIL, subject, "%s で他のユーザーが待ち受けています",
             "another user listens at %s", x->console->home.socket);
        MEND(x, "KUROMAJUTSU_HOME を自分の場所に%s",
             "set KUROMAJUTSU_HOME to a place of yours%s", "");
    } else if (error == -ENOENT) {
        FIND(x, DOCTOR_OK, subject,
             "動いていない（MCP クライアントが使う時に自動で起動）%s",
             "not running (MCP clients start it when they need it)%s", "");
    } else if (error == -ECONNREFUSED) {
        FIND(x, DOCTOR_OK, subject,
             "動いていない。前のハブのソケットが残るが、次のハブが置き換える%s",
             "not running; a dead one's socket is left, the next replaces it%s",
             "");
    } else {
        FIND(x, DOCTOR_FAIL, subject, "%s に接続できません: %s",
             "cannot connect to %s: %s", x->console->home.socket,
             strerror(-error));
        MEND(x, "ls -l '%s' で所有者と権限を確認",
             "look at owner and rights: ls -l '%s'", dir);
    }
}

static void see_restart(struct doctor *x, yyjson_val *keys)
{
    size_t i, count;
    yyjson_val *key;

    yyjson_arr_foreach(keys, i, count, key)
    {
        FIND(x, DOCTOR_WARN, SAY(x->console, "設定", "configuration"),
             "%s の変更はハブの再起動後に有効",
             "%s was changed, which takes effect when the hub starts again",
             yyjson_get_str(key));
        MEND(x, "kuromajutsu stop --keep-agents%s",
             "kuromajutsu stop --keep-agents%s", "");
    }
}

/* The file may be mended, or gone, and the hub still go by what it has read. */
static void see_hubs_config(struct doctor *x, struct hublink *link)
{
    struct bytes answer = {0};
    bool is_error = true;
    int error = hublink_ask(link, "hub_status", SLICE("{}"), HUB_MS, &answer,
                            &is_error);
    yyjson_doc *doc =
        error || is_error ? NULL : yyjson_read(answer.ptr, answer.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *wrong = FIELD(root, "configError");

    if (yyjson_is_obj(wrong)) {
        FIND(x, DOCTOR_FAIL, SAY(x->console, "設定", "configuration"),
             "動作中のハブは前に読み込んだ設定のままです: %s",
             "the hub that runs goes by what it has read before: %s",
             yyjson_get_str(FIELD(wrong, "message")));
        MEND(x, "その行を直せば、ハブが読み込み直します%s",
             "mend that line, and the hub reads the file again%s", "");
    }
    see_restart(x, FIELD(root, "atRestart"));
    yyjson_doc_free(doc);
    bytes_finish(&answer);
}

void doctor_see_hub(struct doctor *x)
{
    const char *subject = SAY(x->console, "ハブ", "hub");
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome w;

    if (x->console->home_error)
        return;
    int error = hublink_meet(&link, x->console->home.socket, build_id(),
                             "command", HUB_MS, &w);
    if (!error)
        see_hubs_config(x, &link);
    hublink_close(&link);
    x->hub = error ? 0 : w.pid;
    if (error) {
        see_silence(x, subject, error);
    } else if (strcmp(w.build, build_id())) {
        FIND(x, DOCTOR_WARN, subject, "pid %d は別のビルド: %s（こちらは %s）",
             "pid %d is of another build: %s (this is %s)", (int)w.pid, w.build,
             build_id());
        MEND(x, "Agent が終わったら: kuromajutsu stop%s",
             "when its agents have ended: kuromajutsu stop%s", "");
    } else {
        FIND(x, DOCTOR_OK, subject, "動作中 pid %d、Agent %llu 件",
             "running, pid %d, %llu agents", (int)w.pid,
             (unsigned long long)w.running);
    }
}
