/* SPDX-License-Identifier: MIT */
#include "actors/stream/backend.h"

#include <stdlib.h>
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

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_own_name(const struct backend *b, const char *path)
{
    const char *name = file_name(path);

    return is_called(b, name) &&
           (!b->shared_name || strcmp(name, b->shared_name) != 0);
}

bool backend_is_certain(const struct backend *b, const char *path)
{
    char *real = realpath(path, NULL);
    bool is_certain = !b->shared_name || is_own_name(b, path) ||
                      (real && is_own_name(b, real));

    free(real);
    return is_certain;
}

bool backend_is_meant(const struct backend *b, struct slice help)
{
    for (const char *const *mark = b->marks; mark && *mark; mark++)
        if (memmem(help.ptr, help.len, *mark, strlen(*mark)))
            return true;
    return false;
}

const struct backend *backend_of_program(const char *program)
{
    program = file_name(program);
    for (size_t i = 0; i < COUNT; i++) {
        if (is_called(table[i], program))
            return table[i];
    }
    return NULL;
}
