/* SPDX-License-Identifier: MIT */
#include "transport/mcp/args_own.h"

#include "config/messages.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"

/* One of the table's names, or an argument that was given: cut if need be. */
#define NAME_MAX_BYTES 80

#define SAY(p, name) MESSAGE((p)->language == TOOLS_ENGLISH, name)

static void put_names(struct bytes *out, yyjson_val *names)
{
    yyjson_arr_iter it;
    yyjson_val *name;

    yyjson_arr_iter_init(names, &it);
    while ((name = yyjson_arr_iter_next(&it))) {
        bytes_append(out, ", ", out->len > 0 ? 2 : 0);
        json_raw(out, field_text(name));
    }
}

/* Both formats have two %s: the path, or what is expected, and what is given.
 */
static void put_choice(const struct schema_problem *s, struct tools_problem *p)
{
    char given[NAME_MAX_BYTES];

    slice_keep(given, sizeof(given), field_text(s->val));
    put_names(&p->expected, FIELD(s->schema, "enum"));
    bytes_format(&p->message, SAY(p, ARGS_INVALID), s->path, given);
    json_raw(&p->message, bytes_slice(&p->expected));
}

static void put_blank(const struct schema_problem *s, struct tools_problem *p)
{
    json_raw(&p->expected, slice_cstr(SAY(p, ARGS_NOT_BLANK)));
    bytes_format(&p->message, SAY(p, ARGS_CANNOT_BE_EMPTY), s->path);
}

static void describe_mail(const struct schema_problem *s,
                          struct tools_problem *p)
{
    if (s->rule == SCHEMA_BLANK)
        put_blank(s, p);
    else if (s->rule == SCHEMA_ENUM && yyjson_is_str(s->val))
        put_choice(s, p);
}

/* ---- projects ---------------------------------------------------------- */

/* All that are absent, so that the next call has them all. */
static void put_missing(const struct tool *tool, yyjson_val *args,
                        struct tools_problem *p)
{
    yyjson_arr_iter it;
    yyjson_val *name;

    yyjson_arr_iter_init(FIELD(tool->input, "required"), &it);
    while ((name = yyjson_arr_iter_next(&it))) {
        if (schema_has(tool->input, args, field_text(name)))
            continue;
        bytes_append(&p->expected, ", ", p->expected.len > 0 ? 2 : 0);
        json_raw(&p->expected, field_text(name));
    }
    p->code = CODE_MISSING_ARGUMENTS;
    bytes_format(&p->message, SAY(p, ARGS_ALL_MISSING), (int)p->expected.len,
                 p->expected.ptr);
}

static void describe_pm(const struct tool *tool, yyjson_val *args,
                        const struct schema_problem *s, struct tools_problem *p)
{
    struct slice path = slice_cstr(s->path);
    bool is_choice = s->rule == SCHEMA_ENUM && yyjson_is_str(s->val);

    if (s->rule == SCHEMA_MISSING && slice_eq(path, SLICE("token"))) {
        p->code = CODE_TOKEN_REQUIRED;
        json_raw(&p->expected, SLICE("token"));
        json_raw(&p->message, slice_cstr(SAY(p, PM_TOKEN_REQUIRED)));
    } else if (s->rule == SCHEMA_MISSING) {
        put_missing(tool, args, p);
    } else if (s->rule == SCHEMA_BLANK) {
        put_blank(s, p);
    } else if (is_choice && slice_eq(path, SLICE("result"))) {
        json_raw(&p->expected, SLICE("success, failed, blocked"));
        json_raw(&p->message, slice_cstr(SAY(p, ARGS_INVALID_RESULT)));
    } else if (is_choice && slice_eq(path, SLICE("status"))) {
        char given[NAME_MAX_BYTES];

        p->code = CODE_INVALID_STATUS;
        slice_keep(given, sizeof(given), field_text(s->val));
        put_names(&p->expected, FIELD(s->schema, "enum"));
        bytes_format(&p->message, SAY(p, ARGS_INVALID_STATUS), given,
                     (int)p->expected.len, p->expected.ptr);
    } else if (is_choice) {
        put_choice(s, p);
    }
}

bool args_describe_own(const struct tool *tool, yyjson_val *args,
                       const struct schema_problem *s, struct tools_problem *p)
{
    if (tool->toolset == TOOLSET_MAIL)
        describe_mail(s, p);
    else if (tool->toolset == TOOLSET_PM || tool->toolset == TOOLSET_PM_ADMIN)
        describe_pm(tool, args, s, p);
    return p->message.len > 0;
}
