/* SPDX-License-Identifier: MIT */
#include "actors/agent_result.h"

#include <stdlib.h>
#include <string.h>

#include "actors/bytes.h"

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

static bool contains(const struct slice *items, size_t count, struct slice s)
{
    for (size_t i = 0; i < count; i++)
        if (slice_eq(items[i], s))
            return true;
    return false;
}

/* A report lists few files: looking through them all costs nothing. */
struct agent_paths agent_paths_merge(struct agent_paths seen,
                                     struct agent_paths reported)
{
    size_t count = seen.count;
    struct slice *items =
        bytes_alloc((seen.count + reported.count + 1) * sizeof(*items));

    if (seen.count > 0)
        memcpy(items, seen.items, seen.count * sizeof(*items));
    for (size_t i = 0; i < reported.count; i++)
        if (!contains(items, count, reported.items[i]))
            items[count++] = reported.items[i];
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

void agent_paths_free(struct agent_paths *paths)
{
    free((void *)(uintptr_t)paths->items);
    *paths = (struct agent_paths){0};
}
