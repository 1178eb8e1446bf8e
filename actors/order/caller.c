/* SPDX-License-Identifier: MIT */
#include "actors/order/caller.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"

static void free_caller(struct rt_obj *o)
{
    free(o);
}

/* One block: the struct, the environment's pointers, then all the text. */
struct caller *caller_create(const char *agent_id, const char *cwd,
                             const char *const *env)
{
    size_t count = 0, text = strlen(agent_id) + strlen(cwd) + 2;
    struct caller *c;
    const char **out;
    char *at;

    for (; env[count] != NULL; count++)
        text += strlen(env[count]) + 1;
    c = bytes_alloc(sizeof(*c) + (count + 1) * sizeof(*out) + text);
    out = (const char **)(c + 1);
    at = (char *)(out + count + 1);
    rt_obj_init(&c->obj, free_caller);
    c->agent_id = bytes_lay(&at, agent_id);
    c->cwd = bytes_lay(&at, cwd);
    for (size_t i = 0; i < count; i++)
        out[i] = bytes_lay(&at, env[i]);
    out[count] = NULL;
    c->env = out;
    c->named = c->locale = CONFIG_AUTO;
    return c;
}

enum config_language caller_speaks(const struct caller *c,
                                   enum config_language hubs, bool is_auto)
{
    if (c->named != CONFIG_AUTO)
        return c->named;
    return is_auto && c->locale != CONFIG_AUTO ? c->locale : hubs;
}

enum config_language caller_language(const struct caller *c,
                                     const struct config *config)
{
    return caller_speaks(c, config->language, config->is_language_auto);
}

const char *caller_variable(const struct caller *c, const char *name)
{
    size_t len = strlen(name);

    for (const char *const *e = c->env; *e != NULL; e++)
        if (strncmp(*e, name, len) == 0 && (*e)[len] == '=')
            return *e + len + 1;
    return NULL;
}
