/*
 * A prompt is what an agent is started with, in five layers: its role's
 * prompt, who it is and how to report, its tools, what the stage before it
 * found, and its task; of a retry, before the task, the error of the one
 * before. Pure: the same input gives the same bytes.
 */
#ifndef ACTORS_LAUNCH_PROMPT_H
#define ACTORS_LAUNCH_PROMPT_H

#include "config/config.h"
#include "runtime/text/bytes.h"
#include "runtime/text/slice.h"

/* What an agent of the stage before has come to, whether well or not. */
struct prompt_result {
    struct slice agent_id, role;
    struct slice status; /* success, failure, timeout, cancelled */
    struct slice summary, response;
    struct slice error; /* empty: none */
    bool is_reported;   /* else what is empty is said to be missing */
};

/* The task of an orchestrator; stands in the place of the fifth layer. */
struct prompt_magentic {
    struct slice task, criteria, scope;
    struct slice constraints, context; /* empty: none */
    const struct role *const *roles;   /* those it may use */
    size_t role_count;
    int64_t max_iterations;
    int64_t timeout_ms; /* 0: none */
};

struct prompt_input {
    enum config_language language;
    const struct role *role;
    struct slice agent_id, group_id;
    struct slice directory;               /* for {{workingDirectory}} */
    const struct prompt_result *previous; /* in order; none: no fourth layer */
    size_t previous_count;
    size_t inject_limit;      /* of the whole fourth layer, in bytes */
    struct slice retry_of;    /* an agent that had the same task, or empty */
    struct slice retry_error; /* what it has met; empty: nothing to tell */
    const struct prompt_magentic *magentic; /* NULL: an ordinary agent */
    struct slice task;                      /* the fifth layer; else unused */
};

/* Where a layer lies in the prompt; between two of them is an empty line. */
struct prompt_layer {
    const char *name; /* "role", "identity", "tools", "previousStage", "retry",
                         and "task", or "orchestration" in its place */
    size_t at, len;
};

#define PROMPT_LAYERS 6

struct prompt_layers {
    struct prompt_layer items[PROMPT_LAYERS];
    size_t count;
};

/*
 * Appends the prompt to out, and says what of it are its layers. Texts are
 * borrowed; they should be UTF-8, and what is cut is cut between characters.
 * There is no NUL in what is appended, since it is to become an argument of a
 * program: a space stands for it.
 */
void prompt_build(const struct prompt_input *in, struct bytes *out,
                  struct prompt_layers *layers);

/* `"layers":[...]`: what an agent of that role would be started with, as a
 * member of an object that is open; names in braces stand for what only an
 * agent has. */
void prompt_put_preview(struct bytes *out, const struct role *role,
                        enum config_language language);

#endif
