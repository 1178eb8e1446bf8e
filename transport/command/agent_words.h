/* How an agent stands, in words of the user's language. */
#ifndef TRANSPORT_COMMAND_AGENT_WORDS_H
#define TRANSPORT_COMMAND_AGENT_WORDS_H

#include <yyjson.h>

#include "transport/command/console.h"

struct agent_words {
    const char *text; /* "?": a state that this build does not know */
    enum term_style style;
};

/*
 * Of a state by its name, and of the outcome, empty if it is not known: what
 * was reported as a failure never looks like a success.
 */
struct agent_words agent_words_of(struct console *con, struct slice state,
                                  struct slice outcome);
/* The same of an agent as answers have it; "stalled" and "withoutHub" too. */
struct agent_words agent_words_state(struct console *con, yyjson_val *agent);

/* What came of an agent, or is in its result: its summary; but of one that has
 * failed and not reported, whose summary is what it happened to say last, the
 * error. */
struct slice agent_words_end(yyjson_val *agent);

/* How long it took, in ms; of one at work, so far: what is recorded of it is
 * how long it was when it last changed. */
uint64_t agent_words_took(yyjson_val *agent);

/* A tool's name as people know it: Cursor's "editToolCall" is its "edit". */
struct slice agent_words_tool(struct slice name);

#endif
