/*
 * The sessions actor gets what comes to the hub's socket and are no
 * wardens, gives each a session actor, and keeps count of them for the hub, its
 * parent.
 */
#ifndef TRANSPORT_SESSION_SESSIONS_H
#define TRANSPORT_SESSION_SESSIONS_H

#include "actors/order/hub_context.h"
#include "transport/mcp/tools.h"
#include "transport/session/session.h"
#include "transport/wire/log.h"

enum {
    /* to the sessions actor, besides PROCESS_OTHER */
    SESSIONS_OPEN = 0x740, /* struct sessions_open: before, all wait */
    SESSIONS_RUNNING,      /* struct session_welcome: what sessions are told;
                              before, none is welcomed */
    SESSIONS_LEAVE,        /* struct session_leave: for all sessions */
    /* to its parent */
    SESSIONS_COUNT, /* struct sessions_count, at every change */
    SESSIONS_STOP   /* struct session_stop: a client wants the hub to leave */
};

struct sessions_open {
    struct rt_ref registry;
};

struct sessions_count {
    uint32_t sessions; /* all of them; the others have said what they are */
    uint32_t relays, commands;
};

struct sessions_setup {
    struct hub_context *context; /* kept */
    const struct tools *tools;   /* borrowed for the runtime's life, ... */
    const struct log *log;       /* ... and so is this */
};

/* Starts it on HUB_LOOP_FRONT as a child of the current actor. */
struct rt_ref sessions_spawn(struct rt_turn *t, const struct sessions_setup *s);

#endif
