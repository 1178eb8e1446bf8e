/* SPDX-License-Identifier: MIT */
#include "config/role.h"

#include <string.h>

#include "config/builtin.h"
#include "config/config.h"
#include "config/keys.h"

#define ID_LIMIT 64

/* Those of a configuration are the built-in ones themselves, so the address
 * tells whether one was left alone. */
static const char *other_of(const char *text, const struct role *from,
                            const struct role *to)
{
    for (size_t i = 0; i < BUILTIN_ROLES; i++) {
        if (text == from[i].system_prompt)
            return to[i].system_prompt;
        if (text == from[i].description)
            return to[i].description;
        if (text == from[i].name)
            return to[i].name;
    }
    return NULL;
}

static const char *other_of_tool(const char *text, const struct role_tool *from,
                                 const struct role_tool *to)
{
    for (size_t i = 0; i < BUILTIN_TOOLS; i++)
        if (text == from[i].instructions)
            return to[i].instructions;
    return NULL;
}

const char *role_text(const char *text, enum config_language language)
{
    bool is_english = language == CONFIG_EN;
    const char *other =
        is_english ? other_of(text, builtin_roles_ja, builtin_roles_en)
                   : other_of(text, builtin_roles_en, builtin_roles_ja);

    if (!other)
        other = is_english
                    ? other_of_tool(text, builtin_tools_ja, builtin_tools_en)
                    : other_of_tool(text, builtin_tools_en, builtin_tools_ja);
    return other ? other : text;
}

const struct role *role_find(const struct config *c, const char *id)
{
    for (size_t i = 0; i < c->role_count; i++)
        if (strcmp(c->roles[i].id, id) == 0)
            return &c->roles[i];
    return NULL;
}

const struct role *role_find_any(const struct config *c, const char *id)
{
    for (size_t i = 0; i < c->role_count + c->disabled_count; i++)
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

const char *role_usual_health_prompt(void)
{
    return keys_find(&keys_role, NULL, "healthCheckPrompt")->text;
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
