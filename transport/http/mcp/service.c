/* SPDX-License-Identifier: MIT */
#include "transport/http/mcp/service.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/index.h"
#include "transport/http/refusal.h"
#include "transport/http/site.h"

/* A call between the endpoint and the clerk. */
struct transit {
    struct index_link by_handle; /* the first: what an index finds is this */
    struct service *service;
    uint64_t handle; /* the endpoint's */
    uint64_t call;   /* the clerk's; 0 until it is placed */
    bool is_wait;
};

struct service {
    struct service_setup setup;
    struct endpoint *endpoint;
    struct index transits;
    struct caller *caller; /* of the request that is being served */
};

/* ---- transits ----------------------------------------------------------- */

static struct transit *find(struct service *s, uint64_t handle)
{
    return (struct transit *)index_find(&s->transits, handle);
}

static void finish(struct transit *x)
{
    index_remove(&x->service->transits, &x->by_handle);
    free(x);
}

static void on_answer(void *ctx, struct slice json, bool is_error)
{
    struct transit *x = ctx;
    struct endpoint *e = x->service->endpoint;
    uint64_t handle = x->handle;

    finish(x);
    endpoint_answer_compact(e, handle, json, is_error);
}

static void on_progress(void *ctx, unsigned done, unsigned total)
{
    struct transit *x = ctx;

    endpoint_count(x->service->endpoint, x->handle, done, total);
}

static void take_back(struct service *s, struct transit *x)
{
    clerk_cancel(s->setup.site->turn, s->setup.clerk, x->call);
    finish(x);
}

/* ---- what the endpoint wants -------------------------------------------- */

static void on_call(void *ctx, const struct mcp_call *call)
{
    struct service *s = ctx;
    struct transit *x = bytes_zalloc(sizeof(*x));
    uint64_t placed;

    x->service = s;
    x->handle = call->handle;
    x->is_wait = call->tool->name == TOOL_WAIT_AGENT;
    index_add(&s->transits, &x->by_handle, call->handle);
    /* One that is refused is answered, and gone, when this returns. */
    placed = clerk_place(
        s->setup.site->turn, s->setup.clerk, call->tool->text, call->args,
        &(struct clerk_asker){.ctx = x,
                              .caller = s->caller,
                              .on_answer = on_answer,
                              .on_progress =
                                  call->has_token ? on_progress : NULL});
    if (placed != 0)
        x->call = placed;
}

static void on_cancelled(void *ctx, uint64_t handle)
{
    struct transit *x = find(ctx, handle);

    if (x != NULL)
        take_back(ctx, x);
}

/* What waits for agents, or for the checks of their roles. */
static bool is_long(void *ctx, const struct mcp_call *call)
{
    (void)ctx;
    return call->tool->name == TOOL_WAIT_AGENT ||
           call->tool->name == TOOL_RUN_AGENTS ||
           call->tool->name == TOOL_RUN_SEQUENTIAL ||
           call->tool->name == TOOL_RUN_MAGENTIC;
}

/* A wait that nobody waits for is of no use; anything else goes on. */
static void on_left(void *ctx, uint64_t handle)
{
    struct service *s = ctx;
    struct transit *x = find(s, handle);

    if (x == NULL || !x->is_wait)
        return;
    take_back(s, x);
    endpoint_fail(s->endpoint, handle, RPC_INTERNAL_ERROR,
                  SLICE("the client has left"), SLICE_EMPTY);
}

/* ---- the service -------------------------------------------------------- */

struct service *service_create(const struct service_setup *setup)
{
    struct service *s = bytes_zalloc(sizeof(*s));

    s->setup = *setup;
    s->endpoint = endpoint_create(&(struct endpoint_setup){
        .mcp = {.tools = setup->tools, .version = setup->version},
        .host = {.ctx = s,
                 .on_call = on_call,
                 .on_cancelled = on_cancelled,
                 .is_long = is_long,
                 .on_left = on_left},
        .signing_key = &setup->context->signing_key});
    return s;
}

void service_close(struct service *s)
{
    if (s != NULL)
        endpoint_close(s->endpoint);
}

void service_destroy(struct rt_turn *t, struct service *s)
{
    if (s == NULL)
        return;
    endpoint_destroy(t, s->endpoint);
    while (s->transits.count > 0)
        finish((struct transit *)index_any(&s->transits));
    index_finish(&s->transits);
    free(s);
}

/* Whose request it is: the hub's own caller, or a sub-agent with the hub's
 * directory and environment. NULL: the key is none of ours. A client whose
 * variable is not set sends an empty one. */
static struct caller *caller_of(const struct service *s,
                                const struct exchange *x)
{
    const struct hub_context *context = s->setup.context;
    struct slice key = exchange_header(x, "kuromajutsu-agent-key"), id;
    struct caller *caller;
    char *name;

    if (key.len == 0)
        return RT_KEEP(context->self);
    if (!signing_key_open(&context->signing_key, key, &id))
        return NULL;
    name = strndup(id.ptr, id.len);
    if (name == NULL)
        abort();
    caller = caller_create(name, context->self->cwd, context->self->env);
    free(name);
    return caller;
}

/* All calls of a request are placed before this returns. */
void service_serve(struct service *s, struct exchange *x)
{
    s->caller = caller_of(s, x);
    if (s->caller == NULL) {
        refusal_send(x, 403,
                     SLICE("Kuromajutsu-Agent-Key: not a key of this hub; send "
                           "the value of $KUROMAJUTSU_AGENT_KEY, or leave the "
                           "header out"));
        return;
    }
    endpoint_serve(s->endpoint, x);
    rt_obj_drop(&s->caller->obj);
    s->caller = NULL;
}

bool service_handle(struct rt_turn *t, struct service *s, struct rt_msg *m)
{
    return endpoint_handle(t, s->endpoint, m);
}

unsigned service_requests(const struct service *s)
{
    return endpoint_requests(s->endpoint);
}

unsigned service_sessions(const struct service *s)
{
    return endpoint_sessions(s->endpoint);
}
