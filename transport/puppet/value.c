/* SPDX-License-Identifier: MIT */
#include "transport/puppet/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Every ${name} is looked up now, so that a misspelt one is an error with a
 * place and not an empty string in the middle of a test. */
static int check_refs(struct reader *r, const yaml_node_t *node)
{
    struct text name = {0}, known = {0};
    int rc = 0;

    if (vars_unknown(r->vars, reader_scalar(node), node->data.scalar.length,
                     &name)) {
        vars_names(r->vars, &known);
        rc = reader_fail(r, node->start_mark,
                         "unknown variable '%s' (known here: %s, and "
                         "KUROMAJUTSU_* of the environment)",
                         name.data, known.data);
    }
    text_finish(&name);
    text_finish(&known);
    return rc;
}

static int read_text(struct reader *r, const yaml_node_t *node, struct arg *arg)
{
    if (node->type != YAML_SCALAR_NODE)
        return reader_fail(r, node->start_mark, "expected a text");
    arg->text = reader_scalar(node);
    arg->len = node->data.scalar.length;
    return check_refs(r, node);
}

/* Numbers, flags and words cannot wait for the play: their limits are part of
 * the check, so their ${...} see the parameters only. */
static int expand_now(struct reader *r, const yaml_node_t *node,
                      struct text *out)
{
    if (node->type != YAML_SCALAR_NODE)
        return reader_fail(r, node->start_mark, "expected a single value");
    int rc = check_refs(r, node);
    vars_expand(r->vars, reader_scalar(node), node->data.scalar.length, out);
    return rc;
}

static int read_number(struct reader *r, const struct arg_form *form,
                       const yaml_node_t *node, const char *text, long *number)
{
    char *end;

    errno = 0;
    *number = strtol(text, &end, 10);
    if (end != text && !*end && !errno && *number >= form->low &&
        *number <= form->high)
        return 0;
    return reader_fail(r, node->start_mark,
                       "expected for '%s' a whole number from %ld to "
                       "%ld, found '%s'",
                       form->name, form->low, form->high, text);
}

static int read_flag(struct reader *r, const struct arg_form *form,
                     const yaml_node_t *node, const char *text, long *number)
{
    long word = step_word("false no off true yes on", text);

    if (word < 0)
        return reader_fail(r, node->start_mark,
                           "expected for '%s' true or false, found '%s'",
                           form->name, text);
    *number = word >= 3;
    return 0;
}

static int read_word(struct reader *r, const struct arg_form *form,
                     const yaml_node_t *node, const char *text, long *number)
{
    *number = step_word(form->words, text);
    if (*number >= 0)
        return 0;
    return reader_fail(r, node->start_mark,
                       "expected for '%s' one of: %s; found '%s'", form->name,
                       form->words, text);
}

static int read_now(struct reader *r, const struct arg_form *form,
                    const yaml_node_t *node, struct arg *arg)
{
    struct text text = {0};
    int rc = expand_now(r, node, &text);

    if (rc)
        ;
    else if (form->type == ARG_NUMBER)
        rc = read_number(r, form, node, text_str(&text), &arg->number);
    else if (form->type == ARG_FLAG)
        rc = read_flag(r, form, node, text_str(&text), &arg->number);
    else
        rc = read_word(r, form, node, text_str(&text), &arg->number);
    text_finish(&text);
    return rc;
}

static yyjson_mut_val *scalar_json(yyjson_mut_doc *doc, const yaml_node_t *node)
{
    const char *text = reader_scalar(node);
    char *end;

    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return yyjson_mut_strn(doc, text, node->data.scalar.length);
    if (reader_is_null(node))
        return yyjson_mut_null(doc);
    if (!strcmp(text, "true") || !strcmp(text, "false"))
        return yyjson_mut_bool(doc, *text == 't');
    /* strtod alone would also take "nan", "infinity" and "0x1p3". */
    if (!text[strspn(text, "+-.0123456789eE")] && strpbrk(text, "0123456789")) {
        errno = 0;
        long long whole = strtoll(text, &end, 10);
        if (!*end && !errno)
            return yyjson_mut_sint(doc, whole);
        double real = strtod(text, &end);
        if (!*end && !errno)
            return yyjson_mut_real(doc, real);
    }
    return yyjson_mut_strn(doc, text, node->data.scalar.length);
}

static yyjson_mut_val *read_json(struct reader *r, int id);

static bool read_pairs(struct reader *r, const yaml_node_t *node,
                       yyjson_mut_val *obj)
{
    yyjson_mut_doc *doc = r->scenario->json;

    for (yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++) {
        yaml_node_t *key = reader_node(r, p->key);
        if (key->type != YAML_SCALAR_NODE) {
            reader_fail(r, key->start_mark, "expected a name");
            return false;
        }
        yyjson_mut_val *value = read_json(r, p->value);
        if (!value)
            return false;
        yyjson_mut_obj_add(obj, yyjson_mut_str(doc, reader_scalar(key)), value);
    }
    return true;
}

static bool read_items(struct reader *r, const yaml_node_t *node,
                       yyjson_mut_val *arr)
{
    for (yaml_node_item_t *i = node->data.sequence.items.start;
         i < node->data.sequence.items.top; i++) {
        yyjson_mut_val *item = read_json(r, *i);
        if (!item)
            return false;
        yyjson_mut_arr_append(arr, item);
    }
    return true;
}

static yyjson_mut_val *read_json(struct reader *r, int id)
{
    yyjson_mut_doc *doc = r->scenario->json;
    yaml_node_t *node = reader_node(r, id);
    yyjson_mut_val *value = NULL;

    if (node->type == YAML_SCALAR_NODE) {
        if (!check_refs(r, node))
            value = scalar_json(doc, node);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        value = yyjson_mut_arr(doc);
        if (!read_items(r, node, value))
            value = NULL;
    } else {
        value = yyjson_mut_obj(doc);
        if (!read_pairs(r, node, value))
            value = NULL;
    }
    return value;
}

static int read_save(struct reader *r, int id, struct arg *arg)
{
    yaml_node_t *node = reader_node(r, id);
    size_t at, count;
    yyjson_mut_val *key, *pointer;

    arg->json = read_json(r, id);
    if (!arg->json)
        return -EINVAL;
    if (!yyjson_mut_is_obj(arg->json))
        return reader_fail(r, node->start_mark,
                           "expected for 'save' variable: /pointer");
    yyjson_mut_obj_foreach(arg->json, at, count, key, pointer)
    {
        const char *text = yyjson_mut_get_str(pointer);
        if (!text || (*text && *text != '/'))
            return reader_fail(r, node->start_mark,
                               "expected for '%s' a JSON pointer such as "
                               "/agents/0/agentId",
                               yyjson_mut_get_str(key));
        /* From here on the name is known; its value comes with the play. */
        vars_set(r->vars, yyjson_mut_get_str(key), "");
    }
    return 0;
}

int value_read(struct reader *r, const struct arg_form *form, int id,
               struct arg *arg)
{
    arg->is_set = true;
    if (form->type == ARG_SAVE)
        return read_save(r, id, arg);
    if (form->type == ARG_JSON) {
        arg->json = read_json(r, id);
        return arg->json ? 0 : -EINVAL;
    }
    yaml_node_t *node = reader_node(r, id);
    if (form->type == ARG_TEXT)
        return read_text(r, node, arg);
    return read_now(r, form, node, arg);
}
