/* SPDX-License-Identifier: MIT */
#include "transport/mcp/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/field.h"
#include "runtime/text/moment.h"

static double number_of(yyjson_val *val)
{
    /* The text ends where the document's next byte is no digit. */
    return yyjson_is_raw(val) ? strtod(yyjson_get_raw(val), NULL)
                              : yyjson_get_num(val);
}

static bool is_number(yyjson_val *val)
{
    return yyjson_is_num(val) || yyjson_is_raw(val);
}

bool schema_int(yyjson_val *val, int64_t *number)
{
    if (yyjson_is_sint(val) ||
        (yyjson_is_uint(val) && yyjson_get_uint(val) <= (uint64_t)INT64_MAX)) {
        *number = yyjson_get_sint(val);
        return true;
    }
    double d = is_number(val) ? number_of(val) : NAN;
    if (!(fabs(d) < 9.2e18) || d != trunc(d))
        return false;
    *number = (int64_t)d;
    return true;
}

static bool is_integral(yyjson_val *val)
{
    return yyjson_is_int(val) ||
           (is_number(val) && number_of(val) == trunc(number_of(val)));
}

static bool is_type(yyjson_val *val, struct slice type)
{
    if (slice_eq(type, SLICE("string")))
        return yyjson_is_str(val);
    if (slice_eq(type, SLICE("integer")))
        return is_integral(val);
    if (slice_eq(type, SLICE("number")))
        return is_number(val);
    if (slice_eq(type, SLICE("boolean")))
        return yyjson_is_bool(val);
    if (slice_eq(type, SLICE("object")))
        return yyjson_is_obj(val);
    if (slice_eq(type, SLICE("array")))
        return yyjson_is_arr(val);
    return slice_eq(type, SLICE("null")) && yyjson_is_null(val);
}

static bool fits_type(yyjson_val *type, yyjson_val *val)
{
    yyjson_arr_iter it;
    yyjson_val *one;

    if (!yyjson_is_arr(type))
        return !type || is_type(val, field_text(type));
    yyjson_arr_iter_init(type, &it);
    while ((one = yyjson_arr_iter_next(&it)))
        if (is_type(val, field_text(one)))
            return true;
    return false;
}

static bool fits_enum(yyjson_val *choices, yyjson_val *val)
{
    yyjson_arr_iter it;
    yyjson_val *one;

    if (!choices)
        return true;
    yyjson_arr_iter_init(choices, &it);
    while ((one = yyjson_arr_iter_next(&it)))
        if (yyjson_is_str(val) && slice_eq(field_text(one), field_text(val)))
            return true;
    return false;
}

/* Doubles are equal beyond 2^53 where the numbers are not. */
static int compare(yyjson_val *a, yyjson_val *b)
{
    int64_t i, j;

    if (schema_int(a, &i) && schema_int(b, &j))
        return (i > j) - (i < j);
    return (number_of(a) > number_of(b)) - (number_of(a) < number_of(b));
}

static bool fits_range(yyjson_val *schema, yyjson_val *val)
{
    yyjson_val *min = FIELD(schema, "minimum"), *max = FIELD(schema, "maximum");

    return !is_number(val) || ((!min || compare(val, min) >= 0) &&
                               (!max || compare(val, max) <= 0));
}

static enum schema_rule count_rule(yyjson_val *schema, yyjson_val *val)
{
    yyjson_val *min = FIELD(schema, "minItems"),
               *max = FIELD(schema, "maxItems");

    if (min && yyjson_arr_size(val) < yyjson_get_uint(min))
        return yyjson_arr_size(val) == 0 ? SCHEMA_EMPTY : SCHEMA_COUNT;
    if (max && yyjson_arr_size(val) > yyjson_get_uint(max))
        return SCHEMA_COUNT;
    return SCHEMA_GOOD;
}

/* Also U+3000 and U+00A0, which a model may write where it has nothing. */
static bool is_blank(struct slice s)
{
    static const struct slice blanks[] = {
        SLICE_INIT(" "),  SLICE_INIT("\t"),           SLICE_INIT("\n"),
        SLICE_INIT("\r"), SLICE_INIT("\xe3\x80\x80"), SLICE_INIT("\xc2\xa0")};
    size_t i = 0;

    while (s.len > 0) {
        for (i = 0; i < sizeof(blanks) / sizeof(*blanks); i++)
            if (slice_starts(s, blanks[i]))
                break;
        if (i == sizeof(blanks) / sizeof(*blanks))
            return false;
        s = slice_of(s.ptr + blanks[i].len, s.len - blanks[i].len);
    }
    return true;
}

static enum schema_rule text_rule(yyjson_val *schema, yyjson_val *val)
{
    yyjson_val *min = FIELD(schema, "minLength"),
               *max = FIELD(schema, "maxLength");
    size_t len = yyjson_get_len(val);
    int64_t ms;

    if (memchr(yyjson_get_str(val), '\0', len))
        return SCHEMA_NUL;
    if (min && yyjson_get_uint(min) > 0 && is_blank(field_text(val)))
        return SCHEMA_BLANK;
    if ((min && len < yyjson_get_uint(min)) ||
        (max && len > yyjson_get_uint(max)))
        return SCHEMA_LENGTH;
    return FIELD(schema, "format") && !moment_read(field_text(val), &ms)
               ? SCHEMA_FORMAT
               : SCHEMA_GOOD;
}

/* Of the value itself, not of what is inside it. */
static enum schema_rule own_rule(yyjson_val *schema, yyjson_val *val)
{
    if (!fits_type(FIELD(schema, "type"), val))
        return SCHEMA_TYPE;
    if (!fits_enum(FIELD(schema, "enum"), val))
        return SCHEMA_ENUM;
    if (!fits_range(schema, val))
        return SCHEMA_RANGE;
    if (yyjson_is_str(val))
        return text_rule(schema, val);
    return yyjson_is_arr(val) ? count_rule(schema, val) : SCHEMA_GOOD;
}

static bool wrong(struct schema_problem *p, enum schema_rule rule,
                  yyjson_val *schema, yyjson_val *val)
{
    p->rule = rule;
    p->schema = schema;
    p->val = val;
    return false;
}

/* Extends the path; returns its old length, to be cut back to. */
static size_t go_key(struct schema_problem *p, struct slice key)
{
    size_t len = strlen(p->path);
    size_t dot = len > 0 && len + 1 < SCHEMA_PATH;

    if (dot)
        memcpy(p->path + len, ".", 2);
    slice_keep(p->path + len + dot, SCHEMA_PATH - len - dot, key);
    return len;
}

static size_t go_index(struct schema_problem *p, size_t index)
{
    size_t len = strlen(p->path);

    snprintf(p->path + len, SCHEMA_PATH - len, "[%zu]", index);
    return len;
}

static bool check_names(yyjson_val *schema, yyjson_val *val,
                        struct schema_problem *p)
{
    yyjson_val *known = FIELD(schema, "properties"), *key;
    yyjson_obj_iter it;

    if (!yyjson_is_false(FIELD(schema, "additionalProperties")))
        return true;
    yyjson_obj_iter_init(val, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        if (field_get(known, field_text(key)))
            continue;
        go_key(p, field_text(key));
        return wrong(p, SCHEMA_UNKNOWN, schema, yyjson_obj_iter_get_val(key));
    }
    return true;
}

/* Whether a value has the property, or another that stands for it. */
static bool has(yyjson_val *known, yyjson_val *val, struct slice name)
{
    yyjson_obj_iter it;
    yyjson_val *key;

    if (field_get(val, name))
        return true;
    yyjson_obj_iter_init(val, &it);
    while ((key = yyjson_obj_iter_next(&it)))
        if (slice_eq(
                FIELD_TEXT(field_get(known, field_text(key)), "isSynonymOf"),
                name))
            return true;
    return false;
}

bool schema_has(yyjson_val *schema, yyjson_val *val, struct slice name)
{
    return has(FIELD(schema, "properties"), val, name);
}

static bool check_required(yyjson_val *schema, yyjson_val *val,
                           struct schema_problem *p)
{
    yyjson_val *known = FIELD(schema, "properties"), *name;
    yyjson_arr_iter it;

    if (!yyjson_arr_iter_init(FIELD(schema, "required"), &it))
        return true;
    while ((name = yyjson_arr_iter_next(&it))) {
        if (has(known, val, field_text(name)))
            continue;
        go_key(p, field_text(name));
        return wrong(p, SCHEMA_MISSING, field_get(known, field_text(name)),
                     NULL);
    }
    return true;
}

static bool check(yyjson_val *schema, yyjson_val *val,
                  struct schema_problem *p);

static bool check_members(yyjson_val *schema, yyjson_val *val,
                          struct schema_problem *p)
{
    yyjson_obj_iter it;
    yyjson_val *key;

    if (!yyjson_obj_iter_init(FIELD(schema, "properties"), &it))
        return true;
    while ((key = yyjson_obj_iter_next(&it))) {
        yyjson_val *one = field_get(val, field_text(key));
        if (!one)
            continue;
        size_t len = go_key(p, field_text(key));
        if (!check(yyjson_obj_iter_get_val(key), one, p))
            return false;
        p->path[len] = '\0';
    }
    return true;
}

static bool check_items(yyjson_val *schema, yyjson_val *val,
                        struct schema_problem *p)
{
    yyjson_val *items = FIELD(schema, "items"), *one;
    yyjson_arr_iter it;
    size_t index = 0;

    if (!items)
        return true;
    yyjson_arr_iter_init(val, &it);
    while ((one = yyjson_arr_iter_next(&it))) {
        size_t len = go_index(p, index++);
        if (!check(items, one, p))
            return false;
        p->path[len] = '\0';
    }
    return true;
}

static bool check(yyjson_val *schema, yyjson_val *val, struct schema_problem *p)
{
    enum schema_rule rule = own_rule(schema, val);

    if (rule != SCHEMA_GOOD)
        return wrong(p, rule, schema, val);
    if (yyjson_is_obj(val))
        return check_names(schema, val, p) && check_required(schema, val, p) &&
               check_members(schema, val, p);
    return !yyjson_is_arr(val) || check_items(schema, val, p);
}

bool schema_check(yyjson_val *schema, yyjson_val *val,
                  struct schema_problem *problem)
{
    *problem = (struct schema_problem){0};
    return check(schema, val, problem);
}

static bool is_word(struct slice word)
{
    static const struct slice words[] = {
        SLICE_INIT("type"),        SLICE_INIT("properties"),
        SLICE_INIT("required"),    SLICE_INIT("additionalProperties"),
        SLICE_INIT("items"),       SLICE_INIT("minItems"),
        SLICE_INIT("maxItems"),    SLICE_INIT("minimum"),
        SLICE_INIT("maximum"),     SLICE_INIT("minLength"),
        SLICE_INIT("maxLength"),   SLICE_INIT("format"),
        SLICE_INIT("enum"),        SLICE_INIT("title"),
        SLICE_INIT("description"), SLICE_INIT("default"),
        SLICE_INIT("examples"),    SLICE_INIT("isSynonymOf"),
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (slice_eq(words[i], word))
            return true;
    return false;
}

static bool members_known(yyjson_val *properties, struct slice *word)
{
    yyjson_obj_iter it;
    yyjson_val *key;

    if (!yyjson_obj_iter_init(properties, &it))
        return true;
    while ((key = yyjson_obj_iter_next(&it)))
        if (!schema_is_known(yyjson_obj_iter_get_val(key), word))
            return false;
    return true;
}

bool schema_is_known(yyjson_val *schema, struct slice *word)
{
    yyjson_val *key, *items = FIELD(schema, "items");
    yyjson_obj_iter it;

    *word = SLICE("(no object)");
    if (!yyjson_obj_iter_init(schema, &it))
        return false;
    while ((key = yyjson_obj_iter_next(&it))) {
        *word = field_text(key);
        if (!is_word(*word))
            return false;
    }
    return members_known(FIELD(schema, "properties"), word) &&
           (!items || schema_is_known(items, word));
}
