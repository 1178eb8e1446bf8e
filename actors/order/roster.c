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

    for (size_t i = 0; i < r->role_count; i++)
        size += strlen(r->roles[i].program) +
                strlen(r->roles[i].model_message) + strlen(r->roles[i].reason) +
                strlen(r->roles[i].warning) + 4;
    for (size_t i = 0; i < r->model_count; i++)
        size += strlen(r->models[i]) + 1;
    return size;
}

/* One block: the struct, roles, pointers to the models, then the text. */
struct roster *roster_create(const struct roster *from)
{
    size_t roles = from->role_count * sizeof(*from->roles);
    size_t models = from->model_count * sizeof(*from->models);
    struct roster *r =
        bytes_alloc(sizeof(*r) + roles + models + text_size(from));
    struct roster_role *role = (struct roster_role *)(r + 1);
    const char **model = (const char **)(role + from->role_count);
    char *at = (char *)(model + from->model_count);

    *r = *from;
    rt_obj_init(&r->obj, free_roster);
    rt_obj_keep(&r->settings->obj);
    r->roles = role;
    r->models = model;
    for (size_t i = 0; i < from->role_count; i++) {
        role[i] = from->roles[i];
        role[i].program = bytes_lay(&at, role[i].program);
        role[i].model_message = bytes_lay(&at, role[i].model_message);
        role[i].reason = bytes_lay(&at, role[i].reason);
        role[i].warning = bytes_lay(&at, role[i].warning);
    }
    for (size_t i = 0; i < from->model_count; i++)
        model[i] = bytes_lay(&at, from->models[i]);
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
