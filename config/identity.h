/*
 * The identity of a configuration decides which hub is its own: two programs
 * started with the same one share a hub and a state directory.
 */
#ifndef CONFIG_IDENTITY_H
#define CONFIG_IDENTITY_H

#include "config/config.h"

/*
 * The real path of the store that was named (location.h); else that of the
 * file, or of its directory when there is none. A file
 * of the usual name stands for its directory too: else the first edit in the
 * dashboard, which makes the file, would move the project to another hub.
 */
const char *identity_of(const struct config *c);

/*
 * What is above the state directories of all identities: $KUROMAJUTSU_HOME,
 * else $XDG_STATE_HOME/kuromajutsu, else ~/.local/state/kuromajutsu, as an
 * absolute path without the last slash. Makes nothing. The caller frees *out;
 * -EINVAL if there is no home to be found.
 */
int identity_home(char *const *env, char **out, struct config_error *e);

/*
 * Where the hub's socket, lock, database and agents are, as an absolute path
 * without the last slash: a folder of this identity in identity_home. Makes
 * nothing. The caller frees *out.
 */
int identity_state_dir(const char *identity, char *const *env, char **out,
                       struct config_error *e);

#endif
