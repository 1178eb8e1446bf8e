/* SPDX-License-Identifier: MIT */
/*
 * Files an agent touches are told when they are first listed, so a stream that
 * is read again tells them again, and in the same order. One that is done
 * tells no more: it is in no one's way.
 */
#include <stdlib.h>
#include <string.h>

#include "actors/agent/inside.h"

static void free_touched(struct rt_obj *o)
{
    free(o);
}

/* Relative keys are of a stream that has not said where it is. */
static struct slice place_of(const struct agent *a, struct slice key)
{
    const char *cwd = a->spec != NULL ? a->spec->cwd : NULL;

    if (key.len > 0 && key.ptr[0] == '/')
        return SLICE_EMPTY;
    return cwd != NULL ? slice_cstr(cwd) : SLICE_EMPTY;
}

static struct slice copy(char **at, struct slice place, struct slice key)
{
    char *to = *at;

    memcpy(to, place.ptr, place.len);
    if (place.len > 0)
        to[place.len] = '/';
    *at += place.len + (place.len > 0);
    memcpy(*at, key.ptr, key.len);
    *at += key.len;
    return slice_of(to, (size_t)(*at - to));
}

static struct agent_touched *create(const struct agent *a, size_t count)
{
    const struct files *f = transcript_files(a->transcript);
    size_t bytes = 0, n = 0;
    struct agent_touched *x;
    char *at;

    for (int list = 0; list < FILES_LISTS; list++)
        for (size_t i = a->touched[list]; i < f->lengths[list]; i++) {
            struct slice key = files_key(f, (enum files_list)list, i);

            bytes += key.len + place_of(a, key).len + 1;
        }
    x = bytes_zalloc(sizeof(*x) + count * sizeof(x->paths[0]) + bytes);
    rt_obj_init(&x->obj, free_touched);
    x->serial = a->def->serial;
    x->count = count;
    at = (char *)(x->paths + count);
    for (int list = 0; list < FILES_LISTS; list++)
        for (size_t i = a->touched[list]; i < f->lengths[list]; i++) {
            struct slice key = files_key(f, (enum files_list)list, i);

            x->paths[n++] = copy(&at, place_of(a, key), key);
        }
    return x;
}

void agent_tell_touched(struct rt_turn *t, struct agent *a)
{
    const struct files *f = transcript_files(a->transcript);
    size_t count = 0;

    for (int list = 0; list < FILES_LISTS; list++)
        count += f->lengths[list] - a->touched[list];
    if (count == 0 || a->is_done || rt_same(a->def->watcher, RT_NOBODY))
        return;
    rt_pass_take(t, a->def->watcher, AGENT_TOUCHED, &create(a, count)->obj);
    memcpy(a->touched, f->lengths, sizeof(a->touched));
}
