/*
 * What is wrong with a configuration, and where: "FILE:LINE:COLUMN: ...". In
 * both languages: which one is wanted is known to whom it is told, while the
 * file that would say so may be the one that cannot be read.
 */
#ifndef CONFIG_CONFIG_ERROR_H
#define CONFIG_CONFIG_ERROR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "config/messages.h"

struct config_error {
    size_t line, column;        /* from 1, columns in characters; 0: no place */
    char text[PATH_MAX + 1024]; /* in English */
    char ja[PATH_MAX + 1024];
    bool is_settled, is_english; /* the files could be read so far as to say */
};

static inline const char *config_error_in(const struct config_error *e,
                                          bool is_english)
{
    return is_english ? e->text : e->ja;
}

/* Whether who has that environment is told it in English: by the environment,
 * else by the files as far as they could be read. */
bool config_error_is_english(const struct config_error *e, char *const *env);

/* A place in a file's text, all from 0. */
struct mark {
    size_t line, column, byte;
};

/* Write the error, one of messages.h; return -EINVAL, for `return
 * ERROR_AT(...)`.
 */
#define ERROR_AT(e, file, at, name, ...)                                       \
    error_at(e, file, at, JA_##name, EN_##name, ##__VA_ARGS__)
int error_at(struct config_error *e, const char *file, struct mark at,
             const char *ja, const char *en, ...)
    __attribute__((format(printf, 4, 6), format(printf, 5, 6)));
/* The same without a place in a file. */
#define ERROR_PLAIN(e, name, ...)                                              \
    error_plain(e, JA_##name, EN_##name, ##__VA_ARGS__)
int error_plain(struct config_error *e, const char *ja, const char *en, ...)
    __attribute__((format(printf, 2, 4), format(printf, 3, 4)));
/* Texts that are whole already; without a place if file is NULL. */
int error_whole(struct config_error *e, const char *file, struct mark at,
                struct message text);
/* "WHAT: why", for a negative errno, which it returns. */
int error_os(struct config_error *e, const char *what, int rc);

#endif
