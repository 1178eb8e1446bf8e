/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a call's arguments, in words that let a model mend them:
 * the path of the field, what was expected there, and the names it may use.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/messages.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/mcp/args_own.h"

struct words {
    struct slice types[7]; /* in the order of type_names */
    const char *one_of, *range, *from;
    const char *length, *time;
    const char *unknown, *missing, *wrong, *empty, *nul, *either, *magentic;
    const char *blank, *or_none;
    const char *open, *close, *none;
};

static const struct slice type_names[] = {
    SLICE_INIT("string"),  SLICE_INIT("integer"), SLICE_INIT("number"),
    SLICE_INIT("boolean"), SLICE_INIT("object"),  SLICE_INIT("array"),
    SLICE_INIT("null")};

#define WORDS(in)                                                              \
    {                                                                          \
        .types = {SLICE_INIT(in##_ARGS_STRING), SLICE_INIT(in##_ARGS_INTEGER), \
                  SLICE_INIT(in##_ARGS_NUMBER), SLICE_INIT(in##_ARGS_BOOLEAN), \
                  SLICE_INIT(in##_ARGS_OBJECT), SLICE_INIT(in##_ARGS_ARRAY),   \
                  SLICE_INIT(in##_ARGS_NULL)},                                 \
        .one_of = in##_ARGS_ONE_OF, .from = in##_ARGS_FROM,                    \
        .range = in##_ARGS_RANGE, .length = in##_ARGS_LENGTH,                  \
        .time = in##_ARGS_TIME, .unknown = in##_ARGS_UNKNOWN,                  \
        .missing = in##_ARGS_MISSING, .wrong = in##_ARGS_WRONG,                \
        .empty = in##_ARGS_EMPTY, .nul = in##_ARGS_WITHOUT_NUL,                \
        .blank = in##_ARGS_NOT_BLANK, .or_none = in##_ARGS_OR_LEAVE_OUT,       \
        .either = in##_ARGS_EXACTLY_ONE,                                       \
        .magentic = in##_ARGS_MAGENTIC_ELSEWHERE, .none = in##_ARGS_NONE,      \
        .open = in##_ARGS_BOUNDS_OPEN, .close = in##_ARGS_BOUNDS_CLOSE         \
    }
static const struct words japanese = WORDS(JA), english = WORDS(EN);

static void put(struct bytes *out, const char *text)
{
    bytes_append(out, text, strlen(text));
}

/* format is one of the words above, with one or two %s. */
__attribute__((format(printf, 2, 3))) static void put_format(struct bytes *out,
                                                             const char *format,
                                                             ...)
{
    char text[SCHEMA_PATH + 200];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    put(out, text);
}

static const struct words *words_of(const struct tools_problem *p)
{
    return p->language == TOOLS_ENGLISH ? &english : &japanese;
}

/* "a, b, c" of an array's texts, or of an object's keys. */
static void put_names(struct bytes *out, const struct words *w, yyjson_val *val)
{
    size_t start = out->len;
    yyjson_arr_iter items;
    yyjson_obj_iter keys;
    yyjson_val *name;

    yyjson_arr_iter_init(val, &items);
    yyjson_obj_iter_init(val, &keys);
    while ((name = yyjson_arr_iter_next(&items)) ||
           (name = yyjson_obj_iter_next(&keys))) {
        put(out, out->len > start ? ", " : "");
        json_raw(out, field_text(name));
    }
    if (out->len == start)
        put(out, w->none);
}

/* Of several the first is said: the others are more ways to say the same. */
static void put_type(struct bytes *out, const struct words *w, yyjson_val *type)
{
    type = yyjson_is_arr(type) ? yyjson_arr_get_first(type) : type;
    for (size_t i = 0; i < sizeof(type_names) / sizeof(type_names[0]); i++)
        if (slice_eq(field_text(type), type_names[i]))
            json_raw(out, w->types[i]);
}

/* "（N 以上）", " of at least N": what the format says of the schema's words.
 */
static void put_bounds(struct bytes *out, const struct words *w,
                       yyjson_val *schema)
{
    static const char *const names[] = {"minimum", "maximum", "maxLength"};
    struct bytes bounds[3] = {0};
    yyjson_val *min = FIELD(schema, "minimum"), *max = FIELD(schema, "maximum");

    for (size_t i = 0; i < 3; i++) {
        json_val(&bounds[i], yyjson_obj_get(schema, names[i]));
        bytes_append(&bounds[i], "", 1);
    }
    put(out, w->open);
    if (FIELD(schema, "maxLength"))
        put_format(out, w->length, bounds[2].ptr);
    else if (min && max)
        put_format(out, w->range, bounds[0].ptr, bounds[1].ptr);
    else
        put_format(out, w->from, bounds[0].ptr);
    put(out, w->close);
    for (size_t i = 0; i < 3; i++)
        bytes_finish(&bounds[i]);
}

static void put_expected(struct bytes *out, const struct words *w,
                         yyjson_val *schema)
{
    if (FIELD(schema, "enum")) {
        put_names(out, w, FIELD(schema, "enum"));
        put(out, w->one_of);
        return;
    }
    if (FIELD(schema, "format")) {
        put(out, w->time);
        return;
    }
    put_type(out, w, FIELD(schema, "type"));
    if (FIELD(schema, "minimum") || FIELD(schema, "maxLength"))
        put_bounds(out, w, schema);
}

/* Empty lists have codes of their own, wherever the list is. */
static enum code empty_code(const char *path)
{
    static const struct {
        const char *name;
        enum code code;
    } codes[] = {{"agents", CODE_EMPTY_AGENTS},
                 {"stages", CODE_EMPTY_STAGES},
                 {"tasks", CODE_EMPTY_STAGE_TASKS},
                 {"agentIds", CODE_EMPTY_AGENT_IDS}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        if (strcmp(dot ? dot + 1 : path, codes[i].name) == 0)
            return codes[i].code;
    return CODE_VALIDATION_ERROR;
}

static void describe(const struct tool *tool, yyjson_val *args,
                     const struct schema_problem *s, struct tools_problem *p)
{
    const struct words *w = words_of(p);
    const char *format = s->rule == SCHEMA_UNKNOWN   ? w->unknown
                         : s->rule == SCHEMA_MISSING ? w->missing
                                                     : w->wrong;

    if (args_describe_own(tool, args, s, p))
        return;
    if (s->rule == SCHEMA_UNKNOWN)
        put_names(&p->expected, w, FIELD(s->schema, "properties"));
    else if (s->rule == SCHEMA_NUL)
        put(&p->expected, w->nul);
    else if (s->rule == SCHEMA_BLANK)
        put(&p->expected, w->blank);
    else
        put_expected(&p->expected, w, s->schema);
    if (s->rule == SCHEMA_EMPTY) {
        p->code = empty_code(s->path);
        put_format(&p->message, w->empty, s->path);
        if (p->code == CODE_VALIDATION_ERROR)
            put(&p->message, w->or_none);
        return;
    }
    put_format(&p->message, format, s->path[0] ? s->path : "arguments");
    json_raw(&p->message, bytes_slice(&p->expected));
    if (slice_eq(tool->text, SLICE("create_group")) && s->rule == SCHEMA_ENUM &&
        slice_eq(field_text(s->val), SLICE("magentic")))
        put(&p->message, w->magentic);
}

/* "eitherOf": exactly one of the names is given. */
static bool check_either(const struct tool *tool, yyjson_val *args,
                         struct tools_problem *p)
{
    yyjson_val *names = FIELD(tool->table, "eitherOf"), *name;
    const struct words *w = words_of(p);
    size_t i, max, given = 0;

    if (!names)
        return true;
    yyjson_arr_foreach(names, i, max, name)
    {
        given += field_get(args, field_text(name)) != NULL;
    }
    if (given == 1)
        return true;
    slice_keep(p->path, sizeof(p->path),
               field_text(yyjson_arr_get_first(names)));
    put_names(&p->expected, w, names);
    put(&p->expected, w->either);
    put_format(&p->message, given ? w->wrong : w->missing, p->path);
    json_raw(&p->message, bytes_slice(&p->expected));
    return false;
}

static void miss(const struct tool *tool, yyjson_val *args, struct slice name,
                 struct tools_problem *p)
{
    struct schema_problem s = {
        .rule = SCHEMA_MISSING,
        .schema = field_get(FIELD(tool->input, "properties"), name)};

    slice_keep(s.path, sizeof(s.path), name);
    memcpy(p->path, s.path, sizeof(p->path));
    describe(tool, args, &s, p);
}

/* "requiredBy": {"type": {"task": [...]}}: what a value of type asks for. */
static bool check_required_by(const struct tool *tool, yyjson_val *args,
                              struct tools_problem *p)
{
    yyjson_val *key, *name;
    yyjson_obj_iter fields;
    yyjson_arr_iter names;

    yyjson_obj_iter_init(FIELD(tool->table, "requiredBy"), &fields);
    while ((key = yyjson_obj_iter_next(&fields))) {
        struct slice value = field_text(field_get(args, field_text(key)));
        yyjson_arr_iter_init(field_get(yyjson_obj_iter_get_val(key), value),
                             &names);
        while ((name = yyjson_arr_iter_next(&names))) {
            if (field_get(args, field_text(name)))
                continue;
            miss(tool, args, field_text(name), p);
            return false;
        }
    }
    return true;
}

bool tools_check_args(const struct tool *tool, yyjson_val *args,
                      enum tools_language language,
                      struct tools_problem *problem)
{
    yyjson_doc *none = args ? NULL : yyjson_read("{}", 2, 0);
    yyjson_val *val = args ? args : yyjson_doc_get_root(none);
    struct schema_problem s;

    *problem = (struct tools_problem){.code = CODE_VALIDATION_ERROR,
                                      .language = language};
    bool is_good = schema_check(tool->input, val, &s);
    if (!is_good) {
        memcpy(problem->path, s.path, sizeof(problem->path));
        describe(tool, val, &s, problem);
    } else {
        is_good = check_either(tool, val, problem) &&
                  check_required_by(tool, val, problem);
    }
    yyjson_doc_free(none);
    return is_good;
}

void tools_problem_finish(struct tools_problem *problem)
{
    bytes_finish(&problem->expected);
    bytes_finish(&problem->message);
}

void tools_problem_body(struct bytes *out, const struct tools_problem *problem)
{
    struct bytes details = {0};

    JSON_RAW(&details, "{\"path\":");
    json_string(&details, slice_cstr(problem->path));
    JSON_RAW(&details, ",\"expected\":");
    json_string(&details, bytes_slice(&problem->expected));
    JSON_RAW(&details, "}");
    code_put_error(out, problem->code, bytes_slice(&problem->message),
                   bytes_slice(&details));
    bytes_finish(&details);
}

bool tools_check_answer(const struct tool *tool, yyjson_val *answer,
                        struct schema_problem *problem)
{
    return schema_check(tool->output, answer, problem);
}
