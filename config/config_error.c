/* SPDX-License-Identifier: MIT */
#include "config/config_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_at(struct config_error *e, const char *file, struct mark at,
             const char *format, ...)
{
    va_list args;

    e->line = at.line + 1;
    e->column = at.column + 1;
    int n = snprintf(e->text, sizeof(e->text), "%s:%zu:%zu: ", file, e->line,
                     e->column);
    if (n < 0 || (size_t)n >= sizeof(e->text))
        return -EINVAL;
    va_start(args, format);
    vsnprintf(e->text + n, sizeof(e->text) - (size_t)n, format, args);
    va_end(args);
    return -EINVAL;
}

int error_plain(struct config_error *e, const char *format, ...)
{
    va_list args;

    e->line = e->column = 0;
    va_start(args, format);
    vsnprintf(e->text, sizeof(e->text), format, args);
    va_end(args);
    return -EINVAL;
}

int error_os(struct config_error *e, const char *what, int rc)
{
    error_plain(e, "%s: %s", what, strerror(-rc));
    return rc;
}
