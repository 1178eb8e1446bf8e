/* SPDX-License-Identifier: MIT */
#include "actors/registry/config_orders.h"

#include <stdlib.h>
#include <string.h>

#include "actors/health/config_writer.h"
#include "actors/order/args_read.h"
#include "actors/registry/events.h"
#include "actors/registry/inside.h"
#include "actors/registry/permission.h"
#include "actors/registry/views.h"
#include "runtime/text/json.h"

struct edit {
    struct edit *next;
    struct config_writer_change *change; /* kept */
};

/* ---- judging ----------------------------------------------------------- */

/* An agent could else give itself, or all that follow, another prompt. */
static bool refuse_agent(struct rt_turn *t, struct order *o)
{
    if (o->caller->agent_id[0] == 0)
        return false;
    ORDER_REFUSE(t, o, CODE_NOT_PERMITTED, CONFIG_NOT_FOR_AGENTS,
                 order_name(o->kind).ptr);
    return true;
}

static bool refuse_role(struct rt_turn *t, const struct registry *r,
                        struct order *o, struct slice id)
{
    char text[ORDER_ID];

    slice_keep(text, sizeof(text), id);
    if (role_find_any(registry_config(r), text) != NULL)
        return false;
    permission_refuse_unknown_role(t, o, id);
    return true;
}

static void hand_on(struct rt_turn *t, struct registry *r, struct order *o,
                    uint16_t kind)
{
    if (r->edits.writer.id != 0)
        rt_pass(t, r->edits.writer, kind, &o->obj);
    else
        ORDER_REFUSE(t, o, CODE_HUB_UNAVAILABLE, CONFIG_NOT_CHANGEABLE,
                     order_name(o->kind).ptr);
}

static bool has(const struct order *o, const char *name)
{
    yyjson_val *val = yyjson_obj_get(o->args, name);

    return val != NULL && !yyjson_is_null(val);
}

/* Of timeout_ms null is a value. */
static bool is_edit(const struct order *o)
{
    static const char *const names[] = {
        "model", "name",  "description", "systemPrompt", "healthCheckPrompt",
        "tools", "unset", "backend",     "enabled"};
    bool is = yyjson_obj_get(o->args, "timeout_ms") != NULL;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        is |= has(o, names[i]);
    return is;
}

static void require(struct rt_turn *t, struct order *o, const char *what)
{
    ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, FIELD_REQUIRED, what);
}

static bool refuse_id(struct rt_turn *t, const struct registry *r,
                      struct order *o)
{
    const char *id = yyjson_get_str(FIELD(o->args, "roleId"));
    const struct role *role = role_find_any(registry_config(r), id);

    if (o->kind == ORDER_CREATE_ROLE && !role_id_is_valid(id))
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, ROLE_ID_IS_WRONG, id);
    else if (o->kind == ORDER_CREATE_ROLE && role != NULL)
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, ROLE_IS_THERE, id);
    else if (o->kind == ORDER_DELETE_ROLE && role->is_builtin)
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, ROLE_IS_BUILT_IN, id);
    else
        return false;
    return true;
}

static void change_role(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "roleId");
    struct slice from = FIELD_TEXT(o->args, "from");
    bool is_create = o->kind == ORDER_CREATE_ROLE;

    if (o->kind == ORDER_UPDATE_ROLE && !is_edit(o))
        require(t, o,
                "'model', 'name', 'description', 'systemPrompt', "
                "'healthCheckPrompt', 'backend', 'timeout_ms', 'tools', "
                "'enabled' / 'unset'");
    else if (is_create && from.len == 0 && !has(o, "model"))
        require(t, o, "'model'");
    else if (is_create && from.len == 0 && !has(o, "systemPrompt"))
        require(t, o, "'systemPrompt'");
    else if ((is_create || !refuse_role(t, r, o, id)) && !refuse_id(t, r, o) &&
             (from.len == 0 || !refuse_role(t, r, o, from)))
        hand_on(t, r, o, CONFIG_WRITER_CHANGE);
}

static void revalidate(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = {0};
    const struct arg args[] = {{"roleId", ARG_TEXT, &id}, {0}};

    args_read(o, args);
    if (id.len > 0 && refuse_role(t, r, o, id))
        return;
    hand_on(t, r, o, CONFIG_WRITER_REVALIDATE);
}

void edit_order(struct rt_turn *t, struct registry *r, struct order *o)
{
    if (refuse_agent(t, o))
        return;
    if (o->kind == ORDER_REVALIDATE)
        revalidate(t, r, o);
    else
        change_role(t, r, o);
}

/* ---- changes ----------------------------------------------------------- */

void edit_on_ready(struct registry *r, struct rt_ref writer)
{
    r->edits.writer = writer;
}

void edit_on_changed(struct registry *r, struct config_writer_change *change)
{
    struct edit *e = bytes_zalloc(sizeof(*e)), **end = &r->edits.first;

    while (*end != NULL)
        end = &(*end)->next;
    e->change = RT_KEEP(change);
    *end = e;
}

static void drop_first(struct registry *r)
{
    struct edit *e = r->edits.first;

    r->edits.first = e->next;
    rt_obj_drop(&e->change->obj);
    free(e);
}

void edit_on_trouble(struct rt_turn *t, struct registry *r,
                     struct config_writer_trouble *trouble)
{
    struct bytes data = {0};

    if (r->edits.trouble != NULL)
        rt_obj_drop(&r->edits.trouble->obj);
    r->edits.trouble = trouble->text[0] != 0 ? RT_KEEP(trouble) : NULL;
    JSON_RAW(&data, "{");
    view_put_trouble(&data, r);
    JSON_RAW(&data, "}");
    events_tell(t, r, "config:trouble", NULL, NULL, &data);
    r->checkpoints.is_due = true;
}

static void tell(struct rt_turn *t, struct registry *r)
{
    struct bytes data = {0};

    view_put_config(&data, r);
    events_tell(t, r, "config:updated", NULL, NULL, &data);
    r->checkpoints.is_due = true;
    notes_config(t, r);
}

static void set_places(struct rt_turn *t, const struct registry *r)
{
    struct slots_limits limits = registry_limits(r);

    if (memcmp(&limits, &r->places.limits, sizeof(limits)) != 0)
        rt_tell(t, r->slots, SLOTS_LIMITS, &limits, sizeof(limits));
}

static struct slice deed(enum order_kind kind)
{
    return kind == ORDER_CREATE_ROLE   ? SLICE("created")
           : kind == ORDER_DELETE_ROLE ? SLICE("deleted")
                                       : SLICE("updated");
}

static void answer(struct rt_turn *t, struct registry *r,
                   const struct config_writer_change *change)
{
    struct order *o = change->order;
    struct slice id = FIELD_TEXT(o->args, "roleId");
    struct answer *a = answer_create(o->ticket);

    JSON_RAW(&a->json, "{");
    json_key(&a->json, deed(o->kind));
    JSON_RAW(&a->json, "true");
    JSON_TEXT(&a->json, "roleId", id);
    view_put_file(&a->json, r);
    JSON_TEXT(&a->json, "diff", slice_cstr(change->diff));
    if (o->kind != ORDER_DELETE_ROLE) {
        JSON_KEY(&a->json, "role");
        view_put_whole_role(&a->json, r, id);
    }
    JSON_RAW(&a->json, "}");
    durable_answer(t, r, o, a);
}

/* Health tells a roster for each settings, in their order. */
void edit_complete(struct rt_turn *t, struct registry *r)
{
    while (r->edits.first != NULL &&
           r->edits.first->change->settings == r->roster->settings) {
        set_places(t, r);
        tell(t, r);
        if (r->edits.first->change->order != NULL)
            answer(t, r, r->edits.first->change);
        drop_first(r);
    }
}

void edit_drop(struct registry *r)
{
    while (r->edits.first != NULL)
        drop_first(r);
    if (r->edits.trouble != NULL)
        rt_obj_drop(&r->edits.trouble->obj);
    rt_obj_drop(&r->edits.begun->obj);
}
