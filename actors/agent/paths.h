/* Paths of files that an agent has changed or made, as lists that are read,
 * joined and written. */
#ifndef ACTORS_AGENT_PATHS_H
#define ACTORS_AGENT_PATHS_H

#include "actors/stream/transcript.h"
#include "runtime/text/bytes.h"

struct agent_paths {
    const struct slice *items;
    size_t count;
};

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
