/* A reader puts a tree's values into a configuration, row by row. */
#ifndef CONFIG_READER_H
#define CONFIG_READER_H

#include "config/config.h"
#include "config/schema.h"
#include "config/tree.h"

struct reader {
    struct config *config;
    struct arena *arena; /* of the configuration */
    struct config_error *error;
    const char *file; /* as messages show it */
};

/* Defaults, then the tree (root may be NULL), then the environment, then what
 * must fit together. The configuration is not to be used after an error. */
int reader_run(struct reader *r, const struct node *root, char *const *env);

/* The rest is shared between the reader's files. */

/* One value into base; path is its name in messages. */
int value_read(struct reader *r, const struct key *k, const char *path,
               const struct child *c, void *base);
/* "PATH: expected EXPECTED, found ..." */
int value_refuse(struct reader *r, const char *path, const struct child *c,
                 const char *expected);
/* A value of the environment; the error names the variable. */
int value_read_env(struct reader *r, const struct key *k, const char *text,
                   void *base);
/* All keys of s in that section of the mapping, and warnings for the others
 * but those in `besides` (NULL-ended, may be NULL). */
int reader_mapping(struct reader *r, const struct schema *s,
                   const char *section, const char *path,
                   const struct child *mapping, const char *const *besides,
                   void *base);
/* The list of that name; *list is NULL if it is missing or null. */
int reader_list(struct reader *r, const struct node *parent, const char *name,
                const char *path, size_t limit, const struct node **list);
int reader_roles(struct reader *r, const struct node *root);
int reader_prices(struct reader *r, const struct node *root);

#endif
