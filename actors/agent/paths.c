/* SPDX-License-Identifier: MIT */
#include "actors/agent/paths.h"

#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"

static size_t add_new(struct files *known, struct slice *items, size_t count,
                      struct agent_paths from)
{
    bool is_first;

    for (size_t i = 0; i < from.count; i++) {
        files_note(known, from.items[i], FILES_EDIT, &is_first);
        if (is_first)
            items[count++] = from.items[i];
    }
    return count;
}

/* A stream names files by whole paths, an agent as it likes: the same set
 * that told the stream's apart tells these. */
struct agent_paths agent_paths_merge(struct agent_paths seen,
                                     struct agent_paths reported,
                                     struct slice cwd)
{
    struct slice *items =
        bytes_alloc((seen.count + reported.count + 1) * sizeof(*items));
    struct files known = {0};
    size_t count;

    files_set_cwd(&known, cwd);
    count = add_new(&known, items, 0, seen);
    count = add_new(&known, items, count, reported);
    files_finish(&known);
    return (struct agent_paths){.items = items, .count = count};
}

struct agent_paths agent_paths_of(const struct files *files,
                                  enum files_list list)
{
    size_t count = files->lengths[list];
    struct slice *items = bytes_alloc((count + 1) * sizeof(*items));

    for (size_t i = 0; i < count; i++)
        items[i] = files_path(files, list, i);
    return (struct agent_paths){.items = items, .count = count};
}

struct agent_paths agent_paths_read(yyjson_val *list)
{
    struct slice *items;
    yyjson_val *item;
    size_t i, max;

    if (yyjson_arr_size(list) == 0)
        return (struct agent_paths){0};
    items = bytes_alloc(yyjson_arr_size(list) * sizeof(*items));
    yyjson_arr_foreach(list, i, max, item)
    {
        items[i] = field_text(item);
    }
    return (struct agent_paths){.items = items, .count = max};
}

void agent_paths_free(struct agent_paths *paths)
{
    free((void *)(uintptr_t)paths->items);
    *paths = (struct agent_paths){0};
}

void agent_paths_put(struct bytes *out, const struct agent_paths *paths)
{
    JSON_RAW(out, "[");
    for (size_t i = 0; i < paths->count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, paths->items[i]);
    }
    JSON_RAW(out, "]");
}
