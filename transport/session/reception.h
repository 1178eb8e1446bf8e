/*
 * The reception gets those who come to the hub's socket and are no wardens,
 * gives each a visitor actor, and keeps count of them for the hub, its parent.
 */
#ifndef TRANSPORT_SESSION_RECEPTION_H
#define TRANSPORT_SESSION_RECEPTION_H

#include "actors/order/hub_context.h"
#include "transport/mcp/tools.h"
#include "transport/session/visitor.h"
#include "transport/wire/log.h"

enum {
    /* to the reception, besides PROCESS_VISITOR */
    RECEPTION_OPEN = 0x740, /* struct reception_open: before, all wait */
    RECEPTION_RUNNING,      /* struct visitor_welcome: what visitors are told */
    RECEPTION_LEAVE,        /* struct visitor_leave: for all visitors */
    /* to its parent */
    RECEPTION_CROWD, /* struct reception_crowd, at every change */
    RECEPTION_STOP   /* struct visitor_stop: somebody wants the hub to leave */
};

struct reception_open {
    struct rt_ref registry;
};

struct reception_crowd {
    uint32_t visitors; /* all of them; the rest have said who they are */
    uint32_t relays, commands;
};

struct reception_setup {
    struct hub_context *context; /* kept */
    const struct tools *tools;   /* borrowed for the runtime's life, ... */
    const struct log *log;       /* ... and so is this */
};

/* Starts it on HUB_LOOP_FRONT as a child of the current actor. */
struct rt_ref reception_spawn(struct rt_turn *t,
                              const struct reception_setup *s);

#endif
