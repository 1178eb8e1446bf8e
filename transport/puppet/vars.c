/* SPDX-License-Identifier: MIT */
#include "transport/puppet/vars.h"

#include <stdlib.h>
#include <string.h>

void vars_init(struct vars *v)
{
    v->doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(v->doc, yyjson_mut_obj(v->doc));
}

void vars_finish(struct vars *v)
{
    yyjson_mut_doc_free(v->doc);
    v->doc = NULL;
}

static yyjson_mut_val *root_of(const struct vars *v)
{
    return yyjson_mut_doc_get_root(v->doc);
}

void vars_set_json(struct vars *v, const char *name, yyjson_mut_val *value)
{
    yyjson_mut_val *key = yyjson_mut_strcpy(v->doc, name);
    yyjson_mut_val *copy = yyjson_mut_val_mut_copy(v->doc, value);

    yyjson_mut_obj_put(root_of(v), key, copy);
}

void vars_set(struct vars *v, const char *name, const char *value)
{
    yyjson_mut_val *key = yyjson_mut_strcpy(v->doc, name);

    yyjson_mut_obj_put(root_of(v), key, yyjson_mut_strcpy(v->doc, value));
}

void vars_set_number(struct vars *v, const char *name, long number)
{
    yyjson_mut_val *value = yyjson_mut_obj_get(root_of(v), name);

    if (yyjson_mut_is_num(value))
        yyjson_mut_set_sint(value, number);
    else
        yyjson_mut_obj_put(root_of(v), yyjson_mut_strcpy(v->doc, name),
                           yyjson_mut_sint(v->doc, number));
}

/* Not every variable of the environment: what a scenario prints ends up in
 * transcripts, and keys have no business there. */
static bool is_ours(const char *name)
{
    return !strncmp(name, "KUROMAJUTSU_", 12);
}

bool vars_knows(const struct vars *v, const char *name)
{
    return is_ours(name) || yyjson_mut_obj_get(root_of(v), name);
}

void vars_names(const struct vars *v, struct text *list)
{
    size_t at, count;
    yyjson_mut_val *key, *value;

    yyjson_mut_obj_foreach(root_of(v), at, count, key, value)
    {
        text_addf(list, "%s%s", at ? ", " : "", yyjson_mut_get_str(key));
    }
}

/* One piece of a text: plain bytes, or the name of a variable. */
struct piece {
    const char *data;
    size_t len;
    bool is_name;
};

static bool next_piece(const char **at, const char *end, struct piece *p)
{
    const char *from = *at;
    size_t left = (size_t)(end - from);

    if (!left)
        return false;
    *p = (struct piece){.data = from, .len = left};
    if (left >= 3 && !memcmp(from, "$${", 3)) {
        *p = (struct piece){.data = from + 1, .len = 2};
        *at = from + 3;
        return true;
    }
    const char *close =
        left >= 2 && !memcmp(from, "${", 2) ? memchr(from, '}', left) : NULL;
    if (close) {
        *p = (struct piece){from + 2, (size_t)(close - from) - 2, true};
        *at = close + 1;
        return true;
    }
    const char *dollar = memchr(from + 1, '$', left - 1);
    if (dollar)
        p->len = (size_t)(dollar - from);
    *at = from + p->len;
    return true;
}

static void add_value(const struct vars *v, const char *name, struct text *out)
{
    yyjson_mut_val *value = yyjson_mut_obj_get(root_of(v), name);

    if (yyjson_mut_is_str(value)) {
        text_add(out, yyjson_mut_get_str(value), yyjson_mut_get_len(value));
    } else if (value && !yyjson_mut_is_null(value)) {
        char *json = yyjson_mut_val_write(value, 0, NULL);
        text_adds(out, json ? json : "");
        free(json);
    } else if (is_ours(name)) {
        const char *env = getenv(name);
        text_adds(out, env ? env : "");
    }
}

void vars_expand(const struct vars *v, const char *text, size_t len,
                 struct text *out)
{
    const char *at = text, *end = text + len;
    struct piece p;

    while (next_piece(&at, end, &p)) {
        if (!p.is_name) {
            text_add(out, p.data, p.len);
            continue;
        }
        struct text name = {0};
        text_add(&name, p.data, p.len);
        add_value(v, name.data, out);
        text_finish(&name);
    }
}

static yyjson_mut_val *expand_string(const struct vars *v, yyjson_mut_doc *doc,
                                     const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    struct piece p;
    struct text out = {0};

    if (next_piece(&at, end, &p) && p.is_name && at == end) {
        yyjson_mut_val *whole = yyjson_mut_obj_getn(root_of(v), p.data, p.len);
        if (whole)
            return yyjson_mut_val_mut_copy(doc, whole);
    }
    vars_expand(v, text, len, &out);
    yyjson_mut_val *value = yyjson_mut_strncpy(doc, text_str(&out), out.len);
    text_finish(&out);
    return value;
}

yyjson_mut_val *vars_expand_json(const struct vars *v, yyjson_mut_doc *doc,
                                 yyjson_mut_val *value)
{
    size_t at, count;
    yyjson_mut_val *key, *item, *copy;

    if (yyjson_mut_is_str(value))
        return expand_string(v, doc, yyjson_mut_get_str(value),
                             yyjson_mut_get_len(value));
    if (yyjson_mut_is_arr(value)) {
        copy = yyjson_mut_arr(doc);
        yyjson_mut_arr_foreach(value, at, count, item)
        {
            yyjson_mut_arr_append(copy, vars_expand_json(v, doc, item));
        }
        return copy;
    }
    if (yyjson_mut_is_obj(value)) {
        copy = yyjson_mut_obj(doc);
        yyjson_mut_obj_foreach(value, at, count, key, item)
        {
            yyjson_mut_obj_add(copy, yyjson_mut_val_mut_copy(doc, key),
                               vars_expand_json(v, doc, item));
        }
        return copy;
    }
    return yyjson_mut_val_mut_copy(doc, value);
}

bool vars_unknown(const struct vars *v, const char *text, size_t len,
                  struct text *name)
{
    const char *at = text, *end = text + len;
    struct piece p;

    while (next_piece(&at, end, &p)) {
        if (!p.is_name)
            continue;
        text_clear(name);
        text_add(name, p.data, p.len);
        if (!vars_knows(v, name->data))
            return true;
    }
    return false;
}
