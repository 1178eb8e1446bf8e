/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt.h"
#include "actors/registry/inside.h"
#include "actors/registry/permission.h"
#include "actors/registry/views.h"
#include "config/inventory.h"
#include "runtime/text/json.h"

/* ---- one role ------------------------------------------------------------ */

void view_put_file(struct bytes *out, const struct registry *r)
{
    const struct config *c = registry_config(r);
    char version[CONFIG_VERSION];

    config_version(c, version);
    JSON_TEXT(out, "file", slice_cstr(c->file));
    JSON_BOOL(out, "hasFile", c->has_file);
    JSON_TEXT(out, "version", slice_cstr(version));
}

/* One that is disabled is not checked. */
static void put_unchecked(struct bytes *out)
{
    JSON_KEY(out, "modelValidation");
    JSON_RAW(out, "{\"status\":\"notChecked\"}");
    JSON_KEY(out, "healthCheck");
    JSON_RAW(out, "{\"status\":\"skipped\"}");
    JSON_BOOL(out, "available", false);
}

/* What holds for an agent that is given none; null: there is none. */
static void put_timeout(struct bytes *out, const struct config *c,
                        const struct role *def)
{
    int64_t own = def->timeout_ms;
    int64_t held = own != 0 ? own : c->agent.default_timeout_ms;

    JSON_KEY(out, "timeoutInForce_ms");
    if (held > 0)
        json_uint(out, (uint64_t)held);
    else
        JSON_RAW(out, "null");
    JSON_BOOL(out, "isDefaultTimeout", own == 0);
}

void view_put_whole_role(struct bytes *out, const struct registry *r,
                         struct slice id)
{
    const struct config *c = registry_config(r);
    const struct roster_role *row = roster_find(r->roster, id);
    char text[ORDER_ID];

    slice_keep(text, sizeof(text), id);
    const struct role *def = role_find_any(c, text);
    view_put_definition(out, def);
    put_timeout(out, c, def);
    if (row != NULL)
        view_put_checks(out, row);
    else
        put_unchecked(out);
    inventory_put_sources(out, def);
    prompt_put_preview(out, def, c->language);
    JSON_RAW(out, "}");
}

void view_answer_role(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "roleId");
    struct answer *a;
    char text[ORDER_ID];

    slice_keep(text, sizeof(text), id);
    if (role_find_any(registry_config(r), text) == NULL) {
        permission_refuse_unknown_role(t, o, id);
        return;
    }
    a = answer_create(o->ticket);
    JSON_RAW(&a->json, "{");
    view_put_file(&a->json, r);
    JSON_KEY(&a->json, "role");
    view_put_whole_role(&a->json, r, id);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}

/* ---- models -------------------------------------------------------------- */

static void put_offer(struct bytes *out, const struct roster_backend *b)
{
    JSON_KEY(out, "models");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < b->model_count; i++) {
        json_raw(out, i > 0 ? SLICE(",{") : SLICE("{"));
        JSON_TEXT(out, "id", slice_cstr(b->models[i]));
        JSON_TEXT(out, "label", slice_cstr(b->labels[i]));
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

static void put_backend(struct bytes *out, const struct roster_backend *b)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "backend", slice_cstr(b->backend->name));
    JSON_BOOL(out, "isUsed", b->is_used);
    JSON_BOOL(out, "hasList", b->has_list);
    JSON_KEY(out, "program");
    if (b->program[0] != 0)
        json_string(out, slice_cstr(b->program));
    else
        JSON_RAW(out, "null");
    JSON_KEY(out, "reason");
    if (b->reason[0] != 0)
        json_string(out, slice_cstr(b->reason));
    else
        JSON_RAW(out, "null");
    JSON_KEY(out, "checkedAt");
    if (b->checked_at != 0)
        json_time(out, b->checked_at);
    else
        JSON_RAW(out, "null");
    JSON_UINT(out, "count", b->model_count);
    put_offer(out, b);
    JSON_RAW(out, "}");
}

void view_answer_models(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);
    size_t count = 0;

    JSON_RAW(&a->json, "{\"backends\":[");
    for (size_t i = 0; i < r->roster->backend_count; i++) {
        if (i > 0)
            JSON_RAW(&a->json, ",");
        put_backend(&a->json, &r->roster->backends[i]);
        count += r->roster->backends[i].model_count;
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "count", count);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}

/* ---- settings ------------------------------------------------------------ */

static void put_tool_list(struct bytes *out, const struct config *c)
{
    JSON_KEY(out, "tools");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < c->tool_count; i++) {
        const struct role_tool *tool = &c->tools[i];

        json_raw(out, i > 0 ? SLICE(",{") : SLICE("{"));
        JSON_TEXT(out, "id", slice_cstr(tool->id));
        JSON_TEXT(out, "name", slice_cstr(tool->name));
        JSON_TEXT(out, "description", slice_cstr(tool->description));
        JSON_BOOL(out, "isBuiltin", tool->is_builtin);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

static void put_warnings(struct bytes *out, const struct config *c)
{
    JSON_KEY(out, "warnings");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < c->warning_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(c->warnings[i]));
    }
    JSON_RAW(out, "]");
}

void view_answer_config(struct rt_turn *t, struct registry *r, struct order *o)
{
    const struct config *c = registry_config(r);
    struct answer *a = answer_create(o->ticket);

    JSON_RAW(&a->json, "{");
    view_put_file(&a->json, r);
    JSON_KEY(&a->json, "userFile");
    if (c->user_file != NULL)
        json_string(&a->json, slice_cstr(c->user_file));
    else
        JSON_RAW(&a->json, "null");
    JSON_BOOL(&a->json, "isTrusted", c->is_trusted);
    view_put_withheld(&a->json, c);
    view_put_trouble(&a->json, r);
    put_warnings(&a->json, c);
    inventory_put_keys(&a->json, c);
    put_tool_list(&a->json, c);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}
