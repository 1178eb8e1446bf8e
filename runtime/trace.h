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

struct trace_span trace_begin_on(const struct rt_actor *a);
void trace_end_on(struct rt_seat *seat, const struct trace_span *span,
                  unsigned handled);
void trace_mark_on(struct rt_seat *seat, enum trace_event event,
                   const char *name, struct rt_ref who);

/* Writes all rings as Chrome trace JSON. The threads must have ended. */
void trace_write(const struct rt *rt, FILE *out);

static inline struct trace_span trace_begin(const struct rt_seat *seat,
                                            const struct rt_actor *a)
{
    if (__builtin_expect(seat->trace != NULL, 0))
        return trace_begin_on(a);
    return (struct trace_span){0};
}

static inline void trace_end(struct rt_seat *seat,
                             const struct trace_span *span, unsigned handled)
{
    if (__builtin_expect(seat->trace != NULL, 0))
        trace_end_on(seat, span, handled);
}

static inline void trace_mark(struct rt_seat *seat, enum trace_event event,
                              const char *name, struct rt_ref who)
{
    if (__builtin_expect(seat->trace != NULL, 0))
        trace_mark_on(seat, event, name, who);
}

#endif
