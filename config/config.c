/* SPDX-License-Identifier: MIT */
#include "config/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/env.h"
#include "config/loader.h"
#include "config/location.h"
#include "config/trust.h"
#include "runtime/text/bytes.h"

#define USER_FILE "kuromajutsu/config.yaml"

struct loaded {
    struct config config;
    struct arena arena;
};

/* How a project's file is to be read. */
struct reading {
    const struct source *source; /* NULL: there is none */
    const struct location *location;
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
        rc = ERROR_PLAIN(e, CONFIG_USER_FILE_NOT_YOURS, path);
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
    bool needs_trust = trust_digest(in->location->file, layers[1].root, digest);
    c->digest = arena_copy(&l->arena, digest, strlen(digest));
    c->is_named = in->is_named;
    c->is_trusted = !needs_trust || in->is_named || in->is_trusted ||
                    trust_is_noted(in->env, digest);
    return rc ? rc : loader_run(&r, in->env);
}

static const char *copy(struct loaded *l, const char *text)
{
    return arena_copy(&l->arena, text, strlen(text));
}

static struct config_text text_of(const struct source *s)
{
    struct slice text = s ? slice_of(s->text, s->len) : slice_of("", 0);

    return (struct config_text){.is_there = s != NULL,
                                .is_blank = slice_trim(text).len == 0,
                                .hash = slice_stable_hash(text)};
}

static void keep_files(struct loaded *l, const struct reading *in,
                       const struct source *user)
{
    struct config *c = &l->config;

    c->path = copy(l, in->location->path);
    c->file = copy(l, in->location->file);
    c->identity = copy(l, in->location->identity);
    if (in->location->database)
        c->database = copy(l, in->location->database);
    c->user_file = user ? copy(l, user->name) : NULL;
    c->has_file = in->source != NULL;
    c->text = text_of(in->source);
    c->user_text = text_of(user);
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
    keep_files(l, in, has_user ? &user : NULL);
    source_finish(&user);
    free(path);
    if (rc)
        config_destroy(&l->config);
    else
        *out = &l->config;
    return rc;
}

/* One that was named must be there: a default in its place would be what its
 * user did not ask for. */
static int refuse_missing(const struct location *p, const char *option,
                          struct config_error *e)
{
    ERROR_PLAIN(e, CONFIG_NAMED_MISSING, p->path,
                option ? "--config" : "KUROMAJUTSU_CONFIG", CONFIG_FILE);
    return -ENOENT;
}

/* rc is that of reading s. */
static int load_read(struct reading *in, int rc, const struct source *s,
                     struct config **out, struct config_error *e)
{
    if (rc == -ENOENT) {
        *e = (struct config_error){0};
        return load(in, out, e);
    }
    in->source = s;
    return rc ? rc : load(in, out, e);
}

static int load_location(const char *path, const struct location *p,
                         bool is_trusting, char *const *env,
                         struct config **out, struct config_error *e)
{
    struct reading in = {
        .location = p, .env = env, .is_named = p->is_named && is_trusting};
    struct source s;
    int rc = source_read(&s, p->path, e);

    if (rc == -ENOENT && p->is_named)
        rc = refuse_missing(p, path, e);
    else
        rc = load_read(&in, rc, &s, out, e);
    source_finish(&s);
    return rc;
}

static int load_file(const char *path, bool is_trusting, char *const *env,
                     struct config **out, struct config_error *e)
{
    struct location p;

    *out = NULL;
    *e = (struct config_error){0};
    int rc = location_find(&p, path, env, e);
    if (!rc)
        rc = load_location(path, &p, is_trusting, env, out, e);
    location_finish(&p);
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

/* ---- again -------------------------------------------------------------- */

/* An editor may be about to write it, or its user has removed it by mistake;
 * what it said is not to be undone by that. */
static int refuse_lost(const struct config_text *was,
                       const struct config_text *now, const char *file,
                       struct config_error *e)
{
    if (!was->is_there || was->is_blank || !now->is_blank)
        return 0;
    if (now->is_there)
        ERROR_PLAIN(e, CONFIG_IS_EMPTY, file);
    else
        ERROR_PLAIN(e, CONFIG_IS_GONE, file);
    e->line = e->column = 1;
    return -ENODATA;
}

/* Who c is does not change, though a link may lead elsewhere now. */
static struct location location_of(const struct config *c, char *file)
{
    return (struct location){.path = (char *)c->path,
                             .file = file ? file : (char *)c->file,
                             .database = (char *)c->database,
                             .identity = (char *)c->identity};
}

int config_reload(const struct config *c, char *const *env, struct config **out,
                  struct config_error *e)
{
    char *file = realpath(c->path, NULL);
    struct location p = location_of(c, file);
    struct reading in = {.location = &p, .env = env, .is_named = c->is_named};
    struct source s;

    *out = NULL;
    *e = (struct config_error){0};
    int rc = load_read(&in, source_read(&s, c->path, e), &s, out, e);
    if (!rc)
        rc = refuse_lost(&c->text, &(*out)->text, c->path, e);
    if (!rc)
        rc = refuse_lost(&c->user_text, &(*out)->user_text, c->user_file, e);
    if (rc) {
        config_destroy(*out);
        *out = NULL;
    }
    source_finish(&s);
    free(file);
    return rc;
}

static bool texts_equal(const struct config_text *a,
                        const struct config_text *b)
{
    return a->is_there == b->is_there && a->hash == b->hash;
}

bool config_is_unchanged(const struct config *a, const struct config *b)
{
    return texts_equal(&a->text, &b->text) &&
           texts_equal(&a->user_text, &b->user_text) &&
           a->is_trusted == b->is_trusted && strcmp(a->file, b->file) == 0;
}

uint64_t config_fingerprint(const struct config *c, char *const *env)
{
    char *paths[CONFIG_FILES];
    uint64_t all[CONFIG_FILES] = {0};
    struct config_error e;

    config_files(c, env, paths);
    for (size_t i = 0; i < CONFIG_FILES; i++) {
        struct source s = {0};
        if (paths[i] && source_read(&s, paths[i], &e) != -ENOENT)
            all[i] = 1 + (uint64_t)s.stat.st_size +
                     slice_stable_hash(slice_of(s.text, s.len));
        source_finish(&s);
        free(paths[i]);
    }
    return slice_stable_hash(slice_of((const char *)all, sizeof(all)));
}

void config_files(const struct config *c, char *const *env,
                  char *paths[CONFIG_FILES])
{
    paths[0] = bytes_text("%s", c->path);
    paths[1] = user_path(env);
    paths[2] = trust_list_path(env);
}

/* ---- from memory --------------------------------------------------------- */

static int load_text(const char *text, size_t len, struct reading *in,
                     struct config **out, struct config_error *e)
{
    char *own = bytes_alloc(len + 1);
    struct source s;

    if (len)
        memcpy(own, text, len);
    own[len] = '\0';
    *out = NULL;
    *e = (struct config_error){0};
    int rc = source_take(&s, in->location->path, own, len, e);
    in->source = &s;
    if (!rc)
        rc = load(in, out, e);
    source_finish(&s);
    return rc;
}

int config_parse(const char *name, const char *text, size_t len,
                 char *const *env, struct config **out, struct config_error *e)
{
    const struct location p = {
        .path = (char *)name, .file = (char *)name, .identity = (char *)name};
    struct reading in = {.location = &p, .env = env, .is_named = true};

    return load_text(text, len, &in, out, e);
}

int config_parse_as(const struct config *c, const char *text, size_t len,
                    char *const *env, struct config **out,
                    struct config_error *e)
{
    const struct location p = location_of(c, NULL);
    struct reading in = {.location = &p,
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

void config_version(const struct config *c, char out[static CONFIG_VERSION])
{
    snprintf(out, CONFIG_VERSION, "%016llx",
             (unsigned long long)(c->text.is_there ? c->text.hash : 0));
}
