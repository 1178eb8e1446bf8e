/* A file of the user's gets a new text, whole or not at all. */
#ifndef CONFIG_REPLACE_FILE_H
#define CONFIG_REPLACE_FILE_H

#include <stddef.h>
#include <sys/stat.h>

#include "config/config_error.h"

/*
 * Puts a new text in the file's place, whole or not at all. `was` is the file
 * as it was read (NULL: there was none); if it has changed since, -ESTALE.
 * Keeps its mode, and its owner as far as that is allowed. Durable when it
 * returns 0.
 */
int replace_file(const char *path, const char *text, size_t len,
                 const struct stat *was, struct config_error *e);

#endif
