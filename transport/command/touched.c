/* SPDX-License-Identifier: MIT */
#include "transport/command/touched.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"

/* Without "./", and without the directory. */
static struct slice short_name(struct slice path, struct slice directory)
{
    size_t len = directory.len;

    if (len > 0 && path.len > len + 1 && path.ptr[len] == '/' &&
        slice_starts(path, directory))
        path = slice_of(path.ptr + len + 1, path.len - len - 1);
    while (slice_starts(path, SLICE("./")))
        path = slice_of(path.ptr + 2, path.len - 2);
    return path;
}

bool touched_has(const struct touched *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++)
        if (!strcmp(t->names[i], name))
            return true;
    return false;
}

void touched_add(struct touched *t, yyjson_val *paths, struct slice directory)
{
    size_t i, count;
    yyjson_val *path;

    yyjson_arr_foreach(paths, i, count, path)
    {
        struct slice name = short_name(field_text(path), directory);
        char *text = bytes_text("%.*s", (int)name.len, name.ptr);
        if (!*text || touched_has(t, text)) {
            free(text);
            continue;
        }
        ARRAY_GROW(t->names, t->count);
        t->names[t->count++] = text;
    }
}

void touched_finish(struct touched *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->names[i]);
    free(t->names);
    *t = (struct touched){0};
}
