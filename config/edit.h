/*
 * A change makes, changes or deletes a role in the configuration's file, and
 * nothing else in it: comments, order, quoting and line ends stay byte for
 * byte.
 */
#ifndef CONFIG_EDIT_H
#define CONFIG_EDIT_H

#include "config/config.h"

#define EDIT_LIMIT 16 /* edits at once */

struct config_edit {
    const char *key;          /* any of a role but its id, or tools */
    const char *value;        /* NULL: null, for timeout_ms */
    const char *const *items; /* ids, for tools alone */
    size_t count;
    const struct role *like; /* whose parameters the items have, or NULL */
    bool is_removed; /* the file says nothing of it any more: what is below
                        the file holds */
};

enum role_change_kind { ROLE_UPDATE, ROLE_CREATE, ROLE_DELETE };

struct role_change {
    enum role_change_kind kind;
    const char *role;
    const struct config_edit *edits; /* none of a deletion */
    size_t count;
    const char *version; /* of the file it was meant for; NULL: whichever */
    bool is_dry;         /* only say what would be written */
};

/* The caller's to finish. */
struct role_changed {
    struct config *config; /* that is now in force, or would be */
    char *diff;            /* unified: what was written, or would be */
};

/*
 * Changes the role in the file c was loaded from (it is made if there was none)
 * and says what is now in force; c stays as it was. env as in config_load: its
 * values are applied, never written. On error the file is untouched: -ESTALE if
 * it was changed meanwhile (load it again), -EINVAL for a wrong value or one
 * that cannot be changed without changing another.
 */
int config_change(const struct config *c, char *const *env,
                  const struct role_change *change, struct role_changed *out,
                  struct config_error *e);
/* Accepts zeroed memory. */
void role_changed_finish(struct role_changed *r);

/* The same for an update; *fresh is the caller's to destroy. */
int config_edit(const struct config *c, char *const *env, const char *role,
                const struct config_edit *edits, size_t count,
                struct config **fresh, struct config_error *e);

struct source;

/* The pure part: one edit of a text; NULL takes the role out of it. *out is the
 * caller's to free. */
int edit_text(const struct source *s, const char *role,
              const struct config_edit *edit, char **out, size_t *len,
              struct config_error *e);

#endif
