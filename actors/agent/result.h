/*
 * An agent's result: what it is said to have done, by itself or by its stream.
 * The same struct is a report on its way in. Constant once made, and shared by
 * all that read it.
 */
#ifndef ACTORS_AGENT_RESULT_H
#define ACTORS_AGENT_RESULT_H

#include "actors/agent/paths.h"
#include "actors/stream/transcript.h"
#include "runtime/rt.h"
#include "runtime/text/slice.h"

enum agent_outcome {
    AGENT_SUCCESS,
    AGENT_FAILURE,
    AGENT_TIMEOUT,
    AGENT_CANCELLED_OUTCOME
};

/* "success" and so on. */
struct slice agent_outcome_name(enum agent_outcome outcome);

struct agent_result {
    struct rt_obj obj;
    enum agent_outcome outcome;
    bool is_reported; /* by the agent; else built from what it left */
    struct slice summary, response;
    struct slice error; /* empty: none */
    struct agent_paths edited, created;
    uint64_t duration_ms;
    uint64_t tool_calls;
    uint64_t finished_at; /* wall clock, ms */
};

/* Copies all that `parts` points to. The caller owns the one reference. */
struct agent_result *agent_result_create(const struct agent_result *parts);

#endif
