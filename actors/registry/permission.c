/* SPDX-License-Identifier: MIT */
#include "actors/registry/permission.h"

#include <inttypes.h>

#include "actors/registry/inside.h"

/* Bytes of the names of roles in a message. */
#define NAMES 1000

struct agent_entry *permission_caller(struct registry *r, struct order *o)
{
    return o->caller->agent_id[0] != 0
               ? agent_entry_find(r, slice_cstr(o->caller->agent_id))
               : NULL;
}

bool permission_has(struct registry *r, struct order *o,
                    const struct group_entry *group)
{
    struct agent_entry *caller = permission_caller(r, o);

    return o->caller->agent_id[0] == 0 ||
           (caller != NULL && group_entry_is_below(group, caller->group));
}

static bool is_orchestrator(const struct agent_entry *agent)
{
    return agent != NULL && agent->group->orchestrator == agent;
}

/* The nearest magentic group above, itself included; or NULL. */
static struct group_entry *family_of(struct group_entry *group)
{
    while (group != NULL && group->mode != GROUP_MAGENTIC)
        group = group->parent;
    return group;
}

bool permission_refuse_stranger(struct rt_turn *t, struct order *o,
                                const char *id)
{
    ORDER_REFUSE(t, o, CODE_NOT_PERMITTED, PERMISSION_BELOW_OWN_GROUP, id);
    return false;
}

/* Only orchestrators have agents of their own, unless the configuration lets
 * all. */
static bool may_have_agents(struct registry *r, struct order *o)
{
    return o->caller->agent_id[0] == 0 ||
           is_orchestrator(permission_caller(r, o)) ||
           registry_config(r)->agent.is_nesting_allowed;
}

bool permission_may_manage(struct rt_turn *t, struct registry *r,
                           struct order *o, const struct group_entry *group,
                           const char *id)
{
    if (!may_have_agents(r, o)) {
        ORDER_REFUSE(t, o, CODE_NOT_PERMITTED, PERMISSION_TOOL_DENIED,
                     o->caller->agent_id, order_name(o->kind).ptr);
        return false;
    }
    return permission_has(r, o, group) || permission_refuse_stranger(t, o, id);
}

bool permission_may_nest(struct rt_turn *t, struct registry *r, struct order *o,
                         const struct group_entry *group)
{
    if (!may_have_agents(r, o)) {
        ORDER_REFUSE(t, o, CODE_NESTING_NOT_ALLOWED, PERMISSION_NO_DELEGATION,
                     o->caller->agent_id);
        return false;
    }
    return group == NULL || permission_has(r, o, group) ||
           permission_refuse_stranger(t, o, group->id);
}

static bool is_allowed(const struct group_entry *family, const char *role)
{
    for (size_t i = 0; i < family->order->allowed_count; i++)
        if (strcmp(family->order->allowed[i]->id, role) == 0)
            return true;
    return false;
}

/* "a, b, c": ids of roles, as many as a message has space for. */
static void put_role(struct bytes *out, const char *id)
{
    if (out->len + strlen(id) > NAMES)
        return;
    bytes_append(out, ", ", out->len > 0 ? 2 : 0);
    bytes_append(out, id, strlen(id));
}

static bool refuse_role(struct rt_turn *t, struct order *o, const char *role,
                        const struct group_entry *family)
{
    struct bytes names = {0};

    for (size_t i = 0; i < family->order->allowed_count; i++)
        put_role(&names, family->order->allowed[i]->id);
    ORDER_REFUSE(t, o, CODE_ROLE_NOT_ALLOWED, ROLE_NOT_IN_AVAILABLE_ROLES, role,
                 family->id, (int)names.len, names.ptr);
    bytes_finish(&names);
    return false;
}

bool permission_refuse_unknown_role(struct rt_turn *t, struct order *o,
                                    struct slice role)
{
    const struct config *config = o->roster->settings->config;
    struct bytes names = {0};

    for (size_t i = 0; i < config->role_count; i++)
        put_role(&names, config->roles[i].id);
    role = order_brief(role);
    ORDER_REFUSE(t, o, CODE_ROLE_NOT_FOUND, ROLE_NOT_FOUND, (int)role.len,
                 role.ptr, (int)names.len, names.ptr);
    bytes_finish(&names);
    return false;
}

/* Limits of every magentic group above. */
bool permission_may_run(struct rt_turn *t, struct order *o,
                        struct group_entry *group)
{
    for (struct group_entry *f = family_of(group); f != NULL;
         f = family_of(f->parent)) {
        if (f->ledger != NULL && f->ledger->is_exhausted) {
            ORDER_REFUSE(t, o, CODE_MAX_ITERATIONS_REACHED,
                         GROUP_ITERATIONS_USED_UP, f->id, f->ledger->iteration);
            return false;
        }
        for (unsigned i = 0; o->kind != ORDER_RUN_MAGENTIC && i < o->count;
             i++) {
            const struct roster_role *role = o->tasks[i].role;

            if (role != NULL && !is_allowed(f, role->role->id))
                return refuse_role(t, o, role->role->id, f);
        }
    }
    return true;
}

/* Which roles it may use: those named, else all but the orchestrator's, of
 * what its own family may. */
bool permission_allow(struct rt_turn *t, struct order *o,
                      struct group_entry *parent)
{
    const struct config *config = o->roster->settings->config;
    yyjson_val *list = FIELD(o->args, "availableRoles"), *item;
    struct group_entry *family = family_of(parent);
    size_t i, max;

    o->allowed = bytes_alloc((config->role_count + yyjson_arr_size(list) + 1) *
                             sizeof(*o->allowed));
    for (i = 0; list == NULL && i < config->role_count; i++)
        if (strcmp(config->roles[i].id, ROLE_ORCHESTRATOR) != 0 &&
            (family == NULL || is_allowed(family, config->roles[i].id)))
            o->allowed[o->allowed_count++] = &config->roles[i];
    yyjson_arr_foreach(list, i, max, item)
    {
        const struct role *role = role_find(config, yyjson_get_str(item));

        if (role == NULL && t == NULL)
            continue;
        if (role == NULL)
            return permission_refuse_unknown_role(t, o, field_text(item));
        if (t != NULL && family != NULL && !is_allowed(family, role->id))
            return refuse_role(t, o, role->id, family);
        o->allowed[o->allowed_count++] = role;
    }
    return true;
}
