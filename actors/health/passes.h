/*
 * Passes: the checks that have passed, kept over restarts, for a check costs a
 * model's answer. The store has them too; where it cannot be read there are
 * none.
 */
#ifndef ACTORS_HEALTH_PASSES_H
#define ACTORS_HEALTH_PASSES_H

#include <stdint.h>

#include "actors/store/past.h"
#include "runtime/list.h"

#define HEALTH_PASSES_MAX 256

/* What has to be equal for a check to be the same. */
struct health_key {
    const char *backend, *program, *model, *prompt;
};

struct health_pass {
    LIST_LINK(struct health_pass) link;
    struct health_key key; /* owned */
    uint64_t at;           /* wall clock, ms */
    uint64_t response_ms;
};

struct health_passes {
    LIST(struct health_pass) list; /* newest first; zeroed memory is empty */
    size_t count;
};

/* Takes what the store knows, without what is older than keep_ms at `now`. */
void health_passes_take(struct health_passes *k, const struct past *p,
                        uint64_t now, uint64_t keep_ms);
/* NULL if there is none. */
const struct health_pass *health_passes_find(const struct health_passes *k,
                                             const struct health_key *key);
/* A pass, in place of an earlier one; or its end when at is 0. */
void health_passes_note(struct health_passes *k, const struct health_key *key,
                        uint64_t at, uint64_t response_ms);
void health_passes_finish(struct health_passes *k);

#endif
