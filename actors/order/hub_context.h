/*
 * the hub context is what all actors of one hub know: where it lives and which
 * thread is whose home. Constant, shared.
 */
#ifndef ACTORS_ORDER_HUB_CONTEXT_H
#define ACTORS_ORDER_HUB_CONTEXT_H

#include "actors/order/caller.h"
#include "actors/order/signing_key.h"
#include "runtime/rt.h"

/*
 * The loops. Sessions and the registry share the front so that a question is
 * answered without waking another thread; spawning a process and syncing a
 * file stall the thread that does it.
 */
enum hub_loop {
    HUB_LOOP_PROCESSES = RT_LOOP(0),
    HUB_LOOP_SPAWN = RT_LOOP(1),
    HUB_LOOP_FRONT = RT_LOOP(2),
    HUB_LOOP_STORE = RT_LOOP(3),
    HUB_LOOP_WEB = RT_LOOP(4),
    HUB_LOOP_KEYS = RT_LOOP(5), /* passkeys are slow to derive on purpose */
    HUB_LOOPS = 6
};

struct hub_context {
    struct rt_obj obj;
    const char *state_dir; /* absolute, no slash at its end */
    const char *socket;    /* state_dir/hub.sock */
    const char *warden;    /* program */
    const char *relay;     /* program that agents start as their MCP server */
    const char *build;
    struct caller *self;   /* the hub's own directory and environment */
    bool is_language_auto; /* callers are answered by their own locale */
    struct signing_key signing_key; /* on agents' keys and sessions' ids */
};

/* Copies all but the caller, which it keeps. */
struct hub_context *hub_context_create(const struct hub_context *from);

#endif
