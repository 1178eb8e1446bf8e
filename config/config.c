/* SPDX-License-Identifier: MIT */
#include "config/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/env.h"
#include "config/loader.h"
#include "runtime/text/bytes.h"

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

/* s is NULL where there is no file. */
static int load(const struct source *s, const char *file, char *const *env,
                struct config **out, struct config_error *e)
{
    struct loaded *l = calloc(1, sizeof(*l));
    struct arena scratch = {0};
    const struct node *root = NULL;

    if (!l)
        abort();
    struct loader r = {.config = &l->config,
                       .arena = &l->arena,
                       .error = e,
                       .file = s ? s->name : CONFIG_FILE};
    int rc = s ? tree_parse(s, &scratch, &root, e) : 0;
    if (!rc)
        rc = loader_run(&r, root, env);
    arena_finish(&scratch);
    l->config.file = arena_copy(&l->arena, file, strlen(file));
    keep_file(l, s);
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
    int rc = load(NULL, file, env, out, e);
    free(file);
    free(dir);
    return rc;
}

int config_load(const char *path, char *const *env, struct config **out,
                struct config_error *e)
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
        rc = file ? load(&s, file, env, out, e) : error_os(e, name, -errno);
        free(file);
    }
    source_finish(&s);
    return rc;
}

int config_parse(const char *name, const char *text, size_t len,
                 char *const *env, struct config **out, struct config_error *e)
{
    char *copy = malloc(len + 1);
    struct source s;

    if (!copy)
        abort();
    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    *out = NULL;
    *e = (struct config_error){0};
    int rc = source_take(&s, name, copy, len, e);
    if (!rc)
        rc = load(&s, name, env, out, e);
    source_finish(&s);
    return rc;
}

void config_destroy(struct config *c)
{
    struct loaded *l = (struct loaded *)c;

    if (!l)
        return;
    arena_finish(&l->arena);
    free(l);
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
