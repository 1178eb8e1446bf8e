/* SPDX-License-Identifier: MIT */
#include "config/role.h"

#include <string.h>

#include "config/config.h"

#define ID_LIMIT 64

const struct role *role_find(const struct config *c, const char *id)
{
    for (size_t i = 0; i < c->role_count; i++)
        if (strcmp(c->roles[i].id, id) == 0)
            return &c->roles[i];
    return NULL;
}

const struct role_tool *role_tool_find(const struct config *c, const char *id)
{
    for (size_t i = 0; i < c->tool_count; i++)
        if (strcmp(c->tools[i].id, id) == 0)
            return &c->tools[i];
    return NULL;
}

bool role_id_is_valid(const char *id)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t len = strspn(id, allowed);

    return len >= 1 && len <= ID_LIMIT && id[len] == '\0';
}

static const char *find(const struct role_parameters *p, const char *name,
                        size_t len)
{
    for (size_t i = 0; i < p->count; i++)
        if (strlen(p->items[i].name) == len &&
            memcmp(p->items[i].name, name, len) == 0)
            return p->items[i].value;
    return NULL;
}

const char *role_use_parameter(const struct role_use *use, const char *name,
                               size_t len)
{
    const char *own = find(&use->parameters, name, len);

    return own ? own : find(&use->tool->parameters, name, len);
}

bool role_parameters_equal(const struct role_parameters *a,
                           const struct role_parameters *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i].name, b->items[i].name) ||
            strcmp(a->items[i].value, b->items[i].value))
            return false;
    return true;
}

bool role_uses_equal(const struct role *a, const struct role *b)
{
    if (a->tool_count != b->tool_count)
        return false;
    for (size_t i = 0; i < a->tool_count; i++)
        if (strcmp(a->tools[i].tool->id, b->tools[i].tool->id) ||
            !role_parameters_equal(&a->tools[i].parameters,
                                   &b->tools[i].parameters))
            return false;
    return true;
}
