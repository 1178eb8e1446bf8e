/* SPDX-License-Identifier: MIT */
#include "config/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/env.h"
#include "runtime/text/bytes.h"

/* Enough of the project's name to know the folder by; sun_path is short. */
#define NAME_BYTES 24

const char *identity_of(const struct config *c)
{
    return c->identity;
}

/* The last part of the path, in letters that are harmless anywhere. */
static void name_of(const char *path, char out[NAME_BYTES + 1])
{
    const char *slash = strrchr(path, '/');
    const char *base = slash && slash[1] ? slash + 1 : "root";
    size_t n = 0;

    for (; *base && n < NAME_BYTES; base++) {
        char one[2] = {*base, '\0'};
        out[n++] = role_id_is_valid(one) ? *base : '_';
    }
    out[n] = '\0';
}

static int no_home(struct config_error *e)
{
    return ERROR_PLAIN(e, CONFIG_NO_STATE_PLACE);
}

int identity_home(char *const *env, char **out, struct config_error *e)
{
    const char *own = env_get(env, "KUROMAJUTSU_HOME");
    const char *xdg = env_get(env, "XDG_STATE_HOME");
    const char *home = env_get(env, "HOME");

    /* XDG: "paths must be absolute; if relative, ignore". Ours is an error:
     * it would be another place for every working directory. */
    if (xdg && *xdg != '/')
        xdg = NULL;
    const char *base = own ? own : xdg ? xdg : home;
    if (!base || *base != '/')
        return no_home(e);
    size_t len = strlen(base);
    while (len > 1 && base[len - 1] == '/')
        len--;
    *out = bytes_text("%.*s%s", (int)(len == 1 ? 0 : len), base,
                      own   ? ""
                      : xdg ? "/kuromajutsu"
                            : "/.local/state/kuromajutsu");
    return 0;
}

int identity_state_dir(const char *identity, char *const *env, char **out,
                       struct config_error *e)
{
    char name[NAME_BYTES + 1], *home;
    int rc = identity_home(env, &home, e);

    if (rc)
        return rc;
    name_of(identity, name);
    *out =
        bytes_text("%s/%s-%016llx", home, name,
                   (unsigned long long)slice_stable_hash(slice_cstr(identity)));
    free(home);
    return 0;
}
