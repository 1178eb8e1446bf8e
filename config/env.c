/* SPDX-License-Identifier: MIT */
#include "config/env.h"

#include <stddef.h>
#include <string.h>

const char *env_get(char *const *env, const char *name)
{
    size_t len = strlen(name);

    for (; env && *env; env++)
        if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
            return (*env)[len + 1] ? *env + len + 1 : NULL;
    return NULL;
}
