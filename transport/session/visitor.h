/*
 * A visitor is one connection of a relay or of the command line: it takes
 * calls off the wire to the registry and brings the answers back.
 *
 *   greeted -> HELLO -> asks the reception -> WELCOME -> calls ... -> leaves
 *
 * What it holds has a bound whatever its peer does: nothing is read while
 * more than a megabyte waits to be sent, and the desk refuses what is too much.
 */
#ifndef TRANSPORT_SESSION_VISITOR_H
#define TRANSPORT_SESSION_VISITOR_H

#include "actors/order/hub_context.h"
#include "runtime/process/process.h"
#include "transport/mcp/tools.h"
#include "transport/wire/log.h"

enum {
    /* to the reception */
    VISITOR_HELLO = 0x700, /* struct visitor_hello; answered by WELCOME */
    VISITOR_STOP,          /* struct visitor_stop: the hub shall leave */
    /* to the visitor */
    VISITOR_WELCOME, /* struct visitor_welcome */
    VISITOR_LEAVE    /* struct visitor_leave: the hub is leaving */
};

struct visitor_hello {
    bool is_relay;
};

struct visitor_stop {
    bool keeps_agents;
};

struct visitor_welcome {
    uint32_t running; /* agents that are not gone; from 1 on: some */
};

struct visitor_leave {
    bool is_last; /* say so to the peer and go; else only begin nothing new */
};

struct visitor_setup {
    struct hub_context *context; /* kept */
    const struct tools *tools;   /* borrowed for the runtime's life, ... */
    const struct log *log;       /* ... and so is this */
    struct rt_ref registry;
    struct process_visitor *peer; /* borrowed; its descriptor is taken */
};

/* Starts it on HUB_LOOP_FRONT as a child of the current actor, the reception.
 */
struct rt_ref visitor_spawn(struct rt_turn *t, const struct visitor_setup *s);

#endif
