/*
 * The web is the hub's HTTP side: the dashboard's files, the feed (/ws), MCP
 * over HTTP (/mcp), questions (/api), /healthz and /metrics. One actor on
 * HUB_LOOP_WEB; its parent is the hub, its children are the waits of its calls.
 */
#ifndef TRANSPORT_WEB_WEB_H
#define TRANSPORT_WEB_WEB_H

#include "actors/order/hub_context.h"
#include "actors/order/settings.h"
#include "transport/mcp/tools.h"
#include "transport/wire/log.h"

enum {
    WEB_LEAVE = 0x7f0, /* struct session_leave; when it is the last, it ends */
    WEB_USERS          /* struct web_users; to the parent, when one of them
                          begins or ceases to be 0, and once a second while
                          calls come */
};

/* Who would miss the hub if it left now. */
struct web_users {
    uint32_t watchers; /* browsers and others on the feed */
    uint32_t calls;    /* requests that wait for an answer */
    uint64_t served;   /* calls of MCP and of the API so far */
};

struct web_setup {
    struct hub_context *context; /* kept */
    struct settings *settings;   /* kept */
    const struct tools *tools;   /* borrowed for the runtime's life, ... */
    const struct log *log;       /* ... as are these */
    const char *version;
    const char *token; /* "": none */
    struct rt_ref registry;
};

/* Starts it as a child of the current actor. A hub without a free port goes on
 * without its web; the log says so, and hub_status has no url. */
struct rt_ref web_spawn(struct rt_turn *t, const struct web_setup *s);

#endif
