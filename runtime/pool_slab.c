/* SPDX-License-Identifier: MIT */
/*
 * The pool of the product: Bonwick's magazines.
 *
 *   cache (one thread)              depot (shared, lock-free)
 *   now   [* * * * . . .]   full    -> magazine -> magazine
 *   spare [* * * * * * *]   empty   -> magazine
 *   fresh  ------->|
 *
 * Two magazines, so that a thread that gets and puts around the edge of one
 * does not run to the depot each time. A magazine is an array of pointers and
 * not a list through the blocks: a block is not touched between its owners,
 * and the next one is known without a cache miss.
 */
#include "runtime/pool.h"

#include <stdlib.h>

#include "runtime/atomic.h"
#include "runtime/os.h"

#define ROUNDS 62
#define SPAN (64 * 1024)

struct pool_magazine {
    ck_stack_entry_t link; /* touched by ck_stack alone */
    uint64_t count;
    void *round[ROUNDS];
};

_Static_assert(sizeof(struct pool_magazine) == 512, "eight cache lines");

/* Spans are linked through their first line, which no block uses. */
struct span {
    ck_stack_entry_t link;
    char pad[56];
};

struct pool {
    struct {
        ck_stack_t full __attribute__((aligned(64)));
        ck_stack_t empty __attribute__((aligned(64)));
    } depot[POOL_CLASSES];
    ck_stack_t spans;
};

struct pool *pool_create(void)
{
    struct pool *pool = os_alloc(sizeof(*pool), 64);

    memset(pool, 0, sizeof(*pool));
    return pool;
}

static void free_all(ck_stack_t *stack)
{
    ck_stack_entry_t *entry = ck_stack_batch_pop_upmc(stack);

    while (entry != NULL) {
        ck_stack_entry_t *next = entry->next;
        free(entry); /* the link is the first member of all that is here */
        entry = next;
    }
}

int64_t pool_destroy(struct pool *pool)
{
    int64_t held = 0;

    for (unsigned class = 0; class < POOL_CLASSES; class ++) {
        ck_stack_t *full = &pool->depot[class].full;
        for (ck_stack_entry_t *e = full->head; e != NULL; e = e->next)
            held += (int64_t)((struct pool_magazine *)e)->count;
        free_all(full);
        free_all(&pool->depot[class].empty);
    }
    free_all(&pool->spans);
    free(pool);
    return held;
}

static struct pool_magazine *magazine_create(void)
{
    struct pool_magazine *magazine = os_alloc(sizeof(*magazine), 64);

    magazine->count = 0;
    return magazine;
}

void pool_cache_init(struct pool_cache *cache, struct pool *pool)
{
    *cache = (struct pool_cache){.pool = pool};
    for (unsigned class = 0; class < POOL_CLASSES; class ++) {
        cache->rack[class].now = magazine_create();
        cache->rack[class].spare = magazine_create();
    }
}

int64_t pool_cache_finish(struct pool_cache *cache)
{
    int64_t missing = cache->out;

    for (unsigned class = 0; class < POOL_CLASSES; class ++) {
        missing -= (int64_t)cache->rack[class].now->count;
        missing -= (int64_t)cache->rack[class].spare->count;
        free(cache->rack[class].now);
        free(cache->rack[class].spare);
    }
    return missing;
}

static void *carve(struct pool_cache *cache, unsigned class)
{
    size_t size = pool_bytes[class];
    char *block = cache->rack[class].fresh;

    if (block == NULL || block + size > cache->rack[class].fresh_end) {
        struct span *span = os_alloc(SPAN, 64);

        ck_stack_push_upmc(&cache->pool->spans, &span->link);
        block = (char *)(span + 1);
        cache->rack[class].fresh_end = (char *)span + SPAN;
    }
    cache->rack[class].fresh = block + size;
    cache->out++;
    return block;
}

static void swap_magazines(struct pool_cache *cache, unsigned class)
{
    struct pool_magazine *now = cache->rack[class].now;

    cache->rack[class].now = cache->rack[class].spare;
    cache->rack[class].spare = now;
}

static void *get_slow(struct pool_cache *cache, unsigned class)
{
    ck_stack_entry_t *full;

    if (cache->rack[class].spare->count > 0) {
        swap_magazines(cache, class);
    } else {
        full = ck_stack_pop_mpmc(&cache->pool->depot[class].full);
        if (full == NULL)
            return carve(cache, class);
        ck_stack_push_mpmc(&cache->pool->depot[class].empty,
                           &cache->rack[class].now->link);
        cache->rack[class].now = (struct pool_magazine *)full;
    }
    return cache->rack[class].now->round[--cache->rack[class].now->count];
}

static void put_slow(struct pool_cache *cache, unsigned class, void *block)
{
    ck_stack_entry_t *empty;

    if (cache->rack[class].spare->count < ROUNDS) {
        swap_magazines(cache, class);
    } else {
        ck_stack_push_mpmc(&cache->pool->depot[class].full,
                           &cache->rack[class].now->link);
        empty = ck_stack_pop_mpmc(&cache->pool->depot[class].empty);
        cache->rack[class].now =
            empty != NULL ? (struct pool_magazine *)empty : magazine_create();
    }
    cache->rack[class].now->round[cache->rack[class].now->count++] = block;
}

void *pool_get(struct pool_cache *cache, unsigned class, size_t size)
{
    struct pool_magazine *now;

    if (__builtin_expect(class >= POOL_CLASSES, 0)) {
        cache->out++;
        return os_alloc(size, 64);
    }
    now = cache->rack[class].now;
    if (__builtin_expect(now->count > 0, 1))
        return now->round[--now->count];
    return get_slow(cache, class);
}

void pool_put(struct pool_cache *cache, unsigned class, void *block)
{
    struct pool_magazine *now;

    if (__builtin_expect(class >= POOL_CLASSES, 0)) {
        cache->out--;
        free(block);
        return;
    }
    now = cache->rack[class].now;
    if (__builtin_expect(now->count < ROUNDS, 1))
        now->round[now->count++] = block;
    else
        put_slow(cache, class, block);
}
