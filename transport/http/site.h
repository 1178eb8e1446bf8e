/*
 * A site is an HTTP server inside an actor that lives on a loop: h2o with one
 * listener, a table of routes and limits. Embedded in its owner's state; all
 * of it runs in the owner's turns, and while a route serves, site->turn is the
 * turn it serves in.
 *
 *   owner: RT_READY, PUMP_TIMER, PUMP_GO -> site_run -> route -> exchange
 */
#ifndef TRANSPORT_HTTP_SITE_H
#define TRANSPORT_HTTP_SITE_H

#include <netinet/in.h>

#include "transport/http/access.h"
#include "transport/http/exchange.h"
#include "transport/http/pump.h"

#define SITE_BODY ((size_t)16 << 20)
#define SITE_HEAD ((size_t)64 << 10)
#define SITE_CONNECTIONS 1024
/* For a whole request to come, between two, and for an answer to be read; a
 * twelfth of it for a head of somebody unknown. */
#define SITE_IDLE_MS 60000
/* Of all requests that are being read; beyond it the largest is cut off. */
#define SITE_INPUT ((size_t)256 << 20)

/* The first one whose path fits serves; what no route wants is 404. */
struct site_route {
    const char *path;
    bool is_prefix; /* everything below path, which ends with a slash */
    void (*serve)(void *ctx, struct exchange *x);
};

struct site_setup {
    const char *host;                /* a numeric address, or localhost */
    uint16_t port;                   /* 0: any */
    unsigned tries;                  /* ports from there on; 0: this one */
    const struct site_route *routes; /* borrowed, ... */
    size_t route_count;
    void *ctx;                         /* ... and so is this; for routes */
    const struct access_setup *access; /* borrowed */
    unsigned connections;              /* 0: SITE_CONNECTIONS */
    unsigned idle_ms;                  /* 0: SITE_IDLE_MS */
    size_t input;                      /* 0: SITE_INPUT */
};

struct site_h2o;

struct site {
    struct site_setup setup;
    struct pump pump;
    struct rt_turn *turn; /* while h2o runs, and in site_enter */
    struct access access;
    struct site_h2o *h2o;
    uint16_t port;
    unsigned connections;
    unsigned strangers; /* of them: may be anybody's */
    uint64_t weighed_at;
    /* Connections: accepted, and of them closed at once, or later for another's
     * sake. */
    uint64_t accepted, refused, dropped;
    uint64_t served, cut, pauses;
    bool is_leaving, is_refusing;
};

/* 0 or a negative errno: -EADDRINUSE when none of the ports was free. */
int site_open(struct rt_turn *t, struct site *s,
              const struct site_setup *setup);
/* Whether this message was the site's, which has then been handled. */
bool site_handle(struct rt_turn *t, struct site *s, struct rt_msg *m);
/* Around anything done to exchanges or sockets in another message. */
void site_enter(struct rt_turn *t, struct site *s);
void site_leave(struct site *s);
/* No connection is accepted any more and idle connections end; streams are for
 * their owners to end. */
void site_close(struct rt_turn *t, struct site *s);
/* Whatever comes from here on is answered 503, by no route: before what the
 * routes need is gone. Requests that lie in the kernel are read even while
 * the site is being finished. */
void site_refuse(struct site *s);
/* Ends what is left, at once. Accepts zeroed memory. */
void site_finish(struct rt_turn *t, struct site *s);

#endif
