/*
 * The trace: what each thread did lately, in a ring of records it alone
 * writes. Off unless the configuration asks; then one branch a turn.
 */
#ifndef RUNTIME_TRACE_H
#define RUNTIME_TRACE_H

#include "runtime/actor.h"

enum trace_event {
    TRACE_TURN,
    TRACE_WAKE,
    TRACE_PARK,
    TRACE_END /* of an actor */
};

struct trace_span {
    uint64_t begun;
    const char *name;
    struct rt_ref who;
};

struct trace *trace_create(unsigned records);
void trace_destroy(struct trace *trace);

/* Around a turn; only where the seat has a trace. */
struct trace_span trace_begin(const struct rt_actor *a);
void trace_end(struct rt_seat *seat, const struct trace_span *span);
void trace_mark_on(struct rt_seat *seat, enum trace_event event,
                   const char *name, struct rt_ref who);

/* Writes all rings as Chrome trace JSON. The threads must have ended. */
void trace_write(const struct rt *rt, FILE *out);

static inline void trace_mark(struct rt_seat *seat, enum trace_event event,
                              const char *name, struct rt_ref who)
{
    if (UNLIKELY(seat->trace != NULL))
        trace_mark_on(seat, event, name, who);
}

#endif
