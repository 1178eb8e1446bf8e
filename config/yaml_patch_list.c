/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "config/yaml_patch.h"

static const char *id_of(const struct node *n)
{
    if (n->kind == NODE_MAPPING) {
        const struct child *id = tree_get(n, "id");
        n = id ? id->node : n;
    }
    return n->kind == NODE_SCALAR ? n->text : "";
}

static void write_scalar(struct patch *p, const char *text)
{
    const struct scalar_place place = {
        .style = NODE_PLAIN, .is_flow = true, .eol = p->eol, .comment = ""};

    scalar_write(p->out, text, &place);
}

/* Of a role's that is copied, with its parameters. */
static void write_use(struct patch *p, const char *item)
{
    const struct role *like = p->edit->like;
    const struct role_use *use = NULL;

    for (size_t i = 0; like && i < like->tool_count; i++)
        if (strcmp(like->tools[i].tool->id, item) == 0)
            use = &like->tools[i];
    if (!use || use->parameters.count == 0) {
        write_scalar(p, item);
        return;
    }
    fprintf(p->out, "{id: %s, parameters: {", item);
    for (size_t i = 0; i < use->parameters.count; i++) {
        fprintf(p->out, "%s%s: ", i ? ", " : "", use->parameters.items[i].name);
        write_scalar(p, use->parameters.items[i].value);
    }
    fputs("}}", p->out);
}

/* An item that stays keeps its text: it may have parameters. */
static void write_item(struct patch *p, const struct node *was,
                       const char *item)
{
    for (size_t i = 0; was && i < was->count; i++) {
        const struct child *c = &was->children[i];
        if (strcmp(id_of(c->node), item) == 0) {
            fwrite(p->source->text + c->start.byte, 1,
                   patch_end(p->source, c) - c->start.byte, p->out);
            return;
        }
    }
    write_use(p, item);
}

void patch_flow_list(struct patch *p, const struct node *was)
{
    fputc('[', p->out);
    for (size_t i = 0; i < p->edit->count; i++) {
        fputs(i ? ", " : "", p->out);
        write_item(p, was, p->edit->items[i]);
    }
    fputc(']', p->out);
}

static void write_block_list(struct patch *p, const struct node *was,
                             size_t column)
{
    for (size_t i = 0; i < p->edit->count; i++) {
        if (i)
            fprintf(p->out, "%s%*s", p->eol, (int)column, "");
        fputs("- ", p->out);
        write_item(p, was, p->edit->items[i]);
    }
}

void patch_list(struct patch *p, const struct child *c, size_t indent)
{
    const char *text = p->source->text;
    const struct node *was = c->node;
    size_t column = 0;

    p->start = c->start.byte;
    p->end = patch_end(p->source, c);
    bool is_list = was->kind == NODE_SEQUENCE && text[p->start] != '*';
    if (!is_list || was->style == NODE_FLOW || was->count == 0) {
        if (p->start && text[p->start - 1] == ':')
            fputc(' ', p->out);
        patch_flow_list(p, is_list ? was : NULL);
        return;
    }
    p->start = was->children[0].start.byte;
    while (text[p->start] != '-' || !strchr(" \t\r\n", text[p->start + 1]))
        p->start--;
    while (p->start > column && text[p->start - column - 1] == ' ')
        column++;
    if (p->edit->count)
        write_block_list(p, was, column);
    else /* "[]" must stand further in than its key, a list need not */
        fprintf(p->out, "%s[]", column <= indent ? "  " : "");
}
