/*
 * The house is what all actors of one hub know: where it lives and which
 * thread is whose home. Constant, shared.
 */
#ifndef ACTORS_ORDER_HOUSE_H
#define ACTORS_ORDER_HOUSE_H

#include "actors/order/caller.h"
#include "actors/order/seal.h"
#include "runtime/rt.h"

/*
 * The loops. Sessions and the registry share the front so that a question is
 * answered without waking another thread; spawning a process and syncing a
 * file stall whoever does it.
 */
enum house_home {
    HOUSE_PROC = RT_LOOP(0),
    HOUSE_SPAWN = RT_LOOP(1),
    HOUSE_FRONT = RT_LOOP(2),
    HOUSE_STORE = RT_LOOP(3),
    HOUSE_WEB = RT_LOOP(4),
    HOUSE_LOOPS = 5
};

struct house {
    struct rt_obj obj;
    const char *state_dir; /* absolute, no slash at its end */
    const char *socket;    /* state_dir/hub.sock */
    const char *warden;    /* program */
    const char *relay;     /* program that agents start as their MCP server */
    const char *build;
    struct caller *self; /* the hub's own directory and environment */
    struct seal seal;    /* on agents' keys and sessions' ids */
};

/* Copies all but the caller, which it keeps. */
struct house *house_create(const struct house *from);

#endif
