/* SPDX-License-Identifier: MIT */
#include "transport/wire/home.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/env.h"
#include "config/identity.h"
#include "config/location.h"
#include "config/messages.h"
#include "config/toolset.h"
#include "runtime/text/bytes.h"
#include "runtime/text/path.h"

#define LEASE_MS 60000

/* A file that was found is not named to the hub, which finds it as we did:
 * what is named is trusted. */
static int find_state(struct home *h, const char *file,
                      const struct location *p, char *const *env,
                      struct config_error *e)
{
    int error = identity_state_dir(p->identity, env, &h->state_dir, e);

    if (error != 0)
        return error;
    h->socket = bytes_text("%s/hub.sock", h->state_dir);
    if (file)
        h->file = bytes_text("%s", p->file);
    if (p->database)
        h->database = bytes_text("%s", p->database);
    return 0;
}

/* By the configuration, as far as there is one to read. */
static int settle(struct home *h, const char *file, char *const *env,
                  struct config_error *e)
{
    struct config *c = NULL;
    int error = config_load(file, env, &c, e);

    if (error == 0) {
        h->language = c->language;
        h->lease_ms = c->hub.lease_ms;
        h->toolsets = (unsigned)c->toolsets;
    } else if (error != -ENOENT) {
        h->language = config_error_is_english(e, env) ? CONFIG_EN : CONFIG_JA;
        h->wrong =
            bytes_text("%s", config_error_in(e, h->language == CONFIG_EN));
        error = 0;
    }
    config_destroy(c);
    return error;
}

int home_find(struct home *h, const char *file, char *const *env,
              struct config_error *e)
{
    const char *socket = env_get(env, "KUROMAJUTSU_SOCKET");
    struct location p = {0};

    *h = (struct home){.is_agent = socket != NULL ||
                                   env_get(env, "KUROMAJUTSU_AGENT_ID"),
                       .language = language_of(env),
                       .lease_ms = LEASE_MS,
                       .toolsets = TOOLSET_USUAL};
    int error = settle(h, file, env, e);
    if (socket) {
        h->socket = bytes_text("%s", socket);
        error = 0;
    } else if (error == 0) {
        error = location_find(&p, file, env, e);
        if (error == 0)
            error = find_state(h, file, &p, env, e);
        location_finish(&p);
    }
    return error;
}

static bool is_in(const char *dir, const char *above)
{
    size_t len = strlen(above);

    return strncmp(dir, above, len) == 0 &&
           (above[1] == '\0' || dir[len] == '/' || dir[len] == '\0');
}

/* One that is not there is refused by who looks for the configuration. */
void home_name_project(const char *dir)
{
    char *real = realpath(dir, NULL);

    setenv("KUROMAJUTSU_PROJECT", real ? real : dir, 1);
    unsetenv("KUROMAJUTSU_CONFIG");
    free(real);
}

void home_name_database(const char *file)
{
    const char *named = file ? file : env_get(environ, "KUROMAJUTSU_DB");
    char *cwd = getcwd(NULL, 0);

    if (named && *named != '/' && cwd) {
        char *path = bytes_text("%s/%s", cwd, named);

        setenv("KUROMAJUTSU_DB", path, 1);
        free(path);
    } else if (named) {
        setenv("KUROMAJUTSU_DB", named, 1);
    }
    free(cwd);
}

void home_enter_project(void)
{
    const char *dir = env_get(environ, "KUROMAJUTSU_PROJECT");
    char *real = dir ? realpath(dir, NULL) : NULL;
    char *cwd = getcwd(NULL, 0);

    if (real && (!cwd || !is_in(cwd, real)) && chdir(real) != 0)
        fprintf(stderr, "kuromajutsu: %s: %s\n", real,
                reason_of(errno, language_of(environ) == CONFIG_EN).text);
    free(real);
    free(cwd);
}

void home_finish(struct home *h)
{
    free(h->socket);
    free(h->state_dir);
    free(h->file);
    free(h->database);
    free(h->wrong);
    *h = (struct home){0};
}

/* In a directory that everybody may write to, as /tmp is, a name of ours may
 * have been taken by another before we came. Of a link the owner counts too. */
static bool is_ours(const char *path)
{
    struct stat link, there;

    return lstat(path, &link) == 0 && stat(path, &there) == 0 &&
           link.st_uid == geteuid() && there.st_uid == geteuid();
}

int home_make(const struct home *h)
{
    char *path = bytes_text("%s/", h->state_dir);
    int error = path_make_folders(path);

    if (error == 0 && !is_ours(h->state_dir))
        error = -EPERM;
    free(path);
    return error;
}

struct reason home_why(const struct home *h, int error)
{
    bool is_english = h->language == CONFIG_EN;
    struct reason why = reason_of(error, is_english);

    if (error == -EPERM)
        snprintf(why.text, sizeof(why.text), "%s",
                 MESSAGE(is_english, HOME_IS_ANOTHERS));
    return why;
}
