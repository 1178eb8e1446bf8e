/*
 * The reader answers questions of the past where no hub runs: from a peek
 * of the database, of which nothing is changed. It takes the registry's place:
 * orders are placed with it, and what is no question of the past is refused.
 */
#ifndef ACTORS_STORE_READER_H
#define ACTORS_STORE_READER_H

#include "actors/store/work.h"

struct reader_setup {
    const char *path;      /* the database; outlives the reader */
    const char *state_dir; /* has the agents' directories; the same */
    bool is_english;
    /* What answers an order of a system's and writes nothing; NULL: the order
     * is none of those. The caller owns it. */
    struct work *(*question)(struct rt_turn *t, struct order *o);
};

/* Starts it as a child of the current actor. */
struct rt_ref reader_spawn(struct rt_turn *t, const struct reader_setup *s);

#endif
