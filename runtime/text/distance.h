/* Which known name a misspelt one was meant to be. */
#ifndef RUNTIME_TEXT_DISTANCE_H
#define RUNTIME_TEXT_DISTANCE_H

#include <stddef.h>

/* How many letters are to be changed, added, left out or swapped with their
 * neighbour to make one the other, whatever their case; names over 64 bytes
 * are all far. */
size_t distance_between(const char *a, const char *b);
/* The nearest of the names (ended by NULL) if it is near enough, or NULL. */
const char *distance_nearest(const char *word, const char *const *names);

#endif
