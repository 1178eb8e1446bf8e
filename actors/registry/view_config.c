/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/health/config_writer.h"
#include "actors/registry/inside.h"
#include "runtime/text/json.h"

void view_put_definition(struct bytes *out, const struct role *def)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", slice_cstr(def->id));
    JSON_TEXT(out, "name", slice_cstr(def->name));
    JSON_TEXT(out, "description", slice_cstr(def->description));
    JSON_TEXT(out, "model", slice_cstr(def->model));
    JSON_TEXT(out, "systemPrompt", slice_cstr(def->system_prompt));
    JSON_TEXT(out, "healthCheckPrompt", slice_cstr(def->health_prompt));
    view_put_tools(out, def);
    JSON_TEXT(out, "backend", slice_cstr(def->backend));
    JSON_KEY(out, "timeout_ms");
    if (def->timeout_ms > 0)
        json_uint(out, (uint64_t)def->timeout_ms);
    else
        JSON_RAW(out, "null");
    JSON_BOOL(out, "enabled", def->is_enabled);
    JSON_BOOL(out, "isBuiltin", def->is_builtin);
}

/* What the project's file says in vain until it is trusted. */
void view_put_withheld(struct bytes *out, const struct config *c)
{
    size_t count = c->is_trusted ? 0 : c->claim_count;

    JSON_KEY(out, "withheld");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(c->claims[i].key));
    }
    JSON_RAW(out, "]");
}

static void put_at_restart(struct bytes *out, const struct registry *r)
{
    char name[CONFIG_KEY_BYTES];
    const char *comma = "";
    size_t i = 0;

    JSON_KEY(out, "atRestart");
    JSON_RAW(out, "[");
    while (config_next_at_restart(r->edits.begun->config, registry_config(r),
                                  &i, name)) {
        bytes_format(out, "%s\"%s\"", comma, name);
        comma = ",";
    }
    JSON_RAW(out, "]");
}

void view_put_trouble(struct bytes *out, const struct registry *r)
{
    const struct config_writer_trouble *trouble = r->edits.trouble;

    JSON_KEY(out, "configError");
    if (trouble == NULL) {
        JSON_RAW(out, "null");
    } else {
        JSON_RAW(out, "{");
        JSON_UINT(out, "line", trouble->line);
        JSON_UINT(out, "column", trouble->column);
        JSON_TEXT(out, "message", slice_cstr(trouble->text));
        JSON_RAW(out, "}");
    }
    put_at_restart(out, r);
}

/* All of it but the token. */
void view_put_config(struct bytes *out, const struct registry *r)
{
    static const struct slice levels[] = {
        SLICE_INIT("debug"), SLICE_INIT("info"), SLICE_INIT("warn"),
        SLICE_INIT("error")};
    const struct config *c = registry_config(r);

    JSON_RAW(out, "{\"dashboard\":{");
    JSON_UINT(out, "port", (uint64_t)c->dashboard.port);
    JSON_RAW(out, "},\"agent\":{");
    JSON_UINT(out, "maxConcurrent", (uint64_t)c->agent.max_concurrent);
    JSON_RAW(out, "},\"log\":{");
    JSON_TEXT(out, "level", levels[c->log.level]);
    JSON_RAW(out, "}");
    view_put_language(out, r);
    JSON_TEXT(out, "file", slice_cstr(c->file));
    view_put_withheld(out, c);
    view_put_trouble(out, r);
    JSON_KEY(out, "roles");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < c->role_count + c->disabled_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        view_put_definition(out, &c->roles[i]);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]}");
}
