/*
 * The pump runs h2o's event loop inside an actor that lives on a loop of the
 * runtime: h2o's own epoll descriptor is watched like any other, and h2o's
 * callbacks happen in the actor's turns. So what they do may be anything a
 * handler may do, and there is neither a lock nor a second queue.
 */
#ifndef TRANSPORT_HTTP_PUMP_H
#define TRANSPORT_HTTP_PUMP_H

#include "runtime/rt.h"

struct st_h2o_evloop_t;

/* Kinds that the owning actor passes on to pump_handle, with RT_READY. */
enum {
    PUMP_TIMER = 0x7e0, /* h2o wants to look at its time-outs */
    PUMP_GO             /* something was done to a socket outside of h2o */
};

struct pump {
    struct st_h2o_evloop_t *loop;
    int epoll;
    uint64_t timer;   /* or 0 */
    uint64_t wake_at; /* of the timer, by h2o's clock */
    bool is_going;    /* a PUMP_GO is under way */
};

/* 0 or a negative errno. Embedded. */
int pump_open(struct rt_turn *t, struct pump *p);
/* Everything of h2o's has been disposed of before. Accepts zeroed memory. */
void pump_close(struct rt_turn *t, struct pump *p);
/* Whether this message was the pump's, which has then run. */
bool pump_handle(struct rt_turn *t, struct pump *p, struct rt_msg *m);
/* Code that used an h2o socket in a turn that is not the pump's says so: it
 * goes on when all that waits in the inbox is handled. */
void pump_soon(struct rt_turn *t, struct pump *p);
/* Runs h2o at once; never from one of its callbacks. */
void pump_now(struct rt_turn *t, struct pump *p);

#endif
