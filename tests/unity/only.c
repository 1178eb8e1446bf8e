/* SPDX-License-Identifier: MIT */
#include "only.h"

#include <stdlib.h>
#include <string.h>

bool only_chosen(const char *name)
{
    const char *only = getenv("TAP_ONLY");
    size_t len = strlen(name);

    if (only == NULL || *only == '\0')
        return true;
    for (; only != NULL; only = strchr(only, '\n')) {
        only += *only == '\n';
        if (strncmp(only, name, len) == 0 &&
            (only[len] == '\n' || only[len] == '\0'))
            return true;
    }
    return false;
}
