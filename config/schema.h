/*
 * The schema: one row per key says its type, range, default, place in the
 * struct, variable of the environment and meaning. Reading, defaults, error
 * messages, comparison and help all go by these rows.
 */
#ifndef CONFIG_SCHEMA_H
#define CONFIG_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_type {
    KEY_INT,    /* int64_t, min to max */
    KEY_MONEY,  /* int64_t in millionths, written "2.50"; min to max */
    KEY_BOOL,   /* bool */
    KEY_WORD,   /* int: the index in words */
    KEY_CHOICE, /* const char *: one of words */
    KEY_TEXT,   /* const char *, min to max bytes */
    KEY_LINE,   /* the same without line breaks */
    KEY_ID      /* const char *, see role_id_is_valid */
};

struct key {
    const char *section; /* NULL: the top level, or a role's or tool's key */
    const char *name;
    enum key_type type;
    bool is_optional; /* null is allowed and means the default */
    int64_t min, max, number;
    const char *text;         /* the default of KEY_CHOICE, _TEXT and _LINE */
    const char *const *words; /* NULL-ended */
    size_t offset;
    const char *env;
    const char *doc;
};

struct schema {
    const struct key *keys;
    size_t count;
};

/* Of struct config, struct role, struct role_tool and struct price. */
extern const struct schema schema_config, schema_role, schema_tool,
    schema_price;

/* Sets every key to its default. */
void schema_defaults(const struct schema *s, void *base);
bool schema_equal(const struct schema *s, const void *a, const void *b);
/* The row of that name; section as in struct key. NULL if there is none. */
const struct key *schema_find(const struct schema *s, const char *section,
                              const char *name);
bool schema_has_section(const char *name);
/* "a whole number from 1 to 1000" and the like, as errors and help say it. */
void schema_expected(const struct key *k, char *out, size_t size);
/*
 * For a name that is not in that section (NULL: the top level): what may have
 * been meant, a key's or section's name, or false.
 */
bool schema_nearest(const struct schema *s, const char *section,
                    const char *name, char *out, size_t size);

#endif
