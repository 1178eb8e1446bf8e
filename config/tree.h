/*
 * A tree is a YAML document as it stands in its file: every value knows the
 * bytes it was written with. Built from libyaml's events under limits, since
 * libyaml's own loader has none and is quadratic in depth.
 */
#ifndef CONFIG_TREE_H
#define CONFIG_TREE_H

#include <stdbool.h>

#include "config/source.h"
#include "runtime/text/arena.h"

#define TREE_DEPTH 16
#define TREE_NODES 20000
#define TREE_KEYS 256 /* of one mapping */
#define TREE_ANCHORS 64
#define TREE_ALIASES 256

enum node_kind { NODE_SCALAR, NODE_SEQUENCE, NODE_MAPPING };
enum node_style {
    NODE_PLAIN,
    NODE_SINGLE,
    NODE_DOUBLE,
    NODE_LITERAL,
    NODE_FOLDED,
    NODE_BLOCK,
    NODE_FLOW
};

struct node;

/* A value in its place; start and end are an alias's own if it is one. */
struct child {
    const struct node *key; /* NULL in a sequence */
    const struct node *node;
    struct mark start, end;
    bool is_merged; /* came by "<<": stands elsewhere */
};

struct node {
    enum node_kind kind;
    enum node_style style;
    bool is_implicit;       /* plain and without a tag: may be a number */
    struct mark start, end; /* an anchor or tag before it included */
    const char *text;       /* of a scalar; terminated, without NUL inside */
    struct child *children;
    size_t count;
};

/* The document's root, or NULL in *root for an empty file. The tree is in the
 * arena; it does not point into the source. */
int tree_parse(const struct source *s, struct arena *a,
               const struct node **root, struct config_error *e);
/* The mapping's child of that name, or NULL. */
const struct child *tree_get(const struct node *mapping, const char *key);
/* Empty, ~ or null, as a plain scalar. */
bool tree_is_null(const struct node *n);

#endif
