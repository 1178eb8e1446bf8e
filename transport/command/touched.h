/* The files that agents have touched, each by one name: below the agent's
 * directory without it, however the agent has called it. */
#ifndef TRANSPORT_COMMAND_TOUCHED_H
#define TRANSPORT_COMMAND_TOUCHED_H

#include <stdbool.h>
#include <yyjson.h>

#include "runtime/text/bytes.h"

/* Zeroed memory is an empty one. */
struct touched {
    char **names;
    size_t count;
};

/* Adds those of a list of paths, as an agent that works there gives them. */
void touched_add(struct touched *t, yyjson_val *paths, struct slice directory);
bool touched_has(const struct touched *t, const char *name);
void touched_finish(struct touched *t);

#endif
