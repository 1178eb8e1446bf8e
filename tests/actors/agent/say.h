/* Lines of JSON on stdout: what the test hub has to say. */
#ifndef TESTS_ACTORS_AGENT_SAY_H
#define TESTS_ACTORS_AGENT_SAY_H

#include "actors/agent/stream.h"

/* One line: the event, the agent's id unless NULL, and a field unless NULL. */
void say(const char *event, const char *id);
void say_text(const char *event, const char *key, const char *value);
void say_number(const char *event, const char *key, uint64_t value);
void say_left(const struct process_left *left);
/* A line for each of its own. */
void say_stream(const struct agent_stream *s);
/* All that a view holds. */
void say_view(const char *event, const struct agent_view *v);

#endif
