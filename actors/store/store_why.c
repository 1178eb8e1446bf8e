/* SPDX-License-Identifier: MIT */
#include "actors/store/store_why.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/reason.h"
#include "runtime/text/slice.h"

static void put(char *to, size_t cap, const char *format, va_list args)
{
    char text[PATH_MAX + 512];

    vsnprintf(text, sizeof(text), format, args);
    slice_keep(to, cap, slice_cstr(text));
}

void store_why_say(struct store_why *w, const char *ja, const char *en, ...)
{
    va_list args;

    va_start(args, en);
    put(w->ja, sizeof(w->ja), ja, args);
    va_end(args);
    va_start(args, en);
    put(w->en, sizeof(w->en), en, args);
    va_end(args);
}

static void put_system(char *to, size_t cap, const char *path, int error,
                       bool is_english)
{
    char text[PATH_MAX + 512];

    snprintf(text, sizeof(text), "%s: %s", path,
             reason_of(error, is_english).text);
    slice_keep(to, cap, slice_cstr(text));
}

void store_why_system(struct store_why *w, const char *path, int error)
{
    put_system(w->ja, sizeof(w->ja), path, error, false);
    put_system(w->en, sizeof(w->en), path, error, true);
}

bool store_why_is_same(const struct store_why *a, const struct store_why *b)
{
    return strcmp(a->ja, b->ja) == 0 && strcmp(a->en, b->en) == 0;
}
