/* What is wrong with a configuration, and where: "FILE:LINE:COLUMN: ...". */
#ifndef CONFIG_CONFIG_ERROR_H
#define CONFIG_CONFIG_ERROR_H

#include <limits.h>
#include <stddef.h>

struct config_error {
    size_t line, column; /* from 1, columns in characters; 0: no place */
    char text[PATH_MAX + 1024];
};

/* A place in a file's text, all from 0. */
struct mark {
    size_t line, column, byte;
};

/* Writes the error; returns -EINVAL, for `return error_at(...)`. */
__attribute__((format(printf, 4, 5))) int error_at(struct config_error *e,
                                                   const char *file,
                                                   struct mark at,
                                                   const char *format, ...);
/* The same without a place in a file. */
__attribute__((format(printf, 2, 3))) int error_plain(struct config_error *e,
                                                      const char *format, ...);
/* "WHAT: strerror(rc)" for a negative errno, which it returns. */
int error_os(struct config_error *e, const char *what, int rc);

#endif
