/* replace puts a new text in a file's place, whole or not at all. */
#ifndef CONFIG_REPLACE_H
#define CONFIG_REPLACE_H

#include <sys/stat.h>

#include "config/config_error.h"

/*
 * was is the file as it was read (NULL: there was none); if it has changed
 * since, -ESTALE. Keeps its mode, and its owner as far as that is allowed.
 * Durable when it returns 0.
 */
int replace_file(const char *path, const char *text, size_t len,
                 const struct stat *was, struct config_error *e);

#endif
