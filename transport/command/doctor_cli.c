/* SPDX-License-Identifier: MIT */
/* The agents' CLIs: are they there, do they answer, is the user logged in, and
 * do they know the models that the roles ask for. */
#include "transport/command/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors/stream/backend.h"
#include "config/env.h"
#include "runtime/text/field.h"
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
        FIND(x, DOCTOR_WARN, DOCTOR_CLI, CLI_ANOTHER_MAKERS, path);
    }
    return false;
}

static void tell_failure(struct doctor *x, const char *path, const char *word,
                         int code, const struct bytes *said)
{
    struct slice text = slice_trim(bytes_slice(said));
    int len = text.len < 400 ? (int)text.len : 400;

    if (code == PROGRAM_TIMED_OUT)
        FIND(x, DOCTOR_FAIL, DOCTOR_CLI, CLI_DID_NOT_END, path, word,
             CLI_MS / 1000);
    else
        FIND(x, DOCTOR_FAIL, DOCTOR_CLI, CLI_FAILED, path, word, code, len,
             text.ptr);
    MEND(x, CLI_TRY_IN_TERMINAL, path, word);
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

/* A model may carry options: 'opus[effort=high]'. */
static bool is_model_offered(const struct role *role, const char *models)
{
    char id[256] = "";
    size_t len = strcspn(role->model, "[");

    strncat(id, role->model, len < 255 ? len : 255);
    return is_offered(models, id);
}

/* The answers of all roles of one back-end: some cannot be used, or none. */
static void see_roles(struct doctor *x, const struct backend *b,
                      const char *models)
{
    const struct config *c = x->config;
    enum doctor_verdict verdict = DOCTOR_FAIL;

    for (size_t i = 0; i < c->role_count; i++)
        if (strcmp(c->roles[i].backend, b->name) != 0 ||
            is_model_offered(&c->roles[i], models))
            verdict = DOCTOR_WARN;
    for (size_t i = 0; i < c->role_count; i++) {
        const struct role *role = &c->roles[i];
        if (strcmp(role->backend, b->name) != 0 ||
            is_model_offered(role, models))
            continue;
        FIND(x, verdict, DOCTOR_ROLE, CLI_HAS_NOT_THE_MODEL, role->id,
             role->model);
        MEND(x, CLI_CHANGE_THE_MODEL, role->id);
    }
}

static void tell_login(struct doctor *x, const char *path, const char *how)
{
    FIND(x, DOCTOR_FAIL, DOCTOR_LOGIN, CLI_NOT_LOGGED_IN, path);
    doctor_mend(x, "`%s %s`", path, how);
}

/* One that has answered `models` was let in by the key, whatever it says of
 * a login. */
static void see_cursor_login(struct doctor *x, char *path, bool has_models)
{
    char word[] = "status";
    struct bytes said = {0};
    bool has_key = getenv("CURSOR_API_KEY") && *getenv("CURSOR_API_KEY");
    int code = ask(path, word, &said);
    struct slice first = slice_first_line(slice_trim(bytes_slice(&said)));

    if (code == 0 && !strcasestr(said.ptr, "not logged in"))
        doctor_find(x, DOCTOR_OK, DOCTOR_LOGIN, "%.*s", (int)first.len,
                    first.ptr);
    else if (has_key && has_models)
        doctor_find(x, DOCTOR_OK, DOCTOR_LOGIN, "CURSOR_API_KEY");
    else
        tell_login(x, path, SAY(x->console, CLI_LOGIN_OF_CURSOR));
    bytes_finish(&said);
}

static void see_cursor(struct doctor *x, const struct backend *b, char *path)
{
    char word[] = "models";
    struct bytes said = {0};
    int code = ask(path, word, &said);
    bool has_models = code == 0 && slice_trim(bytes_slice(&said)).len > 0;

    if (has_models) {
        FIND(x, DOCTOR_OK, DOCTOR_CLI, CLI_ANSWERS_MODELS, path);
        see_roles(x, b, said.ptr);
    } else {
        tell_failure(x, path, word, code, &said);
    }
    see_cursor_login(x, path, has_models);
    bytes_finish(&said);
}

/* `claude auth status` costs nothing where there is such a command; where there
 * is not, it would be a prompt. So its help is asked first. */
static bool knows_auth(char *path)
{
    char word[] = "--help";
    struct bytes said = {0};
    bool knows = ask(path, word, &said) == 0 && strstr(said.ptr, "\n  auth ");

    bytes_finish(&said);
    return knows;
}

static void see_claude_login(struct doctor *x, char *path)
{
    char auth[] = "auth", status[] = "status";
    char *argv[] = {path, auth, status, NULL};
    struct bytes said = {0};

    if (!knows_auth(path)) {
        FIND(x, DOCTOR_WARN, DOCTOR_LOGIN, CLI_LOGIN_NOT_KNOWN, path);
        MEND(x, CLI_UPDATE_OR_TRY, path);
        return;
    }
    program_ask(argv, CLI_MS, &said);
    yyjson_doc *doc = yyjson_read(bytes_slice(&said).ptr, said.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct slice method = FIELD_TEXT(root, "authMethod");
    if (yyjson_is_true(FIELD(root, "loggedIn")))
        FIND(x, DOCTOR_OK, DOCTOR_LOGIN, CLI_LOGGED_IN, (int)method.len,
             method.ptr);
    else
        tell_login(x, path, SAY(x->console, CLI_LOGIN_OF_CLAUDE));
    yyjson_doc_free(doc);
    bytes_finish(&said);
}

/* What it refuses at every start. Agents have it from the client's environment,
 * which may differ from this one. */
static void see_root(struct doctor *x, const char *path)
{
    const char *sandbox = getenv("IS_SANDBOX");

    if (geteuid() != 0 || (sandbox && !strcmp(sandbox, "1")))
        return;
    FIND(x, DOCTOR_FAIL, DOCTOR_CLI, CLI_REFUSES_ROOT, path);
    MEND(x, CLI_NOT_AS_ROOT, "");
}

static void see_claude(struct doctor *x, char *path)
{
    char word[] = "--version";
    struct bytes said = {0};
    int code = ask(path, word, &said);
    struct slice first = slice_first_line(slice_trim(bytes_slice(&said)));

    if (code == 0) {
        doctor_find(x, DOCTOR_OK, DOCTOR_CLI, "%s %.*s", path, (int)first.len,
                    first.ptr);
        see_claude_login(x, path);
        see_root(x, path);
    } else {
        tell_failure(x, path, word, code, &said);
    }
    bytes_finish(&said);
}

static void tell_missing(struct doctor *x, const struct backend *b)
{
    const char *name =
        *x->config->agent.command && !strcmp(x->config->agent.backend, b->name)
            ? x->config->agent.command
            : b->programs[0];

    FIND(x, DOCTOR_FAIL, DOCTOR_CLI, CLI_NOT_ON_PATH, name, b->name);
    if (b == &backend_cursor)
        MEND(x, CLI_INSTALL_CURSOR, "");
    else
        MEND(x, CLI_INSTALL, name);
}

static void tell_withheld(struct doctor *x)
{
    FIND(x, DOCTOR_FAIL, DOCTOR_CLI, CLI_NOT_TRUSTED, x->config->file);
    MEND(x, CLI_TRUST, x->config->file);
}

/* As the hub does, which tells it of itself where it runs. */
static void see_tool(struct doctor *x, const struct role_tool *tool)
{
    char shell[] = "/bin/sh", flag[] = "-c";
    char *argv[] = {shell, flag, (char *)tool->health_command, NULL};
    struct bytes said = {0};

    if (*tool->health_command && program_ask(argv, CLI_MS, &said) != 0) {
        struct slice text = slice_trim(bytes_slice(&said));
        int len = text.len < 400 ? (int)text.len : 400;
        FIND(x, DOCTOR_WARN, DOCTOR_ROLE, CLI_TOOL_UNUSABLE, tool->id, len,
             text.ptr);
    }
    bytes_finish(&said);
}

static bool is_tool_used(const struct config *c, const struct role_tool *tool)
{
    for (size_t i = 0; i < c->role_count; i++)
        for (size_t k = 0; k < c->roles[i].tool_count; k++)
            if (c->roles[i].tools[k].tool == tool)
                return true;
    return false;
}

static void see_tools(struct doctor *x)
{
    for (const char *const *v = env_installs_nothing; *v; v += 2)
        setenv(v[0], v[1], 1);
    for (size_t i = 0; i < x->config->tool_count; i++)
        if (is_tool_used(x->config, &x->config->tools[i]))
            see_tool(x, &x->config->tools[i]);
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
            see_claude(x, path);
    }
    if (x->config && x->hub == 0)
        see_tools(x);
}
