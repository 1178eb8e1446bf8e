/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

static void put_suggestions(struct bytes *out, const struct roster_role *role)
{
    JSON_KEY(out, "suggestions");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < ROSTER_SUGGESTIONS && role->suggestions[i]; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(role->suggestions[i]));
    }
    JSON_RAW(out, "]");
}

static void put_validation(struct bytes *out, const struct roster_role *role,
                           bool is_brief)
{
    static const struct slice names[] = {
        [ROSTER_MODEL_PENDING] = SLICE_INIT("pending"),
        [ROSTER_MODEL_VALID] = SLICE_INIT("valid"),
        [ROSTER_MODEL_INVALID] = SLICE_INIT("invalid"),
        [ROSTER_MODEL_UNCHECKED] = SLICE_INIT("notChecked")};

    JSON_KEY(out, "modelValidation");
    JSON_RAW(out, "{");
    JSON_TEXT(out, "status", names[role->model]);
    if (role->model_message[0] != 0)
        JSON_TEXT(out, "message", slice_cstr(role->model_message));
    if (role->suggestions[0] != NULL)
        put_suggestions(out, role);
    if (role->model_checked_at != 0 && !is_brief) {
        JSON_KEY(out, "checkedAt");
        json_time(out, role->model_checked_at);
    }
    JSON_RAW(out, "}");
}

static void put_times(struct bytes *out, const struct roster_role *role)
{
    if (role->is_checking)
        JSON_BOOL(out, "isChecking", true);
    if (role->started_at != 0) {
        JSON_KEY(out, "startedAt");
        json_time(out, role->started_at);
    }
    if (role->check == ROSTER_PASSED)
        JSON_UINT(out, "responseTime_ms", role->response_ms);
    if (role->checked_at != 0) {
        JSON_KEY(out, "checkedAt");
        json_time(out, role->checked_at);
    }
}

static void put_check(struct bytes *out, const struct roster_role *role,
                      bool is_brief)
{
    static const struct slice names[] = {
        SLICE_INIT("pending"), SLICE_INIT("passed"), SLICE_INIT("failed"),
        SLICE_INIT("skipped")};

    JSON_KEY(out, "healthCheck");
    JSON_RAW(out, "{");
    JSON_TEXT(out, "status", names[role->check]);
    if (role->reason[0] != 0)
        JSON_TEXT(out, "reason", slice_cstr(role->reason));
    if (role->warning[0] != 0)
        JSON_TEXT(out, "warning", slice_cstr(role->warning));
    if (!is_brief)
        put_times(out, role);
    JSON_RAW(out, "}");
}

void view_put_tools(struct bytes *out, const struct role *def)
{
    JSON_KEY(out, "tools");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < def->tool_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(def->tools[i].tool->id));
    }
    JSON_RAW(out, "]");
}

/* is_brief: for who chooses a role by it, and not for who looks after them:
 * when it was checked, and for how long, is not said. */
static void put_role(struct bytes *out, const struct roster_role *role,
                     enum config_language language, size_t max, bool is_brief)
{
    const struct role *def = role->role;
    struct slice about = slice_cstr(role_text(def->description, language));

    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", slice_cstr(def->id));
    JSON_TEXT(out, "name", slice_cstr(role_text(def->name, language)));
    JSON_TEXT(out, "description",
              slice_of(about.ptr, utf8_cut(about.ptr, about.len, max)));
    JSON_TEXT(out, "model", slice_cstr(def->model));
    JSON_BOOL(out, "available", roster_is_available(role));
    put_check(out, role, is_brief);
    put_validation(out, role, is_brief);
    view_put_tools(out, def);
    JSON_TEXT(out, "backend", slice_cstr(def->backend));
    JSON_RAW(out, "}");
}

void view_put_role(struct bytes *out, const struct roster_role *role,
                   enum config_language language)
{
    put_role(out, role, language, SIZE_MAX, false);
}

static void put_roles(struct bytes *out, const struct registry *r,
                      enum config_language language, size_t max, bool is_brief)
{
    JSON_KEY(out, "roles");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < r->roster->role_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        put_role(out, &r->roster->roles[i], language, max, is_brief);
    }
    JSON_RAW(out, "]");
}

void view_put_roles(struct bytes *out, const struct registry *r,
                    enum config_language language)
{
    put_roles(out, r, language, SIZE_MAX, false);
}

void view_answer_roles(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);

    JSON_RAW(&a->json, "{");
    put_roles(&a->json, r, caller_language(o->caller, registry_config(r)),
              VIEW_DESCRIPTION, o->is_for_model);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}

/* ---- what health has found --------------------------------------------- */

void view_put_models(struct bytes *out, const struct roster *roster)
{
    JSON_KEY(out, "availableModels");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < roster->model_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(roster->models[i]));
    }
    JSON_RAW(out, "]");
}

void view_put_checks(struct bytes *out, const struct roster_role *role)
{
    put_validation(out, role, false);
    put_check(out, role, false);
    JSON_BOOL(out, "available", roster_is_available(role));
}

void view_put_finding(struct bytes *out, const struct roster_role *role)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "roleId", slice_cstr(role->role->id));
    JSON_TEXT(out, "model", slice_cstr(role->role->model));
    view_put_checks(out, role);
    JSON_RAW(out, "}");
}

void view_put_findings(struct bytes *out, const struct roster *roster)
{
    JSON_KEY(out, "results");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < roster->role_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        view_put_finding(out, &roster->roles[i]);
    }
    JSON_RAW(out, "]");
}
