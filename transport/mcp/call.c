/* SPDX-License-Identifier: MIT */
/*
 * What the host serves, from the request to it, and the table of those in
 * flight.
 * The table is searched from end to end: it has a few entries, at most
 * max_calls of them.
 */
#include "transport/mcp/inside.h"

#include <stdlib.h>

static size_t find(const struct mcp_session *s, struct slice id)
{
    size_t i = 0;

    while (i < s->pending_count &&
           !slice_eq(bytes_slice(&s->pending[i]->id), id))
        i++;
    return i;
}

struct mcp_pending *mcp_call_find(const struct mcp_session *s, uint64_t handle)
{
    for (size_t i = s->pending_count; i-- > 0;)
        if (s->pending[i]->handle == handle)
            return s->pending[i];
    return NULL;
}

bool mcp_call_is_open(const struct mcp_session *s, struct slice id)
{
    return find(s, id) < s->pending_count;
}

void mcp_call_finish(struct mcp_session *s, struct mcp_pending *f)
{
    struct mcp_batch *batch = f->batch;
    size_t i = 0;

    while (s->pending[i] != f)
        i++;
    s->pending[i] = s->pending[--s->pending_count];
    mcp_ask_forget(s, f->handle);
    bytes_finish(&f->id);
    bytes_finish(&f->token);
    free(f);
    mcp_batch_release(s, batch);
}

/* The host is told last: it may answer other calls from there. */
bool mcp_call_cancel(struct mcp_session *s, struct slice id)
{
    size_t i = find(s, id);

    if (i == s->pending_count)
        return false;
    uint64_t handle = s->pending[i]->handle, tag = s->pending[i]->tag;
    mcp_call_finish(s, s->pending[i]);
    s->host.on_cancelled(s->host.ctx, handle, tag);
    return true;
}

void mcp_call_drop_all(struct mcp_session *s)
{
    while (s->pending_count > 0)
        mcp_call_cancel(s, bytes_slice(&s->pending[0]->id));
}

/* Reads the token; false: there is one, of no type a token may have. */
static bool read_token(const struct rpc_message *m, struct bytes *token)
{
    static const struct slice path[] = {
        SLICE_INIT("params"), SLICE_INIT("_meta"), SLICE_INIT("progressToken"),
        SLICE_INIT("")};

    return rpc_message_token(m, path, token) ||
           !FIELD(FIELD(m->params, "_meta"), "progressToken");
}

static bool may_admit(struct mcp_session *s, const struct rpc_message *m,
                      struct bytes *token)
{
    if (s->pending_count == s->options.max_calls)
        mcp_refuse(s, bytes_slice(&m->id), RPC_INTERNAL_ERROR,
                   SLICE("Too many calls in flight"));
    else if (!read_token(m, token))
        mcp_refuse(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                   SLICE("Invalid params: progressToken must be a string or "
                         "a number"));
    else
        return true;
    return false;
}

/* NULL: it was refused. */
static struct mcp_pending *admit(struct mcp_session *s,
                                 const struct rpc_message *m,
                                 enum mcp_kind kind, enum mcp_version version)
{
    bool is_modern = version == MCP_2026_07_28;
    yyjson_val *meta = FIELD(m->params, "_meta");
    struct bytes token = {0};

    if (!may_admit(s, m, &token))
        return NULL;
    struct mcp_pending *f = bytes_zalloc(sizeof(*f));
    f->handle = ++s->last_handle;
    f->kind = kind;
    f->token = token;
    f->version = version;
    f->batch = s->batch;
    f->level = is_modern ? mcp_level_find(FIELD_TEXT(meta, META "logLevel"))
                         : MCP_LEVELS;
    f->can = is_modern ? mcp_client_can(FIELD(meta, META "clientCapabilities"))
                       : s->client->can;
    json_raw(&f->id, bytes_slice(&m->id));
    if (f->batch)
        f->batch->waiting++;
    ARRAY_GROW(s->pending, s->pending_count);
    s->pending[s->pending_count++] = f;
    return f;
}

/* Wrong arguments are the tool's answer, not the protocol's: so the model sees
 * them and can mend its call. */
static bool check_args(struct mcp_session *s, const struct tool *tool,
                       yyjson_val *args, uint64_t handle)
{
    struct tools_problem problem;
    struct bytes body = {0};

    if (tools_check_args(tool, args, tools_language(tool->tools), &problem))
        return true;
    tools_problem_body(&body, &problem);
    tools_problem_finish(&problem);
    mcp_answer(s, handle, bytes_slice(&body), true);
    bytes_finish(&body);
    return false;
}

static const struct tool *check_call(struct mcp_session *s,
                                     const struct rpc_message *m)
{
    struct slice id = bytes_slice(&m->id);
    yyjson_val *name = FIELD(m->params, "name");
    yyjson_val *args = FIELD(m->params, "arguments");
    const struct tool *tool = tools_find(s->options.tools, field_text(name));

    if (!yyjson_is_str(name) || (args && !yyjson_is_obj(args))) {
        mcp_refuse(s, id, RPC_INVALID_PARAMS,
                   SLICE("Invalid params: name must be a string, "
                         "arguments an object"));
        return NULL;
    }
    if (!tool)
        mcp_refuse_named(s, id, RPC_INVALID_PARAMS,
                         "Unknown tool: ", field_text(name));
    return tool;
}

void mcp_call(struct mcp_session *s, const struct rpc_message *m,
              enum mcp_version version)
{
    const struct tool *tool = check_call(s, m);
    struct mcp_pending *f = tool ? admit(s, m, MCP_KIND_TOOL, version) : NULL;

    if (!f)
        return;
    f->tool = tool;
    mcp_ready(s);
    struct mcp_call call = {
        .handle = f->handle,
        .tool = tool,
        .args = FIELD(m->params, "arguments"),
        .params = m->params,
        .meta = FIELD(m->params, "_meta"),
        .has_token = f->token.len > 0,
        .can = f->can,
        .version = version,
        .doc = f->batch ? NULL : &m->from->doc,
    };
    if (check_args(s, tool, call.args, call.handle))
        mcp_call_pass(s, &call);
}

void mcp_call_pass(struct mcp_session *s, struct mcp_call *call)
{
    struct mcp_pending *f;

    s->host.on_call(s->host.ctx, call);
    f = call->tag != 0 ? mcp_call_find(s, call->handle) : NULL;
    if (f)
        f->tag = call->tag;
}

/* What the host serves, what must be offered for it, what its result is, and
 * which order it is where a toolset offers it. */
static const struct {
    struct slice name;
    unsigned offer;
    enum mcp_kind kind;
    enum order_kind order;
} methods[] = {
    {SLICE_INIT("resources/list"), MCP_OFFER_RESOURCES, MCP_KIND_LIST,
     ORDER_RESOURCES},
    {SLICE_INIT("resources/templates/list"), MCP_OFFER_RESOURCES, MCP_KIND_LIST,
     ORDER_KINDS},
    {SLICE_INIT("resources/read"), MCP_OFFER_RESOURCES, MCP_KIND_READ,
     ORDER_RESOURCE},
    {SLICE_INIT("prompts/list"), MCP_OFFER_PROMPTS, MCP_KIND_LIST, ORDER_KINDS},
    {SLICE_INIT("prompts/get"), MCP_OFFER_PROMPTS, MCP_KIND_PLAIN,
     ORDER_PROMPT_TEXT},
    {SLICE_INIT("completion/complete"), MCP_OFFER_COMPLETIONS, MCP_KIND_PLAIN,
     ORDER_KINDS},
};

#define METHODS (sizeof(methods) / sizeof(methods[0]))

static size_t method_of(const struct mcp_session *s,
                        const struct rpc_message *m)
{
    size_t i = 0;

    while (i < METHODS && !((methods[i].offer & s->options.offers) &&
                            slice_eq(methods[i].name, m->method)))
        i++;
    return i;
}

void mcp_request(struct mcp_session *s, const struct rpc_message *m,
                 enum mcp_version version)
{
    size_t method = method_of(s, m);
    bool is_tables = method < METHODS && (methods[method].offer & s->of_table);

    if (method == METHODS || (!is_tables && !s->host.on_request)) {
        mcp_refuse_method(s, m, version);
        return;
    }
    struct mcp_pending *f = admit(s, m, methods[method].kind, version);
    if (!f)
        return;
    if (is_tables) {
        mcp_offers_serve(s, m, f, methods[method].order);
        return;
    }
    s->host.on_request(s->host.ctx, &(struct mcp_request){
                                        .handle = f->handle,
                                        .method = m->method,
                                        .params = m->params,
                                        .meta = FIELD(m->params, "_meta"),
                                        .has_token = f->token.len > 0,
                                        .can = f->can,
                                        .version = version,
                                    });
}
