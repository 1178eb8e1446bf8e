/* SPDX-License-Identifier: MIT */
#include "actors/health/role_edits.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/text/bytes.h"

/* Texts, by the same names in the order and in the file, in the order in which
 * a new role has them there. */
static const char *const before_tools[] = {"name", "description", "model",
                                           "backend"};
static const char *const prompts[] = {"systemPrompt", "healthCheckPrompt"};

static struct config_edit *add(struct role_edits *e, const char *key)
{
    struct config_edit *edit = &e->edits[e->change.count++];

    *edit = (struct config_edit){.key = key};
    return edit;
}

static void add_text(struct role_edits *e, const struct order *o,
                     const char *key, const char *instead)
{
    yyjson_val *value = yyjson_obj_get(o->args, key);
    const char *text = yyjson_is_str(value) ? yyjson_get_str(value) : instead;

    if (text != NULL)
        add(e, key)->value = text;
}

/* null is a value: no time-out. */
static void add_timeout(struct role_edits *e, const struct order *o,
                        const struct role *like)
{
    yyjson_val *value = yyjson_obj_get(o->args, "timeout_ms");
    int64_t timeout = yyjson_is_int(value) ? yyjson_get_sint(value)
                      : value != NULL      ? -1
                      : like != NULL       ? like->timeout_ms
                                           : 0;

    if (value == NULL && timeout == 0)
        return;
    snprintf(e->timeout, sizeof(e->timeout), "%lld", (long long)timeout);
    add(e, "timeout_ms")->value = timeout < 0 ? NULL : e->timeout;
}

static void add_tools(struct role_edits *e, const struct order *o,
                      const struct role *like)
{
    yyjson_val *list = yyjson_obj_get(o->args, "tools"), *item;
    size_t count = like != NULL ? like->tool_count : 0, i, max;
    struct config_edit *edit;

    if (!yyjson_is_arr(list) && count == 0)
        return;
    edit = add(e, "tools");
    edit->like = like;
    edit->count = yyjson_is_arr(list) ? yyjson_arr_size(list) : count;
    e->tools = bytes_alloc((edit->count + 1) * sizeof(*e->tools));
    edit->items = e->tools;
    if (yyjson_is_arr(list))
        yyjson_arr_foreach(list, i, max, item) e->tools[i] =
            yyjson_get_str(item);
    else
        for (i = 0; i < count; i++)
            e->tools[i] = like->tools[i].tool->id;
}

static void add_enabled(struct role_edits *e, const struct order *o)
{
    yyjson_val *value = yyjson_obj_get(o->args, "enabled");

    if (yyjson_is_bool(value))
        add(e, "enabled")->value = yyjson_get_bool(value) ? "true" : "false";
}

static void add_unset(struct role_edits *e, const struct order *o)
{
    yyjson_val *list = yyjson_obj_get(o->args, "unset"), *item;
    size_t i, max;

    yyjson_arr_foreach(list, i, max, item) if (e->change.count < EDIT_LIMIT)
        add(e, yyjson_get_str(item))
            ->is_removed = true;
}

/* What is as it would be anyway need not be written. */
static const char *unless_usual(const struct config *c, const struct role *like,
                                const char *key)
{
    if (like == NULL)
        return NULL;
    if (strcmp(key, "name") == 0)
        return like->name;
    if (strcmp(key, "description") == 0)
        return like->description;
    if (strcmp(key, "model") == 0)
        return like->model;
    if (strcmp(key, "systemPrompt") == 0)
        return like->system_prompt;
    if (strcmp(key, "backend") == 0)
        return strcmp(like->backend, c->agent.backend) ? like->backend : NULL;
    return strcmp(like->health_prompt, role_usual_health_prompt())
               ? like->health_prompt
               : NULL;
}

static void read_all(struct role_edits *e, const struct order *o,
                     const struct config *c, const struct role *like)
{
    for (size_t i = 0; i < 4; i++)
        add_text(e, o, before_tools[i], unless_usual(c, like, before_tools[i]));
    add_timeout(e, o, like);
    add_tools(e, o, like);
    add_enabled(e, o);
    for (size_t i = 0; i < 2; i++)
        add_text(e, o, prompts[i], unless_usual(c, like, prompts[i]));
    add_unset(e, o);
}

void role_edits_read(struct role_edits *e, const struct order *o,
                     const struct config *c)
{
    const char *from = yyjson_get_str(yyjson_obj_get(o->args, "from"));
    const struct role *like = from != NULL ? role_find_any(c, from) : NULL;

    *e = (struct role_edits){0};
    e->change.kind = o->kind == ORDER_CREATE_ROLE   ? ROLE_CREATE
                     : o->kind == ORDER_DELETE_ROLE ? ROLE_DELETE
                                                    : ROLE_UPDATE;
    e->change.role = yyjson_get_str(FIELD(o->args, "roleId"));
    e->change.version = yyjson_get_str(FIELD(o->args, "version"));
    e->change.is_dry = yyjson_is_true(FIELD(o->args, "dryRun"));
    e->change.edits = e->edits;
    if (e->change.kind != ROLE_DELETE)
        read_all(e, o, c, like);
}

void role_edits_finish(struct role_edits *e)
{
    free(e->tools);
}
