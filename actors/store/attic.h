/*
 * The attic is where the directories of agents that are gone lie, one by its
 * id each: they can be removed, and their transcripts packed or dropped.
 * Nothing is followed out of it: whatever an agent has put into its directory,
 * only what lies in there is touched. Every function works on disk and blocks
 * for as long as that takes, and no longer than one portion of it.
 */
#ifndef ACTORS_STORE_ATTIC_H
#define ACTORS_STORE_ATTIC_H

#include <stdbool.h>
#include <stdint.h>

#define ATTIC_TRANSCRIPT "stdout.ndjson"
#define ATTIC_PACKED "stdout.ndjson.gz"

/* What there is of a transcript; the numbers are the store's. */
enum attic_form { ATTIC_WHOLE, ATTIC_IS_PACKED, ATTIC_NOTHING };

struct attic {
    int fd; /* of STATE/agents, or -1 */
    struct attic_packing *packing;
};

/* 0 or a negative errno; the directory need not be there yet. */
int attic_open(struct attic *a, const char *state_dir);
void attic_close(struct attic *a);
/* Whether it may be the name of an agent's directory. */
bool attic_is_id(const char *id);

/*
 * Each does a portion: 1, it is to be called again with the same id; 0, done;
 * or a negative errno: -EBUSY if somebody lives there after all, -EINVAL if
 * this can be no agent's id.
 */
int attic_remove(struct attic *a, const char *id);
int attic_drop(struct attic *a, const char *id);
/* One transcript at a time: the next may begin when this has come to its end.
 * What was packed is safe on disk before the original goes. */
int attic_pack(struct attic *a, const char *id);
/* What is there now, and the bytes it takes. */
enum attic_form attic_look(struct attic *a, const char *id, uint64_t *bytes);

#endif
