/* SPDX-License-Identifier: MIT */
/* What is ours: the configuration, where state lies, our programs. */
#include "transport/command/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/path.h"

void doctor_see_config(struct doctor *x)
{
    struct console *con = x->console;
    enum doctor_subject subject = DOCTOR_CONFIG;
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

static void see_rights(struct doctor *x, enum doctor_subject subject,
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
static void see_above(struct doctor *x, enum doctor_subject subject)
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
    enum doctor_subject subject = DOCTOR_STATE;
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
            x, DOCTOR_WARN, DOCTOR_SOCKET,
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
        doctor_find(x, DOCTOR_OK, DOCTOR_PROGRAM, "%s", path);
        return;
    }
    FIND(x, DOCTOR_FAIL, DOCTOR_PROGRAM, "%s がない、または実行できない",
         "%s is missing or cannot be run", path);
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
