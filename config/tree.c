/* SPDX-License-Identifier: MIT */
#include "config/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* libyaml counts characters; every STEP-th one's byte is kept. */
#define STEP 256

struct anchor {
    const char *name;
    const struct node *node;
};

struct builder {
    const struct source *source;
    struct arena *arena;
    struct config_error *error;
    yaml_parser_t parser;
    yaml_event_t event; /* the current one; zeroed: none */
    uint32_t *steps;
    size_t step_count;
    struct anchor anchors[TREE_ANCHORS];
    size_t anchor_count, alias_count, node_count;
};

static int build(struct builder *b, size_t depth, struct child *out);

static size_t width(const char *p)
{
    unsigned char c = (unsigned char)*p;

    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static void index_source(struct builder *b)
{
    const struct source *s = b->source;
    size_t chars = 0;

    b->steps = arena_alloc(b->arena, (s->len / STEP + 1) * sizeof(*b->steps));
    for (size_t i = s->bom; i <= s->len; i += width(s->text + i), chars++)
        if (chars % STEP == 0)
            b->steps[b->step_count++] = (uint32_t)i;
}

static struct mark to_mark(const struct builder *b, yaml_mark_t m)
{
    size_t step = m.index / STEP;
    struct mark at = {.line = m.line, .column = m.column};

    if (step >= b->step_count) {
        at.byte = b->source->len;
        return at;
    }
    at.byte = b->steps[step];
    for (size_t i = m.index % STEP; i > 0 && at.byte < b->source->len; i--)
        at.byte += width(b->source->text + at.byte);
    return at;
}

#define FAIL(b, words, ...)                                                    \
    ERROR_AT((b)->error, (b)->source->name, to_mark(b, (b)->event.start_mark), \
             words, ##__VA_ARGS__)

/* The tab before the first other character of that place's line, if there is
 * one: libyaml calls it a character that cannot start a token. */
static bool find_tab(const struct builder *b, struct mark *at)
{
    const char *text = b->source->text;
    size_t begin = at->byte;

    while (begin > b->source->bom && text[begin - 1] != '\n')
        begin--;
    size_t blank = strspn(text + begin, " ");
    if (text[begin + blank] != '\t')
        return false;
    at->byte = begin + blank;
    at->column = blank;
    return true;
}

static int refuse_yaml(struct builder *b)
{
    struct mark at = to_mark(b, b->parser.problem_mark);

    if (find_tab(b, &at))
        return ERROR_AT(b->error, b->source->name, at, CONFIG_TAB);
    return ERROR_AT(b->error, b->source->name, at, CONFIG_NO_YAML,
                    b->parser.problem ? b->parser.problem : "cannot be read",
                    b->parser.context ? " " : "",
                    b->parser.context ? b->parser.context : "");
}

static int next(struct builder *b)
{
    yaml_event_delete(&b->event);
    if (yaml_parser_parse(&b->parser, &b->event))
        return 0;
    return refuse_yaml(b);
}

static int count_node(struct builder *b)
{
    if (++b->node_count > TREE_NODES)
        return FAIL(b, CONFIG_TOO_MANY_VALUES, (size_t)TREE_NODES);
    return 0;
}

static enum node_style scalar_style(yaml_scalar_style_t style)
{
    switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
        return NODE_SINGLE;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        return NODE_DOUBLE;
    case YAML_LITERAL_SCALAR_STYLE:
        return NODE_LITERAL;
    case YAML_FOLDED_SCALAR_STYLE:
        return NODE_FOLDED;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE:
        break;
    }
    return NODE_PLAIN;
}

static int build_scalar(struct builder *b, struct node *n)
{
    const char *value = (const char *)b->event.data.scalar.value;
    size_t len = b->event.data.scalar.length;

    if (memchr(value, '\0', len))
        return FAIL(b, CONFIG_TEXT_HAS_NUL);
    n->kind = NODE_SCALAR;
    n->style = scalar_style(b->event.data.scalar.style);
    n->is_implicit = b->event.data.scalar.plain_implicit;
    n->text = arena_copy(b->arena, value, len);
    return 0;
}

static void add_child(struct builder *b, struct node *n, struct child c)
{
    n->children =
        arena_grow(b->arena, n->children, n->count, sizeof(*n->children));
    n->children[n->count++] = c;
}

static int build_sequence(struct builder *b, size_t depth, struct node *n)
{
    n->kind = NODE_SEQUENCE;
    n->style = b->event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
                   ? NODE_FLOW
                   : NODE_BLOCK;
    for (;;) {
        struct child c = {0};
        int rc = next(b);
        if (rc || b->event.type == YAML_SEQUENCE_END_EVENT)
            return rc;
        rc = build(b, depth + 1, &c);
        if (rc)
            return rc;
        add_child(b, n, c);
    }
}

static bool is_merge(const struct node *key)
{
    return key->is_implicit && strcmp(key->text, "<<") == 0;
}

static int check_key(struct builder *b, const struct node *n,
                     const struct child *c)
{
    const char *file = b->source->name;

    if (c->node->kind != NODE_SCALAR)
        return ERROR_AT(b->error, file, c->start, CONFIG_KEY_NO_NAME);
    if (n->count >= TREE_KEYS)
        return ERROR_AT(b->error, file, c->start, CONFIG_TOO_MANY_KEYS,
                        TREE_KEYS);
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->children[i].key->text, c->node->text) == 0)
            return ERROR_AT(b->error, file, c->start, CONFIG_KEY_TWICE,
                            c->node->text, n->children[i].key->start.line + 1);
    return 0;
}

static int merge_one(struct builder *b, struct node *n, const struct node *from,
                     struct mark at)
{
    if (from->kind != NODE_MAPPING)
        return ERROR_AT(b->error, b->source->name, at, CONFIG_MERGE_NO_MAPPING);
    for (size_t i = 0; i < from->count; i++) {
        struct child c = from->children[i];
        if (is_merge(c.key) || tree_get(n, c.key->text))
            continue;
        if (n->count >= TREE_KEYS || count_node(b))
            return ERROR_AT(b->error, b->source->name, at,
                            CONFIG_MERGE_TOO_MANY, TREE_KEYS);
        c.is_merged = true;
        add_child(b, n, c);
    }
    return 0;
}

/* After the mapping's own keys, which win over those merged in. */
static int merge(struct builder *b, struct node *n)
{
    const struct child *found = tree_get(n, "<<");

    if (!found || !is_merge(found->key))
        return 0;
    struct child m = *found;
    if (m.node->kind != NODE_SEQUENCE)
        return merge_one(b, n, m.node, m.start);
    for (size_t i = 0; i < m.node->count; i++) {
        int rc = merge_one(b, n, m.node->children[i].node, m.start);
        if (rc)
            return rc;
    }
    return 0;
}

static int build_mapping(struct builder *b, size_t depth, struct node *n)
{
    n->kind = NODE_MAPPING;
    n->style = b->event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                   ? NODE_FLOW
                   : NODE_BLOCK;
    for (;;) {
        struct child key = {0}, c = {0};
        int rc = next(b);
        if (rc)
            return rc;
        if (b->event.type == YAML_MAPPING_END_EVENT)
            return merge(b, n);
        rc = build(b, depth + 1, &key);
        if (!rc)
            rc = check_key(b, n, &key);
        if (!rc)
            rc = next(b);
        if (!rc)
            rc = build(b, depth + 1, &c);
        if (rc)
            return rc;
        c.key = key.node;
        add_child(b, n, c);
    }
}

static int resolve(struct builder *b, struct child *out)
{
    const char *name = (const char *)b->event.data.alias.anchor;

    if (++b->alias_count > TREE_ALIASES)
        return FAIL(b, CONFIG_TOO_MANY_ALIASES, (size_t)TREE_ALIASES);
    for (size_t i = b->anchor_count; i-- > 0;) {
        if (strcmp(b->anchors[i].name, name) == 0) {
            out->node = b->anchors[i].node;
            return 0;
        }
    }
    return ERROR_AT(b->error, b->source->name, out->start, CONFIG_NO_ANCHOR,
                    name, name);
}

/* Known from its end on: a value that holds itself cannot be written. */
static int keep_anchor(struct builder *b, const char *name,
                       const struct node *n)
{
    if (!name)
        return 0;
    if (b->anchor_count == TREE_ANCHORS)
        return ERROR_AT(b->error, b->source->name, n->start,
                        CONFIG_TOO_MANY_ANCHORS, TREE_ANCHORS);
    b->anchors[b->anchor_count++] = (struct anchor){.name = name, .node = n};
    return 0;
}

static const char *anchor_of(struct builder *b)
{
    const yaml_event_t *ev = &b->event;
    const yaml_char_t *name =
        ev->type == YAML_SCALAR_EVENT           ? ev->data.scalar.anchor
        : ev->type == YAML_SEQUENCE_START_EVENT ? ev->data.sequence_start.anchor
                                                : ev->data.mapping_start.anchor;

    return name ? arena_copy(b->arena, (const char *)name,
                             strlen((const char *)name))
                : NULL;
}

/* Builds the value whose first event is the current one. */
static int build(struct builder *b, size_t depth, struct child *out)
{
    out->start = to_mark(b, b->event.start_mark);
    out->end = to_mark(b, b->event.end_mark);
    if (b->event.type == YAML_ALIAS_EVENT)
        return resolve(b, out);
    if (depth > TREE_DEPTH)
        return FAIL(b, CONFIG_TOO_DEEP, (size_t)TREE_DEPTH);
    int rc = count_node(b);
    if (rc)
        return rc;
    struct node *n = arena_alloc(b->arena, sizeof(*n));
    const char *anchor = anchor_of(b);
    n->start = out->start;
    if (b->event.type == YAML_SCALAR_EVENT)
        rc = build_scalar(b, n);
    else if (b->event.type == YAML_SEQUENCE_START_EVENT)
        rc = build_sequence(b, depth, n);
    else
        rc = build_mapping(b, depth, n);
    if (rc)
        return rc;
    out->end = n->end = to_mark(b, b->event.end_mark);
    out->node = n;
    return keep_anchor(b, anchor, n);
}

static int build_document(struct builder *b, const struct node **root)
{
    struct child top = {0};
    int rc = next(b);

    if (!rc)
        rc = next(b);
    if (rc || b->event.type == YAML_STREAM_END_EVENT)
        return rc;
    rc = next(b);
    if (!rc)
        rc = build(b, 1, &top);
    if (!rc)
        rc = next(b);
    if (!rc)
        rc = next(b);
    if (rc)
        return rc;
    if (b->event.type != YAML_STREAM_END_EVENT)
        return FAIL(b, CONFIG_ONE_DOCUMENT);
    *root = top.node;
    return 0;
}

int tree_parse(const struct source *s, struct arena *a,
               const struct node **root, struct config_error *e)
{
    struct builder b = {.source = s, .arena = a, .error = e};

    *root = NULL;
    if (!yaml_parser_initialize(&b.parser))
        abort();
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &b.parser, (const unsigned char *)s->text + s->bom, s->len - s->bom);
    index_source(&b);
    int rc = build_document(&b, root);
    yaml_event_delete(&b.event);
    yaml_parser_delete(&b.parser);
    return rc;
}

const struct child *tree_get(const struct node *mapping, const char *key)
{
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->children[i].key->text, key) == 0)
            return &mapping->children[i];
    return NULL;
}

bool tree_is_null(const struct node *n)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};

    if (n->kind != NODE_SCALAR || !n->is_implicit)
        return false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(n->text, words[i]) == 0)
            return true;
    return false;
}
