/* SPDX-License-Identifier: MIT */
/*
 * A result may be of any size: whatever an agent has reported, each file it
 * has touched. A model that asks for it reads what is here, and asks again for
 * all of it if it has to.
 */
#include "actors/store/agent_record.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

#define PATHS 200
#define PATHS_BYTES ((size_t)16 << 10)
#define PROGRESS 5
#define LEDGER_BYTES ((size_t)16 << 10)

bool agent_record_brief_text(struct bytes *out, struct slice name,
                             struct slice text, size_t max)
{
    json_key(out, name);
    json_string(out, slice_of(text.ptr, utf8_cut(text.ptr, text.len, max)));
    return text.len > max;
}

/* False: there is no space for it. */
static bool put_path(struct bytes *out, struct slice path, size_t count,
                     size_t from)
{
    if (count >= PATHS || out->len - from + path.len > PATHS_BYTES)
        return false;
    if (count > 0)
        JSON_RAW(out, ",");
    json_string(out, path);
    return true;
}

static bool put_stored(struct bytes *out, struct slice json, size_t from)
{
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
    yyjson_val *path;
    yyjson_arr_iter it;
    size_t count = 0;

    yyjson_arr_iter_init(yyjson_doc_get_root(doc), &it);
    while ((path = yyjson_arr_iter_next(&it)) != NULL &&
           put_path(out, field_text(path), count, from))
        count++;
    yyjson_doc_free(doc);
    return path != NULL;
}

bool agent_record_brief_paths(struct bytes *out,
                              const struct agent_record_paths *p)
{
    size_t count = 0, from = out->len;
    bool is_cut;

    JSON_RAW(out, "[");
    if (p->json.len > 0) {
        is_cut = put_stored(out, p->json, from);
    } else {
        while (count < p->count && put_path(out, p->items[count], count, from))
            count++;
        is_cut = count < p->count;
    }
    JSON_RAW(out, "]");
    return is_cut;
}

static void put_newest(struct bytes *out, yyjson_val *history)
{
    size_t count = yyjson_arr_size(history), i, max;
    size_t skipped = count > PROGRESS ? count - PROGRESS : 0;
    yyjson_val *one;

    JSON_RAW(out, "[");
    yyjson_arr_foreach(history, i, max, one)
    {
        if (i < skipped)
            continue;
        if (i > skipped)
            JSON_RAW(out, ",");
        json_val(out, one);
    }
    JSON_RAW(out, "]");
}

static void put_members(struct bytes *out, yyjson_val *ledger)
{
    yyjson_obj_iter it;
    yyjson_val *key;

    JSON_RAW(out, "{");
    yyjson_obj_iter_init(ledger, &it);
    while ((key = yyjson_obj_iter_next(&it)) != NULL) {
        json_key(out, field_text(key));
        if (slice_eq(field_text(key), SLICE("progressHistory")))
            put_newest(out, yyjson_obj_iter_get_val(key));
        else
            json_val(out, yyjson_obj_iter_get_val(key));
    }
    JSON_RAW(out, "}");
}

bool agent_record_brief_ledger(struct bytes *out, struct slice ledger)
{
    yyjson_doc *doc = yyjson_read(ledger.ptr, ledger.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    size_t from = out->len;
    bool is_cut = false;

    if (!yyjson_is_obj(root)) {
        JSON_RAW(out, "null");
    } else {
        put_members(out, root);
        is_cut = out->len - from > LEDGER_BYTES;
    }
    if (is_cut) {
        out->len = from;
        JSON_RAW(out, "{");
        JSON_UINT(out, "iteration", FIELD_COUNT(root, "iteration"));
        JSON_RAW(out, ",\"truncated\":true}");
    }
    yyjson_doc_free(doc);
    return is_cut;
}
