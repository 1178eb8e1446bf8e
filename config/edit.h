/*
 * An edit changes a role in the configuration's file, and nothing else in it:
 * comments, order, quoting and line ends stay byte for byte.
 */
#ifndef CONFIG_EDIT_H
#define CONFIG_EDIT_H

#include "config/config.h"

#define EDIT_LIMIT 16 /* edits at once */

struct config_edit {
    const char *key;          /* name, description, model, systemPrompt,
                                 healthCheckPrompt, backend, timeout_ms or tools */
    const char *value;        /* NULL: null, for timeout_ms */
    const char *const *items; /* ids, for tools alone */
    size_t count;
};

/*
 * Writes the role's new values into the file c was loaded from (it is made if
 * there was none) and gives the configuration that is now in force in *fresh,
 * the caller's to destroy; c stays as it was. env as in config_load: its values
 * are applied, never written. On error the file is untouched: -ESTALE if it was
 * changed meanwhile (load it again), -EINVAL for a wrong value or one that
 * cannot be changed without changing another.
 */
int config_edit(const struct config *c, char *const *env, const char *role,
                const struct config_edit *edits, size_t count,
                struct config **fresh, struct config_error *e);

struct source;

/* The pure part: one edit of a text. *out is the caller's to free. */
int edit_text(const struct source *s, const char *role,
              const struct config_edit *edit, char **out, size_t *len,
              struct config_error *e);

#endif
