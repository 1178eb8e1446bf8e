/* SPDX-License-Identifier: MIT */
/*
 * A client's actor, which places its orders. It checks that each is
 * answered once, that a wait ends only after its answer, and in time.
 */
#include <stdlib.h>

#include "actors/registry/registry.h"
#include "tests/stories/client_inside.h"
#include "tests/stories/world.h"

#define MS 1000000ull
/* What timers may be late by in virtual time. */
#define SLACK_MS 20
#define PROGRESS_MS 10000

/* The answer that plants are put into. */
#define PLANTED_ANSWER 5

struct client_actor {
    struct client *client;
    unsigned answers;
    struct answer *first;   /* PLANTED_STALE: kept */
    const char *first_look; /* the client's */
};

/* ---- placing ----------------------------------------------------------- */

static struct order *order_of(struct rt_turn *t, struct client_actor *d,
                              const struct call *call)
{
    yyjson_doc *doc = yyjson_read(call->args, strlen(call->args), 0);
    struct tools_problem problem;
    struct order *o;

    if (doc == NULL)
        os_panic("these arguments are no JSON: %s", call->args);
    if (call->kind < ORDER_TOOLS &&
        !tools_check_args(tools_find(world_books(d->client->world)->tools,
                                     order_name(call->kind)),
                          yyjson_doc_get_root(doc), TOOLS_ENGLISH, &problem))
        os_panic("these arguments break the schema: %s", call->args);
    o = order_create_take(call->kind, doc, yyjson_doc_get_root(doc),
                          d->client->caller, rt_self(t), call->ticket);
    o->wants_progress = call->wants_progress;
    return o;
}

/* An answer may be there before this returns: the state is set first. */
static void place(struct rt_turn *t, struct client_actor *d, struct call *call)
{
    struct order *o = order_of(t, d, call);

    rt_obj_keep(&o->obj);
    call->order = o;
    call->state = CALL_PLACED;
    call->placed_at = call->told_at = rt_now(t);
    call->placed = books_place(world_books(d->client->world), o);
    call->wait = registry_place(t, world_registry(d->client->world), o);
}

static void take_back(struct rt_turn *t, struct client_actor *d,
                      struct call *call)
{
    if (call->state == CALL_NEW) {
        call->state = CALL_TAKEN_BACK;
    } else if (call->state == CALL_PLACED && !call->is_stopped &&
               call->wait.id != 0) {
        call->is_stopped = true;
        rt_stop(t, call->wait);
    }
    (void)d;
}

static void on_bell(struct rt_turn *t, struct client_actor *d)
{
    struct client *c = d->client;

    lock_take(&c->lock);
    for (struct call *call = c->calls; call != NULL; call = call->next) {
        if (call->is_unwanted)
            take_back(t, d, call);
        else if (call->state == CALL_NEW)
            place(t, d, call);
    }
    lock_give(&c->lock);
}

/* ---- answers ----------------------------------------------------------- */

/* How long a wait may last, as ruled: see actors/registry/wait.c. */
static uint64_t limit_ms(struct client_actor *d, const struct call *call)
{
    const struct config *config = world_config(d->client->world);
    yyjson_val *given = FIELD(call->order->args, "timeout_ms");
    uint64_t asked = given != NULL ? field_count(given) : UINT64_MAX / 2;
    uint64_t ours = UINT64_MAX / 2;

    if (!call->wants_progress && config->mcp.wait_slice_ms > 0)
        ours = (uint64_t)config->mcp.wait_slice_ms;
    else if (call->wants_progress && given == NULL)
        ours = (uint64_t)config->mcp.wait_max_ms;
    return asked < ours ? asked : ours;
}

static void check_time(struct rt_turn *t, struct client_actor *d,
                       struct call *call)
{
    call->reply.elapsed_ms = (rt_now(t) - call->placed_at) / MS;
    if (call->kind == ORDER_WAIT_AGENT &&
        call->reply.elapsed_ms > limit_ms(d, call) + SLACK_MS)
        os_panic("a wait of %llu ms took %llu",
                 (unsigned long long)limit_ms(d, call),
                 (unsigned long long)call->reply.elapsed_ms);
    if (call->wants_progress &&
        (rt_now(t) - call->told_at) / MS > PROGRESS_MS + SLACK_MS)
        os_panic("a wait showed no progress for too long");
}

static void take(struct rt_turn *t, struct client_actor *d,
                 const struct answer *a)
{
    struct client *c = d->client;
    struct call *call;

    lock_take(&c->lock);
    call = client_find(c, a->ticket);
    if (call == NULL || call->state != CALL_PLACED || call->has_exited)
        os_panic("%s: answered once too often",
                 call == NULL ? "nothing" : order_name(call->kind).ptr);
    call->reply.doc = yyjson_read(a->json.ptr, a->json.len, 0);
    call->reply.is_error = a->is_error;
    if (call->reply.doc == NULL)
        os_panic("%s: no JSON: %.*s", order_name(call->kind).ptr,
                 (int)a->json.len, a->json.ptr);
    check_time(t, d, call);
    books_answer(world_books(c->world), call->order, call->placed, a->is_error,
                 yyjson_doc_get_root(call->reply.doc));
    rt_obj_drop(&call->order->obj);
    call->order = NULL;
    call->state = CALL_ANSWERED;
    client_ring(c);
    lock_give(&c->lock);
}

/* ---- faults ---- */

/* Which agent it looks at, as its arguments; NULL: it is no look. */
static const char *look_of(struct client_actor *d, uint64_t ticket)
{
    const struct call *call;

    lock_take(&d->client->lock);
    call = client_find(d->client, ticket);
    lock_give(&d->client->lock);
    return call->kind == ORDER_GET_AGENT_STATUS ? call->args : NULL;
}

/* What was true of the first agent that was looked at is told for ever. */
static void take_stale(struct rt_turn *t, struct client_actor *d,
                       struct answer *a)
{
    const char *look = look_of(d, a->ticket);

    if (d->first == NULL && look != NULL) {
        d->first = RT_KEEP(a);
        d->first_look = look;
    }
    if (look == NULL || strcmp(look, d->first_look) != 0) {
        take(t, d, a);
        return;
    }
    d->first->ticket = a->ticket;
    take(t, d, d->first);
}

static void on_answer(struct rt_turn *t, struct client_actor *d,
                      struct answer *a)
{
    enum plant plant = world_plant(d->client->world);
    bool is_hit = ++d->answers == PLANTED_ANSWER;

    if (plant == PLANTED_STALE) {
        take_stale(t, d, a);
        return;
    }
    if (plant == PLANTED_MUTE && is_hit)
        return;
    take(t, d, a);
    if (plant == PLANTED_ECHO && is_hit)
        take(t, d, a);
}

static void on_progress(struct rt_turn *t, struct client_actor *d,
                        const struct order_progress *p)
{
    struct client *c = d->client;
    struct call *call;

    lock_take(&c->lock);
    call = client_find(c, p->ticket);
    if (call == NULL || call->state != CALL_PLACED || !call->wants_progress ||
        p->done > p->total)
        os_panic("progress of what is over, or did not want it");
    check_time(t, d, call);
    call->told_at = rt_now(t);
    call->reply.progress++;
    lock_give(&c->lock);
}

/* Of a wait, which has answered before unless it was taken back. */
static void on_exit_of(struct client_actor *d, struct rt_ref wait)
{
    struct client *c = d->client;
    struct call *call;

    lock_take(&c->lock);
    call = c->calls;
    while (call != NULL && !rt_same(call->wait, wait))
        call = call->next;
    if (call == NULL || call->has_exited)
        os_panic("a wait ended that nobody began");
    call->has_exited = true;
    if (call->state == CALL_PLACED) {
        if (!call->is_stopped)
            os_panic("a wait ended without an answer");
        books_take_back(world_books(c->world));
        rt_obj_drop(&call->order->obj);
        call->order = NULL;
        call->state = CALL_TAKEN_BACK;
    }
    lock_give(&c->lock);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct client_actor *d = state;

    lock_take(&d->client->lock);
    d->client->actor = rt_self(t);
    lock_give(&d->client->lock);
    on_bell(t, d);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct client_actor *d = state;

    switch (m->kind) {
    case CLIENT_BELL:
        on_bell(t, d);
        break;
    case ORDER_ANSWER:
        on_answer(t, d, RT_OBJ(m, struct answer));
        break;
    case ORDER_PROGRESS:
        on_progress(t, d, rt_body(m));
        break;
    case RT_EXIT:
        on_exit_of(d, m->from);
        break;
    default:
        os_panic("a client is sent %x", m->kind);
    }
    return RT_OK;
}

/* What was not answered will not be. */
static void stop(struct rt_turn *t, void *state)
{
    struct client_actor *d = state;

    (void)t;
    if (d->first != NULL)
        rt_obj_drop(&d->first->obj);
    client_hang_up(d->client);
    lock_take(&d->client->lock);
    for (struct call *c = d->client->calls; c != NULL; c = c->next) {
        if (c->order == NULL)
            continue;
        books_take_back(world_books(d->client->world));
        rt_obj_drop(&c->order->obj);
        c->order = NULL;
    }
    lock_give(&d->client->lock);
}

static const struct rt_behaviour behaviour = {.name = "client",
                                              .size =
                                                  sizeof(struct client_actor),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref client_open_actor(struct rt_turn *t, unsigned home,
                                struct client *c)
{
    struct client_actor d = {.client = c};

    return rt_spawn_at(t, home, &behaviour, &d);
}
