/* SPDX-License-Identifier: MIT */
#include "config/config_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/language.h"
#include "config/reason.h"

#define SIZE sizeof(((struct config_error *)0)->text)

bool config_error_is_english(const struct config_error *e, char *const *env)
{
    return e->is_settled ? e->is_english : language_of(env) == CONFIG_EN;
}

/* Where it is, in both; the length of that, or SIZE if nothing fits after. */
static size_t put_place(struct config_error *e, const char *file,
                        struct mark at)
{
    e->line = at.line + 1;
    e->column = at.column + 1;
    int n = snprintf(e->text, SIZE, "%s:%zu:%zu: ", file, e->line, e->column);
    memcpy(e->ja, e->text, SIZE);
    return n < 0 || (size_t)n >= SIZE ? SIZE : (size_t)n;
}

static void put(struct config_error *e, size_t n, const char *ja,
                const char *en, va_list args)
{
    va_list again;

    va_copy(again, args);
    vsnprintf(e->text + n, SIZE - n, en, args);
    vsnprintf(e->ja + n, SIZE - n, ja, again);
    va_end(again);
}

int error_at(struct config_error *e, const char *file, struct mark at,
             const char *ja, const char *en, ...)
{
    size_t n = put_place(e, file, at);
    va_list args;

    va_start(args, en);
    if (n < SIZE)
        put(e, n, ja, en, args);
    va_end(args);
    return -EINVAL;
}

int error_plain(struct config_error *e, const char *ja, const char *en, ...)
{
    va_list args;

    e->line = e->column = 0;
    va_start(args, en);
    put(e, 0, ja, en, args);
    va_end(args);
    return -EINVAL;
}

int error_whole(struct config_error *e, const char *file, struct mark at,
                struct message text)
{
    size_t n = file ? put_place(e, file, at) : 0;

    if (!file)
        e->line = e->column = 0;
    if (n < SIZE) {
        snprintf(e->text + n, SIZE - n, "%s", text.en);
        snprintf(e->ja + n, SIZE - n, "%s", text.ja);
    }
    return -EINVAL;
}

int error_os(struct config_error *e, const char *what, int rc)
{
    const struct reason ja = reason_of(rc, false), en = reason_of(rc, true);

    e->line = e->column = 0;
    snprintf(e->text, SIZE, "%s: %s", what, en.text);
    snprintf(e->ja, SIZE, "%s: %s", what, ja.text);
    return rc;
}
