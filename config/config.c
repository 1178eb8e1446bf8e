/* SPDX-License-Identifier: MIT */
#include "config/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/env.h"
#include "config/loader.h"
#include "config/trust.h"
#include "runtime/text/bytes.h"

#define USER_FILE "kuromajutsu/config.yaml"

struct loaded {
    struct config config;
    struct arena arena;
};

static void keep_file(struct loaded *l, const struct source *s)
{
    struct config *c = &l->config;
    size_t len = strlen(c->file);
    const size_t usual = sizeof("/" CONFIG_FILE) - 1;

    if (s) {
        c->has_file = true;
        c->file_hash = slice_stable_hash(slice_of(s->text, s->len));
    }
    if (len > usual && strcmp(c->file + len - usual, "/" CONFIG_FILE) == 0)
        c->identity = arena_copy(&l->arena, c->file, len - usual);
    else
        c->identity = len == usual ? "/" : c->file;
}

/* How a project's file is to be read. */
struct reading {
    const struct source *source; /* NULL: there is none */
    const char *file;
    char *const *env;
    bool is_named;   /* by its user */
    bool is_trusted; /* whatever the user's list says */
};

/* NULL: there is no place for it. */
static char *user_path(char *const *env)
{
    const char *xdg = env_get(env, "XDG_CONFIG_HOME");
    const char *home = env_get(env, "HOME");

    if (xdg && *xdg == '/')
        return bytes_text("%s/" USER_FILE, xdg);
    return home && *home == '/' ? bytes_text("%s/.config/" USER_FILE, home)
                                : NULL;
}

/* Trusted as it is, so it must be the user's own, or the machine's. 1: there
 * is none. */
static int read_user(struct source *s, const char *path, struct config_error *e)
{
    int rc = path ? source_read(s, path, e) : -ENOENT;

    if (rc == -ENOENT || rc == -ENOTDIR)
        return 1;
    if (!rc && ((s->stat.st_uid != geteuid() && s->stat.st_uid != 0) ||
                (s->stat.st_mode & 002)))
        rc = error_plain(e,
                         "%s: expected a file of yours that nobody else may "
                         "write: chown and chmod it, or remove it",
                         path);
    return rc;
}

static int parse(const struct source *s, struct arena *a,
                 const struct node **root, struct config_error *e)
{
    int rc = tree_parse(s, a, root, e);

    if (*root && tree_is_null(*root))
        *root = NULL;
    return rc;
}

/* The trees are the scratch's, and needed no longer than the loading. */
static int load_layers(struct loaded *l, const struct reading *in,
                       const struct source *user, struct arena *scratch,
                       struct config_error *e)
{
    struct config *c = &l->config;
    char digest[SHA256_HEX];
    struct layer layers[2] = {
        {.file = user ? user->name : ""},
        {.file = in->source ? in->source->name : CONFIG_FILE,
         .is_projects = true}};
    struct loader r = {.config = c,
                       .arena = &l->arena,
                       .error = e,
                       .layers = layers,
                       .layer_count = 2};
    int rc = user ? parse(user, scratch, &layers[0].root, e) : 0;

    if (!rc && in->source)
        rc = parse(in->source, scratch, &layers[1].root, e);
    bool needs_trust = trust_digest(in->file, layers[1].root, digest);
    c->digest = arena_copy(&l->arena, digest, strlen(digest));
    c->is_named = in->is_named;
    c->is_trusted = !needs_trust || in->is_named || in->is_trusted ||
                    trust_is_noted(in->env, digest);
    return rc ? rc : loader_run(&r, in->env);
}

static int load(const struct reading *in, struct config **out,
                struct config_error *e)
{
    struct loaded *l = bytes_zalloc(sizeof(*l));
    struct arena scratch = {0};
    struct source user = {0};
    char *path = user_path(in->env);
    int rc = read_user(&user, path, e);
    bool has_user = rc == 0;

    if (rc >= 0)
        rc = load_layers(l, in, has_user ? &user : NULL, &scratch, e);
    arena_finish(&scratch);
    if (has_user)
        l->config.user_file = arena_copy(&l->arena, path, strlen(path));
    source_finish(&user);
    free(path);
    l->config.file = arena_copy(&l->arena, in->file, strlen(in->file));
    keep_file(l, in->source);
    if (rc)
        config_destroy(&l->config);
    else
        *out = &l->config;
    return rc;
}

static int load_without(char *const *env, struct config **out,
                        struct config_error *e)
{
    char *dir = getcwd(NULL, 0), *file;

    if (!dir)
        return error_os(e, "working directory", -errno);
    file = bytes_text("%s/%s", dir[1] ? dir : "", CONFIG_FILE);
    int rc = load(&(struct reading){.file = file, .env = env}, out, e);
    free(file);
    free(dir);
    return rc;
}

static int load_file(const char *path, bool is_trusting, char *const *env,
                     struct config **out, struct config_error *e)
{
    const char *named = path ? path : env_get(env, "KUROMAJUTSU_CONFIG");
    const char *name = named ? named : CONFIG_FILE;
    struct source s;

    *out = NULL;
    *e = (struct config_error){0};
    int rc = source_read(&s, name, e);
    if (rc == -ENOENT && !named) {
        source_finish(&s);
        return load_without(env, out, e);
    }
    if (!rc) {
        char *file = realpath(name, NULL);
        rc = file ? load(&(struct reading){.source = &s,
                                           .file = file,
                                           .env = env,
                                           .is_named = named && is_trusting},
                         out, e)
                  : error_os(e, name, -errno);
        free(file);
    }
    source_finish(&s);
    return rc;
}

int config_load(const char *path, char *const *env, struct config **out,
                struct config_error *e)
{
    return load_file(path, true, env, out, e);
}

int config_examine(const char *path, char *const *env, struct config **out,
                   struct config_error *e)
{
    return load_file(path, false, env, out, e);
}

static int load_text(const char *text, size_t len, struct reading *in,
                     struct config **out, struct config_error *e)
{
    char *copy = bytes_alloc(len + 1);
    struct source s;

    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    *out = NULL;
    *e = (struct config_error){0};
    int rc = source_take(&s, in->file, copy, len, e);
    in->source = &s;
    if (!rc)
        rc = load(in, out, e);
    source_finish(&s);
    return rc;
}

int config_parse(const char *name, const char *text, size_t len,
                 char *const *env, struct config **out, struct config_error *e)
{
    struct reading in = {.file = name, .env = env, .is_named = true};

    return load_text(text, len, &in, out, e);
}

int config_parse_as(const struct config *c, const char *text, size_t len,
                    char *const *env, struct config **out,
                    struct config_error *e)
{
    struct reading in = {.file = c->file,
                         .env = env,
                         .is_named = c->is_named,
                         .is_trusted = c->is_trusted};

    return load_text(text, len, &in, out, e);
}

void config_destroy(struct config *c)
{
    struct loaded *l = (struct loaded *)c;

    if (!l)
        return;
    arena_finish(&l->arena);
    free(l);
}

bool config_is_command_withheld(const struct config *c, const char *backend)
{
    if (c->is_trusted || strcmp(c->agent.backend, backend) != 0)
        return false;
    for (size_t i = 0; i < c->claim_count; i++)
        if (strcmp(c->claims[i].key, "agent.command") == 0)
            return true;
    return false;
}

static bool tools_equal(const struct config *a, const struct config *b)
{
    if (a->tool_count != b->tool_count)
        return false;
    for (size_t i = 0; i < a->tool_count; i++)
        if (!keys_equal(&keys_tool, &a->tools[i], &b->tools[i]) ||
            !role_parameters_equal(&a->tools[i].parameters,
                                   &b->tools[i].parameters))
            return false;
    return true;
}

static bool prices_equal(const struct config *a, const struct config *b)
{
    if (a->price_count != b->price_count)
        return false;
    for (size_t i = 0; i < a->price_count; i++)
        if (!keys_equal(&keys_price, &a->prices[i], &b->prices[i]))
            return false;
    return true;
}

bool config_equal(const struct config *a, const struct config *b,
                  const char *but)
{
    if (!keys_equal(&keys_config, a, b) || !tools_equal(a, b) ||
        !prices_equal(a, b) || a->role_count != b->role_count)
        return false;
    for (size_t i = 0; i < a->role_count; i++) {
        const struct role *x = &a->roles[i], *y = &b->roles[i];
        if (strcmp(x->id, y->id))
            return false;
        if (but && strcmp(x->id, but) == 0)
            continue;
        if (!keys_equal(&keys_role, x, y) || !role_uses_equal(x, y))
            return false;
    }
    return true;
}
