/*
 * How an agent's end is judged: its state from exit and stream, the words for
 * it, and the result that is built when nobody reported, or merged with what
 * was. Pure functions of what they are given.
 */
#ifndef ACTORS_AGENT_END_H
#define ACTORS_AGENT_END_H

#include "actors/agent/agent.h"
#include "runtime/text/bytes.h"

struct agent_end {
    enum agent_state state;
    const struct agent_result *report;   /* or NULL */
    const struct transcript *transcript; /* or NULL: already forgotten */
    const struct agent_result *before;   /* then: what it had shown, or NULL */
    struct slice cwd; /* what relative paths are relative to; may be empty */
    struct slice error;
    uint64_t duration_ms, finished_at;
};

/*
 * The state of an agent whose tree has ended, where nobody of this hub's life
 * has decided it: by itself, or by orders of a hub before.
 */
enum agent_state agent_end_state(const struct process_exit *exit,
                                 const struct transcript *tr,
                                 uint64_t timeout_ms);

/* Appends the error message of this end; nothing when there is no error. */
void agent_end_explain(struct bytes *out, enum agent_state state,
                       const struct process_exit *exit,
                       const struct transcript *tr);

/* What a failed terminal event says of itself; borrowed from the transcript. */
struct slice agent_end_stream_error(const struct transcript *tr);

/* The caller owns the one reference. */
struct agent_result *agent_end_result(const struct agent_end *end);

#endif
