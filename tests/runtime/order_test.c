/* SPDX-License-Identifier: MIT */
/*
 * The memory of the simulated machine: what two fibers may see of each other's
 * stores, and what an order keeps them from seeing. What may be must be seen in
 * some seed, or the machine would be stronger than those it stands for.
 */
#include <string.h>

#include "runtime/atomic.h"
#include "runtime/os_sim.h"
#include "simulated.h"
#include "tap.h"

#define SEEDS 2000

/* Under ThreadSanitizer's own library every store is seen at once. */
#if defined(__SANITIZE_THREAD__) && !defined(RT_WATCHED)
#define WEAK 0
#else
#define WEAK 1
#endif

static struct {
    uint32_t x, y;
    uint32_t left, right; /* what the two have seen */
} m;

/* In how many seeds the two have seen this. */
static unsigned count(void (*left)(void *), void (*right)(void *),
                      bool (*is)(void))
{
    unsigned times = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct os_thread *a, *b;

        memset(&m, 0, sizeof(m));
        os_sim_begin(seed);
        a = os_thread_start("left", left, NULL);
        b = os_thread_start("right", right, NULL);
        os_thread_join(a);
        os_thread_join(b);
        os_sim_end();
        times += is();
    }
    return times;
}

static void may_be(unsigned times)
{
    TEST_ASSERT_EQUAL(WEAK, times > 0);
}

/* ---- each stores one word and looks at the other's ----------------------- */

static void look_left(void *arg)
{
    (void)arg;
    atomic_store_release(&m.x, 1);
    m.left = atomic_load_acquire(&m.y);
}

static void look_right(void *arg)
{
    (void)arg;
    atomic_store_release(&m.y, 1);
    m.right = atomic_load_acquire(&m.x);
}

static void swap_left(void *arg)
{
    (void)arg;
    atomic_add_acq_rel(&m.x, 1);
    m.left = atomic_load_acquire(&m.y);
}

static void swap_right(void *arg)
{
    (void)arg;
    atomic_add_acq_rel(&m.y, 1);
    m.right = atomic_load_acquire(&m.x);
}

static void fence_left(void *arg)
{
    (void)arg;
    atomic_store_relaxed(&m.x, 1);
    atomic_fence();
    m.left = atomic_load_relaxed(&m.y);
}

static void fence_right(void *arg)
{
    (void)arg;
    atomic_store_relaxed(&m.y, 1);
    atomic_fence();
    m.right = atomic_load_relaxed(&m.x);
}

static bool missed_both(void)
{
    return m.left == 0 && m.right == 0;
}

static void test_two_may_miss_each_other(void)
{
    may_be(count(look_left, look_right, missed_both));
    may_be(count(swap_left, swap_right, missed_both));
    may_be(count(look_left, fence_right, missed_both));
}

static void test_behind_fences_one_sees_the_other(void)
{
    TEST_ASSERT_EQUAL(0, count(fence_left, fence_right, missed_both));
}

/* ---- one stores a word and then says so ---------------------------------- */

static void say(void *arg)
{
    (void)arg;
    atomic_store_relaxed(&m.x, 1);
    atomic_store_relaxed(&m.y, 1);
}

static void say_by_swap(void *arg)
{
    (void)arg;
    atomic_store_relaxed(&m.x, 1);
    atomic_swap_acquire(&m.y, 1);
}

static void release(void *arg)
{
    (void)arg;
    atomic_store_relaxed(&m.x, 1);
    atomic_store_release(&m.y, 1);
}

static void release_by_swap(void *arg)
{
    (void)arg;
    atomic_store_relaxed(&m.x, 1);
    atomic_swap_release(&m.y, 1);
}

/* The first word is stored twice, and only the first time before the release.
 */
static void release_between(void *arg)
{
    (void)arg;
    atomic_store_relaxed(&m.x, 1);
    atomic_store_release(&m.y, 1);
    atomic_store_relaxed(&m.x, 2);
}

static void hear(void *arg)
{
    (void)arg;
    m.left = atomic_load_acquire(&m.y);
    m.right = atomic_load_acquire(&m.x);
}

static bool heard_of_nothing(void)
{
    return m.left == 1 && m.right == 0;
}

static void test_a_store_may_come_before_an_earlier_one(void)
{
    may_be(count(say, hear, heard_of_nothing));
    may_be(count(say_by_swap, hear, heard_of_nothing));
}

static void test_a_release_comes_after_earlier_stores(void)
{
    TEST_ASSERT_EQUAL(0, count(release, hear, heard_of_nothing));
    TEST_ASSERT_EQUAL(0, count(release_by_swap, hear, heard_of_nothing));
    TEST_ASSERT_EQUAL(0, count(release_between, hear, heard_of_nothing));
}

/* ---- one word has one order ---------------------------------------------- */

static void add_three(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < 3; i++)
        atomic_add_relaxed(&m.x, 1);
}

static bool is_not_six(void)
{
    return m.x != 6;
}

static void test_no_addition_is_lost(void)
{
    TEST_ASSERT_EQUAL(0, count(add_three, add_three, is_not_six));
}

static void count_up(void *arg)
{
    (void)arg;
    for (uint32_t i = 1; i <= 4; i++)
        atomic_store_relaxed(&m.x, i);
}

static void watch(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < 6; i++) {
        uint32_t now = atomic_load_relaxed(&m.x);
        m.right |= now < m.left;
        m.left = now;
    }
}

static bool went_back(void)
{
    return m.right != 0;
}

static void test_a_word_never_goes_back(void)
{
    TEST_ASSERT_EQUAL(0, count(count_up, watch, went_back));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_two_may_miss_each_other);
    TEST(test_behind_fences_one_sees_the_other);
    TEST(test_a_store_may_come_before_an_earlier_one);
    TEST(test_a_release_comes_after_earlier_stores);
    TEST(test_no_addition_is_lost);
    TEST(test_a_word_never_goes_back);
    return TAP_END();
}
