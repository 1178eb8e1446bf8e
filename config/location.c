/* SPDX-License-Identifier: MIT */
#include "config/location.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "config/env.h"
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

int location_find(struct location *p, const char *file, char *const *env,
                  struct config_error *e)
{
    const char *named = file ? file : env_get(env, "KUROMAJUTSU_CONFIG");
    char *dir = getcwd(NULL, 0);

    *p = (struct location){.is_named = named != NULL};
    if (!dir)
        return error_os(e, "working directory", -errno);
    p->path = absolute(named ? named : CONFIG_FILE, dir);
    p->file = realpath(p->path, NULL);
    p->has_file = p->file != NULL;
    if (!p->file)
        p->file = bytes_text("%s", p->path);
    p->identity = identity(p->file);
    free(dir);
    return 0;
}

void location_finish(struct location *p)
{
    free(p->path);
    free(p->file);
    free(p->identity);
    *p = (struct location){0};
}
