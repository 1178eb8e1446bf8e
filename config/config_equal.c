/* SPDX-License-Identifier: MIT */
#include "config/config.h"

#include <stdio.h>
#include <string.h>

#include "config/keys.h"

static bool tools_equal(const struct config *a, const struct config *b)
{
    if (a->tool_count != b->tool_count)
        return false;
    for (size_t i = 0; i < a->tool_count; i++)
        if (!keys_equal(&keys_tool, &a->tools[i], &b->tools[i]) ||
            !role_parameters_equal(&a->tools[i].parameters,
                                   &b->tools[i].parameters))
            return false;
    return true;
}

static bool prices_equal(const struct config *a, const struct config *b)
{
    if (a->price_count != b->price_count)
        return false;
    for (size_t i = 0; i < a->price_count; i++)
        if (!keys_equal(&keys_price, &a->prices[i], &b->prices[i]))
            return false;
    return true;
}

/* The first from *i on that is not `but`; NULL after the last. */
static const struct role *next_role(const struct config *c, size_t *i,
                                    const char *but)
{
    size_t count = c->role_count + c->disabled_count;

    while (*i < count && but && strcmp(c->roles[*i].id, but) == 0)
        ++*i;
    return *i < count ? &c->roles[(*i)++] : NULL;
}

bool config_equal(const struct config *a, const struct config *b,
                  const char *but)
{
    const struct role *x, *y;
    size_t i = 0, k = 0;

    if (!keys_equal(&keys_config, a, b) || !tools_equal(a, b) ||
        !prices_equal(a, b))
        return false;
    do {
        x = next_role(a, &i, but);
        y = next_role(b, &k, but);
        if (x && y && (!keys_equal(&keys_role, x, y) || !role_uses_equal(x, y)))
            return false;
    } while (x && y);
    return !x && !y;
}

bool config_next_at_restart(const struct config *begun,
                            const struct config *now, size_t *i,
                            char name[static CONFIG_KEY_BYTES])
{
    while (*i < keys_config.count) {
        const struct key *k = &keys_config.rows[(*i)++];
        if (!k->is_at_start ||
            keys_equal_one(k, (const char *)begun + k->offset,
                           (const char *)now + k->offset))
            continue;
        snprintf(name, CONFIG_KEY_BYTES, "%s%s%s", k->section ? k->section : "",
                 k->section ? "." : "", k->name);
        return true;
    }
    return false;
}
