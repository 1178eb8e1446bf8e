/*
 * A session is one connection of a relay or of the command line: it takes
 * calls off the wire to the registry and brings the answers back.
 *
 *   greeted -> HELLO -> asks the sessions actor -> WELCOME -> calls ... ->
 * leaves
 *
 * What it holds has a bound whatever its peer does: nothing is read while
 * more than a megabyte waits to be sent, and a call too many is refused.
 */
#ifndef TRANSPORT_SESSION_SESSION_H
#define TRANSPORT_SESSION_SESSION_H

#include "actors/order/hub_context.h"
#include "runtime/process/process.h"
#include "transport/mcp/tools.h"
#include "transport/wire/log.h"

enum {
    /* to the sessions actor */
    SESSION_HELLO = 0x700, /* struct session_hello; answered by WELCOME */
    SESSION_STOP,          /* struct session_stop: the hub shall leave */
    /* to the session */
    SESSION_WELCOME, /* struct session_welcome */
    SESSION_LEAVE    /* struct session_leave: the hub is leaving */
};

struct session_hello {
    bool is_relay;
};

struct session_stop {
    bool keeps_agents;
};

struct session_welcome {
    uint32_t running; /* agents that are not gone; from 1 on: some */
};

struct session_leave {
    bool is_last; /* say so to the peer and go; else only begin nothing new */
};

struct session_setup {
    struct hub_context *context; /* kept */
    const struct tools *tools;   /* borrowed for the runtime's life, ... */
    const struct log *log;       /* ... and so is this */
    struct rt_ref registry;
    struct process_connection *peer; /* borrowed; its descriptor is taken.
                                        It has said WIRE_GREETING */
};

/* Starts it on HUB_LOOP_FRONT as a child of the current actor, the sessions
 * actor.
 */
struct rt_ref session_spawn(struct rt_turn *t, const struct session_setup *s);

#endif
