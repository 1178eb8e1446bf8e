/* SPDX-License-Identifier: MIT */
/*
 * tools/call, from the request to the host, and the table of those in flight.
 * The table is searched from end to end: it has a few entries, at most
 * max_calls of them.
 */
#include "transport/mcp_inner.h"

#include <stdlib.h>

static size_t find(const struct mcp_session *s, struct slice id)
{
    size_t i = 0;

    while (i < s->flight_count &&
           !slice_eq(bytes_slice(&s->flights[i]->id), id))
        i++;
    return i;
}

struct mcp_flight *mcp_call_find(const struct mcp_session *s, uint64_t handle)
{
    for (size_t i = 0; i < s->flight_count; i++)
        if (s->flights[i]->handle == handle)
            return s->flights[i];
    return NULL;
}

bool mcp_call_is_open(const struct mcp_session *s, struct slice id)
{
    return find(s, id) < s->flight_count;
}

void mcp_call_finish(struct mcp_session *s, struct mcp_flight *f)
{
    struct mcp_batch *batch = f->batch;
    size_t i = 0;

    while (s->flights[i] != f)
        i++;
    s->flights[i] = s->flights[--s->flight_count];
    bytes_finish(&f->id);
    bytes_finish(&f->token);
    free(f);
    mcp_batch_release(s, batch);
}

/* The host is told last: it may answer other calls from there. */
bool mcp_call_cancel(struct mcp_session *s, struct slice id)
{
    size_t i = find(s, id);

    if (i == s->flight_count)
        return false;
    uint64_t handle = s->flights[i]->handle;
    mcp_call_finish(s, s->flights[i]);
    s->host.on_cancelled(s->host.ctx, handle);
    return true;
}

void mcp_call_drop_all(struct mcp_session *s)
{
    while (s->flight_count > 0)
        mcp_call_cancel(s, bytes_slice(&s->flights[0]->id));
}

int mcp_level_find(struct slice name)
{
    static const struct slice names[] = {
        SLICE_INIT("debug"),   SLICE_INIT("info"),     SLICE_INIT("notice"),
        SLICE_INIT("warning"), SLICE_INIT("error"),    SLICE_INIT("critical"),
        SLICE_INIT("alert"),   SLICE_INIT("emergency")};
    int i = 0;

    while (i < MCP_LEVELS && !slice_eq(names[i], name))
        i++;
    return i;
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

static struct mcp_flight *take_off(struct mcp_session *s,
                                   const struct rpc_message *m,
                                   struct bytes token, enum mcp_version version)
{
    struct mcp_flight *f = bytes_zalloc(sizeof(*f));
    yyjson_val *meta = FIELD(m->params, "_meta");

    f->handle = ++s->last_handle;
    f->token = token;
    f->version = version;
    f->batch = s->batch;
    f->level = version == MCP_2026_07_28
                   ? mcp_level_find(FIELD_TEXT(meta, META "logLevel"))
                   : MCP_LEVELS;
    json_raw(&f->id, bytes_slice(&m->id));
    if (f->batch)
        f->batch->waiting++;
    s->flights[s->flight_count++] = f;
    return f;
}

/* Wrong arguments are the tool's answer, not the protocol's: so the model sees
 * them and can mend its call. */
static bool check_args(struct mcp_session *s, const struct tool *tool,
                       yyjson_val *args, uint64_t handle)
{
    struct tools_problem problem;
    struct bytes body = {0};

    if (tools_check_args(tool, args, &problem))
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
    else if (s->flight_count == s->options.max_calls)
        mcp_refuse(s, id, RPC_INTERNAL_ERROR,
                   SLICE("Too many calls in flight"));
    return s->flight_count == s->options.max_calls ? NULL : tool;
}

void mcp_call(struct mcp_session *s, const struct rpc_message *m,
              enum mcp_version version)
{
    const struct tool *tool = check_call(s, m);
    struct bytes token = {0};

    if (!tool)
        return;
    if (!read_token(m, &token)) {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                   SLICE("Invalid params: progressToken must be a string or "
                         "a number"));
        return;
    }
    mcp_ready(s);
    struct mcp_flight *f = take_off(s, m, token, version);
    struct mcp_call call = {
        .handle = f->handle,
        .tool = tool,
        .args = FIELD(m->params, "arguments"),
        .meta = FIELD(m->params, "_meta"),
        .has_token = f->token.len > 0,
        .version = version,
    };
    if (check_args(s, tool, call.args, call.handle))
        s->host.on_call(s->host.ctx, &call);
}
