/*
 * Checkpoints are pictures that are kept, so that one of any past moment can
 * be had by a few events more (store/picture.h). One is drawn when this hub
 * knows what there is; then whenever so much has happened that drawing it is
 * small beside that; and where something changes that no event tells whole.
 */
#ifndef ACTORS_REGISTRY_CHECKPOINTS_H
#define ACTORS_REGISTRY_CHECKPOINTS_H

#include "actors/store/store.h"

struct registry;

/* Events between two, or as many as there are agents if these are more; and
 * what they may carry together. */
#define CHECKPOINTS_EVENTS 1024
#define CHECKPOINTS_BYTES ((uint64_t)4 << 20)

struct checkpoints {
    uint64_t seq;   /* of the last */
    uint64_t bytes; /* of events since */
    bool is_due;    /* whatever came since */
};

/* An event was written. */
void checkpoints_note(struct registry *r, size_t bytes);
/* Adds one to rows that are written anyway, if it is due. */
void checkpoints_put(struct rt_turn *t, struct registry *r,
                     struct store_write *w);
/* The first of this hub. */
void checkpoints_begin(struct rt_turn *t, struct registry *r);

#endif
