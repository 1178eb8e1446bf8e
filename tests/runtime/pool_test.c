/* SPDX-License-Identifier: MIT */
/* The pool by itself: classes, blocks, migration, and taking stock. */
#include "runtime/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static int64_t missing(struct pool *pool, struct pool_cache *caches,
                       unsigned count)
{
    int64_t owed = 0;

    for (unsigned i = 0; i < count; i++)
        owed += pool_cache_finish(&caches[i]);
    return owed - pool_destroy(pool);
}

static void test_class_edges(void)
{
    TEST_ASSERT_EQUAL(POOL_32, pool_class(0));
    TEST_ASSERT_EQUAL(POOL_32, pool_class(1));
    for (unsigned class = 0; class < POOL_CLASSES; class ++) {
        unsigned above = class + 1 < POOL_CLASSES ? class + 1 : POOL_BIG;
        TEST_ASSERT_EQUAL(class, pool_class(pool_bytes[class]));
        TEST_ASSERT_EQUAL(above, pool_class(pool_bytes[class] + 1));
    }
    TEST_ASSERT_EQUAL(POOL_BIG, pool_class(SIZE_MAX));
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (void *const *)a;
    uintptr_t y = (uintptr_t) * (void *const *)b;

    return x < y ? -1 : x > y;
}

static void check_apart(void **block, unsigned count, size_t bytes)
{
    qsort(block, count, sizeof(*block), by_address);
    for (unsigned i = 1; i < count; i++)
        TEST_ASSERT_TRUE((char *)block[i - 1] + bytes <= (char *)block[i]);
}

static void check_class(struct pool_cache *cache, unsigned class, size_t bytes)
{
    enum { COUNT = 1500 };
    void *block[COUNT];

    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            block[i] = pool_get(cache, class, bytes);
            TEST_ASSERT_EQUAL(0,
                              (uintptr_t)block[i] % (bytes < 64 ? bytes : 64));
            memset(block[i], (int)i, bytes);
        }
        for (unsigned i = 0; i < COUNT; i++) {
            const unsigned char *byte = block[i];
            TEST_ASSERT_EQUAL((unsigned char)i, byte[0]);
            TEST_ASSERT_EQUAL((unsigned char)i, byte[bytes - 1]);
        }
        check_apart(block, COUNT, bytes);
        for (unsigned i = 0; i < COUNT; i++)
            pool_put(cache, class, block[i]);
    }
}

static void test_blocks_are_apart_aligned_and_whole(void)
{
    struct pool *pool = pool_create();
    struct pool_cache cache;

    pool_cache_init(&cache, pool);
    for (unsigned class = 0; class < POOL_CLASSES; class ++)
        check_class(&cache, class, pool_bytes[class]);
    TEST_ASSERT_EQUAL(0, missing(pool, &cache, 1));
}

static void test_big_blocks(void)
{
    struct pool *pool = pool_create();
    struct pool_cache cache;
    char *block;

    pool_cache_init(&cache, pool);
    check_class(&cache, POOL_BIG, 4097);
    block = pool_get(&cache, POOL_BIG, 10 << 20);
    block[0] = block[(10 << 20) - 1] = 1;
    pool_put(&cache, POOL_BIG, block);
    TEST_ASSERT_EQUAL(0, missing(pool, &cache, 1));
}

/* One block more or less must show, wherever the others lie. */
static void test_stock_taking_finds_one_block(void)
{
    static const unsigned counts[] = {1, 61, 62, 63, 124, 125, 1000};

    for (unsigned c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
        for (unsigned class = 0; class <= POOL_CLASSES; class ++) {
            unsigned used = class < POOL_CLASSES ? class : POOL_BIG;
            struct pool *pool = pool_create();
            struct pool_cache cache[2];
            void *block[1000], *kept;

            pool_cache_init(&cache[0], pool);
            pool_cache_init(&cache[1], pool);
            for (unsigned i = 0; i < counts[c]; i++)
                block[i] = pool_get(&cache[0], used, 5000);
            kept = pool_get(&cache[0], used, 5000);
            for (unsigned i = 0; i < counts[c]; i++)
                pool_put(&cache[i % 2], used, block[i]);
            TEST_ASSERT_EQUAL(1, cache[0].out > 0);
            TEST_ASSERT_NOT_NULL(kept);
            /* malloc's own blocks are not the pool's to free. */
            if (used == POOL_BIG || pool == NULL)
                free(kept);
            TEST_ASSERT_EQUAL(1, missing(pool, cache, 2));
        }
    }
}

static void test_unused_cache_owes_nothing(void)
{
    struct pool *pool = pool_create();
    struct pool_cache cache[3];

    for (unsigned i = 0; i < 3; i++)
        pool_cache_init(&cache[i], pool);
    TEST_ASSERT_EQUAL(0, missing(pool, cache, 3));
}

/* ---- one thread gets, another puts ----------------------------------------
 */

#define BELT 256
#define PASSED 2000000

/* A belt of slots between two threads; NULL is an empty slot. */
struct belt {
    void *slot[BELT];
    struct pool_cache *cache;
    unsigned class;
    uint64_t torn; /* blocks that were not as their giver left them */
};

static void *put_all(void *arg)
{
    struct belt *b = arg;

    for (uint64_t i = 0; i < PASSED; i++) {
        uint64_t *block;
        while ((block = __atomic_load_n(&b->slot[i % BELT],
                                        __ATOMIC_ACQUIRE)) == NULL)
            sched_yield();
        __atomic_store_n(&b->slot[i % BELT], NULL, __ATOMIC_RELEASE);
        b->torn += block[0] != i || block[3] != ~i;
        block[0] = block[3] = 0;
        pool_put(b->cache, b->class, block);
    }
    return NULL;
}

static void get_all(struct belt *b, struct pool_cache *cache)
{
    for (uint64_t i = 0; i < PASSED; i++) {
        uint64_t *block = pool_get(cache, b->class, 32);
        block[0] = i;
        block[3] = ~i;
        while (__atomic_load_n(&b->slot[i % BELT], __ATOMIC_ACQUIRE) != NULL)
            sched_yield();
        __atomic_store_n(&b->slot[i % BELT], block, __ATOMIC_RELEASE);
    }
}

static void test_blocks_migrate_and_come_back(void)
{
    struct pool *pool = pool_create();
    struct pool_cache cache[2];
    struct belt belt = {.cache = &cache[1], .class = POOL_32};
    pthread_t other;

    pool_cache_init(&cache[0], pool);
    pool_cache_init(&cache[1], pool);
    TEST_ASSERT_EQUAL(0, pthread_create(&other, NULL, put_all, &belt));
    get_all(&belt, &cache[0]);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL(0, belt.torn);
    /* What went one way came back: few were ever brought into the world. */
    TEST_ASSERT_TRUE(cache[0].out + cache[1].out < PASSED / 10);
    TEST_ASSERT_EQUAL(0, missing(pool, cache, 2));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_class_edges);
    TEST(test_blocks_are_apart_aligned_and_whole);
    TEST(test_big_blocks);
    TEST(test_stock_taking_finds_one_block);
    TEST(test_unused_cache_owes_nothing);
    TEST(test_blocks_migrate_and_come_back);
    return TAP_END();
}
