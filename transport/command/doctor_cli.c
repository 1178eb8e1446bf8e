/* SPDX-License-Identifier: MIT */
/* The agents' CLIs: are they there, do they answer, is the user logged in, and
 * do they know the models that the roles ask for. */
#include "transport/command/doctor.h"

#include <string.h>

#include "actors/stream/backend.h"
#include "transport/command/program.h"

/* They are large programs that ask their servers. */
#define CLI_MS 30000

static bool is_used(const struct config *c, const struct backend *b)
{
    for (size_t i = 0; i < c->role_count; i++)
        if (!strcmp(c->roles[i].backend, b->name))
            return true;
    return false;
}

static int ask(char *path, char *word, struct bytes *said)
{
    char *argv[] = {path, word, NULL};

    bytes_clear(said, 1 << 16);
    int code = program_ask(argv, CLI_MS, said);
    bytes_append(said, "", 1); /* a terminator for strstr */
    said->len--;
    return code;
}

/* By its name, or by its help: as the hub does (actors/health/probe.c). */
static bool is_meant(const struct backend *b, char *path)
{
    char word[] = "--help";
    struct bytes said = {0};
    bool is_it = backend_is_certain(b, path);

    if (!is_it && ask(path, word, &said) != PROGRAM_NOT_RUN)
        is_it = backend_is_meant(b, bytes_slice(&said));
    bytes_finish(&said);
    return is_it;
}

/* agent.command stands for the default back-end's program only. */
static bool find_cli(struct doctor *x, const struct backend *b,
                     char path[PATH_MAX])
{
    const struct config *c = x->config;

    if (*c->agent.command && !strcmp(c->agent.backend, b->name))
        return program_on_path(c->agent.command, path);
    for (const char *const *name = b->programs; *name; name++) {
        if (!program_on_path(*name, path))
            continue;
        if (is_meant(b, path))
            return true;
        FIND(x, DOCTOR_WARN, "CLI",
             "%s は --help の内容から別の製品と判断し、使わない",
             "%s is another maker's by its --help, and is not used", path);
    }
    return false;
}

static void tell_failure(struct doctor *x, const char *subject,
                         const char *path, const char *word, int code,
                         const struct bytes *said)
{
    struct slice text = slice_trim(bytes_slice(said));
    int len = text.len < 400 ? (int)text.len : 400;

    if (code == PROGRAM_TIMED_OUT)
        FIND(x, DOCTOR_FAIL, subject, "`%s %s` が %d 秒で終わりません",
             "`%s %s` did not end within %d seconds", path, word,
             CLI_MS / 1000);
    else
        FIND(x, DOCTOR_FAIL, subject, "`%s %s` が失敗（%d）: %.*s",
             "`%s %s` failed (%d): %.*s", path, word, code, len, text.ptr);
    MEND(x, "端末で `%s %s` を試してください", "try `%s %s` in a terminal",
         path, word);
}

/* "id - Label (default)", one a line. */
static bool is_offered(const char *models, const char *id)
{
    size_t len = strlen(id);

    for (const char *at = models; (at = strstr(at, id)); at++) {
        bool begins = at == models || at[-1] == '\n' || at[-1] == ' ';
        if (begins && (at[len] == ' ' || at[len] == '\n' || !at[len]))
            return true;
    }
    return false;
}

static void see_roles(struct doctor *x, const struct backend *b,
                      const char *models)
{
    for (size_t i = 0; i < x->config->role_count; i++) {
        const struct role *role = &x->config->roles[i];
        /* A model may carry options: 'opus[effort=high]'. */
        char id[256] = "";
        size_t len = strcspn(role->model, "[");
        strncat(id, role->model, len < 255 ? len : 255);
        if (strcmp(role->backend, b->name) || is_offered(models, id))
            continue;
        FIND(x, DOCTOR_WARN, SAY(x->console, "職種", "role"),
             "%s のモデル '%s' がこの CLI にありません",
             "%s asks for the model '%s', which this CLI has not", role->id,
             role->model);
        MEND(x, "設定の roles で %s の model を変えてください",
             "change its model below roles: %s", role->id);
    }
}

static void see_login(struct doctor *x, const char *subject, char *path,
                      struct bytes *said)
{
    char word[] = "status";
    int code = ask(path, word, said);

    if (code != 0 || strcasestr(said->ptr, "not logged in")) {
        FIND(x, DOCTOR_FAIL, subject, "%s: ログインしていません",
             "%s: nobody is logged in", path);
        MEND(x, "`%s login`、または環境変数 CURSOR_API_KEY",
             "`%s login`, or CURSOR_API_KEY in the environment", path);
        return;
    }
    struct slice first = slice_first_line(slice_trim(bytes_slice(said)));
    doctor_find(x, DOCTOR_OK, subject, "%.*s", (int)first.len, first.ptr);
}

static void see_cursor(struct doctor *x, const struct backend *b, char *path)
{
    char word[] = "models";
    struct bytes said = {0};
    int code = ask(path, word, &said);

    if (code == 0 && slice_trim(bytes_slice(&said)).len > 0) {
        FIND(x, DOCTOR_OK, "CLI", "%s は `models` に答える",
             "%s answers `models`", path);
        see_roles(x, b, said.ptr);
    } else {
        tell_failure(x, "CLI", path, word, code, &said);
    }
    see_login(x, SAY(x->console, "ログイン", "login"), path, &said);
    bytes_finish(&said);
}

/* Claude Code has no list of models, and no question for the login that does
 * not cost a call: that it runs is all there is to see. */
static void see_other(struct doctor *x, char *path)
{
    char word[] = "--version";
    struct bytes said = {0};
    int code = ask(path, word, &said);
    struct slice first = slice_first_line(slice_trim(bytes_slice(&said)));

    if (code == 0)
        doctor_find(x, DOCTOR_OK, "CLI", "%s %.*s", path, (int)first.len,
                    first.ptr);
    else
        tell_failure(x, "CLI", path, word, code, &said);
    bytes_finish(&said);
}

static void tell_missing(struct doctor *x, const struct backend *b)
{
    const char *name =
        *x->config->agent.command && !strcmp(x->config->agent.backend, b->name)
            ? x->config->agent.command
            : b->programs[0];

    FIND(x, DOCTOR_FAIL, "CLI", "'%s' が PATH にありません（バックエンド %s）",
         "'%s' is not on PATH (back-end %s)", name, b->name);
    if (b == &backend_cursor)
        MEND(
            x,
            "Cursor CLI を入れる: curl https://cursor.com/install -fsS | bash\n"
            "試すだけなら KUROMAJUTSU_AGENT_COMMAND=kuromajutsu-puppet%s",
            "install Cursor's CLI: curl https://cursor.com/install -fsS | "
            "bash\nonly to try: KUROMAJUTSU_AGENT_COMMAND=kuromajutsu-puppet%s",
            "");
    else
        MEND(x, "'%s' を入れるか、職種の backend を変えてください",
             "install '%s', or change the roles' backend", name);
}

static void tell_withheld(struct doctor *x)
{
    FIND(x, DOCTOR_FAIL, "CLI",
         "%s の agent.command はまだ信頼されていないため、実行しません",
         "agent.command of %s is not trusted yet, and is not run",
         x->config->file);
    MEND(x, "内容を確かめてから: kuromajutsu trust '%s'",
         "look at it, then: kuromajutsu trust '%s'", x->config->file);
}

void doctor_see_clis(struct doctor *x)
{
    const struct backend *b;
    char path[PATH_MAX];

    for (size_t i = 0; x->config && (b = backend_at(i)); i++) {
        if (!is_used(x->config, b))
            continue;
        if (config_is_command_withheld(x->config, b->name))
            tell_withheld(x);
        else if (!find_cli(x, b, path))
            tell_missing(x, b);
        else if (b == &backend_cursor)
            see_cursor(x, b, path);
        else
            see_other(x, path);
    }
}
