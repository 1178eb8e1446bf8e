/* env reads variables from an array like environ. */
#ifndef CONFIG_ENV_H
#define CONFIG_ENV_H

#include <stdbool.h>

/* NULL if it is not there or empty; env itself may be NULL. */
const char *env_get(char *const *env, const char *name);

/*
 * Whether a variable ("NAME=value") says what a hub is to be: a key of the
 * configuration, or where that and the state are. None of them is for the
 * programs that are started for a hub: the token would open the dashboard to
 * them, and a program of ours that an agent uses would look for its hub
 * elsewhere, or start with another's settings.
 */
bool env_is_hubs(const char *variable);

/* What keeps programs that would fetch what is missing (npx, uvx, corepack, go,
 * rustup) from it: a check looks and installs nothing. Names, each with its
 * value after it; ended by NULL. */
extern const char *const env_installs_nothing[];

/* Overwrites the value where it lies, for others read it there too: in
 * /proc/PID/environ. The variable is then empty. */
void env_wipe(char *const *env, const char *name);

#endif
