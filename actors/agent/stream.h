/*
 * A stream is what one portion of an agent's output means, event by event, for
 * those who listen to it while it runs. Each event is a finished line of the
 * feed: {"type":"agent:status_update","at":"...","data":{"agentId":"...",
 * "status":"running","event":{"kind":"text","offset":4711,"form":"delta",
 * "text":"..."}}}
 *
 * The offset is that of its line in the transcript: by it who listens joins
 * this to what was read of that before. Texts come as deltas, or whole with the form "full"; "end" completes what
 * the deltas have said, "void" takes it back. The agent makes it on its own
 * worker, once, however many listen.
 */
#ifndef ACTORS_AGENT_STREAM_H
#define ACTORS_AGENT_STREAM_H

#include "actors/agent/agent.h"
#include "actors/stream/event.h"
#include "runtime/text/bytes.h"

/* Of one text, in whole characters; the event then has "cut":true. */
#define AGENT_STREAM_TEXT ((size_t)64 << 10)

struct agent_stream_event {
    enum event_kind kind;
    size_t at, len; /* of its line in `lines` */
};

/* Carried by AGENT_STREAM. Constant, shared. */
struct agent_stream {
    struct rt_obj obj;
    struct agent_def *def; /* kept: whose it is */
    struct bytes lines;    /* one after the other, without ends */
    struct agent_stream_event *events;
    size_t count; /* at least one */
};

static inline struct slice agent_stream_line(const struct agent_stream *s,
                                             size_t i)
{
    return slice_of(s->lines.ptr + s->events[i].at, s->events[i].len);
}

#endif
