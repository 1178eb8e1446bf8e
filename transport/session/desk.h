/*
 * A desk takes the calls of one connection to the registry and knows which of
 * them an answer is for. Whoever owns it is the asker: an actor, in whose
 * turns everything here is called. Embedded.
 */
#ifndef TRANSPORT_SESSION_DESK_H
#define TRANSPORT_SESSION_DESK_H

#include "actors/order/order.h"
#include "transport/mcp/tools.h"

/*
 * In flight at once, how many of them waits, and bytes of their arguments:
 * what is beyond is refused, so a connection has a bound whatever it asks.
 * What is no wait will be answered soon: while so many are under way the owner
 * hears no more, so that nobody who only asks fast is ever refused.
 */
#define DESK_CALLS 256
#define DESK_WAITS 192
#define DESK_BUSY 64
#define DESK_BYTES ((size_t)96 << 20)

struct desk_call {
    uint64_t handle;       /* the connection's, back with the answer */
    struct caller *caller; /* NULL: the desk's */
    struct slice name;
    yyjson_doc *doc;  /* that args is in, taken; NULL: args is copied */
    yyjson_val *args; /* or NULL */
    size_t bytes;     /* what it holds, about */
    bool is_checked;  /* against the tool's schema, in this process */
    bool wants_progress;
    struct slice key; /* the relay's for this call; empty: none */
    bool is_repeated; /* an earlier hub may have answered it */
};

struct desk_flight;

struct desk {
    struct rt_ref registry;
    const struct tools *tools;     /* borrowed */
    struct caller *caller;         /* kept */
    bool is_closing;               /* nothing new is begun */
    unsigned max_calls, max_waits; /* DESK_CALLS and DESK_WAITS, or more */
    struct desk_flight *flights;
    unsigned capacity, count, waits;
    unsigned free; /* the first free flight */
    uint32_t serial;
    size_t bytes;
};

void desk_init(struct desk *d, struct rt_ref registry,
               const struct tools *tools, struct caller *caller);
/* Accepts zeroed memory. Waits in flight end with their parent. */
void desk_finish(struct desk *d);

/* Checks the call and places it. False: it is refused, and the body of the
 * answer was appended to *refusal. */
bool desk_place(struct rt_turn *t, struct desk *d, const struct desk_call *call,
                struct bytes *refusal);
bool desk_has(const struct desk *d, uint64_t handle);
/* Nobody wants the answer any more; a wait is taken back. */
void desk_cancel(struct rt_turn *t, struct desk *d, uint64_t handle);

/* The answer of this ticket is there: true, and whose it is, if anybody still
 * wants it. */
bool desk_land(struct desk *d, uint64_t ticket, uint64_t *handle);
/* The same for progress, which ends nothing. */
bool desk_find(const struct desk *d, uint64_t ticket, uint64_t *handle);
/* A child of the owner has ended: true if it was a wait without an answer,
 * for which the body of one is appended. */
bool desk_lost(struct desk *d, struct rt_ref child, uint64_t *handle,
               struct bytes *body);

/* Of those in flight, how many are not waits. */
unsigned desk_pending(const struct desk *d);
bool desk_is_busy(const struct desk *d);

#endif
