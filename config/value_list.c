/* SPDX-License-Identifier: MIT */
/* Values that are lists: words of a set, and the words of a command. */
#include <string.h>

#include "config/loader.h"

static bool is_text(const struct node *n)
{
    return n->kind == NODE_SCALAR && !tree_is_null(n);
}

static bool read_set(const struct key *k, const struct node *list, int64_t *out)
{
    int64_t set = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct node *n = list->children[i].node;
        size_t word = 0;

        while (is_text(n) && k->words[word] && strcmp(k->words[word], n->text))
            word++;
        if (!is_text(n) || !k->words[word])
            return false;
        set |= (int64_t)1 << word;
    }
    *out = set;
    return set != 0 || k->min == 0;
}

static bool read_words(struct arena *a, const struct key *k,
                       const struct node *list, const char *const **out)
{
    const char **words = arena_alloc(a, (list->count + 1) * sizeof(*words));

    if (list->count > (size_t)k->max)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct node *n = list->children[i].node;

        if (!is_text(n) || (i == 0 && n->text[0] == 0) ||
            strlen(n->text) > KEY_LIST_WORD)
            return false;
        words[i] = arena_copy(a, n->text, strlen(n->text));
    }
    *out = words;
    return true;
}

bool value_is_list(const struct key *k)
{
    return k->type == KEY_SET || k->type == KEY_LIST;
}

int value_read_list(struct loader *r, const struct key *k, const char *path,
                    const struct child *c, void *at)
{
    const struct node *n = c->node;
    struct keys_words expected;

    if (n->kind == NODE_SEQUENCE &&
        (k->type == KEY_SET ? read_set(k, n, at)
                            : read_words(r->arena, k, n, at)))
        return 0;
    expected = keys_expected(k);
    return value_refuse(r, path, c, (struct message){expected.ja, expected.en});
}

const char *value_of_list(struct arena *a, const struct node *list)
{
    const char *text = "[";

    for (size_t i = 0; i < list->count; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "",
                            is_text(list->children[i].node)
                                ? list->children[i].node->text
                                : "");
    return arena_printf(a, "%s]", text);
}
