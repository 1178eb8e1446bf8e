/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/yaml_patch.h"

#define STEP 2 /* of indentation where there is nothing to go by */

static bool is_block(const struct node *n)
{
    return n->kind == NODE_SCALAR &&
           (n->style == NODE_LITERAL || n->style == NODE_FOLDED);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Blank lines after a block belong to what comes next. */
static size_t trim_lines(const char *text, size_t start, size_t end)
{
    size_t last = end;

    while (last > start && is_blank(text[last - 1]))
        last--;
    while (last < end && text[last] != '\n')
        last++;
    return last < end ? last + 1 : end;
}

size_t patch_end(const struct source *s, const struct child *c)
{
    const struct node *n = c->node;

    if (s->text[c->start.byte] == '*')
        return c->end.byte;
    if (is_block(n))
        return trim_lines(s->text, c->start.byte, c->end.byte);
    if (n->kind == NODE_SCALAR || n->style == NODE_FLOW)
        return c->end.byte;
    for (size_t i = n->count; i-- > 0;)
        if (!n->children[i].is_merged)
            return patch_end(s, &n->children[i]);
    return c->start.byte;
}

size_t patch_line_after(const struct source *s, size_t at)
{
    if (at > s->bom && s->text[at - 1] == '\n')
        return at;
    const char *end = strchr(s->text + at, '\n');
    return end ? (size_t)(end - s->text) + 1 : s->len;
}

static bool is_rest_blank(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')
        at++;
    return text[at] == '\n' || text[at] == '\0';
}

bool patch_value(struct patch *p, struct scalar_place place)
{
    const char *value = p->edit->value ? p->edit->value : "null";
    bool is_word = p->key->type == KEY_INT || p->key->type == KEY_BOOL;

    place.eol = p->eol;
    if (!place.comment)
        place.comment = "";
    if (!is_word || strpbrk(value, "\n\r#:,[]{}\"'"))
        return scalar_write(p->out, value, &place);
    fputs(value, p->out);
    return false;
}

/* "&anchor" and "!tag" before a value stay: others may refer to them. */
static size_t skip_properties(const char *text, size_t at, size_t end)
{
    while (at < end && (text[at] == '&' || text[at] == '!')) {
        while (at < end && !is_blank(text[at]))
            at++;
        while (at < end && is_blank(text[at]))
            at++;
    }
    return at;
}

/* Spaces before the block's first line of text; 0 if they say nothing. */
static size_t block_indent(const char *text, size_t start, size_t end)
{
    size_t at = start, spaces = 0;

    while (at < end && text[at] != '\n') {
        if (text[at] == '#')
            break;
        if (text[at] >= '0' && text[at] <= '9')
            return 0;
        at++;
    }
    while (at < end && text[at] != '\n')
        at++;
    for (; at < end && is_blank(text[at]); at++)
        spaces = text[at] == ' ' ? spaces + 1 : 0;
    return at < end ? spaces : 0;
}

/* The comment after a block's "|", with the blanks before it. */
static char *block_comment(const char *text, size_t start, size_t end)
{
    size_t from = start, to;

    while (from < end && text[from] != '#' && text[from] != '\n')
        from++;
    if (from == end || text[from] == '\n')
        return NULL;
    while (text[from - 1] == ' ' || text[from - 1] == '\t')
        from--;
    for (to = from; to < end && text[to] != '\n' && text[to] != '\r';)
        to++;
    return strndup(text + from, to - from);
}

static void replace_value(struct patch *p, const struct child *c, size_t indent,
                          bool is_flow)
{
    const char *text = p->source->text;
    bool is_alias = text[c->start.byte] == '*';
    struct scalar_place place = {
        .style = NODE_PLAIN, .is_flow = is_flow, .indent = indent + STEP};
    char *comment = NULL;

    p->end = patch_end(p->source, c);
    p->start = skip_properties(text, c->start.byte, p->end);
    place.is_last = is_rest_blank(text, p->end);
    if (!is_alias && c->node->kind == NODE_SCALAR)
        place.style = c->node->style;
    if (!is_alias && is_block(c->node)) {
        size_t found = block_indent(text, p->start, p->end);
        if (found > indent)
            place.indent = found;
        comment = block_comment(text, p->start, p->end);
        place.comment = comment;
    }
    if (p->start && text[p->start - 1] == ':')
        fputc(' ', p->out);
    bool must_end = patch_value(p, place) && p->end == p->source->len;
    if (must_end || (p->end > p->start && text[p->end - 1] == '\n'))
        fputs(p->eol, p->out);
    free(comment);
}

/* "key: value" of the edit in that column; true if its line must end. */
static bool write_key(struct patch *p, size_t indent, bool is_flow)
{
    struct scalar_place place = {.style = NODE_PLAIN,
                                 .is_flow = is_flow,
                                 .is_last = !is_flow,
                                 .indent = indent + STEP};

    fprintf(p->out, "%s: ", p->edit->key);
    if (p->key)
        return patch_value(p, place);
    patch_flow_list(p, NULL);
    return false;
}

/* The end of the last value that stands in the collection itself. */
static size_t last_end(const struct source *s, const struct child *c)
{
    for (size_t i = c->node->count; i-- > 0;)
        if (!c->node->children[i].is_merged)
            return patch_end(s, &c->node->children[i]);
    return c->end.byte - 1;
}

/* A place for one more in a flow collection: after the last, or before the
 * bracket if a comment comes between. There may be a comma already. */
static void open_flow(struct patch *p, const struct child *c)
{
    const char *text = p->source->text;
    size_t at = last_end(p->source, c), close = c->end.byte - 1;
    bool has_comma = false, has_comment = false;

    for (size_t i = at; i < close; i++) {
        if (text[i] == '#') {
            has_comment = true;
            i += strcspn(text + i, "\n");
        } else if (text[i] == ',') {
            has_comma = true;
            at = i + 1;
        }
    }
    p->start = p->end = has_comment ? close : at;
    if (c->node->count)
        fputs(has_comma ? " " : ", ", p->out);
}

/* A new line after the value c, in the column given. */
static void open_line(struct patch *p, size_t after, size_t column)
{
    const struct source *s = p->source;

    p->start = p->end = patch_line_after(s, after);
    if (p->start > s->bom && s->text[p->start - 1] != '\n')
        fputs(p->eol, p->out);
    fprintf(p->out, "%*s", (int)column, "");
}

/* Ends the line that was begun, unless the text ended without one too. */
static void close_line(struct patch *p, bool must_end)
{
    const struct source *s = p->source;

    if (must_end || p->start < s->len || s->len == s->bom ||
        s->text[s->len - 1] == '\n')
        fputs(p->eol, p->out);
}

static void add_key(struct patch *p, const struct child *role)
{
    const struct node *m = role->node;

    if (m->style == NODE_FLOW) {
        open_flow(p, role);
        write_key(p, 0, true);
        return;
    }
    size_t column = m->children[0].key->start.column;
    open_line(p, patch_end(p->source, role), column);
    close_line(p, write_key(p, column, false));
}

static bool write_role(struct patch *p, const char *role, size_t column)
{
    fprintf(p->out, "- id: %s%s%*s", role, p->eol, (int)column + STEP, "");
    return write_key(p, column + STEP, false);
}

static void write_flow_role(struct patch *p, const char *role)
{
    fprintf(p->out, "{id: %s, ", role);
    write_key(p, 0, true);
    fputc('}', p->out);
}

/* A role that the file does not mention yet. */
static void add_role(struct patch *p, const char *role,
                     const struct child *list, const struct node *root)
{
    const char *text = p->source->text;
    bool is_list = list->node->kind == NODE_SEQUENCE && list->node->count;

    if (is_list && list->node->style == NODE_FLOW) {
        open_flow(p, list);
        write_flow_role(p, role);
    } else if (root->style == NODE_FLOW) {
        p->start = list->start.byte;
        p->end = list->end.byte;
        fputs(text[p->start - 1] == ':' ? " [" : "[", p->out);
        write_flow_role(p, role);
        fputc(']', p->out);
    } else if (is_list) {
        size_t column = list->node->start.column;
        open_line(p, patch_end(p->source, list), column);
        close_line(p, write_role(p, role, column));
    } else {
        p->start = list->start.byte;
        p->end = list->end.byte;
        while (p->start && text[p->start - 1] == ' ')
            p->start--;
        fprintf(p->out, "%s%*s", p->eol, STEP, "");
        if (write_role(p, role, STEP) && p->end == p->source->len)
            fputs(p->eol, p->out);
    }
}

/* The file has no list of roles at all; root is NULL if it has nothing. */
static void add_roles(struct patch *p, const char *role,
                      const struct node *root)
{
    const struct child whole = {
        .node = root,
        .start = root ? root->start : (struct mark){0},
        .end = root ? root->end : (struct mark){0},
    };

    if (root && root->style == NODE_FLOW) {
        open_flow(p, &whole);
        fputs("roles: [", p->out);
        write_flow_role(p, role);
        fputc(']', p->out);
        return;
    }
    open_line(p, root ? patch_end(p->source, &whole) : p->source->len, 0);
    fprintf(p->out, "roles:%s%*s", p->eol, STEP, "");
    close_line(p, write_role(p, role, STEP));
}

static const struct child *find_role(const struct child *list, const char *id)
{
    const struct node *n = list ? list->node : NULL;

    for (size_t i = 0; n && n->kind == NODE_SEQUENCE && i < n->count; i++) {
        const struct child *item = &n->children[i];
        const struct child *found = item->node->kind == NODE_MAPPING
                                        ? tree_get(item->node, "id")
                                        : NULL;
        if (found && found->node->kind == NODE_SCALAR &&
            strcmp(found->node->text, id) == 0)
            return item;
    }
    return NULL;
}

/* What is not in the text needs no taking out. */
static void plan_removal(struct patch *p, const struct child *list,
                         const struct child *item)
{
    const struct child *c =
        item && p->edit ? tree_get(item->node, p->edit->key) : NULL;

    if (item && !p->edit)
        patch_remove_item(p, list->node, (size_t)(item - list->node->children));
    else if (c && !c->is_merged)
        patch_remove_key(p, item->node, c);
}

static void plan(struct patch *p, const struct node *root, const char *role)
{
    const struct child *list = root ? tree_get(root, "roles") : NULL;
    const struct child *item = find_role(list, role);

    if (!p->edit || p->edit->is_removed) {
        plan_removal(p, list, item);
        return;
    }
    const struct child *c = item ? tree_get(item->node, p->edit->key) : NULL;
    if (!list)
        add_roles(p, role, root);
    else if (!item)
        add_role(p, role, list, root);
    else if (!c || c->is_merged)
        add_key(p, item);
    else if (p->key)
        replace_value(p, c, item->node->children[0].key->start.column,
                      item->node->style == NODE_FLOW);
    else
        patch_list(p, c, item->node->children[0].key->start.column);
}

int edit_text(const struct source *s, const char *role,
              const struct config_edit *edit, char **out, size_t *len,
              struct config_error *e)
{
    const char *line = strchr(s->text, '\n');
    struct patch p = {.source = s, .edit = edit};
    struct arena a = {0};
    const struct node *root;
    char *new = NULL;
    size_t new_len = 0;

    p.key = edit ? keys_find(&keys_role, NULL, edit->key) : NULL;
    p.eol = line && line > s->text && line[-1] == '\r' ? "\r\n" : "\n";
    int rc = tree_parse(s, &a, &root, e);
    if (rc || (root && root->kind != NODE_MAPPING && !tree_is_null(root))) {
        arena_finish(&a);
        return rc ? rc : ERROR_PLAIN(e, CONFIG_FILE_NO_MAPPING, s->name);
    }
    if (root && tree_is_null(root))
        root = NULL;
    p.out = open_memstream(&new, &new_len);
    if (!p.out)
        abort();
    plan(&p, root, role);
    fclose(p.out);
    arena_finish(&a);
    *len = p.start + new_len + (s->len - p.end);
    *out = malloc(*len + 1);
    if (!*out)
        abort();
    memcpy(*out, s->text, p.start);
    memcpy(*out + p.start, new, new_len);
    memcpy(*out + p.start + new_len, s->text + p.end, s->len - p.end + 1);
    free(new);
    return 0;
}
