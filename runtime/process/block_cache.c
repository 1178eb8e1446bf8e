/* SPDX-License-Identifier: MIT */
#include "runtime/process/block_cache.h"

#include <stdlib.h>

#include "runtime/lock.h"
#include "runtime/os.h"

/* More than these are not kept: a burst must not hold its memory for ever. */
#define KEPT 16

struct block_cache {
    struct lock lock;
    size_t size;
    unsigned users; /* the owner, and every block that is out */
    unsigned kept;
    void *block[KEPT];
};

struct block_cache *block_cache_create(size_t size)
{
    struct block_cache *s = os_alloc(sizeof(*s), 64);

    *s = (struct block_cache){.size = size, .users = 1};
    return s;
}

/* Gives the lock back, and the cache when neither owner nor block is left. */
static void leave(struct block_cache *s)
{
    bool last = --s->users == 0;

    lock_give(&s->lock);
    if (!last)
        return;
    while (s->kept > 0)
        free(s->block[--s->kept]);
    free(s);
}

void block_cache_leave(struct block_cache *s)
{
    lock_take(&s->lock);
    leave(s);
}

void *block_cache_get(struct block_cache *s)
{
    void *block = NULL;

    lock_take(&s->lock);
    s->users++;
    if (s->kept > 0)
        block = s->block[--s->kept];
    lock_give(&s->lock);
    return block != NULL ? block : os_alloc(s->size, 64);
}

void block_cache_put(struct block_cache *s, void *block)
{
    lock_take(&s->lock);
    if (s->kept < KEPT) {
        s->block[s->kept++] = block;
        block = NULL;
    }
    leave(s);
    free(block);
}
