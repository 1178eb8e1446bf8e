/*
 * The clerk takes calls of the HTTP side to the registry and each answer back
 * to whoever wanted it. One for a whole site: a connection of HTTP/1 has one
 * request in flight, so their number bounds the clerk's work. Embedded in the
 * actor that owns the site, in whose turns everything here is called.
 */
#ifndef TRANSPORT_SESSION_CLERK_H
#define TRANSPORT_SESSION_CLERK_H

#include "transport/session/desk.h"

/* Who wants an answer. on_answer comes once, unless the call is cancelled
 * before; json is an object, of an error seed 000's body. */
struct clerk_asker {
    void *ctx;
    struct caller *caller; /* in whose name; NULL: the clerk's own */
    void (*on_answer)(void *ctx, struct slice json, bool is_error);
    void (*on_progress)(void *ctx, unsigned done, unsigned total); /* or NULL */
};

struct errand;

struct clerk {
    struct desk desk;
    struct errand *first; /* in flight */
    size_t calls;
};

void clerk_init(struct clerk *c, struct rt_ref registry,
                const struct tools *tools, struct caller *caller);
/* Nobody is answered any more. Accepts zeroed memory. */
void clerk_finish(struct rt_turn *t, struct clerk *c);

/* Places a call of an order's name; args may be NULL and is copied.
 * One that cannot be placed is answered before this returns 0. */
uint64_t clerk_place(struct rt_turn *t, struct clerk *c, struct slice name,
                     yyjson_val *args, const struct clerk_asker *asker);
/* The asker wants no answer any more; a wait is taken back. */
void clerk_cancel(struct rt_turn *t, struct clerk *c, uint64_t call);

/* Whether this message (ORDER_ANSWER, ORDER_PROGRESS, or RT_EXIT of a wait)
 * was the clerk's, which has then told whom it concerns. */
bool clerk_handle(struct rt_turn *t, struct clerk *c, struct rt_msg *m);

#endif
