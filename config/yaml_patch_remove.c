/* SPDX-License-Identifier: MIT */
/* Taking something out of a text: a role, or a key of one. */
#include <string.h>

#include "config/yaml_patch.h"

static size_t line_start(const struct source *s, size_t at)
{
    while (at > s->bom && s->text[at - 1] != '\n')
        at--;
    return at;
}

static bool is_blank_line(const char *text, size_t at)
{
    at += strspn(text + at, " \t\r");
    return text[at] == '\n' || text[at] == '\0';
}

/* With the comma that is one too many then. `at` is where each begins. */
static void remove_flow(struct patch *p, const struct node *n, size_t i)
{
    const struct child *c = n->children;
    const struct node *next = i + 1 < n->count ? c[i + 1].key : NULL;

    p->start = c[i].key ? c[i].key->start.byte : c[i].start.byte;
    p->end = patch_end(p->source, &c[i]);
    if (i > 0)
        p->start = patch_end(p->source, &c[i - 1]);
    else if (i + 1 < n->count)
        p->end = next ? next->start.byte : c[i + 1].start.byte;
}

/* Comments right above an item, as far in as it is, are about it; above the
 * first they may be about the list. */
static size_t with_comments(const struct source *s, size_t at, size_t column)
{
    while (at > s->bom) {
        size_t above = line_start(s, at - 1);
        size_t blanks = strspn(s->text + above, " ");
        if (blanks != column || s->text[above + blanks] != '#')
            break;
        at = above;
    }
    return at;
}

/* Of the empty lines around it one is enough. */
static void join_blank_lines(struct patch *p)
{
    const struct source *s = p->source;

    if (p->start > s->bom &&
        is_blank_line(s->text, line_start(s, p->start - 1)) &&
        p->end < s->len && is_blank_line(s->text, p->end))
        p->end += strcspn(s->text + p->end, "\n") + 1;
}

void patch_remove_item(struct patch *p, const struct node *list, size_t i)
{
    const struct source *s = p->source;
    size_t dash = list->children[i].start.byte;

    if (list->style == NODE_FLOW) {
        remove_flow(p, list, i);
        return;
    }
    while (dash > s->bom &&
           (s->text[dash] != '-' || !strchr(" \t\r\n", s->text[dash + 1])))
        dash--;
    p->start = line_start(s, dash);
    if (i > 0)
        p->start = with_comments(s, p->start, dash - p->start);
    p->end = patch_line_after(s, patch_end(s, &list->children[i]));
    join_blank_lines(p);
}

void patch_remove_key(struct patch *p, const struct node *mapping,
                      const struct child *c)
{
    const struct source *s = p->source;
    size_t i = (size_t)(c - mapping->children);
    size_t key = c->key->start.byte;

    if (mapping->style == NODE_FLOW) {
        remove_flow(p, mapping, i);
        return;
    }
    p->start = line_start(s, key);
    p->end = patch_line_after(s, patch_end(s, c));
    if (i == 0 && i + 1 < mapping->count) { /* behind the item's dash */
        p->start = key;
        p->end = mapping->children[1].key->start.byte;
    }
}
