/*
 * The directories of agents, each by its id, lie under one: those of agents
 * that are gone can be removed, and their transcripts packed or dropped.
 * Nothing is followed out of it: whatever an agent has put into its directory,
 * only what lies in there is touched. Every function works on disk and blocks
 * for as long as that takes, and no longer than one portion of it.
 */
#ifndef ACTORS_STORE_AGENT_DIRS_H
#define ACTORS_STORE_AGENT_DIRS_H

#include <stdbool.h>
#include <stdint.h>

#define AGENT_DIRS_TRANSCRIPT "stdout.ndjson"
#define AGENT_DIRS_PACKED "stdout.ndjson.gz"

/* What there is of a transcript; the numbers are the store's. */
enum agent_dirs_form {
    AGENT_DIRS_WHOLE,
    AGENT_DIRS_IS_PACKED,
    AGENT_DIRS_NOTHING
};

struct agent_dirs {
    int fd; /* of STATE/agents, or -1 */
    struct transcript_gzip *packing;
};

/* 0 or a negative errno; the directory need not be there yet. */
int agent_dirs_open(struct agent_dirs *a, const char *state_dir);
void agent_dirs_close(struct agent_dirs *a);
/* Whether it may be the name of an agent's directory. */
bool agent_dirs_is_id(const char *id);

/*
 * Each does a portion: 1, it is to be called again with the same id; 0, done;
 * or a negative errno: -EBUSY if its processes are there after all,
 * -EINVAL if this can be no agent's id.
 */
int agent_dirs_remove(struct agent_dirs *a, const char *id);
int agent_dirs_drop(struct agent_dirs *a, const char *id);
/* One transcript at a time: the next may begin when this has come to its end.
 * What was packed is safe on disk before the original goes. */
int agent_dirs_pack(struct agent_dirs *a, const char *id);
/* What is there now, and the bytes it takes. */
enum agent_dirs_form agent_dirs_look(struct agent_dirs *a, const char *id,
                                     uint64_t *bytes);

#endif
