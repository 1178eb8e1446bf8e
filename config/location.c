/* SPDX-License-Identifier: MIT */
#include "config/location.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"
#include "config/env.h"
#include "config/identity.h"
#include "runtime/text/bytes.h"

#define USUAL "/" CONFIG_FILE

/* A file of the usual name stands for its directory: see identity.h. */
static char *identity(const char *file)
{
    const size_t usual = sizeof(USUAL) - 1;
    size_t len = strlen(file);

    if (len > usual && strcmp(file + len - usual, USUAL) == 0)
        len -= usual;
    else if (len == usual)
        len = 1;
    return bytes_text("%.*s", (int)len, file);
}

static char *absolute(const char *name, const char *dir)
{
    return *name == '/' ? bytes_text("%s", name)
                        : bytes_text("%s/%s", dir[1] ? dir : "", name);
}

/* ---- the project --------------------------------------------------------- */

static bool has(const char *dir, const char *name)
{
    char *path = absolute(name, dir);
    struct stat st;
    bool is_there = stat(path, &st) == 0;

    free(path);
    return is_there;
}

/* Such a directory was a project of its own before anything was searched for;
 * its agents and its past are to be found again. */
static bool has_state(const char *dir, char *const *env)
{
    struct config_error ignored;
    struct stat st;
    char *state = NULL;
    bool is_there = !identity_state_dir(dir, env, &state, &ignored) &&
                    stat(state, &st) == 0 && S_ISDIR(st.st_mode);

    free(state);
    return is_there;
}

/* Makes dir the one above, unless the search ends here. */
static bool climb(char *dir, const char *home)
{
    struct stat here, above;
    char *slash = strrchr(dir, '/');
    char *up;

    if (dir[1] == '\0' || stat(dir, &here) != 0 || here.st_uid != geteuid())
        return false;
    up = bytes_text("%.*s", slash == dir ? 1 : (int)(slash - dir), dir);
    bool is_ours = stat(up, &above) == 0 && above.st_dev == here.st_dev &&
                   above.st_uid == geteuid() && (!home || strcmp(up, home));
    if (is_ours)
        strcpy(dir, up);
    free(up);
    return is_ours;
}

/* The caller frees it. */
static char *search(const char *from, char *const *env)
{
    const char *home_name = env_get(env, "HOME");
    char *home = home_name ? realpath(home_name, NULL) : NULL;
    char *dir = bytes_text("%s", from), *marked = NULL;
    bool is_found = has_state(dir, env) || has(dir, CONFIG_FILE);

    while (!is_found) {
        if (!marked && (has(dir, ".git") || has(dir, ".cursor")))
            marked = bytes_text("%s", dir);
        if (!climb(dir, home))
            break;
        is_found = has(dir, CONFIG_FILE);
    }
    if (!is_found) {
        free(dir);
        dir = marked ? marked : bytes_text("%s", from);
        marked = NULL;
    }
    free(marked);
    free(home);
    return dir;
}

static int find_project(char *const *env, const char *cwd, char **project,
                        struct config_error *e)
{
    const char *named = env_get(env, "KUROMAJUTSU_PROJECT");
    struct stat st;

    *project = named ? realpath(named, NULL) : search(cwd, env);
    if (*project &&
        (!named || (stat(*project, &st) == 0 && S_ISDIR(st.st_mode))))
        return 0;
    ERROR_PLAIN(e, CONFIG_NO_DIRECTORY, named);
    return -ENOENT;
}

/* ---- the store ----------------------------------------------------------- */

#define LINKS 16 /* one behind the other */

/* Where a link that leads nowhere yet leads to; NULL: it is none. */
static char *behind(const char *link)
{
    char to[PATH_MAX];
    ssize_t len = readlink(link, to, sizeof(to) - 1);
    const char *slash = strrchr(link, '/');

    if (len < 0)
        return NULL;
    to[len] = '\0';
    return *to == '/' ? bytes_text("%s", to)
                      : bytes_text("%.*s/%s", (int)(slash - link), link, to);
}

/* Of a file that is not there yet: that of its directory, and its name. */
static char *real_of_new(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = bytes_text("%.*s", (int)(slash - path) + 1, path);
    char *real = realpath(dir, NULL);
    char *all = real && slash[1] ? absolute(slash + 1, real) : NULL;

    free(dir);
    free(real);
    return all;
}

static char *real_of(const char *name, const char *dir)
{
    char *path = absolute(name, dir), *real = realpath(path, NULL), *next;

    for (int i = 0; !real && i < LINKS && (next = behind(path)); i++) {
        free(path);
        path = next;
        real = realpath(path, NULL);
    }
    next = real ? NULL : behind(path); /* of a circle there is no end */
    if (!real && !next)
        real = real_of_new(path);
    free(next);
    free(path);
    return real;
}

static int find_database(struct location *p, char *const *env, const char *cwd,
                         struct config_error *e)
{
    const char *named = env_get(env, "KUROMAJUTSU_DB");
    struct stat st;

    if (!named)
        return 0;
    p->database = real_of(named, cwd);
    if (!p->database)
        ERROR_PLAIN(e, CONFIG_NO_PLACE_FOR_DATABASE, named);
    else if (stat(p->database, &st) == 0 && !S_ISREG(st.st_mode))
        ERROR_PLAIN(e, CONFIG_DATABASE_NO_FILE, named);
    else
        return 0;
    return -ENOENT;
}

int location_find(struct location *p, const char *file, char *const *env,
                  struct config_error *e)
{
    const char *named = file ? file : env_get(env, "KUROMAJUTSU_CONFIG");
    char *dir = getcwd(NULL, 0);
    int rc = dir ? 0 : -errno;

    *p = (struct location){.is_named = named != NULL};
    if (rc)
        error_os(e, ".", rc);
    if (!rc && !named)
        rc = find_project(env, dir, &p->project, e);
    if (!rc) {
        p->path =
            named ? absolute(named, dir) : absolute(CONFIG_FILE, p->project);
        p->file = realpath(p->path, NULL);
        p->has_file = p->file != NULL;
        if (!p->file)
            p->file = bytes_text("%s", p->path);
        rc = find_database(p, env, dir, e);
    }
    if (!rc)
        p->identity =
            p->database ? bytes_text("%s", p->database) : identity(p->file);
    free(dir);
    return rc;
}

void location_finish(struct location *p)
{
    free(p->project);
    free(p->path);
    free(p->file);
    free(p->database);
    free(p->identity);
    *p = (struct location){0};
}
