/* SPDX-License-Identifier: MIT */
#include "actors/order/roster.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"

static void free_roster(struct rt_obj *o)
{
    rt_obj_drop(&((struct roster *)o)->settings->obj);
    free(o);
}

static size_t text_size(const struct roster *r)
{
    size_t size = 0;

    for (size_t i = 0; i < r->role_count; i++) {
        const struct roster_role *role = &r->roles[i];
        size += strlen(role->program) + strlen(role->model_message) +
                strlen(role->reason) + strlen(role->warning) + 4;
        for (size_t k = 0; k < ROSTER_SUGGESTIONS; k++)
            size += role->suggestions[k] ? strlen(role->suggestions[k]) + 1 : 0;
    }
    for (size_t i = 0; i < r->model_count; i++)
        size += strlen(r->models[i]) + 1;
    for (size_t i = 0; i < r->backend_count; i++) {
        const struct roster_backend *b = &r->backends[i];
        size += strlen(b->program) + strlen(b->reason) + 2;
        for (size_t k = 0; k < b->model_count; k++)
            size += strlen(b->models[k]) + strlen(b->labels[k]) + 2;
    }
    return size;
}

/* Pointers to texts: the models, and those of each back-end with labels. */
static size_t pointer_count(const struct roster *r)
{
    size_t count = r->model_count;

    for (size_t i = 0; i < r->backend_count; i++)
        count += 2 * r->backends[i].model_count;
    return count;
}

static const char *const *lay_list(const char ***pointers, char **at,
                                   const char *const *from, size_t count)
{
    const char **list = *pointers;

    for (size_t i = 0; i < count; i++)
        list[i] = bytes_lay(at, from[i]);
    *pointers += count;
    return list;
}

static void lay_role(struct roster_role *role, char **at)
{
    role->program = bytes_lay(at, role->program);
    role->model_message = bytes_lay(at, role->model_message);
    role->reason = bytes_lay(at, role->reason);
    role->warning = bytes_lay(at, role->warning);
    for (size_t i = 0; i < ROSTER_SUGGESTIONS; i++)
        if (role->suggestions[i])
            role->suggestions[i] = bytes_lay(at, role->suggestions[i]);
}

static void lay_backend(struct roster_backend *b, const char ***pointers,
                        char **at)
{
    b->program = bytes_lay(at, b->program);
    b->reason = bytes_lay(at, b->reason);
    b->models = lay_list(pointers, at, b->models, b->model_count);
    b->labels = lay_list(pointers, at, b->labels, b->model_count);
}

/* One block: the struct, roles, back-ends, pointers to texts, then these. */
struct roster *roster_create(const struct roster *from)
{
    size_t roles = from->role_count * sizeof(*from->roles);
    size_t backends = from->backend_count * sizeof(*from->backends);
    struct roster *r =
        bytes_alloc(sizeof(*r) + roles + backends +
                    pointer_count(from) * sizeof(char *) + text_size(from));
    const char **pointers;
    char *at;

    *r = *from;
    rt_obj_init(&r->obj, free_roster);
    rt_obj_keep(&r->settings->obj);
    r->roles = (struct roster_role *)(r + 1);
    r->backends = (struct roster_backend *)(r->roles + from->role_count);
    pointers = (const char **)(r->backends + from->backend_count);
    at = (char *)(pointers + pointer_count(from));
    for (size_t i = 0; i < from->role_count; i++) {
        r->roles[i] = from->roles[i];
        lay_role(&r->roles[i], &at);
    }
    for (size_t i = 0; i < from->backend_count; i++) {
        r->backends[i] = from->backends[i];
        lay_backend(&r->backends[i], &pointers, &at);
    }
    r->models = lay_list(&pointers, &at, from->models, from->model_count);
    return r;
}

const struct roster_role *roster_find(const struct roster *r, struct slice id)
{
    for (size_t i = 0; i < r->role_count; i++)
        if (slice_eq(slice_cstr(r->roles[i].role->id), id))
            return &r->roles[i];
    return NULL;
}

bool roster_is_pending(const struct roster_role *role)
{
    return role->model == ROSTER_MODEL_PENDING || role->check == ROSTER_PENDING;
}

bool roster_is_available(const struct roster_role *role)
{
    return role->model != ROSTER_MODEL_INVALID &&
           (roster_is_pending(role) || role->check == ROSTER_PASSED);
}
