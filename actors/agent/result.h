/*
 * An agent's result: what it is said to have done, by itself or by its stream.
 * The same struct is a report on its way in. Constant once made, and shared by
 * all that read it.
 */
#ifndef ACTORS_AGENT_RESULT_H
#define ACTORS_AGENT_RESULT_H

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

struct agent_paths {
    const struct slice *items;
    size_t count;
};

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

/*
 * First those seen, then those reported besides, each once, where relative
 * ones are relative to cwd. The items point where those given do; the array
 * is the caller's to free.
 */
struct agent_paths agent_paths_merge(struct agent_paths seen,
                                     struct agent_paths reported,
                                     struct slice cwd);
/* What a stream has shown; the array is the caller's to free. */
struct agent_paths agent_paths_of(const struct files *files,
                                  enum files_list list);
/* Of a list of texts, into which the items point. */
struct agent_paths agent_paths_read(yyjson_val *list);
void agent_paths_free(struct agent_paths *paths);
/* Appends them as a JSON list. */
void agent_paths_put(struct bytes *out, const struct agent_paths *paths);

#endif
