/*
 * The reader answers questions of the past where no hub runs: from a peek
 * of the database, of which nothing is changed. It takes the registry's place:
 * orders are placed with it, and what is no question of the past is refused.
 */
#ifndef ACTORS_STORE_READER_H
#define ACTORS_STORE_READER_H

#include "actors/order/order.h"

/* Starts it as a child of the current actor. The path is the database's, and
 * copied. */
struct rt_ref reader_spawn(struct rt_turn *t, const char *path,
                           bool is_english);

#endif
