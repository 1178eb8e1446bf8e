/* SPDX-License-Identifier: MIT */
/*
 * Its parent is the hub, its children are the sessions. The processes actor
 * knows it before the registry is there, so clients that come at once are kept
 * waiting until the hub says where the registry is. They are not welcomed
 * before the hub has counted what an earlier one left: a client of another
 * build that was told of no agents would have this hub replaced, and them
 * ended.
 */
#include "transport/session/sessions.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"
#include "runtime/text/bytes.h"
#include "transport/wire/wire.h"

/* Beside one for each agent that there may be: these are people's. */
#define EXTRA 16

struct client {
    struct rt_ref ref;
    enum { CLIENT_NEW, CLIENT_RELAY, CLIENT_COMMAND } kind;
    bool is_asking; /* has said hello, and is not welcomed yet */
};

struct sessions {
    struct sessions_setup setup;
    struct rt_ref registry;      /* RT_NOBODY: not open yet */
    struct rt_msg *first, *last; /* of clients that wait for that */
    struct client *clients;
    unsigned count, max;
    struct session_welcome welcome;
    bool may_welcome; /* it has been told */
    struct session_leave leave;
    bool is_leaving;
};

/* ---- clients ----------------------------------------------------------- */

static void tell_users(struct rt_turn *t, const struct sessions *r)
{
    struct sessions_count users = {.sessions = r->count};

    for (unsigned i = 0; i < r->count; i++) {
        users.relays += r->clients[i].kind == CLIENT_RELAY;
        users.commands += r->clients[i].kind == CLIENT_COMMAND;
    }
    rt_tell(t, rt_parent(t), SESSIONS_COUNT, &users, sizeof(users));
}

static struct client *find(const struct sessions *r, struct rt_ref ref)
{
    for (unsigned i = 0; i < r->count; i++)
        if (rt_same(r->clients[i].ref, ref))
            return &r->clients[i];
    return NULL;
}

static void add(struct sessions *r, struct rt_ref ref)
{
    ARRAY_GROW(r->clients, r->count);
    r->clients[r->count++] = (struct client){.ref = ref, .kind = CLIENT_NEW};
}

/* ---- messages --------------------------------------------------------- */

static void admit(struct rt_turn *t, struct sessions *r,
                  struct process_connection *peer)
{
    if (r->count >= r->max) {
        LOG_WARN(r->setup.log, "sessions.full", LOG_TOO_MANY_CLIENTS, r->count,
                 peer->pid);
        return; /* its descriptor is closed with the message */
    }
    add(r, session_spawn(t, &(struct session_setup){.context = r->setup.context,
                                                    .tools = r->setup.tools,
                                                    .log = r->setup.log,
                                                    .registry = r->registry,
                                                    .peer = peer}));
    if (r->is_leaving)
        rt_tell(t, r->clients[r->count - 1].ref, SESSION_LEAVE, &r->leave,
                sizeof(r->leave));
    tell_users(t, r);
}

static bool is_client(const struct process_connection *peer)
{
    size_t len = sizeof(WIRE_GREETING) - 1;

    return peer->len >= len && memcmp(peer->bytes, WIRE_GREETING, len) == 0;
}

/* One that is not kept is closed with its message. */
static void on_connection(struct rt_turn *t, struct sessions *r,
                          struct rt_msg *m)
{
    if (!is_client(RT_OBJ(m, struct process_connection)) ||
        (r->is_leaving && r->leave.is_last))
        return;
    if (r->registry.id != 0) {
        admit(t, r, RT_OBJ(m, struct process_connection));
        return;
    }
    m = rt_take(t, m);
    m->next = NULL;
    if (r->first == NULL)
        r->first = m;
    else
        r->last->next = m;
    r->last = m;
}

static void on_open(struct rt_turn *t, struct sessions *r,
                    const struct sessions_open *open)
{
    struct rt_msg *next;

    r->registry = open->registry;
    for (struct rt_msg *m = r->first; m != NULL; m = next) {
        next = m->next;
        admit(t, r, RT_OBJ(m, struct process_connection));
        rt_free(t, m);
    }
    r->first = r->last = NULL;
}

static void welcome(struct rt_turn *t, const struct sessions *r,
                    struct client *c)
{
    if (!c->is_asking || !r->may_welcome)
        return;
    c->is_asking = false;
    rt_tell(t, c->ref, SESSION_WELCOME, &r->welcome, sizeof(r->welcome));
}

static void on_running(struct rt_turn *t, struct sessions *r,
                       const struct session_welcome *running)
{
    r->welcome = *running;
    r->may_welcome = true;
    for (unsigned i = 0; i < r->count; i++)
        welcome(t, r, &r->clients[i]);
}

static void on_hello(struct rt_turn *t, struct sessions *r, struct rt_msg *m)
{
    const struct session_hello *hello = rt_body(m);
    struct client *c = find(r, m->from);

    if (c == NULL)
        return;
    c->kind = hello->is_relay ? CLIENT_RELAY : CLIENT_COMMAND;
    c->is_asking = true;
    welcome(t, r, c);
    tell_users(t, r);
}

static void on_leave(struct rt_turn *t, struct sessions *r,
                     const struct session_leave *leave)
{
    r->is_leaving = true;
    r->leave = *leave;
    for (unsigned i = 0; i < r->count; i++)
        rt_tell(t, r->clients[i].ref, SESSION_LEAVE, leave, sizeof(*leave));
    tell_users(t, r);
}

static void on_gone(struct rt_turn *t, struct sessions *r, struct rt_ref who)
{
    struct client *c = find(r, who);

    if (c == NULL)
        return;
    *c = r->clients[--r->count];
    tell_users(t, r);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct sessions *r = *(struct sessions **)state;

    switch (m->kind) {
    case PROCESS_OTHER:
        on_connection(t, r, m);
        break;
    case SESSIONS_OPEN:
        on_open(t, r, rt_body(m));
        break;
    case SESSIONS_RUNNING:
        on_running(t, r, rt_body(m));
        break;
    case SESSIONS_LEAVE:
        on_leave(t, r, rt_body(m));
        break;
    case SESSION_HELLO:
        on_hello(t, r, m);
        break;
    case SESSION_STOP:
        rt_tell(t, rt_parent(t), SESSIONS_STOP, rt_body(m),
                sizeof(struct session_stop));
        break;
    case RT_EXIT:
        on_gone(t, r, m->from);
        break;
    default:
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct sessions *r = *(struct sessions **)state;

    while (r->first != NULL) {
        struct rt_msg *next = r->first->next;
        rt_free(t, r->first);
        r->first = next;
    }
    rt_obj_drop(&r->setup.context->obj);
    free(r->clients);
    free(r);
}

static const struct rt_behaviour behaviour = {.name = "sessions",
                                              .size = sizeof(struct sessions *),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref sessions_spawn(struct rt_turn *t, const struct sessions_setup *s)
{
    struct sessions *r = bytes_zalloc(sizeof(*r));

    r->setup = *s;
    rt_obj_keep(&s->context->obj);
    r->max = process_capacity() + EXTRA;
    return rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &r);
}
