/*
 * A location is where a configuration is looked for, whether or not a file is
 * there and whatever it holds: a file that is wrong still says which hub is
 * meant.
 */
#ifndef CONFIG_LOCATION_H
#define CONFIG_LOCATION_H

#include <stdbool.h>

#include "config/config_error.h"

struct location {
    char *project; /* absolute: the directory; NULL: the file was named */
    char *path;    /* absolute: the file, as it was named or would be found */
    char *file;    /* its real path; path itself if there is none */
    char
        *database; /* real path of the store, as it was named; NULL: none was */
    char *identity; /* the database, else by the file: see identity.h */
    bool is_named;  /* by its user */
    bool has_file;
};

/*
 * file, else $KUROMAJUTSU_CONFIG, else kuromajutsu.config.yaml of the project.
 * That is $KUROMAJUTSU_PROJECT, else the working directory if it has state
 * already, else the nearest directory upwards with such a file, else with .git
 * or .cursor, else the working directory. Upwards ends below $HOME, at the
 * border of the file system and at what is another user's: what lies beyond is
 * not this project's, and may be anybody's.
 *
 * $KUROMAJUTSU_DB names the store, which need not be there, but the directory
 * that it is to be in. Whatever links lead to it, it is one: programs that name
 * it meet in one hub, wherever they are. Where the configuration is looked for
 * does not depend on it.
 *
 * 0, or a negative errno with the error told; -ENOENT if there is no such
 * project, or no place for the store. The caller finishes it, also on error.
 */
int location_find(struct location *p, const char *file, char *const *env,
                  struct config_error *e);
/* Accepts zeroed memory. */
void location_finish(struct location *p);

#endif
