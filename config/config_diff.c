/* SPDX-License-Identifier: MIT */
#include "config/config_diff.h"

#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "config/line_diff.h"
#include "config/tree.h"
#include "runtime/text/bytes.h"

/* A text in which no secret is, line for line that of the file, and the lines
 * of its list of roles: a change is of these, and what is around them may be
 * a secret that nobody knows to be one. */
struct face {
    struct bytes text;
    size_t first, last;
};

/* ---- where secrets are -------------------------------------------------- */

/* Where the value was written, which may be far from its key: an alias's is
 * at its anchor, a merged one's in another mapping. */
static void hide_node(bool *is_hidden, size_t len, const struct node *n)
{
    for (size_t i = n->start.byte; i < n->end.byte && i < len; i++)
        is_hidden[i] = true;
}

static const struct node *find(const struct node *mapping, const char *name)
{
    const struct child *c = mapping != NULL && mapping->kind == NODE_MAPPING
                                ? tree_get(mapping, name)
                                : NULL;

    return c != NULL ? c->node : NULL;
}

/* By key and not by what is in force: a value that waits for trust, or that a
 * variable stands before, is a secret too. */
static void hide_keys(bool *is_hidden, size_t len, const struct node *root)
{
    for (size_t i = 0; i < keys_config.count; i++) {
        const struct key *k = &keys_config.rows[i];
        const struct node *n;

        if (!k->is_secret)
            continue;
        n = find(k->section != NULL ? find(root, k->section) : root, k->name);
        if (n != NULL)
            hide_node(is_hidden, len, n);
    }
}

/* ---- the face ----------------------------------------------------------- */

/* Line ends stay, so that lines keep their numbers. */
static void put_face(struct bytes *out, struct slice text,
                     const bool *is_hidden)
{
    for (size_t i = 0; i < text.len; i++) {
        if (is_hidden[i] && (i == 0 || !is_hidden[i - 1]))
            bytes_format(out, "{secret}");
        if (!is_hidden[i] || text.ptr[i] == '\n')
            bytes_append(out, text.ptr + i, 1);
    }
}

static void find_roles(struct face *f, const struct node *root)
{
    const struct child *c = root != NULL && root->kind == NODE_MAPPING
                                ? tree_get(root, "roles")
                                : NULL;

    if (c == NULL)
        return;
    f->first = c->key->start.line;
    f->last = c->end.line + (c->end.column > 0);
}

/* A text that cannot be read, which no caller has, shows nothing. */
static void face_init(struct face *f, const struct config *c, struct slice text)
{
    bool *is_hidden = bytes_zalloc((text.len + 1) * sizeof(*is_hidden));
    struct arena arena = {0};
    struct source s = {0};
    struct config_error e = {0};
    const struct node *root = NULL;

    *f = (struct face){0};
    if (source_take(&s, c->file, bytes_text("%.*s", (int)text.len, text.ptr),
                    text.len, &e) == 0 &&
        tree_parse(&s, &arena, &root, &e) == 0) {
        hide_keys(is_hidden, text.len, root);
        find_roles(f, root);
    } else {
        memset(is_hidden, true, text.len);
    }
    put_face(&f->text, text, is_hidden);
    source_finish(&s);
    arena_finish(&arena);
    free(is_hidden);
}

char *config_diff(const struct config *c, const char *was, struct slice now)
{
    const char *slash = strrchr(c->file, '/');
    struct bytes out = {0};
    struct face before, after;

    face_init(&before, c, slice_cstr(was));
    face_init(&after, c, now);
    if (c->has_file)
        bytes_reserve(&before.text, 1); /* empty is not the same as none */
    line_diff(&out, slash ? slash + 1 : c->file, bytes_slice(&before.text),
              bytes_slice(&after.text), before.first, before.last);
    bytes_append(&out, "", 1);
    bytes_finish(&before.text);
    bytes_finish(&after.text);
    return out.ptr;
}
