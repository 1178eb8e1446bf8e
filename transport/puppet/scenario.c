/* SPDX-License-Identifier: MIT */
/*
 * libyaml's document keeps the place of every node, which is what the error
 * messages need; the steps point into it instead of copying. Aliases would
 * make it a graph, with cycles and with sizes that grow out of nothing, so
 * they are refused, and so the readers may recurse without looking back.
 */
#include "transport/puppet/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transport/puppet/reader.h"

yaml_node_t *reader_node(struct reader *r, int id)
{
    return yaml_document_get_node(&r->scenario->document, id);
}

const char *reader_scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

bool reader_is_null(const yaml_node_t *node)
{
    const char *text = reader_scalar(node);

    return node->type == YAML_SCALAR_NODE &&
           node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!*text || !strcmp(text, "~") || !strcmp(text, "null"));
}

static int read_steps(struct reader *r, int id, struct step **steps,
                      size_t *count);

static int find_arg(struct reader *r, const struct step_form *form,
                    const yaml_node_t *key)
{
    struct text known = {0};

    if (key->type == YAML_SCALAR_NODE) {
        for (int i = 0; i < STEP_ARGS && form->args[i].type != ARG_NONE; i++)
            if (!strcmp(form->args[i].name, reader_scalar(key)))
                return i;
    }
    step_arg_names(form, &known);
    reader_fail(r, key->start_mark,
                "unknown argument of '%s': expected one of: %s", form->name,
                known.data);
    text_finish(&known);
    return -1;
}

static int read_arg(struct reader *r, struct step *step, int i, int id)
{
    const struct arg_form *form = &step_form(step->kind)->args[i];

    if (form->type != ARG_STEPS)
        return value_read(r, form, id, &step->args[i]);
    step->args[i].is_set = true;
    return read_steps(r, id, &step->body, &step->body_count);
}

static int read_args(struct reader *r, struct step *step,
                     const yaml_node_t *node)
{
    const struct step_form *form = step_form(step->kind);

    for (yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++) {
        yaml_node_t *key = reader_node(r, p->key);
        int i = find_arg(r, form, key);
        if (i < 0)
            return -EINVAL;
        if (step->args[i].is_set)
            return reader_fail(r, key->start_mark, "expected '%s' only once",
                               form->args[i].name);
        int rc = read_arg(r, step, i, p->value);
        if (rc)
            return rc;
    }
    return 0;
}

static int read_body(struct reader *r, struct step *step, int id)
{
    const struct step_form *form = step_form(step->kind);
    yaml_node_t *node = reader_node(r, id);

    if (reader_is_null(node))
        return 0;
    if (node->type == YAML_MAPPING_NODE)
        return read_args(r, step, node);
    if (form->lone >= 0)
        return read_arg(r, step, form->lone, id);
    struct text known = {0};
    step_arg_names(form, &known);
    int rc =
        reader_fail(r, node->start_mark, "expected for '%s' a mapping of: %s",
                    form->name, known.data);
    text_finish(&known);
    return rc;
}

static int check_args(struct reader *r, struct step *step,
                      const yaml_node_t *node)
{
    const struct step_form *form = step_form(step->kind);

    for (int i = 0; i < STEP_ARGS && form->args[i].type != ARG_NONE; i++) {
        if (step->args[i].is_set)
            continue;
        if (form->args[i].is_required)
            return reader_fail(r, node->start_mark, "expected '%s' in '%s'",
                               form->args[i].name, form->name);
        step->args[i].number = form->args[i].fallback;
    }
    return 0;
}

static int name_step(struct reader *r, const yaml_node_t *name,
                     struct step *step)
{
    struct text known = {0};
    int rc = 0;

    step->line = name->start_mark.line + 1;
    step->kind = STEP_KINDS;
    if (name->type == YAML_SCALAR_NODE)
        step->kind = step_named(reader_scalar(name));
    if (step->kind == STEP_KINDS) {
        step_names(&known);
        rc = reader_fail(
            r, name->start_mark, "unknown step '%s': expected one of: %s",
            name->type == YAML_SCALAR_NODE ? reader_scalar(name) : "",
            known.data);
        step->kind = 0;
    }
    text_finish(&known);
    return rc;
}

static int read_step(struct reader *r, const yaml_node_t *node,
                     struct step *step)
{
    if (node->type == YAML_SCALAR_NODE) {
        int rc = name_step(r, node, step);
        return rc ? rc : check_args(r, step, node);
    }
    if (node->type != YAML_MAPPING_NODE ||
        node->data.mapping.pairs.start == node->data.mapping.pairs.top)
        return reader_fail(r, node->start_mark,
                           "expected a step, written 'name: value'");
    yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    if (pair + 1 < node->data.mapping.pairs.top)
        return reader_fail(r, reader_node(r, pair[1].key)->start_mark,
                           "expected one name in a step (is the indent of its "
                           "arguments, or a '- ', missing?)");
    yaml_node_t *key = reader_node(r, pair->key);
    int rc = name_step(r, key, step);
    if (!rc)
        rc = read_body(r, step, pair->value);
    return rc ? rc : check_args(r, step, key);
}

static int read_steps(struct reader *r, int id, struct step **steps,
                      size_t *count)
{
    yaml_node_t *node = reader_node(r, id);
    int rc = 0;

    if (node->type != YAML_SEQUENCE_NODE)
        return reader_fail(r, node->start_mark, "expected a list of steps");
    yaml_node_item_t *first = node->data.sequence.items.start;
    size_t n = (size_t)(node->data.sequence.items.top - first);
    *steps = calloc(n ? n : 1, sizeof(**steps));
    if (!*steps)
        abort();
    for (; *count < n && !rc; ++*count)
        rc = read_step(r, reader_node(r, first[*count]), &(*steps)[*count]);
    return rc;
}

static int read_params(struct reader *r, int id, struct vars *declared)
{
    yaml_node_t *node = reader_node(r, id);

    if (node->type != YAML_MAPPING_NODE)
        return reader_fail(r, node->start_mark,
                           "expected parameters, 'name: default'");
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++) {
        yaml_node_t *key = reader_node(r, p->key);
        yaml_node_t *value = reader_node(r, p->value);
        if (key->type != YAML_SCALAR_NODE || value->type != YAML_SCALAR_NODE)
            return reader_fail(r, key->start_mark, "expected 'name: default'");
        vars_set(declared, reader_scalar(key), reader_scalar(value));
        vars_set(r->vars, reader_scalar(key), reader_scalar(value));
    }
    return 0;
}

static int take_given(struct reader *r, const struct vars *declared,
                      const struct vars *given)
{
    size_t at, count;
    yyjson_mut_val *key, *value;

    yyjson_mut_obj_foreach(yyjson_mut_doc_get_root(given->doc), at, count, key,
                           value)
    {
        const char *name = yyjson_mut_get_str(key);
        if (!yyjson_mut_obj_get(yyjson_mut_doc_get_root(declared->doc), name)) {
            struct text known = {0};
            vars_names(declared, &known);
            text_addf(r->error, "%s: unknown parameter '%s' (expected: %s)",
                      r->scenario->name, name, known.len ? known.data : "none");
            text_finish(&known);
            return -EINVAL;
        }
        vars_set(r->vars, name, yyjson_mut_get_str(value));
    }
    return 0;
}

static int read_head(struct reader *r, const yaml_node_t *node, int *steps,
                     int *params)
{
    static const struct arg_form init = {.name = "init", .type = ARG_FLAG};

    for (yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++) {
        yaml_node_t *key = reader_node(r, p->key);
        const char *name =
            key->type == YAML_SCALAR_NODE ? reader_scalar(key) : "";
        struct arg flag = {0};
        if (!strcmp(name, "steps"))
            *steps = p->value;
        else if (!strcmp(name, "params"))
            *params = p->value;
        else if (!strcmp(name, "init")) {
            if (value_read(r, &init, p->value, &flag))
                return -EINVAL;
            r->scenario->has_init = flag.number;
        } else
            return reader_fail(r, key->start_mark,
                               "expected one of: params, init, steps");
    }
    return *steps ? 0 : reader_fail(r, node->start_mark, "expected 'steps'");
}

static int read_root(struct reader *r, const struct vars *given)
{
    yaml_node_t *root = yaml_document_get_root_node(&r->scenario->document);
    int steps = 1, params = 0, rc = 0;
    struct vars declared;

    if (!root)
        return reader_fail(r, (yaml_mark_t){0},
                           "expected a list of steps, found nothing");
    if (root->type == YAML_MAPPING_NODE) {
        steps = 0;
        rc = read_head(r, root, &steps, &params);
    }
    vars_init(&declared);
    if (!rc && params)
        rc = read_params(r, params, &declared);
    if (!rc)
        rc = take_given(r, &declared, given);
    vars_finish(&declared);
    if (!rc)
        rc = read_steps(r, steps, &r->scenario->steps, &r->scenario->count);
    return rc;
}

int scenario_load(struct scenario *s, const char *name, const struct text *text,
                  struct vars *vars, const struct vars *given,
                  struct text *error)
{
    struct reader r = {.scenario = s, .vars = vars, .error = error};

    s->name = name;
    s->has_init = true;
    s->json = yyjson_mut_doc_new(NULL);
    int rc = reader_parse(&r, text);
    return rc ? rc : read_root(&r, given);
}

static void free_steps(struct step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free_steps(steps[i].body, steps[i].body_count);
    free(steps);
}

void scenario_finish(struct scenario *s)
{
    free_steps(s->steps, s->count);
    if (s->is_parsed)
        yaml_document_delete(&s->document);
    yyjson_mut_doc_free(s->json);
    *s = (struct scenario){0};
}
