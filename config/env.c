/* SPDX-License-Identifier: MIT */
#include "config/env.h"

#include <stddef.h>
#include <string.h>

#include "config/keys.h"

static bool is_named(const char *variable, const char *name)
{
    size_t len = strlen(name);

    return strncmp(variable, name, len) == 0 && variable[len] == '=';
}

const char *const env_installs_nothing[] = {
    "npm_config_yes",          "false", "UV_OFFLINE",  "1",
    "COREPACK_ENABLE_NETWORK", "0",     "GOTOOLCHAIN", "local",
    "RUSTUP_AUTO_INSTALL",     "0",     NULL};

const char *env_get(char *const *env, const char *name)
{
    size_t len = strlen(name);

    for (; env && *env; env++)
        if (is_named(*env, name))
            return (*env)[len + 1] ? *env + len + 1 : NULL;
    return NULL;
}

bool env_is_hubs(const char *variable)
{
    for (size_t i = 0; i < keys_config.count; i++)
        if (keys_config.rows[i].env && !keys_config.rows[i].is_shared &&
            is_named(variable, keys_config.rows[i].env))
            return true;
    return is_named(variable, "KUROMAJUTSU_CONFIG") ||
           is_named(variable, "KUROMAJUTSU_PROJECT") ||
           is_named(variable, "KUROMAJUTSU_DB") ||
           is_named(variable, "KUROMAJUTSU_HOME");
}

void env_wipe(char *const *env, const char *name)
{
    for (; env && *env; env++)
        if (is_named(*env, name)) {
            char *value = *env + strlen(name) + 1;
            explicit_bzero(value, strlen(value));
        }
}
