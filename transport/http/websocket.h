/*
 * A websocket is a connection that has left HTTP behind (RFC 6455): text in
 * both directions. Those of one owner are in a set, which asks each now and
 * then whether it is still there and lets none keep more than a budget of
 * unread bytes. Everything is called in turns of the site's owner, outside of
 * site_handle within site_enter.
 *
 *   exchange -- websocket_accept --> open -- websocket_close --> closing
 *   ... --> on_gone, once, whichever side ended it; the websocket is then no
 * more
 */
#ifndef TRANSPORT_HTTP_WEBSOCKET_H
#define TRANSPORT_HTTP_WEBSOCKET_H

#include "transport/http/exchange.h"
#include "transport/http/framing.h"

#define WEBSOCKET_MESSAGE ((size_t)64 << 10) /* the longest that comes in */

enum websocket_code {
    WEBSOCKET_LEAVING = 1001,
    WEBSOCKET_NO_TEXT = 1003,
    WEBSOCKET_TROUBLE = 1011,
    WEBSOCKET_TOO_SLOW = 1013
};

struct websocket;
struct websocket_set;

/* None of them may be called by the functions below: they come later. */
struct websocket_owner {
    void *ctx;
    void (*on_text)(void *ctx, struct slice text);
    void (*on_drained)(void *ctx); /* all that was sent has left; or NULL */
    void (*on_gone)(void *ctx);
};

struct websocket_rules {
    uint64_t ping_ms;  /* two without a sign of life: gone */
    uint64_t close_ms; /* how long a close waits for the other side */
    size_t limit;      /* of unsent bytes; beyond: closed as too slow */
};

struct websocket_counts {
    unsigned open;
    uint64_t slow; /* closed for not reading */
    uint64_t lost; /* gave no sign of life */
};

struct websocket_set *websocket_set_create(struct site *s,
                                           const struct websocket_rules *r);
/* Ends all that are in it at once, before site_finish. Accepts NULL. */
void websocket_set_destroy(struct websocket_set *r);
const struct websocket_counts *websocket_count(const struct websocket_set *r);

/* Upgrades the exchange, which is then no more the caller's business. NULL: it
 * is no handshake, and has been answered. */
struct websocket *websocket_accept(struct websocket_set *r, struct exchange *x,
                                   const struct websocket_owner *owner);

/* Keeps the frame until it has left. False: it is not sent, for the websocket
 * is closing, or is from now on because its reader is too slow. */
bool websocket_send(struct websocket *w, struct framing_frame *f);
/* Bytes that do not count against the limit until all has left: for an answer
 * that is larger than it. */
void websocket_grant(struct websocket *w, size_t bytes);
size_t websocket_unsent(const struct websocket *w);
bool websocket_is_closing(const struct websocket *w);
/* Says goodbye behind what waits; on_gone comes when the other side has
 * answered, or does not. */
void websocket_close(struct websocket *w, unsigned code, struct slice reason);

#endif
