/*
 * Recalls are calls that may have been answered before, by this hub or an
 * earlier one: what was answered under the same key is answered again. They
 * wait for the batch, where the answer may be.
 */
#ifndef ACTORS_STORE_RECALLS_H
#define ACTORS_STORE_RECALLS_H

#include <stddef.h>

#define RECALLS_KEPT_MS ((uint64_t)3600 * 1000) /* answers are remembered */

struct order;
struct rt_turn;
struct store;

struct recalls {
    struct order **orders; /* kept, oldest first */
    size_t count;
};

void recalls_add(struct rt_turn *t, struct store *s, struct order *o);
/* The batch is durable: answers those that are known, and tells the registry
 * of the others. */
void recalls_try(struct rt_turn *t, struct store *s);
void recalls_finish(struct store *s);

#endif
