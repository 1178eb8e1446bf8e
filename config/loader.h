/* A loader puts a tree's values into a configuration, row by row. */
#ifndef CONFIG_LOADER_H
#define CONFIG_LOADER_H

#include "config/config.h"
#include "config/keys.h"
#include "config/tree.h"

/* One file of several, the later over the earlier. */
struct layer {
    const char *file;        /* as messages show it */
    const struct node *root; /* NULL: empty, or not there */
    bool is_projects;        /* claims what needs trust */
};

struct loader {
    struct config *config;
    struct arena *arena; /* of the configuration */
    struct config_error *error;
    const struct layer *layers;
    size_t layer_count;
    const struct layer *layer; /* being read */
    bool is_english;           /* of warnings */
};

/* Defaults, then the layers, then the environment, then what must fit
 * together. The configuration says whether the project's layer is trusted, and
 * is not to be used after an error. */
int loader_run(struct loader *r, char *const *env);

/* The rest is shared between the loader's files. */

/* One value into base; path is its name in messages. */
int value_read(struct loader *r, const struct key *k, const char *path,
               const struct child *c, void *base);
/* Notes that the value of that key is the layer's. */
void value_note_origin(struct loader *r, const struct key *k, void *base,
                       enum config_origin origin);
/* "PATH: expected EXPECTED, found ..." */
int value_refuse(struct loader *r, const char *path, const struct child *c,
                 struct message expected);
/* The same of any value; file may be NULL. */
int value_say(struct config_error *e, const char *file, struct mark at,
              const char *path, struct message expected, struct message found);
/* A value that is a list, to `at`. */
bool value_is_list(const struct key *k);
int value_read_list(struct loader *r, const struct key *k, const char *path,
                    const struct child *c, void *at);
/* "[a, b]", for people. */
const char *value_of_list(struct arena *a, const struct node *list);
/* A value of the environment; the error names the variable. */
int value_read_env(struct loader *r, const struct key *k, const char *text,
                   void *base);
/* Whether the text is a value of that key. */
bool value_is_fit(struct loader *r, const struct key *k, const char *text);
/* All keys of s in that section of the mapping, and warnings for the others
 * but those in `besides` (NULL-ended, may be NULL). */
int loader_mapping(struct loader *r, const struct keys *s, const char *section,
                   const char *path, const struct child *mapping,
                   const char *const *besides, void *base);
/* The list of that name; *list is NULL if it is missing or null. */
int loader_list(struct loader *r, const struct node *parent, const char *name,
                const char *path, size_t limit, const struct node **list);
int loader_roles(struct loader *r);
int loader_prices(struct loader *r);

#endif
