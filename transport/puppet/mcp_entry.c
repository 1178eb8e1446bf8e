/* SPDX-License-Identifier: MIT */
#include "transport/puppet/mcp_entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIG_LIMIT = 1024 * 1024 };

static int parse(struct mcp_entry *e, const char *where,
                 const struct text *json, struct text *error)
{
    yyjson_read_err err;

    yyjson_doc_free(e->doc);
    e->doc = yyjson_read_opts((char *)(uintptr_t)text_str(json), json->len, 0,
                              NULL, &err);
    if (e->doc)
        return 0;
    text_addf(error, "MCP config %s: byte %zu: %s", where, err.pos, err.msg);
    return -EINVAL;
}

static int read_file(struct mcp_entry *e, const char *path, struct text *error)
{
    struct text json = {0};
    int rc = text_read_file(&json, path, CONFIG_LIMIT);

    if (rc)
        text_addf(error, "MCP config %s: %s", path, strerror(-rc));
    else
        rc = parse(e, path, &json, error);
    text_finish(&json);
    return rc;
}

/* Takes the server out of {mcpServers: {name: {...}}}. */
static int choose(struct mcp_entry *e, const char *where, struct text *error)
{
    yyjson_val *all = yyjson_obj_get(yyjson_doc_get_root(e->doc), "mcpServers");
    yyjson_val *key = NULL, *value = yyjson_obj_get(all, "kuromajutsu");
    yyjson_obj_iter iter;

    if (!yyjson_is_obj(all)) {
        text_addf(error, "MCP config %s: expected an object 'mcpServers'",
                  where);
        return -EINVAL;
    }
    if (value) {
        text_adds(&e->name, "kuromajutsu");
    } else {
        iter = yyjson_obj_iter_with(all);
        key = yyjson_obj_iter_next(&iter);
        if (!key)
            return 0;
        value = yyjson_obj_iter_get_val(key);
        text_adds(&e->name, yyjson_get_str(key));
    }
    if (!yyjson_is_str(yyjson_obj_get(value, "command"))) {
        text_addf(error,
                  "MCP config %s: server '%s': expected a 'command' (the "
                  "puppet speaks stdio only)",
                  where, e->name.data);
        return -EINVAL;
    }
    e->server = value;
    return 0;
}

static int find_plugin(struct mcp_entry *e, const char *dir, struct text *error)
{
    static const char *const manifests[] = {
        ".cursor-plugin/plugin.json", "plugin.json", "mcp.json", ".mcp.json"};
    struct text path = {0};
    int rc = -ENOENT;

    for (size_t i = 0; i < sizeof(manifests) / sizeof(*manifests); i++) {
        text_clear(&path);
        text_addf(&path, "%s/%s", dir, manifests[i]);
        if (!access(path.data, F_OK)) {
            rc = read_file(e, path.data, error);
            break;
        }
    }
    if (rc == -ENOENT) {
        text_addf(error, "plugin %s: expected .cursor-plugin/plugin.json", dir);
    } else if (!rc) {
        /* mcpServers may also name a file next to the manifest. */
        const char *other = yyjson_get_str(
            yyjson_obj_get(yyjson_doc_get_root(e->doc), "mcpServers"));
        if (other) {
            text_clear(&path);
            text_addf(&path, "%s/%s", dir, other);
            rc = read_file(e, path.data, error);
        }
        if (!rc)
            rc = choose(e, path.data, error);
    }
    text_finish(&path);
    return rc ? -EINVAL : 0;
}

static int find_configs(struct mcp_entry *e, const struct options *o,
                        struct text *error)
{
    int rc = 0;

    for (int i = 0; !rc && !e->server && i < o->mcp_config_count; i++) {
        const char *config = o->mcp_configs[i];
        struct text json = {0};
        if (config[strspn(config, " \t\n")] == '{') {
            text_adds(&json, config);
            rc = parse(e, "--mcp-config", &json, error);
            config = "--mcp-config";
        } else {
            rc = read_file(e, config, error);
        }
        text_finish(&json);
        if (!rc)
            rc = choose(e, config, error);
    }
    return rc;
}

/* The real CLI starts only servers that were approved, and runs their tools
 * in -p mode only with --force. A hub that forgets either must see it here. */
static void judge(struct mcp_entry *e, const struct options *o)
{
    if (o->backend == BACKEND_CLAUDE || !e->server)
        return;
    if (!o->is_set[OPTION_APPROVE_MCPS])
        text_addf(&e->refusal,
                  "MCP server '%s' is not approved "
                  "(--approve-mcps)",
                  e->name.data);
    else if (!o->is_set[OPTION_FORCE])
        text_adds(&e->refusal, "MCP tools are rejected without --force");
}

int mcp_entry_find(struct mcp_entry *e, const struct options *o,
                   struct text *error)
{
    const char *dir = o->values[OPTION_PLUGIN_DIR];
    int rc = 0;

    if (o->backend == BACKEND_CLAUDE)
        rc = find_configs(e, o, error);
    else if (dir)
        rc = find_plugin(e, dir, error);
    if (rc || e->server) {
        judge(e, o);
        return rc;
    }
    e->shell = getenv("KUROMAJUTSU_MCP_COMMAND");
    if (e->shell && *e->shell)
        text_adds(&e->name, "kuromajutsu");
    return 0;
}

void mcp_entry_finish(struct mcp_entry *e)
{
    text_finish(&e->name);
    text_finish(&e->refusal);
    yyjson_doc_free(e->doc);
}

static char *copy(const char *string)
{
    char *own = strdup(string);

    if (!own)
        abort();
    return own;
}

static char **list_of(size_t count)
{
    char **list = calloc(count + 1, sizeof(*list));

    if (!list)
        abort();
    return list;
}

char **mcp_entry_argv(const struct mcp_entry *e)
{
    yyjson_val *args = yyjson_obj_get(e->server, "args"), *arg;
    char **argv = list_of(yyjson_arr_size(args) + 3);
    size_t at, count, n = 0;

    if (!e->server) {
        argv[n++] = copy("/bin/sh");
        argv[n++] = copy("-c");
        argv[n++] = copy(e->shell);
        return argv;
    }
    argv[n++] = copy(yyjson_get_str(yyjson_obj_get(e->server, "command")));
    yyjson_arr_foreach(args, at, count, arg)
    {
        argv[n++] = copy(yyjson_is_str(arg) ? yyjson_get_str(arg) : "");
    }
    return argv;
}

static char *pair(const char *name, const char *value)
{
    struct text text = {0};

    text_addf(&text, "%s=%s", name, value);
    return text.data;
}

static char **inherit(void)
{
    size_t count = 0;

    while (environ[count])
        count++;
    char **env = list_of(count);
    for (size_t i = 0; i < count; i++)
        env[i] = copy(environ[i]);
    return env;
}

/* MCP clients give their servers these few variables and the entry's own
 * `env`, nothing else: what a server needs must stand in its entry. */
char **mcp_entry_env(const struct mcp_entry *e)
{
    static const char *const kept[] = {"HOME",  "LOGNAME", "PATH",
                                       "SHELL", "TERM",    "USER"};
    yyjson_val *own = yyjson_obj_get(e->server, "env"), *key, *value;
    size_t at, count, n = 0;

    if (!e->server)
        return inherit();
    char **env = list_of(yyjson_obj_size(own) + sizeof(kept) / sizeof(*kept));
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
        if (getenv(kept[i]) && !yyjson_obj_get(own, kept[i]))
            env[n++] = pair(kept[i], getenv(kept[i]));
    yyjson_obj_foreach(own, at, count, key, value)
    {
        if (yyjson_is_str(value))
            env[n++] = pair(yyjson_get_str(key), yyjson_get_str(value));
    }
    return env;
}

void mcp_entry_free(char **strings)
{
    for (size_t i = 0; strings && strings[i]; i++)
        free(strings[i]);
    free(strings);
}
