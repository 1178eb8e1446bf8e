/* SPDX-License-Identifier: MIT */
#include "transport/command/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include "runtime/text/json.h"
#include "runtime/text/path.h"

static const char *const claude[] = {"claude", NULL};
static const char *const codex[] = {"codex", NULL};
static const char *const gemini[] = {"gemini", NULL};
static const char *const cursor[] = {"cursor", "cursor-agent", NULL};
static const char *const vscode[] = {"code", NULL};
static const char *const opencode[] = {"opencode", NULL};

/* wait_agent is silent for mcp.waitSlice_ms at most, or tells its progress for
 * mcp.waitMax_ms: time-outs are beyond both. */
#define TOOL_TIMEOUT_S 300

const struct client clients[] = {
    {.name = "cursor",
     .title = "Cursor",
     .programs = cursor,
     .project_file = ".cursor/mcp.json",
     .user_file = ".cursor/mcp.json",
     .servers = "mcpServers",
     .is_common = true,
     .what = BOTH(CLIENT_CURSOR)},
    {.name = "claude",
     .title = "Claude Code",
     .programs = claude,
     .project_file = ".mcp.json",
     .variable = "CLAUDE_CONFIG_DIR",
     .variable_file = ".claude.json",
     .user_file = ".claude.json",
     .servers = "mcpServers",
     .is_common = true,
     .what = BOTH(CLIENT_CLAUDE)},
    {.name = "codex",
     .title = "Codex",
     .programs = codex,
     .variable = "CODEX_HOME",
     .variable_file = "config.toml",
     .user_file = ".codex/config.toml",
     .servers = "mcp_servers",
     .is_toml = true,
     .strips_keys = true,
     .is_common = true,
     .what = BOTH(CLIENT_CODEX)},
    {.name = "gemini",
     .title = "Gemini CLI",
     .programs = gemini,
     .project_file = ".gemini/settings.json",
     .variable = "GEMINI_CLI_HOME",
     .variable_file = ".gemini/settings.json",
     .user_file = ".gemini/settings.json",
     .servers = "mcpServers",
     .has_comments = true,
     .strips_keys = true,
     .is_common = true,
     .what = BOTH(CLIENT_GEMINI)},
    {.name = "vscode",
     .title = "VS Code",
     .programs = vscode,
     .project_file = ".vscode/mcp.json",
     .user_file = ".config/Code/User/mcp.json",
     .servers = "servers",
     .has_comments = true,
     .what = BOTH(CLIENT_CURSOR)},
    {.name = "opencode",
     .title = "OpenCode",
     .programs = opencode,
     .project_file = "opencode.json",
     .variable = "XDG_CONFIG_HOME",
     .variable_file = "opencode/opencode.json",
     .user_file = ".config/opencode/opencode.json",
     .servers = "mcp",
     .has_comments = true,
     .what = BOTH(CLIENT_OPENCODE)},
    {.name = NULL},
};

const char *const client_keys[] = {"CURSOR_API_KEY", "ANTHROPIC_API_KEY",
                                   "ANTHROPIC_AUTH_TOKEN",
                                   "CLAUDE_CODE_OAUTH_TOKEN", NULL};

/* No secrets, but agents or the hub need them, and Codex drops them too. */
static const char *const plain[] = {"KUROMAJUTSU_PROJECT",
                                    "KUROMAJUTSU_HOME",
                                    "KUROMAJUTSU_CONFIG",
                                    "KUROMAJUTSU_AGENT_COMMAND",
                                    "XDG_CONFIG_HOME",
                                    "XDG_STATE_HOME",
                                    "LC_MESSAGES",
                                    "IS_SANDBOX",
                                    NULL};

const struct client *client_find(const char *name)
{
    for (const struct client *c = clients; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

void client_names(struct bytes *out, const char *between)
{
    for (const struct client *c = clients; c->name; c++)
        bytes_format(out, "%s%s", c != clients ? between : "", c->name);
}

void client_user_file(const struct client *c, char path[PATH_MAX])
{
    const char *folder = c->variable ? getenv(c->variable) : NULL;
    const char *file = c->variable_file;
    int n;

    if (!folder || !*folder) {
        folder = getenv("HOME");
        file = c->user_file;
    }
    n = folder && *folder ? snprintf(path, PATH_MAX, "%s/%s", folder, file)
                          : PATH_MAX;
    if (n >= PATH_MAX)
        *path = 0;
}

/* ---- writing ----------------------------------------------------------- */

int client_words_find(struct client_words *w, const char *config_file,
                      struct config_error *e)
{
    *w = (struct client_words){.toolsets = CLIENT_TOOLSETS};
    path_beside(w->program, "");
    return location_find(&w->where, config_file, environ, e);
}

void client_words_finish(struct client_words *w)
{
    location_finish(&w->where);
}

/* A client whose entry is for all projects is started in the one it is used in,
 * unless it was said which is meant. "": none is named. */
static const char *project_of(const struct client *c,
                              const struct client_words *w)
{
    bool is_said = getenv("KUROMAJUTSU_PROJECT") != NULL;

    return w->where.project && (c->project_file || is_said) ? w->where.project
                                                            : "";
}

static bool is(const struct client *c, const char *name)
{
    return strcmp(c->name, name) == 0;
}

/* By reference where a secret would else stand in a file; and only those that
 * are there, for one that is not would arrive as an empty key. */
static void add_keys(yyjson_mut_doc *doc, yyjson_mut_val *env)
{
    for (const char *const *key = client_keys; *key; key++) {
        char reference[64];

        if (!getenv(*key))
            continue;
        snprintf(reference, sizeof(reference), "$%s", *key);
        yyjson_mut_obj_add_strcpy(doc, env, *key, reference);
    }
}

static void add_env(yyjson_mut_doc *doc, yyjson_mut_val *server,
                    const struct client *c, const struct client_words *w)
{
    yyjson_mut_val *env = yyjson_mut_obj(doc);

    if (!w->where.project)
        yyjson_mut_obj_add_strcpy(doc, env, "KUROMAJUTSU_CONFIG",
                                  w->where.file);
    if (c->strips_keys)
        add_keys(doc, env);
    if (yyjson_mut_obj_size(env) > 0)
        yyjson_mut_obj_add_val(doc, server,
                               is(c, "opencode") ? "environment" : "env", env);
}

/* What our program is started with, and how many words that are; texts are w's
 * and the caller's. */
static size_t words_of(const struct client *c, const struct client_words *w,
                       const char *words[7])
{
    size_t n = 0;

    words[n++] = "mcp";
    if (*project_of(c, w)) {
        words[n++] = "--project";
        words[n++] = project_of(c, w);
    }
    if (w->where.database) {
        words[n++] = "--db";
        words[n++] = w->where.database;
    }
    words[n++] = "--toolsets";
    words[n++] = w->toolsets;
    return n;
}

static yyjson_mut_val *make_entry(yyjson_mut_doc *doc, const struct client *c,
                                  const struct client_words *w)
{
    yyjson_mut_val *server = yyjson_mut_obj(doc), *words;
    const char *said[7];
    size_t count = words_of(c, w, said);
    bool is_one_list = is(c, "opencode");

    if (is(c, "claude") || is(c, "vscode"))
        yyjson_mut_obj_add_str(doc, server, "type", "stdio");
    if (is_one_list)
        yyjson_mut_obj_add_str(doc, server, "type", "local");
    else
        yyjson_mut_obj_add_strcpy(doc, server, "command", w->program);
    words =
        yyjson_mut_obj_add_arr(doc, server, is_one_list ? "command" : "args");
    if (is_one_list)
        yyjson_mut_arr_add_strcpy(doc, words, w->program);
    for (size_t i = 0; i < count; i++)
        yyjson_mut_arr_add_strcpy(doc, words, said[i]);
    add_env(doc, server, c, w);
    if (is_one_list)
        yyjson_mut_obj_add_bool(doc, server, "enabled", true);
    if (is_one_list || is(c, "gemini"))
        yyjson_mut_obj_add_uint(doc, server, "timeout", TOOL_TIMEOUT_S * 1000);
    return server;
}

static void put_json(struct bytes *out, const struct client *c,
                     const struct client_words *w)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc), *servers;
    size_t len;
    char *text;

    yyjson_mut_doc_set_root(doc, root);
    if (is(c, "opencode"))
        yyjson_mut_obj_add_str(doc, root, "$schema",
                               "https://opencode.ai/config.json");
    servers = yyjson_mut_obj_add_obj(doc, root, c->servers);
    yyjson_mut_obj_add_val(doc, servers, "kuromajutsu", make_entry(doc, c, w));
    text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES, &len);
    if (text == NULL)
        abort();
    bytes_append(out, text, len);
    bytes_append(out, "\n", 1);
    free(text);
    yyjson_mut_doc_free(doc);
}

/* A few a line: people will read and mend it. */
static void put_names(struct bytes *out, const char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        bytes_format(out, "%s", i % 3 == 0 ? "\n  " : " ");
        json_string(out, slice_cstr(names[i]));
        bytes_append(out, ",", 1);
    }
}

/* Strings of JSON are basic strings of TOML. */
static void put_toml(struct bytes *out, const struct client *c,
                     const struct client_words *w)
{
    const char *words[7];
    size_t count = words_of(c, w, words);

    bytes_format(out, "[mcp_servers.kuromajutsu]\ncommand = ");
    json_string(out, slice_cstr(w->program));
    bytes_format(out, "\nargs = [");
    for (size_t i = 0; i < count; i++) {
        bytes_format(out, "%s", i > 0 ? ", " : "");
        json_string(out, slice_cstr(words[i]));
    }
    bytes_format(out, "]\nenv_vars = [");
    put_names(out, client_keys);
    put_names(out, plain);
    bytes_format(out,
                 "\n]\nstartup_timeout_sec = 20\ntool_timeout_sec = %d\n"
                 "default_tools_approval_mode = \"approve\"\n",
                 TOOL_TIMEOUT_S);
    if (w->where.project)
        return;
    bytes_format(out, "\n[mcp_servers.kuromajutsu.env]\nKUROMAJUTSU_CONFIG = ");
    json_string(out, slice_cstr(w->where.file));
    bytes_append(out, "\n", 1);
}

void client_put(struct bytes *out, const struct client *c,
                const struct client_words *w)
{
    if (c->is_toml)
        put_toml(out, c, w);
    else
        put_json(out, c, w);
}
