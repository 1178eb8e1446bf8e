/* SPDX-License-Identifier: MIT */
#include "actors/agent/result.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"

static size_t size_of(const struct agent_paths *paths)
{
    size_t size = paths->count * sizeof(struct slice);

    for (size_t i = 0; i < paths->count; i++)
        size += paths->items[i].len;
    return size;
}

static struct slice copy(char **room, struct slice s)
{
    char *to = *room;

    if (s.len > 0)
        memcpy(to, s.ptr, s.len);
    *room += s.len;
    return slice_of(to, s.len);
}

/* The array at *items, the text at *room; both move on. */
static struct agent_paths copy_paths(struct slice **items, char **room,
                                     const struct agent_paths *from)
{
    struct agent_paths to = {.items = *items, .count = from->count};

    for (size_t i = 0; i < from->count; i++)
        *(*items)++ = copy(room, from->items[i]);
    return to;
}

static void free_result(struct rt_obj *o)
{
    free(o);
}

struct agent_result *agent_result_create(const struct agent_result *parts)
{
    size_t arrays =
        (parts->edited.count + parts->created.count) * sizeof(struct slice);
    struct agent_result *r = bytes_alloc(
        sizeof(*r) + size_of(&parts->edited) + size_of(&parts->created) +
        parts->summary.len + parts->response.len + parts->error.len);
    struct slice *items = (struct slice *)(r + 1);
    char *room = (char *)(r + 1) + arrays;

    *r = *parts;
    rt_obj_init(&r->obj, free_result);
    r->edited = copy_paths(&items, &room, &parts->edited);
    r->created = copy_paths(&items, &room, &parts->created);
    r->summary = copy(&room, parts->summary);
    r->response = copy(&room, parts->response);
    r->error = copy(&room, parts->error);
    return r;
}

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

struct slice agent_outcome_name(enum agent_outcome outcome)
{
    static const struct slice names[] = {
        SLICE_INIT("success"), SLICE_INIT("failure"), SLICE_INIT("timeout"),
        SLICE_INIT("cancelled")};

    return names[outcome];
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
