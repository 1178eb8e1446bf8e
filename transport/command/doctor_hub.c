/* SPDX-License-Identifier: MIT */
/* The hub, if one runs: what it says of itself, its configuration, its roles.
 */
#include "transport/command/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/field.h"
#include "transport/command/flocked.h"
#include "transport/command/hub_question.h"
#include "transport/wire/build.h"
#include "transport/wire/hublink.h"

/* No answer: is that a hub at rest, a dead one, or one that hangs? */
static void see_silence(struct doctor *x, enum doctor_subject subject,
                        int error)
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
        FIND(x, DOCTOR_WARN, DOCTOR_CONFIG, "%s の変更はハブの再起動後に有効",
             "%s was changed, which takes effect when the hub starts again",
             yyjson_get_str(key));
        MEND(x, "kuromajutsu stop --keep-agents%s",
             "kuromajutsu stop --keep-agents%s", "");
    }
}

/* The file may be mended, or gone, and the hub still go by what it has read. */
static void see_hubs_config(struct doctor *x, yyjson_val *root)
{
    yyjson_val *wrong = FIELD(root, "configError");

    if (yyjson_is_obj(wrong)) {
        FIND(x, DOCTOR_FAIL, DOCTOR_CONFIG,
             "動作中のハブは前に読み込んだ設定のままです: %s",
             "the hub that runs goes by what it has read before: %s",
             yyjson_get_str(FIELD(wrong, "message")));
        MEND(x, "その行を直せば、ハブが読み込み直します%s",
             "mend that line, and the hub reads the file again%s", "");
    }
    see_restart(x, FIELD(root, "atRestart"));
}

static void see_status(struct doctor *x, struct hublink *link,
                       const struct hublink_welcome *w)
{
    yyjson_doc *doc = NULL;

    if (ask_link(x->console, link, "hub_status", SLICE("{}"), &doc) == 0) {
        yyjson_val *root = yyjson_doc_get_root(doc);
        yyjson_val *agents = FIELD(root, "agents");
        FIND(x, DOCTOR_OK, DOCTOR_HUB,
             "動作中 pid %d、Agent 実行中 %" PRIu64 "、待機中 %" PRIu64
             "、終了処理中 %" PRIu64,
             "running, pid %d, agents: %" PRIu64 " running, %" PRIu64
             " queued, %" PRIu64 " leaving",
             (int)w->pid, FIELD_COUNT(agents, "running"),
             FIELD_COUNT(agents, "queued"), FIELD_COUNT(agents, "leaving"));
        see_hubs_config(x, root);
    } else {
        FIND(x, DOCTOR_FAIL, DOCTOR_HUB, "pid %d が質問に答えません",
             "pid %d does not answer a question", (int)w->pid);
        MEND(x, "ログ %s/hub.log を見てください", "see %s/hub.log",
             x->console->state_dir);
    }
    yyjson_doc_free(doc);
}

static bool is_usable(yyjson_val *role)
{
    return yyjson_is_true(FIELD(role, "available"));
}

static void see_role(struct doctor *x, yyjson_val *role,
                     enum doctor_verdict verdict)
{
    yyjson_val *check = FIELD(role, "healthCheck");
    struct slice id = FIELD_TEXT(role, "id");
    struct slice why = FIELD_TEXT(FIELD(role, "modelValidation"), "message");

    if (why.len == 0)
        why = FIELD_TEXT(check, "reason");
    if (!is_usable(role))
        FIND(x, verdict, DOCTOR_ROLE, "%.*s は使えません: %.*s",
             "%.*s cannot be used: %.*s", (int)id.len, id.ptr, (int)why.len,
             why.ptr);
    why = FIELD_TEXT(check, "warning");
    if (why.len > 0)
        doctor_find(x, DOCTOR_WARN, DOCTOR_ROLE, "%.*s: %.*s", (int)id.len,
                    id.ptr, (int)why.len, why.ptr);
}

/* A hub of which no role can be used is of no use, well as it may be. */
static void see_roles(struct doctor *x, struct hublink *link)
{
    yyjson_doc *doc = NULL;
    yyjson_val *roles, *role;
    size_t i, max, usable = 0, pending = 0;

    if (ask_link(x->console, link, "list_roles", SLICE("{}"), &doc) != 0)
        return;
    roles = FIELD(yyjson_doc_get_root(doc), "roles");
    yyjson_arr_foreach(roles, i, max, role)
    {
        usable += is_usable(role);
        pending += slice_eq(FIELD_TEXT(FIELD(role, "healthCheck"), "status"),
                            SLICE("pending"));
    }
    FIND(x, usable > 0 ? DOCTOR_OK : DOCTOR_FAIL, DOCTOR_ROLE,
         "%zu 件中 %zu 件が使える（確認中 %zu 件）",
         "of %zu roles %zu can be used (%zu being checked)",
         yyjson_arr_size(roles), usable, pending);
    yyjson_arr_foreach(roles, i, max, role)
    {
        see_role(x, role, usable > 0 ? DOCTOR_WARN : DOCTOR_FAIL);
    }
    yyjson_doc_free(doc);
}

static void see_answers(struct doctor *x, struct hublink *link,
                        const struct hublink_welcome *w)
{
    see_status(x, link, w);
    if (strcmp(w->build, build_id()) != 0) {
        FIND(x, DOCTOR_WARN, DOCTOR_HUB,
             "pid %d は別のビルド: %s（こちらは %s）",
             "pid %d is of another build: %s (this is %s)", (int)w->pid,
             w->build, build_id());
        MEND(x, "Agent が終わったら: kuromajutsu stop%s",
             "when its agents have ended: kuromajutsu stop%s", "");
    }
    see_roles(x, link);
}

void doctor_see_hub(struct doctor *x)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome w;

    if (x->console->home_error)
        return;
    int error = hublink_meet(&link, x->console->home.socket, build_id(),
                             "command", ASK_PATIENCE_MS, &w);
    x->hub = error ? 0 : w.pid;
    if (error)
        see_silence(x, DOCTOR_HUB, error);
    else
        see_answers(x, &link, &w);
    hublink_close(&link);
}
