/*
 * Memory for messages, actors' states and actors: fixed classes, thread-local
 * magazines over a shared depot.
 *
 * Messages are made by one thread and freed by another, all the time and
 * often all in one direction. A thread therefore keeps two magazines of
 * pointers per class and trades only whole magazines with the depot: one
 * shared operation per magazine. pool_slab.c is that; for
 * AddressSanitizer and valgrind pool_malloc.c hands every block out by
 * malloc, because a pool would hide a use after free.
 */
#ifndef RUNTIME_POOL_H
#define RUNTIME_POOL_H

#include <stddef.h>
#include <stdint.h>

enum {
    POOL_32,
    POOL_64,
    POOL_128,
    POOL_256,
    POOL_512,
    POOL_1K,
    POOL_4K,
    POOL_CLASSES,
    POOL_BIG = 255 /* over 4 KiB: straight from malloc */
};

/* Bytes of a block of each class. */
extern const size_t pool_bytes[POOL_CLASSES];

struct pool;
struct pool_magazine;

/* One thread's part of a pool. Only that thread touches it. */
struct pool_cache {
    struct pool *pool;
    struct {
        struct pool_magazine *now, *spare;
        char *fresh, *fresh_end; /* never handed out yet */
    } rack[POOL_CLASSES];
    int64_t out; /* blocks this cache brought into the world */
};

struct pool *pool_create(void);
/*
 * Frees every block, also those still in use. Returns how many the depot
 * held. Stock is taken at the end instead of counting on every call: the sum
 * of what the caches return, less this, is what was never given back.
 */
int64_t pool_destroy(struct pool *pool);
void pool_cache_init(struct pool_cache *cache, struct pool *pool);
/* Returns the blocks it brought into the world less those it holds. */
int64_t pool_cache_finish(struct pool_cache *cache);

/* The class for this many bytes. */
unsigned pool_class(size_t size);
/* A block of the class, or of `size` bytes when it is POOL_BIG. */
void *pool_get(struct pool_cache *cache, unsigned class, size_t size);
void pool_put(struct pool_cache *cache, unsigned class, void *block);

#endif
