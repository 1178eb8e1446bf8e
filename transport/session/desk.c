/* SPDX-License-Identifier: MIT */
/*
 * A ticket is a flight's place in the table and a serial number: an answer
 * that comes for a place given to another call meanwhile finds nobody.
 */
#include "transport/session/desk.h"
#include "actors/registry/registry.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE UINT32_MAX

struct desk_flight {
    uint64_t ticket; /* 0: free */
    uint64_t handle;
    struct rt_ref wait; /* nobody: no wait */
    size_t bytes;
    unsigned next; /* free one */
    bool is_dropped;
};

void desk_init(struct desk *d, struct rt_ref registry,
               const struct tools *tools, struct caller *caller)
{
    *d = (struct desk){.registry = registry,
                       .tools = tools,
                       .caller = RT_KEEP(caller),
                       .max_calls = DESK_CALLS,
                       .max_waits = DESK_WAITS,
                       .free = NONE};
}

void desk_finish(struct desk *d)
{
    if (d->caller != NULL)
        rt_obj_drop(&d->caller->obj);
    free(d->flights);
    *d = (struct desk){.free = NONE};
}

/* ---- flights ---------------------------------------------------------- */

static void grow(struct desk *d)
{
    unsigned more = d->capacity == 0 ? 8 : d->capacity * 2;

    d->flights = bytes_realloc(d->flights, more * sizeof(*d->flights));
    for (unsigned i = more; i-- > d->capacity;) {
        d->flights[i] = (struct desk_flight){.next = d->free};
        d->free = i;
    }
    d->capacity = more;
}

static struct desk_flight *take_off(struct desk *d,
                                    const struct desk_call *call)
{
    struct desk_flight *f;
    unsigned place;

    if (d->free == NONE)
        grow(d);
    place = d->free;
    f = &d->flights[place];
    d->free = f->next;
    d->serial = d->serial + 1 == 0 ? 1 : d->serial + 1;
    *f = (struct desk_flight){.ticket = (uint64_t)d->serial << 32 | place,
                              .handle = call->handle,
                              .bytes = call->bytes};
    d->count++;
    d->bytes += f->bytes;
    return f;
}

static void end(struct desk *d, struct desk_flight *f)
{
    d->count--;
    d->bytes -= f->bytes;
    if (f->wait.id != 0)
        d->waits--;
    *f = (struct desk_flight){.next = d->free};
    d->free = (unsigned)(f - d->flights);
}

static struct desk_flight *by_ticket(const struct desk *d, uint64_t ticket)
{
    uint32_t place = (uint32_t)ticket;

    if (ticket == 0 || place >= d->capacity ||
        d->flights[place].ticket != ticket)
        return NULL;
    return &d->flights[place];
}

static struct desk_flight *by_handle(const struct desk *d, uint64_t handle)
{
    for (unsigned i = 0; i < d->capacity; i++)
        if (d->flights[i].handle == handle && d->flights[i].ticket != 0 &&
            !d->flights[i].is_dropped)
            return &d->flights[i];
    return NULL;
}

bool desk_has(const struct desk *d, uint64_t handle)
{
    return by_handle(d, handle) != NULL;
}

bool desk_find(const struct desk *d, uint64_t ticket, uint64_t *handle)
{
    const struct desk_flight *f = by_ticket(d, ticket);

    if (f == NULL || f->is_dropped)
        return false;
    *handle = f->handle;
    return true;
}

bool desk_land(struct desk *d, uint64_t ticket, uint64_t *handle)
{
    bool is_wanted = desk_find(d, ticket, handle);
    struct desk_flight *f = by_ticket(d, ticket);

    if (f != NULL)
        end(d, f);
    return is_wanted;
}

void desk_cancel(struct rt_turn *t, struct desk *d, uint64_t handle)
{
    struct desk_flight *f = by_handle(d, handle);

    if (f == NULL)
        return;
    if (f->wait.id == 0) {
        f->is_dropped = true; /* its place is free when the answer comes */
        return;
    }
    rt_stop(t, f->wait);
    end(d, f);
}

unsigned desk_pending(const struct desk *d)
{
    return d->count - d->waits;
}

bool desk_is_busy(const struct desk *d)
{
    return desk_pending(d) >= DESK_BUSY;
}

/* ---- refusing --------------------------------------------------------- */

static bool refuse(const struct desk *d, struct bytes *out, enum code code,
                   const char *ja, const char *en)
{
    bool is_english = tools_language(d->tools) == TOOLS_ENGLISH;

    code_put_error(out, code, slice_cstr(is_english ? en : ja), SLICE_EMPTY);
    return false;
}

static bool check_tool(const struct desk *d, const struct desk_call *call,
                       enum order_kind kind, struct bytes *refusal)
{
    const struct tool *tool = tools_get(d->tools, (enum tool_name)kind);
    struct tools_problem problem;

    if (tools_check_args(tool, call->args, &problem))
        return true;
    tools_problem_body(refusal, &problem);
    tools_problem_finish(&problem);
    return false;
}

_Static_assert((int)ORDER_TOOLS == (int)TOOL_COUNT &&
                   (int)ORDER_CANCEL_AGENT == (int)TOOL_CANCEL_AGENT,
               "an order of a tool has the tool's number");

static bool begins_something(enum order_kind kind)
{
    return kind == ORDER_CREATE_GROUP || kind == ORDER_RUN_AGENTS ||
           kind == ORDER_RUN_SEQUENTIAL || kind == ORDER_RUN_MAGENTIC;
}

static bool check(const struct desk *d, const struct desk_call *call,
                  enum order_kind kind, struct bytes *refusal)
{
    if (kind == ORDER_KINDS)
        return refuse(d, refusal, CODE_VALIDATION_ERROR,
                      "その名前の呼び出しはありません",
                      "there is no call of that name");
    if (call->args != NULL && !yyjson_is_obj(call->args))
        return refuse(d, refusal, CODE_VALIDATION_ERROR,
                      "引数はオブジェクトでなければなりません",
                      "the arguments must be an object");
    if (kind == ORDER_SHOW_AGENT && FIELD_TEXT(call->args, "agentId").len == 0)
        return refuse(d, refusal, CODE_VALIDATION_ERROR,
                      "'agentId' は必須です: 文字列",
                      "'agentId' is required: a string");
    if (kind < ORDER_TOOLS && !call->is_checked &&
        !check_tool(d, call, kind, refusal))
        return false;
    if (d->is_closing && begins_something(kind))
        return refuse(d, refusal, CODE_HUB_UNAVAILABLE,
                      "ハブは終了処理中のため、新しく開始できません",
                      "the hub is leaving and begins nothing new");
    if (d->count == d->max_calls ||
        (kind == ORDER_WAIT_AGENT && d->waits == d->max_waits) ||
        (d->count > 0 && d->bytes + call->bytes > DESK_BYTES))
        return refuse(d, refusal, CODE_HUB_UNAVAILABLE,
                      "処理中の呼び出しが多すぎます。応答を待ってから"
                      "もう一度呼び出してください",
                      "too many calls in flight; call again once some of "
                      "them are answered");
    return true;
}

bool desk_place(struct rt_turn *t, struct desk *d, const struct desk_call *call,
                struct bytes *refusal)
{
    enum order_kind kind = order_find(call->name);
    struct caller *caller = call->caller != NULL ? call->caller : d->caller;
    struct desk_flight *f;
    struct order *order;

    if (!check(d, call, kind, refusal)) {
        yyjson_doc_free(call->doc);
        return false;
    }
    f = take_off(d, call);
    order = call->doc != NULL
                ? order_create_take(kind, call->doc, call->args, caller,
                                    rt_self(t), f->ticket)
                : order_create(kind, call->args, caller, rt_self(t), f->ticket);
    order->wants_progress = call->wants_progress;
    order->is_repeated = call->is_repeated;
    slice_keep(order->key, sizeof(order->key), call->key);
    f->wait = registry_place(t, d->registry, order);
    if (f->wait.id != 0)
        d->waits++;
    return true;
}

bool desk_lost(struct desk *d, struct rt_ref child, uint64_t *handle,
               struct bytes *body)
{
    for (unsigned i = 0; i < d->capacity; i++) {
        struct desk_flight *f = &d->flights[i];

        if (f->ticket == 0 || !rt_same(f->wait, child))
            continue;
        *handle = f->handle;
        end(d, f);
        refuse(d, body, CODE_INTERNAL_ERROR, "待機が途中で終わりました",
               "the wait has ended without an answer");
        return true;
    }
    return false;
}
