/* SPDX-License-Identifier: MIT */
/*
 * What toolsets have besides tools: resources to read, and prompts. What there
 * is of both, by templates and by name, is in the table and told without the
 * host. What is in them is an order like a tool's, and a call to the host; of
 * its answer a result is made here, or an error of the protocol's, for these
 * requests have no other.
 */
#include "transport/mcp/inside.h"

unsigned mcp_offers_of(const struct tools *tools)
{
    unsigned offers = 0;

    for (unsigned i = 0; i < TOOLSETS; i++) {
        yyjson_val *toolset = tools_toolset(tools, (enum toolset)i);

        if (FIELD(toolset, "resources"))
            offers |= MCP_OFFER_RESOURCES;
        if (FIELD(toolset, "prompts"))
            offers |= MCP_OFFER_PROMPTS;
    }
    return offers;
}

/* ---- what the table answers --------------------------------------------- */

static void put_entry(struct bytes *out, yyjson_val *entry,
                      enum mcp_version version)
{
    yyjson_obj_iter it;
    yyjson_val *key;

    JSON_RAW(out, "{");
    yyjson_obj_iter_init(entry, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        if (version < MCP_2025_06_18 &&
            slice_eq(field_text(key), SLICE("title")))
            continue;
        json_key(out, field_text(key));
        json_val(out, yyjson_obj_iter_get_val(key));
    }
    JSON_RAW(out, "}");
}

/* All of it on one page, as tools are. */
static void put_list(struct bytes *out, const struct mcp_session *s,
                     struct slice member, enum mcp_version version)
{
    struct slice comma = SLICE_EMPTY;

    for (unsigned i = 0; i < TOOLSETS; i++) {
        yyjson_val *toolset = tools_toolset(s->options.tools, (enum toolset)i);
        yyjson_val *entry;
        yyjson_arr_iter it;

        yyjson_arr_iter_init(field_get(toolset, member), &it);
        while ((entry = yyjson_arr_iter_next(&it))) {
            json_raw(out, comma);
            put_entry(out, entry, version);
            comma = SLICE(",");
        }
    }
}

static void send_list(struct mcp_session *s, const struct rpc_message *m,
                      const struct mcp_pending *f)
{
    bool is_prompts = slice_eq(m->method, SLICE("prompts/list"));
    struct bytes out = {0};

    if (FIELD(m->params, "cursor")) {
        mcp_fail(s, f->handle, RPC_INVALID_PARAMS,
                 SLICE("Invalid params: unknown cursor"), SLICE_EMPTY);
        return;
    }
    json_raw(&out, is_prompts ? SLICE("{\"prompts\":[")
                              : SLICE("{\"resourceTemplates\":["));
    put_list(&out, s, is_prompts ? SLICE("prompts") : SLICE("resources"),
             f->version);
    JSON_RAW(&out, "]}");
    mcp_result(s, f->handle, bytes_slice(&out));
    bytes_finish(&out);
}

/* ---- what is an order --------------------------------------------------- */

/* Of the request's members those that the order takes: what else there is
 * belongs to the protocol, or to a later version of it. */
static yyjson_doc *take_args(yyjson_val *params, const struct tool *order)
{
    struct bytes text = {0};
    yyjson_obj_iter it;
    yyjson_doc *doc;
    yyjson_val *key;

    JSON_RAW(&text, "{");
    yyjson_obj_iter_init(FIELD(order->input, "properties"), &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        yyjson_val *val = field_get(params, field_text(key));

        if (!val)
            continue;
        json_key(&text, field_text(key));
        json_val(&text, val);
    }
    JSON_RAW(&text, "}");
    doc = yyjson_read(text.ptr, text.len, 0);
    bytes_finish(&text);
    return doc;
}

static bool check_args(struct mcp_session *s, const struct tool *order,
                       const struct mcp_pending *f, yyjson_val *args)
{
    struct tools_problem problem;

    if (tools_check_args(order, args, tools_language(s->options.tools),
                         &problem))
        return true;
    mcp_fail(s, f->handle, RPC_INVALID_PARAMS, bytes_slice(&problem.message),
             SLICE_EMPTY);
    tools_problem_finish(&problem);
    return false;
}

void mcp_offers_serve(struct mcp_session *s, const struct rpc_message *m,
                      struct mcp_pending *f, enum order_kind kind)
{
    const struct tool *order = tools_get(s->options.tools, kind);
    struct mcp_call call = {.handle = f->handle,
                            .tool = order,
                            .params = m->params,
                            .meta = FIELD(m->params, "_meta"),
                            .has_token = f->token.len > 0,
                            .can = f->can,
                            .version = f->version};
    yyjson_doc *doc;

    if (!order) {
        send_list(s, m, f);
        return;
    }
    mcp_ready(s);
    doc = take_args(m->params, order);
    call.args = yyjson_doc_get_root(doc);
    call.doc = &doc;
    if (check_args(s, order, f, call.args))
        mcp_call_pass(s, &call);
    yyjson_doc_free(doc);
}

/* ---- its answer --------------------------------------------------------- */

/* What the client could have asked better, and what it could not help. */
static int code_of(struct slice name, enum mcp_version version)
{
    static const enum code wrong[] = {
        CODE_VALIDATION_ERROR, CODE_MISSING_ARGUMENTS, CODE_PROMPT_NOT_FOUND,
        CODE_AGENT_NOT_FOUND,  CODE_TASK_NOT_FOUND,    CODE_PROJECT_NOT_FOUND};
    enum code code = code_find(name);

    if (code == CODE_RESOURCE_NOT_FOUND)
        return version < MCP_2026_07_28 ? (int)MCP_RESOURCE_NOT_FOUND
                                        : (int)RPC_INVALID_PARAMS;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        if (code == wrong[i])
            return RPC_INVALID_PARAMS;
    return RPC_INTERNAL_ERROR;
}

static int fail(struct mcp_session *s, const struct mcp_pending *f,
                yyjson_val *error)
{
    yyjson_val *details = FIELD(error, "details"), *key;
    struct bytes data = {0};
    yyjson_obj_iter it;
    int result;

    JSON_RAW(&data, "{");
    JSON_TEXT(&data, "code", FIELD_TEXT(error, "code"));
    yyjson_obj_iter_init(details, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        json_key(&data, field_text(key));
        json_val(&data, yyjson_obj_iter_get_val(key));
    }
    JSON_RAW(&data, "}");
    result =
        mcp_fail(s, f->handle, code_of(FIELD_TEXT(error, "code"), f->version),
                 FIELD_TEXT(error, "message"), bytes_slice(&data));
    bytes_finish(&data);
    return result;
}

static void put_description(struct bytes *out, const struct mcp_session *s,
                            struct slice name)
{
    for (unsigned i = 0; i < TOOLSETS; i++) {
        yyjson_val *toolset = tools_toolset(s->options.tools, (enum toolset)i);
        yyjson_val *entry;
        yyjson_arr_iter it;

        yyjson_arr_iter_init(FIELD(toolset, "prompts"), &it);
        while ((entry = yyjson_arr_iter_next(&it)))
            if (slice_eq(FIELD_TEXT(entry, "name"), name))
                JSON_TEXT(out, "description", FIELD_TEXT(entry, "description"));
    }
}

static void put_prompt(struct bytes *out, const struct mcp_session *s,
                       struct slice json)
{
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);

    JSON_RAW(out, "{");
    put_description(out, s, FIELD_TEXT(root, "name"));
    JSON_KEY(out, "messages");
    JSON_RAW(out, "[{\"role\":\"user\",\"content\":{\"type\":\"text\"");
    JSON_TEXT(out, "text", FIELD_TEXT(root, "text"));
    JSON_RAW(out, "}}]}");
    yyjson_doc_free(doc);
}

int mcp_offers_answer(struct mcp_session *s, const struct mcp_pending *f,
                      struct slice json, bool is_error)
{
    yyjson_doc *error = is_error ? yyjson_read(json.ptr, json.len, 0) : NULL;
    struct bytes out = {0};
    int result;

    if (is_error) {
        result = fail(s, f, yyjson_doc_get_root(error));
        yyjson_doc_free(error);
        return result;
    }
    if (f->kind == MCP_KIND_READ) {
        JSON_RAW(&out, "{\"contents\":[");
        json_raw(&out, json);
        JSON_RAW(&out, "]}");
    } else if (f->kind == MCP_KIND_PLAIN) {
        put_prompt(&out, s, json);
    } else {
        json_raw(&out, json);
    }
    result = mcp_result(s, f->handle, bytes_slice(&out));
    bytes_finish(&out);
    return result;
}
