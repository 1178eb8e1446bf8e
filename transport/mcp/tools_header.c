/* SPDX-License-Identifier: MIT */
/* Arguments that a client over HTTP tells in headers as well (x-mcp-header). */
#include "runtime/text/field.h"
#include "transport/mcp/tools.h"

struct walk {
    bool (*on_header)(void *ctx, struct slice name, yyjson_val *value);
    void *ctx;
};

/* Recursive by the schema, which is ours, whatever the arguments are. */
static bool check(const struct walk *w, yyjson_val *schema, yyjson_val *val)
{
    yyjson_val *key;
    yyjson_obj_iter it;

    yyjson_obj_iter_init(FIELD(schema, "properties"), &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        yyjson_val *one = yyjson_obj_iter_get_val(key);
        yyjson_val *given = field_get(val, field_text(key));
        struct slice name = FIELD_TEXT(one, "x-mcp-header");
        if (name.len > 0 && !w->on_header(w->ctx, name, given))
            return false;
        if (!check(w, one, given))
            return false;
    }
    return true;
}

bool tools_check_headers(const struct tool *tool, yyjson_val *args,
                         bool (*on_header)(void *ctx, struct slice name,
                                           yyjson_val *value),
                         void *ctx)
{
    return !tool->has_headers ||
           check(&(struct walk){on_header, ctx}, tool->input, args);
}
