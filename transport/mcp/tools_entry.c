/* SPDX-License-Identifier: MIT */
#include "transport/mcp/tools_entry.h"

#include <assert.h>
#include <limits.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"

/* ---- in one language --------------------------------------------------- */

static void localise(struct bytes *out, yyjson_val *val, struct slice lang);

static void localise_array(struct bytes *out, yyjson_val *val,
                           struct slice lang)
{
    yyjson_arr_iter it;
    yyjson_val *one;
    struct slice comma = SLICE("[");

    yyjson_arr_iter_init(val, &it);
    while ((one = yyjson_arr_iter_next(&it))) {
        json_raw(out, comma);
        localise(out, one, lang);
        comma = SLICE(",");
    }
    json_raw(out, comma.ptr[0] == '[' ? SLICE("[]") : SLICE("]"));
}

static void localise_object(struct bytes *out, yyjson_val *val,
                            struct slice lang)
{
    yyjson_obj_iter it;
    yyjson_val *key;
    struct slice comma = SLICE("");

    JSON_RAW(out, "{");
    yyjson_obj_iter_init(val, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        json_raw(out, comma);
        json_string(out, field_text(key));
        JSON_RAW(out, ":");
        localise(out, yyjson_obj_iter_get_val(key), lang);
        comma = SLICE(",");
    }
    JSON_RAW(out, "}");
}

/* Recursive: the table is ours, and a handful of levels deep. */
static void localise(struct bytes *out, yyjson_val *val, struct slice lang)
{
    if (yyjson_is_obj(val) && field_get(val, lang))
        localise(out, field_get(val, lang), lang);
    else if (yyjson_is_obj(val))
        localise_object(out, val, lang);
    else if (yyjson_is_arr(val))
        localise_array(out, val, lang);
    else
        json_val(out, val);
}

yyjson_doc *tools_localised(struct slice json, struct slice lang)
{
    yyjson_doc *all = yyjson_read(json.ptr, json.len, 0);
    struct bytes text = {0};

    if (!all)
        return NULL;
    localise(&text, yyjson_doc_get_root(all), lang);
    yyjson_doc_free(all);
    yyjson_doc *doc = yyjson_read(text.ptr, text.len, 0);
    assert(doc);
    bytes_finish(&text);
    return doc;
}

/* ---- as clients are told ----------------------------------------------- */

static void write_member(struct bytes *out, const char *name, yyjson_val *entry)
{
    yyjson_val *val = field_get(entry, slice_cstr(name));

    if (!val)
        return;
    json_key(out, slice_cstr(name));
    json_val(out, val);
}

/* The title goes in where the version has no other place for it. */
static void write_annotations(struct bytes *out, yyjson_val *entry,
                              enum tools_detail detail)
{
    yyjson_val *hints = FIELD(entry, "annotations"), *key;
    yyjson_obj_iter it;

    if (!hints)
        return;
    JSON_RAW(out, ",\"annotations\":{");
    if (detail < TOOLS_FULL)
        write_member(out, "title", entry);
    yyjson_obj_iter_init(hints, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        json_key(out, field_text(key));
        json_val(out, yyjson_obj_iter_get_val(key));
    }
    JSON_RAW(out, "}");
}

/*
 * What only bounds a value: a model is told none of it, for it would read it
 * in every conversation. We check it, and a refusal says what was expected.
 */
static bool is_bound(struct slice key, yyjson_val *val)
{
    static const struct slice bounds[] = {SLICE_INIT("additionalProperties"),
                                          SLICE_INIT("minLength"),
                                          SLICE_INIT("maxLength"),
                                          SLICE_INIT("minItems"),
                                          SLICE_INIT("minimum"),
                                          SLICE_INIT("maximum")};

    for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
        if (!yyjson_is_obj(val) && slice_eq(key, bounds[i]))
            return true;
    return false;
}

/* depth: how many levels of properties are told. */
static void write_schema(struct bytes *out, yyjson_val *schema, int depth)
{
    yyjson_obj_iter it;
    yyjson_val *key, *val;

    JSON_RAW(out, "{");
    yyjson_obj_iter_init(schema, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        struct slice name = field_text(key);
        bool is_table = slice_eq(name, SLICE("properties"));

        val = yyjson_obj_iter_get_val(key);
        if (is_bound(name, val) || FIELD(val, "isSynonymOf") ||
            (depth == 0 && (is_table || slice_eq(name, SLICE("required")))))
            continue;
        json_key(out, name);
        if (yyjson_is_obj(val))
            write_schema(out, val, is_table ? depth - 1 : depth);
        else
            json_val(out, val);
    }
    JSON_RAW(out, "}");
}

/* Those for agents alone are told to others in outline: that they are there. */
static int depth_of(const struct tools_telling *how, yyjson_val *entry)
{
    return !how->has_set && yyjson_is_true(FIELD(entry, "isOutlined"))
               ? 1
               : INT_MAX;
}

void tools_entry_put(struct bytes *out, yyjson_val *entry,
                     enum tools_detail detail, const struct tools_telling *how)
{
    JSON_RAW(out, "{");
    write_member(out, "name", entry);
    if (detail >= TOOLS_FULL)
        write_member(out, "title", entry);
    write_member(out, "description", entry);
    if (how->is_ours) {
        JSON_KEY(out, "inputSchema");
        write_schema(out, FIELD(entry, "inputSchema"), depth_of(how, entry));
    } else {
        write_member(out, "inputSchema", entry);
    }
    if (detail >= TOOLS_FULL)
        write_member(out, "outputSchema", entry);
    if (detail >= TOOLS_ANNOTATED)
        write_annotations(out, entry, detail);
    if (detail >= TOOLS_FULL)
        write_member(out, "_meta", entry);
    JSON_RAW(out, "}");
}
