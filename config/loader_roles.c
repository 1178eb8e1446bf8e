/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config/builtin.h"
#include "config/loader.h"

#define ROLES 256
#define TOOLS 256
#define USES 64 /* tools of one role */
#define VALUE_LIMIT 4096

static const struct key value_key = {
    .type = KEY_TEXT, .max = VALUE_LIMIT, .offset = 0};

/* The item's id, which must be there and not in an item before it. */
static int get_id(struct loader *r, const struct node *list, size_t i,
                  const char *path, const char **id)
{
    const struct child *item = &list->children[i];
    const struct key *k = keys_find(&keys_role, NULL, "id");
    struct role found = {0};

    if (item->node->kind != NODE_MAPPING)
        return value_refuse(r, path, item, MESSAGE_OF(VALUE_EXPECTED_MAPPING));
    const struct child *c = tree_get(item->node, "id");
    if (!c)
        return ERROR_AT(r->error, r->layer->file, item->start,
                        CONFIG_KEY_MISSING, path, "id");
    const char *name = arena_printf(r->arena, "%s.id", path);
    int rc = value_read(r, k, name, c, &found);
    for (size_t j = 0; !rc && j < i; j++) {
        const struct child *other = tree_get(list->children[j].node, "id");
        if (strcmp(other->node->text, found.id) == 0)
            rc =
                ERROR_AT(r->error, r->layer->file, c->start, CONFIG_ID_TWICE_AT,
                         name, found.id, other->start.line + 1);
    }
    *id = found.id;
    return rc;
}

static int read_parameters(struct loader *r, const char *path,
                           const struct child *c, struct role_parameters *out)
{
    if (!c || tree_is_null(c->node))
        return 0;
    if (c->node->kind != NODE_MAPPING)
        return value_refuse(r, path, c, MESSAGE_OF(VALUE_EXPECTED_MAPPING));
    struct role_parameter *list =
        arena_alloc(r->arena, c->node->count * sizeof(*list));
    for (size_t i = 0; i < c->node->count; i++) {
        const struct child *p = &c->node->children[i];
        if (strcmp(p->key->text, "<<") == 0)
            continue;
        const char *name =
            arena_printf(r->arena, "%s.%.64s", path, p->key->text);
        if (!role_id_is_valid(p->key->text))
            return ERROR_AT(r->error, r->layer->file, p->key->start,
                            CONFIG_BAD_NAME, name);
        int rc = value_read(r, &value_key, name, p, &list[out->count].value);
        if (rc)
            return rc;
        list[out->count++].name =
            arena_copy(r->arena, p->key->text, strlen(p->key->text));
    }
    out->items = list;
    return 0;
}

static int require(struct loader *r, const char *path, struct mark at,
                   const char *key, const char *value)
{
    if (value)
        return 0;
    return ERROR_AT(r->error, r->layer->file, at, CONFIG_KEY_MISSING, path,
                    key);
}

static int read_tool(struct loader *r, const struct child *item,
                     const char *path, struct role_tool *t)
{
    static const char *const besides[] = {"parameters", NULL};
    struct role_parameters own = {0};

    int rc = loader_mapping(r, &keys_tool, NULL, path, item, besides, t);
    if (rc)
        return rc;
    const char *name = arena_printf(r->arena, "%s.parameters", path);
    rc = read_parameters(r, name, tree_get(item->node, "parameters"), &own);
    if (own.count)
        t->parameters = own;
    if (!t->name)
        t->name = t->id;
    return rc ? rc
              : require(r, path, item->start, "promptInstructions",
                        t->instructions);
}

static int read_tools(struct loader *r, const struct node *list,
                      struct role_tool *tools)
{
    struct config *c = r->config;
    int rc = 0;

    for (size_t i = 0; !rc && list && i < list->count; i++) {
        const char *id;
        const char *path = arena_printf(r->arena, "tools[%zu]", i);
        rc = get_id(r, list, i, path, &id);
        if (rc)
            break;
        const struct role_tool *known = role_tool_find(c, id);
        struct role_tool *t =
            known ? &tools[known - tools] : &tools[c->tool_count++];
        if (!known) {
            keys_defaults(&keys_tool, t);
            t->id = id;
        }
        rc = read_tool(r, &list->children[i], path, t);
    }
    return rc;
}

static void put_tools(const struct loader *r, const char *what, char *out,
                      size_t size)
{
    size_t n = (size_t)snprintf(out, size, "%s", what);

    for (size_t i = 0; i < r->config->tool_count && n < 160; i++)
        n += (size_t)snprintf(out + n, size - n, "%s %.64s", i ? "," : "",
                              r->config->tools[i].id);
}

static int refuse_tool(struct loader *r, const char *path,
                       const struct child *c)
{
    char ja[256], en[256];

    put_tools(r, JA_VALUE_EXPECTED_TOOL, ja, sizeof(ja));
    put_tools(r, EN_VALUE_EXPECTED_TOOL, en, sizeof(en));
    return value_refuse(r, path, c, (struct message){ja, en});
}

static int check_parameters(struct loader *r, const char *path,
                            const struct child *c, const struct role_use *use)
{
    const struct role_use plain = {.tool = use->tool};

    for (size_t i = 0; i < use->parameters.count; i++) {
        const char *name = use->parameters.items[i].name;
        if (!role_use_parameter(&plain, name, strlen(name)))
            return ERROR_AT(r->error, r->layer->file, c->start,
                            CONFIG_NO_SUCH_PARAMETER, path, name,
                            use->tool->id);
    }
    return 0;
}

/* An id, or a mapping of id and parameters. */
static int read_use(struct loader *r, const struct child *item,
                    const char *path, struct role_use *use)
{
    bool is_mapping = item->node->kind == NODE_MAPPING;
    const struct child *id = is_mapping ? tree_get(item->node, "id") : item;

    if (!id)
        return ERROR_AT(r->error, r->layer->file, item->start,
                        CONFIG_KEY_MISSING, path, "id");
    if (id->node->kind == NODE_SCALAR)
        use->tool = role_tool_find(r->config, id->node->text);
    if (!use->tool)
        return refuse_tool(r, path, id);
    if (!is_mapping)
        return 0;
    static const struct keys none = {0};
    static const char *const known[] = {"id", "parameters", NULL};
    int rc = loader_mapping(r, &none, NULL, path, item, known, NULL);
    if (rc)
        return rc;
    const struct child *given = tree_get(item->node, "parameters");
    const char *name = arena_printf(r->arena, "%s.parameters", path);
    rc = read_parameters(r, name, given, &use->parameters);
    return rc ? rc : check_parameters(r, name, given, use);
}

static int read_uses(struct loader *r, const struct node *mapping,
                     const char *path, struct role *role)
{
    const struct node *list;
    const char *name;

    if (!tree_get(mapping, "tools"))
        return 0;
    name = arena_printf(r->arena, "%s.tools", path);
    int rc = loader_list(r, mapping, "tools", name, USES, &list);
    size_t count = list ? list->count : 0;
    struct role_use *uses = arena_alloc(r->arena, count * sizeof(*uses));
    for (size_t i = 0; !rc && i < count; i++) {
        name = arena_printf(r->arena, "%s.tools[%zu]", path, i);
        rc = read_use(r, &list->children[i], name, &uses[i]);
        for (size_t j = 0; !rc && j < i; j++)
            if (uses[j].tool == uses[i].tool)
                rc = ERROR_AT(r->error, r->layer->file, list->children[i].start,
                              CONFIG_ID_TWICE, name, uses[i].tool->id);
    }
    role->tools = uses;
    role->tool_count = count;
    role->origins[ROLE_KEYS] =
        r->layer->is_projects ? CONFIG_PROJECTS : CONFIG_USERS;
    return rc;
}

/* It becomes a word of a command line, and must not be taken for an option. */
static int check_model(struct loader *r, const struct child *item,
                       const char *path, const struct role *role)
{
    const struct child *c = tree_get(item->node, "model");

    if (!c || *role->model != '-')
        return 0;
    path = arena_printf(r->arena, "%s.model", path);
    return value_refuse(r, path, c, MESSAGE_OF(VALUE_EXPECTED_MODEL));
}

static int read_role(struct loader *r, const struct child *item,
                     const char *path, struct role *role)
{
    static const char *const besides[] = {"tools", NULL};

    int rc = loader_mapping(r, &keys_role, NULL, path, item, besides, role);
    if (!rc)
        rc = read_uses(r, item->node, path, role);
    if (!rc)
        rc = require(r, path, item->start, "model", role->model);
    if (!rc)
        rc = check_model(r, item, path, role);
    if (!rc)
        rc = require(r, path, item->start, "systemPrompt", role->system_prompt);
    if (!role->name)
        role->name = role->id;
    if (!role->description)
        role->description = role->name;
    return rc;
}

static int read_roles(struct loader *r, const struct node *list,
                      struct role *roles)
{
    struct config *c = r->config;
    int rc = 0;

    for (size_t i = 0; !rc && list && i < list->count; i++) {
        const char *id;
        const char *path = arena_printf(r->arena, "roles[%zu]", i);
        rc = get_id(r, list, i, path, &id);
        if (rc)
            break;
        const struct role *known = role_find(c, id);
        struct role *role =
            known ? &roles[known - roles] : &roles[c->role_count++];
        if (!known) {
            keys_defaults(&keys_role, role);
            role->id = id;
        }
        rc = read_role(r, &list->children[i], path, role);
    }
    return rc;
}

/* Of the built-in roles, for a back-end whose models have other names; a model
 * that a file gives is its own text, whatever it says. */
static const char *fitting_model(const struct config *c,
                                 const struct role *role)
{
    const struct role *builtin =
        c->language == CONFIG_EN ? builtin_roles_en : builtin_roles_ja;

    for (size_t i = 0; i < BUILTIN_ROLES; i++)
        if (role->model == builtin[i].model &&
            strcmp(role->id, builtin[i].id) == 0)
            return builtin_model(role->backend, role->model);
    return role->model;
}

/* Says what CLI and model each is, and puts those that are disabled behind the
 * others. */
static void settle(struct loader *r, struct role *roles)
{
    struct config *c = r->config;
    size_t kept = 0, disabled = 0;
    struct role *away =
        arena_alloc(r->arena, (c->role_count + 1) * sizeof(*away));

    for (size_t i = 0; i < c->role_count; i++) {
        if (!roles[i].backend)
            roles[i].backend = c->agent.backend;
        roles[i].model = fitting_model(c, &roles[i]);
        if (roles[i].is_enabled)
            roles[kept++] = roles[i];
        else
            away[disabled++] = roles[i];
    }
    memcpy(roles + kept, away, disabled * sizeof(*away));
    c->role_count = kept;
    c->disabled_count = disabled;
}

/* How many items all layers give in the list of that name. */
static int count_all(struct loader *r, const char *name, size_t limit,
                     size_t *count)
{
    int rc = 0;

    *count = 0;
    for (size_t i = 0; !rc && i < r->layer_count; i++) {
        const struct node *list;
        r->layer = &r->layers[i];
        rc = loader_list(r, r->layer->root, name, name, limit, &list);
        *count += list ? list->count : 0;
    }
    return rc;
}

static const struct node *list_of(const struct layer *layer, const char *name)
{
    const struct child *c = layer->root ? tree_get(layer->root, name) : NULL;

    return c && !tree_is_null(c->node) ? c->node : NULL;
}

static int read_all_tools(struct loader *r)
{
    const struct role_tool *builtin =
        r->config->language == CONFIG_EN ? builtin_tools_en : builtin_tools_ja;
    size_t given;
    int rc = count_all(r, "tools", TOOLS, &given);
    struct role_tool *tools =
        arena_alloc(r->arena, (BUILTIN_TOOLS + given) * sizeof(*tools));

    memcpy(tools, builtin, BUILTIN_TOOLS * sizeof(*tools));
    r->config->tools = tools;
    r->config->tool_count = BUILTIN_TOOLS;
    for (size_t i = 0; !rc && i < r->layer_count; i++) {
        r->layer = &r->layers[i];
        rc = read_tools(r, list_of(r->layer, "tools"), tools);
    }
    return rc;
}

int loader_roles(struct loader *r)
{
    const struct role *builtin =
        r->config->language == CONFIG_EN ? builtin_roles_en : builtin_roles_ja;
    size_t given = 0;
    int rc = read_all_tools(r);

    if (!rc)
        rc = count_all(r, "roles", ROLES, &given);
    if (rc)
        return rc;
    struct role *roles =
        arena_alloc(r->arena, (BUILTIN_ROLES + given) * sizeof(*roles));
    memcpy(roles, builtin, BUILTIN_ROLES * sizeof(*roles));
    r->config->roles = roles;
    r->config->role_count = BUILTIN_ROLES;
    for (size_t i = 0; !rc && i < r->layer_count; i++) {
        r->layer = &r->layers[i];
        rc = read_roles(r, list_of(r->layer, "roles"), roles);
    }
    settle(r, roles);
    return rc;
}
