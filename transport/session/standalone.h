/*
 * The stdio session of a hub that is its client's own server (--standalone):
 * MCP on stdin and stdout. It ends when the client has closed its end and all
 * that was asked is answered; its end is the parent's sign to leave.
 */
#ifndef TRANSPORT_SESSION_STANDALONE_H
#define TRANSPORT_SESSION_STANDALONE_H

#include "actors/order/hub_context.h"
#include "transport/mcp/tools.h"
#include "transport/wire/log.h"

enum {
    STANDALONE_LEAVE =
        0x760 /* struct session_leave; when it is the last, it ends */
};

struct standalone_setup {
    struct hub_context *context; /* kept */
    const struct tools *tools;   /* borrowed for the runtime's life, ... */
    const struct log *log;       /* ... and so is this */
    const char *version;
    struct rt_ref registry;
    int in, out; /* borrowed */
};

/* Starts it on HUB_LOOP_FRONT as a child of the current actor. */
struct rt_ref standalone_spawn(struct rt_turn *t,
                               const struct standalone_setup *s);

#endif
