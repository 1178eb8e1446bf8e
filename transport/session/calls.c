/* SPDX-License-Identifier: MIT */
/*
 * A ticket is an entry's place in the table and a serial number: an answer
 * that comes for a place given to another call meanwhile finds no entry.
 */
#include "transport/session/calls.h"

#include <stdlib.h>

#include "actors/registry/registry.h"
#include "config/messages.h"

#define NONE UINT32_MAX

struct calls_entry {
    uint64_t ticket;                   /* 0: free */
    const struct calls_client *client; /* NULL: it wants no answer any more */
    enum tools_language language;      /* the caller's */
    void *ctx;
    uint64_t handle;
    struct rt_ref wait; /* RT_NOBODY: no wait */
    size_t bytes;
    unsigned next; /* free one */
};

void calls_init(struct calls *c, struct rt_ref registry,
                const struct tools *tools, struct caller *caller)
{
    *c = (struct calls){.registry = registry,
                        .tools = tools,
                        .caller = RT_KEEP(caller),
                        .max_calls = CALLS_MAX,
                        .max_waits = CALLS_WAITS,
                        .free = NONE};
}

void calls_finish(struct calls *c)
{
    if (c->caller != NULL)
        rt_obj_drop(&c->caller->obj);
    free(c->entries);
    *c = (struct calls){.free = NONE};
}

/* ---- the table ---------------------------------------------------------- */

static void grow(struct calls *c)
{
    unsigned more = c->capacity == 0 ? 8 : c->capacity * 2;

    c->entries = bytes_realloc(c->entries, more * sizeof(*c->entries));
    for (unsigned i = more; i-- > c->capacity;) {
        c->entries[i] = (struct calls_entry){.next = c->free};
        c->free = i;
    }
    c->capacity = more;
}

static struct calls_entry *add(struct calls *c, const struct call *call)
{
    struct calls_entry *e;
    unsigned place;

    if (c->free == NONE)
        grow(c);
    place = c->free;
    e = &c->entries[place];
    c->free = e->next;
    c->serial = c->serial + 1 == 0 ? 1 : c->serial + 1;
    *e = (struct calls_entry){.ticket = (uint64_t)c->serial << 32 | place,
                              .client = call->client,
                              .ctx = call->ctx,
                              .handle = call->handle,
                              .language = calls_language(c, call->caller),
                              .bytes = call->bytes};
    c->count++;
    c->bytes += e->bytes;
    return e;
}

static void remove_entry(struct calls *c, struct calls_entry *e)
{
    c->count--;
    c->bytes -= e->bytes;
    if (e->wait.id != 0)
        c->waits--;
    *e = (struct calls_entry){.next = c->free};
    c->free = (unsigned)(e - c->entries);
}

static struct calls_entry *by_ticket(const struct calls *c, uint64_t ticket)
{
    uint32_t place = (uint32_t)ticket;

    if (ticket == 0 || place >= c->capacity ||
        c->entries[place].ticket != ticket)
        return NULL;
    return &c->entries[place];
}

uint64_t calls_find(const struct calls *c, uint64_t handle)
{
    for (unsigned i = 0; i < c->capacity; i++)
        if (c->entries[i].handle == handle && c->entries[i].client != NULL)
            return c->entries[i].ticket;
    return 0;
}

bool calls_is_wait(const struct calls *c, uint64_t ticket)
{
    const struct calls_entry *e = by_ticket(c, ticket);

    return e != NULL && e->wait.id != 0;
}

void calls_cancel(struct rt_turn *t, struct calls *c, uint64_t ticket)
{
    struct calls_entry *e = by_ticket(c, ticket);

    if (e == NULL)
        return;
    if (e->wait.id == 0) {
        e->client = NULL; /* its place is free when the answer comes */
        return;
    }
    rt_stop(t, e->wait);
    remove_entry(c, e);
}

unsigned calls_pending(const struct calls *c)
{
    return c->count - c->waits;
}

bool calls_is_busy(const struct calls *c)
{
    return calls_pending(c) >= CALLS_BUSY;
}

/* ---- answers ------------------------------------------------------------ */

/* The entry is free before the client is told, for it may place another. */
static void answer(struct rt_turn *t, struct calls *c, struct calls_entry *e,
                   const struct answer *a)
{
    struct calls_entry was = *e;

    remove_entry(c, e);
    if (was.client != NULL)
        was.client->on_answer(t, was.ctx, was.handle, a);
}

enum tools_language calls_language(const struct calls *c,
                                   const struct caller *caller)
{
    enum config_language hubs =
        tools_language(c->tools) == TOOLS_ENGLISH ? CONFIG_EN : CONFIG_JA;

    caller = caller != NULL ? caller : c->caller;
    return caller_speaks(caller, hubs, c->is_language_auto) == CONFIG_EN
               ? TOOLS_ENGLISH
               : TOOLS_JAPANESE;
}

#define REFUSAL(language, code, name)                                          \
    answer_refusal(0, code, "%s", MESSAGE((language) == TOOLS_ENGLISH, name))

/* A child of the owner has ended; if it was a wait, then without an answer. */
static bool on_exit_of(struct rt_turn *t, struct calls *c, struct rt_ref child)
{
    for (unsigned i = 0; i < c->capacity; i++) {
        struct calls_entry *e = &c->entries[i];
        struct answer *a;

        if (e->ticket == 0 || !rt_same(e->wait, child))
            continue;
        a = REFUSAL(e->language, CODE_INTERNAL_ERROR, CALL_WAIT_ENDED);
        answer(t, c, e, a);
        rt_obj_drop(&a->obj);
        return true;
    }
    return false;
}

bool calls_handle(struct rt_turn *t, struct calls *c, struct rt_msg *m)
{
    const struct order_progress *p;
    struct calls_entry *e;

    switch (m->kind) {
    case ORDER_ANSWER:
        e = by_ticket(c, RT_OBJ(m, struct answer)->ticket);
        if (e != NULL)
            answer(t, c, e, RT_OBJ(m, struct answer));
        return true;
    case ORDER_PROGRESS:
        p = rt_body(m);
        e = by_ticket(c, p->ticket);
        if (e != NULL && e->client != NULL && e->client->on_progress != NULL)
            e->client->on_progress(t, e->ctx, e->handle, p);
        return true;
    case RT_EXIT:
        return on_exit_of(t, c, m->from);
    default:
        return false;
    }
}

/* ---- placing ------------------------------------------------------------ */

/* NULL: the arguments are what the order takes. */
static struct answer *check_args(const struct calls *c, const struct call *call)
{
    const struct tool *tool = tools_get(c->tools, call->kind);
    struct tools_problem problem;
    struct answer *a;

    if (tool == NULL ||
        tools_check_args(tool, call->args, calls_language(c, call->caller),
                         &problem))
        return NULL;
    a = answer_create_error(0, problem.code);
    tools_problem_body(&a->json, &problem);
    tools_problem_finish(&problem);
    return a;
}

static bool begins_something(enum order_kind kind)
{
    return kind == ORDER_CREATE_GROUP || kind == ORDER_RUN_AGENTS ||
           kind == ORDER_RUN_SEQUENTIAL || kind == ORDER_RUN_MAGENTIC ||
           kind == ORDER_RETRY;
}

static bool is_full(const struct calls *c, const struct call *call)
{
    return c->count == c->max_calls ||
           (c->waits == c->max_waits &&
            order_is_wait(call->kind, call->args)) ||
           (c->count > 0 && c->bytes + call->bytes > CALLS_BYTES);
}

/* NULL: it may be placed. */
static struct answer *check(const struct calls *c, const struct call *call)
{
    enum tools_language language = calls_language(c, call->caller);
    enum order_kind kind = call->kind;
    struct answer *a = NULL;

    if (kind == ORDER_KINDS)
        return REFUSAL(language, CODE_VALIDATION_ERROR, CALL_UNKNOWN);
    if (call->args != NULL && !yyjson_is_obj(call->args))
        return REFUSAL(language, CODE_VALIDATION_ERROR,
                       CALL_ARGUMENTS_NO_OBJECT);
    if (!call->is_checked)
        a = check_args(c, call);
    if (a == NULL && c->is_closing && begins_something(kind))
        a = REFUSAL(language, CODE_HUB_UNAVAILABLE, CALL_HUB_LEAVES);
    if (a == NULL && is_full(c, call))
        a = REFUSAL(language, CODE_HUB_UNAVAILABLE, CALL_TOO_MANY);
    return a;
}

uint64_t calls_place(struct rt_turn *t, struct calls *c,
                     const struct call *call)
{
    struct caller *caller = call->caller != NULL ? call->caller : c->caller;
    struct answer *no = check(c, call);
    struct calls_entry *e;
    struct order *order;

    if (no != NULL) {
        yyjson_doc_free(call->doc);
        call->client->on_answer(t, call->ctx, call->handle, no);
        rt_obj_drop(&no->obj);
        return 0;
    }
    e = add(c, call);
    order = call->doc != NULL
                ? order_create_take(call->kind, call->doc, call->args, caller,
                                    rt_self(t), e->ticket)
                : order_create(call->kind, call->args, caller, rt_self(t),
                               e->ticket);
    order->page = call->page;
    order->wants_progress = call->wants_progress;
    order->is_repeated = call->is_repeated;
    order->is_for_model = call->is_for_model;
    slice_keep(order->key, sizeof(order->key), call->key);
    e->wait = registry_place(t, c->registry, order);
    if (e->wait.id != 0)
        c->waits++;
    return e->ticket;
}
