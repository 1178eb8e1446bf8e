/*
 * Calls are the orders of one client, or of a whole site, that are with the
 * registry: the one table in which an answer finds the client it is for.
 * Embedded in the actor that is the asker, in whose turns everything here is
 * called; orders carry the ticket of their entry.
 */
#ifndef TRANSPORT_SESSION_CALLS_H
#define TRANSPORT_SESSION_CALLS_H

#include "actors/order/order.h"
#include "transport/mcp/tools.h"

/*
 * In flight at once, how many of them waits, and bytes of their arguments:
 * what is beyond is refused, so a client has a bound whatever it asks. What is
 * no wait will be answered soon: while so many are under way the owner reads
 * no more, so that a client that only asks fast is never refused.
 */
#define CALLS_MAX 256
#define CALLS_WAITS 192
#define CALLS_BUSY 64
#define CALLS_BYTES ((size_t)96 << 20)

/* Where answers go. on_answer comes once for a call, unless it is cancelled
 * before; of an error the answer has its code. */
struct calls_client {
    void (*on_answer)(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a);
    /* NULL: progress is not wanted. */
    void (*on_progress)(struct rt_turn *t, void *ctx, uint64_t handle,
                        const struct order_progress *p);
};

/* A call to be placed. */
struct call {
    const struct calls_client *client;
    void *ctx;             /* for the client's functions, ... */
    uint64_t handle;       /* ... and so is this */
    struct caller *caller; /* NULL: the table's */
    enum order_kind kind;  /* ORDER_KINDS: there is none of that name */
    yyjson_doc *doc;       /* that args is in, taken; NULL: args is copied */
    yyjson_val *args;      /* or NULL */
    size_t bytes;          /* what it holds, about */
    bool is_checked;       /* against its schema, in this process */
    bool wants_progress;
    bool is_for_model;      /* as struct order has it */
    struct order_page page; /* of ORDER_EVENT_PAGE */
    struct slice key;       /* the relay's for this call; empty: none */
    bool is_repeated;       /* an earlier hub may have answered it */
};

struct calls_entry;

struct calls {
    struct rt_ref registry;
    const struct tools *tools;     /* borrowed */
    struct caller *caller;         /* kept */
    bool is_closing;               /* nothing new is begun */
    bool is_language_auto;         /* a caller's locale counts */
    unsigned max_calls, max_waits; /* CALLS_MAX and CALLS_WAITS, or more */
    struct calls_entry *entries;
    unsigned capacity, count, waits;
    unsigned free; /* the first free entry */
    uint32_t serial;
    size_t bytes;
};

void calls_init(struct calls *c, struct rt_ref registry,
                const struct tools *tools, struct caller *caller);
/* No client is told anything any more. Accepts zeroed memory. Waits in flight
 * end with their parent. */
void calls_finish(struct calls *c);

/* Checks the call and places it: its ticket. 0: it has been refused, and the
 * client has had its answer. */
uint64_t calls_place(struct rt_turn *t, struct calls *c,
                     const struct call *call);
/* The client wants no answer any more; a wait is taken back. Accepts 0. */
void calls_cancel(struct rt_turn *t, struct calls *c, uint64_t ticket);
/* The ticket of the call with this handle, or 0; looks at all of them. */
uint64_t calls_find(const struct calls *c, uint64_t handle);
bool calls_is_wait(const struct calls *c, uint64_t ticket);
/* In which language this caller (NULL: the table's) is answered. */
enum tools_language calls_language(const struct calls *c,
                                   const struct caller *caller);

/* Whether this message (ORDER_ANSWER, ORDER_PROGRESS, or RT_EXIT of a wait)
 * was for a call, whose client has then been told. */
bool calls_handle(struct rt_turn *t, struct calls *c, struct rt_msg *m);

/* Of those in flight, how many are not waits. */
unsigned calls_pending(const struct calls *c);
bool calls_is_busy(const struct calls *c);

#endif
