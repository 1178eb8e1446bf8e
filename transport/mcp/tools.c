/* SPDX-License-Identifier: MIT */
#include "transport/mcp/tools.h"

#include <assert.h>
#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/mcp/tools_entry.h"
#include "transport/mcp/tools_json.h"

struct tools {
    enum tools_language language;
    yyjson_doc *doc;    /* the table with the texts of one language */
    struct tool *tools; /* and then the other orders */
    size_t count;
    size_t order_count;
    bool is_ours;      /* the product's: others are told as they are */
    unsigned toolsets; /* bits of those that were chosen */
    struct slice set;  /* whose tools are listed; empty: all */
    struct bytes lists[TOOLS_DETAILS];
    struct bytes instructions;
};

static bool is_chosen(const struct tools *t, const struct tool *tool)
{
    return t->toolsets & tool->toolsets;
}

static bool is_listed(const struct tools *t, const struct tool *tool)
{
    yyjson_arr_iter it;
    yyjson_val *set;

    if (!is_chosen(t, tool))
        return false;
    yyjson_arr_iter_init(FIELD(tool->table, "sets"), &it);
    while (t->set.len > 0 && (set = yyjson_arr_iter_next(&it)))
        if (slice_eq(field_text(set), t->set))
            return true;
    return t->set.len == 0;
}

static void write_list(struct tools *t, enum tools_detail detail)
{
    struct bytes *out = &t->lists[detail];

    JSON_RAW(out, "[");
    for (size_t i = 0; i < t->count; i++) {
        if (!is_listed(t, &t->tools[i]))
            continue;
        if (out->len > 1)
            JSON_RAW(out, ",");
        tools_entry_put(out, t->tools[i].table, detail,
                        &(struct tools_telling){.is_ours = t->is_ours,
                                                .has_set = t->set.len > 0});
    }
    JSON_RAW(out, "]");
}

static void join_instructions(struct tools *t, yyjson_val *lines)
{
    yyjson_arr_iter it;
    yyjson_val *line;

    yyjson_arr_iter_init(lines, &it);
    while ((line = yyjson_arr_iter_next(&it))) {
        if (t->instructions.len > 0)
            JSON_RAW(&t->instructions, "\n");
        json_raw(&t->instructions, field_text(line));
    }
}

static bool is_header(void *ctx, struct slice name, yyjson_val *value)
{
    (void)ctx, (void)name, (void)value;
    return false;
}

static enum toolset toolset_of(struct slice name)
{
    unsigned i = 0;

    while (i < TOOLSETS && !slice_eq(toolset_name((enum toolset)i), name))
        i++;
    return i < TOOLSETS ? (enum toolset)i : TOOLSET_KURO;
}

/* Its own, and those that share it. */
static unsigned toolsets_of(yyjson_val *entry)
{
    unsigned bits = TOOLSET_BIT(toolset_of(FIELD_TEXT(entry, "toolset")));
    yyjson_arr_iter it;
    yyjson_val *name;

    yyjson_arr_iter_init(FIELD(entry, "shared"), &it);
    while ((name = yyjson_arr_iter_next(&it)))
        bits |= TOOLSET_BIT(toolset_of(field_text(name)));
    return bits;
}

static bool read_entry(struct tools *t, size_t i, yyjson_val *entry)
{
    struct tool *tool = &t->tools[i];

    *tool = (struct tool){
        .kind = (enum order_kind)i,
        .toolset = toolset_of(FIELD_TEXT(entry, "toolset")),
        .toolsets = toolsets_of(entry),
        .text = FIELD_TEXT(entry, "name"),
        .table = entry,
        .input = FIELD(entry, "inputSchema"),
        .output = FIELD(entry, "answerSchema"),
        .has_headers = true,
        .tools = t,
    };
    if (!tool->output)
        tool->output = FIELD(entry, "outputSchema");
    tool->has_headers = !tools_check_headers(tool, NULL, is_header, NULL);
    return tool->text.len > 0 && yyjson_is_obj(tool->input);
}

static bool read_table(struct tools *t)
{
    yyjson_val *root = yyjson_doc_get_root(t->doc);
    yyjson_val *list = FIELD(root, "tools"), *orders = FIELD(root, "orders");
    yyjson_val *entry;
    size_t i, max;

    t->count = yyjson_arr_size(list);
    t->order_count = yyjson_arr_size(orders);
    t->tools =
        bytes_zalloc((t->count + t->order_count + 1) * sizeof(t->tools[0]));
    yyjson_arr_foreach(list, i, max, entry)
    {
        if (!read_entry(t, i, entry))
            return false;
    }
    yyjson_arr_foreach(orders, i, max, entry)
    {
        if (!read_entry(t, t->count + i, entry))
            return false;
    }
    return yyjson_is_arr(list);
}

/* What a toolset says to such clients; NULL: nothing. */
static yyjson_val *lines_of(const struct tools *t, yyjson_val *toolset)
{
    return t->set.len > 0 ? field_get(FIELD(toolset, "sets"), t->set)
                          : FIELD(toolset, "instructions");
}

/* A set is one if a toolset knows it, chosen or not. */
static bool find_set(struct tools *t, yyjson_val *toolsets, struct slice set)
{
    yyjson_obj_iter all;
    yyjson_val *key;

    yyjson_obj_iter_init(toolsets, &all);
    while (t->set.len == 0 && (key = yyjson_obj_iter_next(&all))) {
        yyjson_obj_iter it;
        yyjson_val *name;

        yyjson_obj_iter_init(FIELD(yyjson_obj_iter_get_val(key), "sets"), &it);
        while ((name = yyjson_obj_iter_next(&it)))
            if (slice_eq(field_text(name), set))
                t->set = field_text(name);
    }
    return t->set.len > 0;
}

/* False: there is no such set. */
static bool choose(struct tools *t, unsigned toolsets, struct slice set)
{
    yyjson_val *root = yyjson_doc_get_root(t->doc);
    yyjson_val *all = FIELD(root, "toolsets");

    t->toolsets = toolsets;
    if (set.len > 0 && !find_set(t, all, set))
        return false;
    join_instructions(t, FIELD(root, "instructions"));
    for (unsigned i = 0; i < TOOLSETS; i++)
        if (toolsets & TOOLSET_BIT(i))
            join_instructions(
                t, lines_of(t, field_get(all, toolset_name((enum toolset)i))));
    return true;
}

static struct tools *create(struct slice json, enum tools_language language,
                            unsigned toolsets, struct slice set)
{
    struct tools *t = bytes_zalloc(sizeof(*t));

    t->language = language;
    t->is_ours = json.ptr == tools_json;
    t->doc = tools_localised(json, language == TOOLS_ENGLISH ? SLICE("en")
                                                             : SLICE("ja"));
    if (!t->doc || !read_table(t) || !choose(t, toolsets, set)) {
        tools_destroy(t);
        return NULL;
    }
    for (int i = 0; i < TOOLS_DETAILS; i++)
        write_list(t, (enum tools_detail)i);
    return t;
}

struct tools *tools_create_from(struct slice json, enum tools_language language)
{
    return create(json, language, TOOLSET_ALL, SLICE_EMPTY);
}

static void check_kinds(const struct tools *t)
{
    assert(t->count == ORDER_TOOLS);
    for (size_t i = 0; i < t->count + t->order_count; i++)
        assert(slice_eq(t->tools[i].text, order_name((enum order_kind)i)));
    for (size_t i = 0; i < t->count; i++)
        assert(t->tools[i].toolset == order_toolset((enum order_kind)i));
}

struct tools *tools_choose(enum tools_language language, unsigned toolsets,
                           struct slice set)
{
    struct tools *t =
        create(slice_of(tools_json, tools_json_len), language, toolsets, set);

    if (t)
        check_kinds(t);
    return t;
}

struct tools *tools_create(enum tools_language language)
{
    return tools_choose(language, TOOLSET_ALL, SLICE_EMPTY);
}

void tools_destroy(struct tools *tools)
{
    if (!tools)
        return;
    for (int i = 0; i < TOOLS_DETAILS; i++)
        bytes_finish(&tools->lists[i]);
    bytes_finish(&tools->instructions);
    yyjson_doc_free(tools->doc);
    free(tools->tools);
    free(tools);
}

enum tools_language tools_language(const struct tools *tools)
{
    return tools->language;
}

struct slice tools_set(const struct tools *tools)
{
    return tools->set;
}

unsigned tools_toolsets(const struct tools *tools)
{
    return tools->toolsets;
}

const struct tool *tools_get(const struct tools *tools, enum order_kind kind)
{
    size_t i = (size_t)kind;

    return i < tools->count + tools->order_count ? &tools->tools[i] : NULL;
}

const struct tool *tools_find(const struct tools *tools, struct slice name)
{
    for (size_t i = 0; i < tools->count; i++)
        if (slice_eq(tools->tools[i].text, name))
            return is_chosen(tools, &tools->tools[i]) ? &tools->tools[i] : NULL;
    return NULL;
}

struct slice tools_list(const struct tools *tools, enum tools_detail detail)
{
    return bytes_slice(&tools->lists[detail]);
}

yyjson_val *tools_toolset(const struct tools *tools, enum toolset toolset)
{
    yyjson_val *all = FIELD(yyjson_doc_get_root(tools->doc), "toolsets");
    yyjson_val *one = field_get(all, toolset_name(toolset));

    return (tools->toolsets & TOOLSET_BIT(toolset)) && lines_of(tools, one)
               ? one
               : NULL;
}

struct slice tools_instructions(const struct tools *tools)
{
    return bytes_slice(&tools->instructions);
}
