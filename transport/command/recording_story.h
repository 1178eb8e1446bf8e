/*
 * An agent's story for a recording. It is read from its end, for where there
 * is not space for all of it the end is what one wants to see.
 */
#ifndef TRANSPORT_COMMAND_RECORDING_STORY_H
#define TRANSPORT_COMMAND_RECORDING_STORY_H

#include "transport/command/records.h"

/* Appends `"story":{...}` to an object, of at most about so many bytes; or
 * nothing, where there is none (any more). CONSOLE_FINE, else told. */
int recording_story(struct records *r, const char *agent, uint64_t most,
                    struct bytes *out, bool *is_cut);

#endif
