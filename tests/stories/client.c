/* SPDX-License-Identifier: MIT */
#include "tests/stories/client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/stories/client_inside.h"
#include "tests/stories/world.h"

#define MS 1000000ull

struct client *client_create(struct world *w, const char *agent_id)
{
    struct client *c = bytes_zalloc(sizeof(*c));
    static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};

    c->world = w;
    c->caller = caller_create(agent_id, "/", env);
    c->random = world_adopt(w, c) * 0x9e3779b97f4a7c15ull ^ world_seed(w);
    c->random |= 1;
    return c;
}

void client_destroy(struct client *c)
{
    while (c->calls != NULL) {
        struct call *next = c->calls->next;

        yyjson_doc_free(c->calls->reply.doc);
        free(c->calls->args);
        free(c->calls);
        c->calls = next;
    }
    rt_obj_drop(&c->caller->obj);
    free(c);
}

static void ring(struct client *c)
{
    atomic_add_relaxed(&c->bell, 1);
    os_wake(&c->bell);
}

void client_ring(struct client *c)
{
    ring(c);
}

void client_hang_up(struct client *c)
{
    lock_take(&c->lock);
    c->is_hung_up = true;
    ring(c);
    lock_give(&c->lock);
}

bool client_is_hung_up(struct client *c)
{
    bool is_hung_up;

    lock_take(&c->lock);
    is_hung_up = c->is_hung_up;
    lock_give(&c->lock);
    return is_hung_up;
}

/* ---- calls ------------------------------------------------------------- */

static char *format_args(const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0)
        abort();
    for (char *at = text; *at != 0; at++)
        if (*at == '\'')
            *at = '"';
    return text;
}

/* Under the lock, which the actor takes before it ends: so the runtime is
 * there. */
static void ring_actor(struct client *c)
{
    if (c->actor.id != 0 && !c->is_hung_up)
        rt_tell_any(world_rt(c->world), c->actor, CLIENT_BELL, NULL, 0);
}

void client_tell(struct client *c, struct rt_ref to, uint16_t kind,
                 const void *body, size_t size)
{
    lock_take(&c->lock);
    if (!c->is_hung_up)
        rt_tell_any(world_rt(c->world), to, kind, body, size);
    lock_give(&c->lock);
}

static uint64_t begin(struct client *c, enum order_kind kind, char *args,
                      bool wants_progress)
{
    struct call *call = bytes_zalloc(sizeof(*call)), **end = &c->calls;

    call->kind = kind;
    call->args = args;
    call->wants_progress = wants_progress;
    lock_take(&c->lock);
    call->ticket = ++c->tickets;
    while (*end != NULL)
        end = &(*end)->next;
    *end = call;
    ring_actor(c);
    lock_give(&c->lock);
    return call->ticket;
}

uint64_t client_begin(struct client *c, enum order_kind kind,
                      const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = format_args(format, args);
    va_end(args);
    return begin(c, kind, text, false);
}

uint64_t client_begin_wait(struct client *c, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = format_args(format, args);
    va_end(args);
    return begin(c, ORDER_WAIT_AGENT, text, true);
}

struct call *client_find(struct client *c, uint64_t ticket)
{
    struct call *call = c->calls;

    while (call != NULL && call->ticket != ticket)
        call = call->next;
    return call;
}

const struct reply *client_finish(struct client *c, uint64_t ticket)
{
    /* Of its own: an answer may still come into the call's. */
    static const struct reply hung_up = {.is_hung_up = true};
    struct call *call;
    uint32_t seen;
    bool is_answered;

    lock_take(&c->lock);
    call = client_find(c, ticket);
    while (call->state != CALL_ANSWERED && !c->is_hung_up) {
        seen = atomic_load_relaxed(&c->bell);
        lock_give(&c->lock);
        os_sleep(&c->bell, seen, OS_NEVER);
        lock_take(&c->lock);
    }
    is_answered = call->state == CALL_ANSWERED;
    lock_give(&c->lock);
    return is_answered ? &call->reply : &hung_up;
}

const struct reply *client_call(struct client *c, enum order_kind kind,
                                const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = format_args(format, args);
    va_end(args);
    return client_finish(c, begin(c, kind, text, false));
}

void client_cancel(struct client *c, uint64_t ticket)
{
    lock_take(&c->lock);
    client_find(c, ticket)->is_unwanted = true;
    ring_actor(c);
    lock_give(&c->lock);
}

bool client_sleep(struct client *c, uint64_t ms)
{
    uint64_t end = os_now() + ms * MS;
    uint32_t seen;

    while (os_now() < end && !client_is_hung_up(c)) {
        seen = atomic_load_relaxed(&c->bell);
        if (!client_is_hung_up(c))
            os_sleep(&c->bell, seen, end);
    }
    return !client_is_hung_up(c);
}

bool client_nap(struct client *c, uint64_t ms)
{
    return client_sleep(c, client_random(c) % world_pace(c->world, ms));
}

uint64_t client_random(struct client *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return c->random >> 3;
}

struct world *client_world(struct client *c)
{
    return c->world;
}

const char *client_agent(struct client *c)
{
    return c->caller->agent_id;
}

/* ---- replies ----------------------------------------------------------- */

static yyjson_val *at(const struct reply *r, const char *format, va_list args)
{
    char path[256];

    vsnprintf(path, sizeof(path), format, args);
    return r->is_hung_up ? NULL : yyjson_doc_ptr_get(r->doc, path);
}

yyjson_val *reply_at(const struct reply *r, const char *format, ...)
{
    yyjson_val *val;
    va_list args;

    va_start(args, format);
    val = at(r, format, args);
    va_end(args);
    return val;
}

const char *reply_text(const struct reply *r, const char *format, ...)
{
    const char *text;
    va_list args;

    va_start(args, format);
    text = yyjson_get_str(at(r, format, args));
    va_end(args);
    return text != NULL ? text : "";
}

const char *reply_code(const struct reply *r)
{
    return r->is_error ? reply_text(r, "/code") : "";
}

const struct reply *client_must(const struct reply *r, const char *code,
                                const char *file, int line)
{
    const char *got = reply_code(r);

    if (!r->is_hung_up && strcmp(got, code != NULL ? code : "") != 0)
        os_panic("%s:%d: %s %s, not %s", file, line,
                 got[0] != 0 ? got : "was answered", reply_text(r, "/message"),
                 code != NULL ? code : "an answer");
    return r;
}
