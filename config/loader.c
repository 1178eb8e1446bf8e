/* SPDX-License-Identifier: MIT */
#include "config/loader.h"

#include <stdio.h>
#include <string.h>

#include "config/env.h"
#include "config/messages.h"
#include "runtime/text/distance.h"

#define WARNINGS 100
#define PREFIX "KUROMAJUTSU_"

/* The text is in the loader's arena. */
static void warn(struct loader *r, const char *text)
{
    struct config *c = r->config;
    const char **list;

    if (c->warning_count == WARNINGS)
        return;
    list = arena_grow(r->arena, (void *)c->warnings, c->warning_count,
                      sizeof(*list));
    list[c->warning_count++] = text;
    c->warnings = list;
}

#define WARN(r, name, ...)                                                     \
    warn(r, arena_printf((r)->arena, MESSAGE((r)->is_english, name),           \
                         __VA_ARGS__))

static void warn_unknown(struct loader *r, const struct keys *s,
                         const char *section, const char *path,
                         const struct node *key)
{
    char meant[128];
    size_t line = key->start.line + 1, column = key->start.column + 1;
    const char *dot = *path ? "." : "";

    if (keys_nearest(s, section, key->text, meant, sizeof(meant)))
        WARN(r, CONFIG_KEY_UNKNOWN_NEAR, r->layer->file, line, column, path,
             dot, key->text, meant);
    else
        WARN(r, CONFIG_KEY_UNKNOWN, r->layer->file, line, column, path, dot,
             key->text);
}

static bool is_in(const char *const *list, const char *name)
{
    for (; list && *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

int loader_mapping(struct loader *r, const struct keys *s, const char *section,
                   const char *path, const struct child *mapping,
                   const char *const *besides, void *base)
{
    const struct node *m = mapping->node;

    if (m->kind != NODE_MAPPING)
        return value_refuse(r, path, mapping,
                            MESSAGE_OF(VALUE_EXPECTED_MAPPING));
    for (size_t i = 0; i < m->count; i++) {
        const struct child *c = &m->children[i];
        const struct key *k = keys_find(s, section, c->key->text);
        if (!k) {
            if (!c->is_merged && strcmp(c->key->text, "<<") != 0 &&
                !is_in(besides, c->key->text))
                warn_unknown(r, s, section, path, c->key);
            continue;
        }
        const char *name = arena_printf(r->arena, "%s.%s", path, k->name);
        int rc = value_read(r, k, name, c, base);
        if (rc)
            return rc;
    }
    return 0;
}

int loader_list(struct loader *r, const struct node *parent, const char *name,
                const char *path, size_t limit, const struct node **list)
{
    const struct child *c = parent ? tree_get(parent, name) : NULL;
    char ja[64], en[64];

    *list = NULL;
    if (!c || tree_is_null(c->node))
        return 0;
    snprintf(ja, sizeof(ja), JA_VALUE_EXPECTED_LIST, limit);
    snprintf(en, sizeof(en), EN_VALUE_EXPECTED_LIST, limit);
    if (c->node->kind != NODE_SEQUENCE || c->node->count > limit)
        return value_refuse(r, path, c, (struct message){ja, en});
    *list = c->node;
    return 0;
}

/* Names beginning with x- are the user's own: a place to put anchors. */
static int read_top(struct loader *r, const struct child *c)
{
    static const char *const lists[] = {"roles", "tools", "prices", NULL};
    const char *name = c->key->text;
    const struct key *k = keys_find(&keys_config, NULL, name);

    if (k)
        return value_read(r, k, name, c, r->config);
    if (keys_has_section(name))
        return tree_is_null(c->node) ? 0
                                     : loader_mapping(r, &keys_config, name,
                                                      name, c, NULL, r->config);
    if (!is_in(lists, name) && strcmp(name, "<<") && strncmp(name, "x-", 2))
        warn_unknown(r, &keys_config, NULL, "", c->key);
    return 0;
}

/* What the environment says is its user's word: nothing is claimed there. */
static void drop_claim(struct config *c, const char *env)
{
    struct config_claim *claims = (struct config_claim *)c->claims;
    size_t kept = 0;

    for (size_t i = 0; i < c->claim_count; i++)
        if (!claims[i].env || strcmp(claims[i].env, env))
            claims[kept++] = claims[i];
    c->claim_count = kept;
}

/* What another program's variable says may be nothing for us. */
static bool is_fit(struct loader *r, const struct key *k, const char *text)
{
    struct keys_words expected = keys_expected(k);

    if (!k->is_shared || value_is_fit(r, k, text))
        return true;
    WARN(r, CONFIG_VARIABLE_NOT_READ, k->env, text,
         r->is_english ? expected.en : expected.ja);
    return false;
}

static int read_env(struct loader *r, char *const *env)
{
    for (size_t i = 0; i < keys_config.count; i++) {
        const struct key *k = &keys_config.rows[i];
        const char *text = k->env ? env_get(env, k->env) : NULL;
        if (!text || !is_fit(r, k, text))
            continue;
        int rc = value_read_env(r, k, text, r->config);
        if (rc)
            return rc;
        drop_claim(r->config, k->env);
    }
    return 0;
}

/* One that is not ours may be anybody's; one that is nearly ours is misspelt.
 * The beginning is the same in all, and would make all of them near. */
static void warn_variable(struct loader *r, const char *variable)
{
    static const char *const others[] = {"CONFIG",    "PROJECT",  "HOME",
                                         "SOCKET",    "AGENT_ID", "GROUP_ID",
                                         "AGENT_KEY", "TOOLS"};
    enum { OTHERS = sizeof(others) / sizeof(others[0]), ALL = 64 };
    const char *names[ALL + 1] = {0};
    size_t count = OTHERS, prefix = strlen(PREFIX);
    const char *name = arena_copy(r->arena, variable + prefix,
                                  strcspn(variable + prefix, "="));

    memcpy(names, others, sizeof(others));
    for (size_t i = 0; i < keys_config.count && count < ALL; i++)
        if (keys_config.rows[i].env &&
            strncmp(keys_config.rows[i].env, PREFIX, prefix) == 0)
            names[count++] = keys_config.rows[i].env + prefix;
    const char *meant = distance_nearest(name, names);
    if (meant && strcmp(meant, name) != 0)
        WARN(r, CONFIG_VARIABLE_UNKNOWN_NEAR, name, meant);
}

static void warn_variables(struct loader *r, char *const *env)
{
    for (; env && *env; env++)
        if (strncmp(*env, PREFIX, strlen(PREFIX)) == 0)
            warn_variable(r, *env);
}

static bool is_loopback(const char *host)
{
    return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0 ||
           strcmp(host, "localhost") == 0;
}

/* Said here, where the file is known, and not when the hub has half begun. */
static int check_host(struct loader *r)
{
    const struct config_dashboard *d = &r->config->dashboard;

    if (is_loopback(d->host) || *d->token || *d->token_file)
        return 0;
    for (size_t i = r->layer_count; i-- > 0;) {
        const struct layer *layer = &r->layers[i];
        const struct child *section =
            layer->root ? tree_get(layer->root, "dashboard") : NULL;
        const struct child *host =
            section && section->node->kind == NODE_MAPPING
                ? tree_get(section->node, "host")
                : NULL;
        if (host)
            return ERROR_AT(r->error, layer->file, host->start,
                            CONFIG_TOKEN_NEEDED);
    }
    return ERROR_PLAIN(r->error, CONFIG_TOKEN_NEEDED);
}

/* A name in the user's file is one beside that file, not beside a project's. */
static void settle_token_file(struct loader *r)
{
    struct config_dashboard *d = &r->config->dashboard;
    const char *file = r->layer->file, *slash = strrchr(file, '/');

    if (slash && *d->token_file && *d->token_file != '/')
        d->token_file = arena_printf(r->arena, "%.*s/%s", (int)(slash - file),
                                     file, d->token_file);
}

static int read_layer(struct loader *r, const struct layer *layer)
{
    const struct node *root = layer->root;
    struct mark top = {0};
    int rc = 0;

    r->layer = layer;
    if (root && root->kind != NODE_MAPPING)
        return root->kind == NODE_SEQUENCE
                   ? ERROR_AT(r->error, layer->file, top, CONFIG_IS_LIST)
                   : ERROR_AT(r->error, layer->file, top, CONFIG_IS_TEXT);
    for (size_t i = 0; root && !rc && i < root->count; i++)
        rc = read_top(r, &root->children[i]);
    if (!layer->is_projects)
        settle_token_file(r);
    return rc;
}

static void settle_language(struct config *c, char *const *env)
{
    c->is_language_auto = c->language == CONFIG_AUTO;
    if (c->is_language_auto)
        c->language = language_of_locale(env);
}

/* Where a claim is, what it would do and how it comes to hold. */
static void warn_withheld(struct loader *r)
{
    struct config *c = r->config;

    for (size_t i = 0; !c->is_trusted && i < c->claim_count; i++) {
        const struct config_claim *claim = &c->claims[i];
        WARN(r, CONFIG_KEY_NOT_TRUSTED, r->layers[r->layer_count - 1].file,
             claim->line, claim->column, claim->key);
    }
}

/* Warnings come while the language is being read. */
static bool is_told_in_english(const struct loader *r, char *const *env)
{
    enum config_language language = language_named(env);
    const struct child *key = NULL;

    for (size_t i = r->layer_count; !key && i-- > 0;)
        if (r->layers[i].root && r->layers[i].root->kind == NODE_MAPPING)
            key = tree_get(r->layers[i].root, "language");
    if (language == CONFIG_AUTO && key && key->node->kind == NODE_SCALAR)
        language = language_read(key->node->text);
    if (language == CONFIG_AUTO)
        language = language_of_locale(env);
    return language == CONFIG_EN;
}

int loader_run(struct loader *r, char *const *env)
{
    int rc = 0;

    r->is_english = is_told_in_english(r, env);
    r->error->is_settled = true;
    r->error->is_english = r->is_english;
    keys_defaults(&keys_config, r->config);
    for (size_t i = 0; !rc && i < r->layer_count; i++)
        rc = read_layer(r, &r->layers[i]);
    if (!rc)
        rc = read_env(r, env);
    settle_language(r->config, env);
    warn_variables(r, env);
    if (!rc)
        rc = check_host(r);
    if (!rc)
        rc = loader_prices(r);
    if (!rc)
        rc = loader_roles(r);
    if (r->config->claim_count == 0)
        r->config->is_trusted = true;
    if (!rc)
        warn_withheld(r);
    return rc;
}
