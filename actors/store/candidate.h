/*
 * A candidate is a file that somebody has named to be the store. It is looked
 * at before it is one, and not changed.
 */
#ifndef ACTORS_STORE_CANDIDATE_H
#define ACTORS_STORE_CANDIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "actors/store/store_why.h"

/* Whether it can be: nothing is there, or a database of ours that is not of a
 * newer version. Else `why` says what is wrong. */
bool candidate_is_good(const char *path, struct store_why *why);
/* How many of its agents are not gone: what a hub takes over, or begins. */
int64_t candidate_unfinished(const char *path);

#endif
