/* SPDX-License-Identifier: MIT */
#include "actors/stream/backend.h"

#include <string.h>

static const struct backend *const table[] = {
    &backend_cursor,
    &backend_claude,
};

#define COUNT (sizeof(table) / sizeof(table[0]))

const struct backend *backend_at(size_t i)
{
    return i < COUNT ? table[i] : NULL;
}

const struct backend *backend_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    }
    return NULL;
}

static bool is_called(const struct backend *b, const char *program)
{
    for (const char *const *name = b->programs; *name; name++) {
        if (strcmp(*name, program) == 0)
            return true;
    }
    return false;
}

const struct backend *backend_of_program(const char *program)
{
    const char *slash = strrchr(program, '/');

    if (slash)
        program = slash + 1;
    for (size_t i = 0; i < COUNT; i++) {
        if (is_called(table[i], program))
            return table[i];
    }
    return NULL;
}
