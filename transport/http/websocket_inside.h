/* What the websocket's files share; for no other room. */
#ifndef TRANSPORT_HTTP_WEBSOCKET_INSIDE_H
#define TRANSPORT_HTTP_WEBSOCKET_INSIDE_H

#include <wslay/wslay.h>

#include "transport/http/site_inside.h"
#include "transport/http/websocket.h"

/* Of one write. */
#define WEBSOCKET_FRAMES 256
#define WEBSOCKET_PORTION ((size_t)256 << 10)

struct websocket_set {
    struct site *site;
    h2o_loop_t *loop;
    struct websocket_rules rules;
    struct websocket_counts counts;
    h2o_linklist_t all, dirty;
    h2o_timeout_t ping, close;
    h2o_timeout_entry_t flush;
};

struct websocket {
    h2o_linklist_t link, dirty;
    struct websocket_set *set; /* NULL: it was left before the 101 had */
    struct websocket_owner owner;
    h2o_socket_t *sock; /* NULL until the 101 has left */
    wslay_event_context_ptr wslay;
    h2o_timeout_entry_t timer; /* in ping or in close */
    struct framing queue;
    struct bytes control; /* what wslay wants to say, until it is framed */
    size_t grant;
    unsigned silent; /* pings without a sign of life */
    bool is_hearing; /* wslay is on the stack */
    bool is_closing; /* a close was said, or will be next */
    bool is_deaf;    /* what comes in is thrown away */
};

/* ---- websocket.c ---- */
/* What wslay calls with the websocket. */
extern const struct wslay_event_callbacks websocket_callbacks;
/* h2o has let go of the connection: reads, writes and pings begin. */
void websocket_begin(struct websocket *w, h2o_socket_t *sock);
/* The set's timer: writes all queues that got something. */
void websocket_flush(h2o_timeout_entry_t *entry);
/* Ends it; its owner is told. */
void websocket_end(struct websocket *w);
/* Takes it out of its set; the owner is not told. */
void websocket_leave(struct websocket *w);
void websocket_destroy(struct websocket *w);

#endif
