/* SPDX-License-Identifier: MIT */
#include "config/desktop.h"

#include <stdio.h>
#include <sys/stat.h>

#include "config/env.h"

bool desktop_is_there(char *const *env)
{
    const char *dir = env_get(env, "XDG_RUNTIME_DIR");
    char path[4096];
    struct stat st;

    if (env_get(env, "DBUS_SESSION_BUS_ADDRESS"))
        return true;
    if (!dir ||
        (size_t)snprintf(path, sizeof(path), "%s/bus", dir) >= sizeof(path))
        return false;
    return stat(path, &st) == 0 && S_ISSOCK(st.st_mode);
}
