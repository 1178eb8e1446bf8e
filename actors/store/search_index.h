/*
 * The index of what agents' texts say. It takes longer than all other rows of
 * an agent together, so nobody waits for it: texts are entered some time after
 * their agent has gone, in portions, while the store has nothing better to do.
 * What is not in it yet is looked at by who searches (ask_history.c), which is
 * what is live and what has gone just now.
 */
#ifndef ACTORS_STORE_SEARCH_INDEX_H
#define ACTORS_STORE_SEARCH_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/rt.h"

struct store;

struct search_index {
    bool is_wanted;    /* there may be texts to be entered */
    bool is_timed;     /* a timer runs, or the next portion is due */
    uint64_t pause_ms; /* 0: the usual */
};

/* Takes an agent's texts out of it, before they change or go: it keeps no copy,
 * and must be told what it was told. */
#define SEARCH_INDEX_FORGET                                                    \
    "INSERT INTO agents_fts(agents_fts, rowid, prompt, summary, response,"     \
    " files) SELECT 'delete', serial, prompt, summary, response, files"        \
    " FROM searchable WHERE serial = ?1 AND is_indexed"

/* After a commit: has it catch up soon, if that is wanted. */
void search_index_arm(struct rt_turn *t, struct store *s);
/* It is time: enters a portion. */
void search_index_step(struct rt_turn *t, struct store *s);

#endif
