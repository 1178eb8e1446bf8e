/* SPDX-License-Identifier: MIT */
/* The pool for sanitizers: every block is malloc's own. */
#include "runtime/pool.h"

#include <stdlib.h>

#include "runtime/os.h"

struct pool *pool_create(void)
{
    return NULL;
}

int64_t pool_destroy(struct pool *pool)
{
    (void)pool;
    return 0;
}

void pool_cache_init(struct pool_cache *cache, struct pool *pool)
{
    *cache = (struct pool_cache){.pool = pool};
}

int64_t pool_cache_finish(struct pool_cache *cache)
{
    return cache->out;
}

void *pool_get(struct pool_cache *cache, unsigned class, size_t size)
{
    cache->out++;
    return os_alloc(class < POOL_CLASSES ? pool_bytes[class] : size, 64);
}

void pool_put(struct pool_cache *cache, unsigned class, void *block)
{
    (void)class;
    cache->out--;
    free(block);
}
