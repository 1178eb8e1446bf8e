/*
 * The keys of a configuration: one row says of each its type, range, default,
 * place in the struct, variable of the environment and meaning. Loading,
 * defaults, error messages, comparison and help all go by these rows.
 */
#ifndef CONFIG_KEYS_H
#define CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/messages.h"

enum key_type {
    KEY_INT,    /* int64_t, min to max */
    KEY_MONEY,  /* int64_t in millionths, written "2.50"; min to max */
    KEY_BOOL,   /* bool */
    KEY_WORD,   /* int: the index in words */
    KEY_CHOICE, /* const char *: one of words */
    KEY_TEXT,   /* const char *, min to max bytes */
    KEY_LINE,   /* the same without line breaks */
    KEY_ID,     /* const char *, see role_id_is_valid */
    KEY_URL,    /* const char *, see url.h; or empty */
    KEY_SET,    /* int64_t: bit i is words[i]; written as a list of them, at
                   least min (0 or 1) */
    KEY_LIST    /* const char *const *, NULL-ended: at most max words */
};

#define KEY_LIST_WORD 4095 /* bytes of one word of a KEY_LIST */

struct key {
    const char *section; /* NULL: the top level, or a role's or tool's key */
    const char *name;
    enum key_type type;
    bool is_optional; /* null is allowed and means `null` */
    bool needs_trust; /* could run or expose something: see trust.h */
    bool is_at_start; /* a hub reads it once */
    bool is_secret;   /* never shown */
    bool is_shared;   /* its variable is other programs' too: agents have it,
                         and what it cannot be read as is a warning */
    int64_t min, max, number, null;
    const char *text;         /* the default of KEY_CHOICE, _TEXT and _LINE */
    const char *const *words; /* NULL-ended */
    size_t offset;
    const char *env;
    struct message doc;
};

struct keys {
    const struct key *rows;
    size_t count;
};

/* Of struct config, struct role, struct role_tool and struct price. */
extern const struct keys keys_config, keys_role, keys_tool, keys_price;

/* Sets every key to its default. */
void keys_defaults(const struct keys *s, void *base);
/* a and b are where two values of that key lie. */
bool keys_equal_one(const struct key *k, const void *a, const void *b);
bool keys_equal(const struct keys *s, const void *a, const void *b);
/* The row of that name; section as in struct key. NULL if there is none. */
const struct key *keys_find(const struct keys *s, const char *section,
                            const char *name);
bool keys_has_section(const char *name);
/* "a whole number from 1 to 1000" and the like, as errors and help say it. */
struct keys_words {
    char ja[256], en[256];
};
struct keys_words keys_expected(const struct key *k);
/*
 * For a name that is not in that section (NULL: the top level): what may have
 * been meant, a key's or section's name, or false.
 */
bool keys_nearest(const struct keys *s, const char *section, const char *name,
                  char *out, size_t size);

#endif
