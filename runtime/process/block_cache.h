/*
 * A cache of blocks of one size, for what is made on one thread and freed on
 * another, large and often: malloc would give such blocks back to the system
 * each time and have them cleared again page by page.
 */
#ifndef RUNTIME_PROCESS_BLOCK_CACHE_H
#define RUNTIME_PROCESS_BLOCK_CACHE_H

#include <stddef.h>

struct block_cache;

struct block_cache *block_cache_create(size_t size);
/* The owner goes; the cache stays until its last block has come back. */
void block_cache_leave(struct block_cache *s);

/* Any thread. A block of the cache's size, not cleared. */
void *block_cache_get(struct block_cache *s);
void block_cache_put(struct block_cache *s, void *block);

#endif
