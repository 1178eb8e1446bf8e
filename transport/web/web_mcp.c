/* SPDX-License-Identifier: MIT */
#include "transport/web/web_mcp.h"

#include "transport/http/refusal.h"
#include "transport/http/site.h"
#include "transport/web/agent_key.h"

/* ---- what the registry answers ------------------------------------------ */

static void on_answer(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a)
{
    (void)t;
    post_answer_compact(ctx, handle, bytes_slice(&a->json), a->is_error);
}

static void on_progress(struct rt_turn *t, void *ctx, uint64_t handle,
                        const struct order_progress *p)
{
    (void)t;
    post_count(ctx, handle, p->done, p->total);
}

static const struct calls_client client = {.on_answer = on_answer,
                                           .on_progress = on_progress};

/* ---- what the endpoint wants -------------------------------------------- */

static void on_call(void *ctx, struct post *p, struct mcp_call *call)
{
    struct web_mcp *m = ctx;

    call->tag = calls_place(m->setup.site->turn, m->setup.calls,
                            &(struct call){.client = &client,
                                           .ctx = p,
                                           .handle = call->handle,
                                           .caller = m->caller,
                                           .kind = call->tool->kind,
                                           .doc = mcp_call_take(call),
                                           .args = call->args,
                                           .is_checked = true,
                                           .is_for_model = true,
                                           .wants_progress = call->has_token});
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    struct web_mcp *m = ctx;

    (void)handle;
    calls_cancel(m->setup.site->turn, m->setup.calls, tag);
}

/* What waits for something to happen, or for the checks of roles. */
static bool is_long(void *ctx, const struct mcp_call *call)
{
    (void)ctx;
    return order_is_wait(call->tool->kind, call->args) ||
           call->tool->kind == ORDER_RUN_AGENTS ||
           call->tool->kind == ORDER_RUN_SEQUENTIAL ||
           call->tool->kind == ORDER_RUN_MAGENTIC;
}

/* A wait without a client is of no use; anything else goes on. */
static void on_left(void *ctx, struct post *p, uint64_t handle, uint64_t tag)
{
    struct web_mcp *m = ctx;

    if (!calls_is_wait(m->setup.calls, tag))
        return;
    calls_cancel(m->setup.site->turn, m->setup.calls, tag);
    post_fail(p, handle, RPC_INTERNAL_ERROR, SLICE("the client has left"),
              SLICE_EMPTY);
}

/* ---- requests ----------------------------------------------------------- */

void web_mcp_init(struct web_mcp *m, const struct web_mcp_setup *setup)
{
    *m = (struct web_mcp){.setup = *setup};
    m->endpoint = endpoint_create(&(struct endpoint_setup){
        .mcp = {.tools = setup->tools, .version = setup->version},
        .host = {.ctx = m,
                 .on_call = on_call,
                 .on_cancelled = on_cancelled,
                 .is_long = is_long,
                 .on_left = on_left},
        .signing_key = &setup->context->signing_key});
}

void web_mcp_finish(struct rt_turn *t, struct web_mcp *m)
{
    endpoint_destroy(t, m->endpoint);
    m->endpoint = NULL;
    for (size_t i = 0; i < WEB_MCP_SETS_MAX; i++)
        tools_destroy(m->sets[i]);
}

/* Names of toolsets with commas, or else of a set, or "": what was configured.
 * NULL: neither. A table is made when it is first wanted: most hubs never are
 * asked. */
static const struct tools *find_set(struct web_mcp *m, struct slice name,
                                    enum tools_language language)
{
    struct slice set = SLICE_EMPTY, wrong;
    unsigned toolsets = toolset_read(name, &wrong);
    size_t i = 0;

    if (wrong.len > 0 || toolsets == 0) {
        set = name;
        toolsets = tools_toolsets(m->setup.tools);
    }
    while (i < WEB_MCP_SETS_MAX && m->sets[i] &&
           !(slice_eq(tools_set(m->sets[i]), set) &&
             tools_toolsets(m->sets[i]) == toolsets &&
             tools_language(m->sets[i]) == language))
        i++;
    if (i == WEB_MCP_SETS_MAX)
        return NULL;
    if (!m->sets[i])
        m->sets[i] = tools_choose(language, toolsets, set);
    return m->sets[i];
}

/* NULL: there is no such path. */
static const struct tools *choose_tools(struct web_mcp *m, struct exchange *x)
{
    enum tools_language language = calls_language(m->setup.calls, m->caller);
    size_t prefix = sizeof(WEB_MCP_SETS) - 1;
    struct slice path = exchange_path(x);

    if (path.len < prefix)
        return language == tools_language(m->setup.tools)
                   ? m->setup.tools
                   : find_set(m, SLICE_EMPTY, language);
    if (path.len == prefix)
        return NULL;
    return find_set(m, slice_of(path.ptr + prefix, path.len - prefix),
                    language);
}

/* All calls of a request are placed before this returns. */
void web_mcp_serve(struct web_mcp *m, struct exchange *x)
{
    const struct tools *tools;

    m->caller = agent_key_caller(m->setup.context, m->setup.speakers, x);
    if (m->caller == NULL)
        return;
    tools = choose_tools(m, x);
    if (tools != NULL)
        endpoint_serve(m->endpoint, x, tools);
    else
        refusal_send(x, 404,
                     SLICE("there is no such set of tools; /mcp has them all"));
    rt_obj_drop(&m->caller->obj);
    m->caller = NULL;
}
