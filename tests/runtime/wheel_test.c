/* SPDX-License-Identifier: MIT */
/* The wheel beside a list that is searched from end to end. */
#include "runtime/wheel.h"

#include <stddef.h>
#include <stdlib.h>

#include "tap.h"

#define TIMERS 200

struct entry {
    struct wheel_timer timer; /* first: an entry is found by its timer */
    uint64_t due;             /* what the model expects */
    bool armed;
};

/* The model: every timer with its deadline, and what fired last. */
struct model {
    struct wheel wheel;
    struct entry entry[TIMERS];
    uint64_t target; /* where the running advance goes */
    uint64_t last;   /* deadline of the timer that fired before */
    unsigned fired;
    uint64_t random;
};

static uint64_t draw(struct model *m)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return m->random;
}

static struct model *model_create(uint64_t seed, uint64_t now)
{
    struct model *m = calloc(1, sizeof(*m));

    m->random = seed * 0x9e3779b97f4a7c15ull | 1;
    wheel_init(&m->wheel, now);
    return m;
}

static void add(struct model *m, struct entry *e, uint64_t deadline)
{
    uint64_t now = m->wheel.now;

    e->armed = true;
    e->due = deadline < now ? now : deadline;
    wheel_add(&m->wheel, &e->timer, deadline);
}

static void on_fire(void *arg, struct wheel_timer *timer)
{
    struct model *m = arg;
    struct entry *e = (struct entry *)timer;

    TEST_ASSERT_TRUE(e->armed);
    TEST_ASSERT_TRUE(e->due <= m->target);
    TEST_ASSERT_TRUE_MESSAGE(e->due >= m->last, "not in order of deadlines");
    m->last = e->due;
    e->armed = false;
    m->fired++;
}

static uint64_t earliest(const struct model *m)
{
    uint64_t first = WHEEL_NEVER;

    for (unsigned i = 0; i < TIMERS; i++)
        if (m->entry[i].armed && m->entry[i].due < first)
            first = m->entry[i].due;
    return first;
}

/* What must hold whenever nobody is inside the wheel. */
static void check(const struct model *m)
{
    uint64_t next = wheel_next(&m->wheel), first = earliest(m);

    TEST_ASSERT_EQUAL(first == WHEEL_NEVER, next == WHEEL_NEVER);
    TEST_ASSERT_TRUE_MESSAGE(next <= first, "the wheel would be late");
    /* Asked for again at once only when something is due at once. */
    if (first > m->wheel.now)
        TEST_ASSERT_TRUE_MESSAGE(next > m->wheel.now, "a busy loop");
}

static void advance(struct model *m, uint64_t now)
{
    m->target = now;
    m->last = 0;
    wheel_advance(&m->wheel, now, on_fire, m);
    TEST_ASSERT_EQUAL_UINT64(now, m->wheel.now);
    TEST_ASSERT_TRUE_MESSAGE(earliest(m) > now, "a timer did not fire");
    check(m);
}

/* Distances on all levels, near the edges of slots, and in the past. */
static uint64_t draw_distance(struct model *m)
{
    uint64_t r = draw(m) >> 20;

    switch (draw(m) >> 7 & 7) {
    case 0:
        return r % 4;
    case 1:
        return (1ull << r % 40) + (r >> 8) % 3 - 1;
    case 2:
        return 64 * (r % 130) + (r >> 8) % 3;
    default:
        return r % (1ull << (draw(m) >> 9) % 40);
    }
}

static void random_step(struct model *m)
{
    struct entry *e = &m->entry[(draw(m) >> 11) % TIMERS];
    unsigned what = (draw(m) >> 13) % 8;

    if (what == 0) {
        advance(m, m->wheel.now + draw_distance(m));
    } else if (what == 1) {
        uint64_t next = wheel_next(&m->wheel);
        if (next != WHEEL_NEVER && next > m->wheel.now)
            advance(m, next);
    } else if (e->armed) {
        wheel_remove(&m->wheel, &e->timer);
        e->armed = false;
    } else if (what == 2) {
        uint64_t back = draw(m) % 100;
        add(m, e, m->wheel.now > back ? m->wheel.now - back : 0);
    } else {
        add(m, e, m->wheel.now + draw_distance(m));
    }
    check(m);
}

static void test_agrees_with_a_list(void)
{
    static const uint64_t starts[] = {
        0, 1, 63, 4095, 1ull << 35, (1ull << 36) - 3, 1ull << 50};

    for (uint64_t seed = 1; seed <= 70; seed++) {
        struct model *m = model_create(seed, starts[seed % 7]);
        for (unsigned i = 0; i < 1000; i++)
            random_step(m);
        TEST_ASSERT_TRUE(m->fired > 0);
        free(m);
    }
}

static void test_slot_boundaries(void)
{
    static const uint64_t distances[] = {
        1,          62,         63,         64,
        65,         127,        128,        4095,
        4096,       4097,       262143,     262144,
        1ull << 24, 1ull << 30, 1ull << 31, (1ull << 36) - 1};

    for (uint64_t start = 0; start < 130; start++) {
        for (unsigned i = 0; i < sizeof(distances) / sizeof(*distances); i++) {
            struct model *m = model_create(1, start);
            add(m, &m->entry[0], start + distances[i]);
            advance(m, start + distances[i] - 1);
            TEST_ASSERT_EQUAL(0, m->fired);
            advance(m, start + distances[i]);
            TEST_ASSERT_EQUAL(1, m->fired);
            free(m);
        }
    }
}

/* How often it has to be asked on the way to a deadline. */
static unsigned steps_to_fire(struct model *m)
{
    unsigned steps = 0;

    while (m->fired == 0) {
        uint64_t next = wheel_next(&m->wheel);
        TEST_ASSERT_TRUE(next != WHEEL_NEVER && next > m->wheel.now);
        TEST_ASSERT_TRUE(++steps < 1000);
        advance(m, next);
    }
    return steps;
}

static void test_deadline_beyond_the_top(void)
{
    struct model *m = model_create(1, 12345);

    add(m, &m->entry[0], (1ull << 36) * 3 + 77);
    TEST_ASSERT_TRUE(steps_to_fire(m) <= 6 * 4);
    TEST_ASSERT_EQUAL_UINT64((1ull << 36) * 3 + 77, m->wheel.now);
    free(m);
}

/* Their slots on the top level are the same, a round apart. */
static void test_far_timer_hides_no_nearer_one(void)
{
    uint64_t now = (1ull << 30) - 1;
    struct model *m = model_create(1, now);

    add(m, &m->entry[0], now + (1ull << 36) - 1);
    add(m, &m->entry[1], now + (5ull << 30));
    check(m);
    advance(m, now + (5ull << 30));
    TEST_ASSERT_EQUAL(1, m->fired);
    free(m);
}

static void test_deadline_in_millions_of_years(void)
{
    struct model *m = model_create(1, 12345);

    add(m, &m->entry[0], UINT64_MAX / 2);
    add(m, &m->entry[1], UINT64_MAX / 2 - 1);
    for (uint64_t years = 1; years < 100; years++)
        advance(m, years * 31556952000ull);
    TEST_ASSERT_EQUAL(0, m->fired);
    wheel_remove(&m->wheel, &m->entry[0].timer);
    m->entry[0].armed = false;
    check(m);
    wheel_remove(&m->wheel, &m->entry[1].timer);
    m->entry[1].armed = false;
    check(m);
    free(m);
}

static void test_one_step_for_one_near_timer(void)
{
    for (uint64_t distance = 1; distance < 64; distance++) {
        struct model *m = model_create(1, 4096);
        add(m, &m->entry[0], 4096 + distance);
        TEST_ASSERT_EQUAL(1, steps_to_fire(m));
        free(m);
    }
}

static void test_passed_deadline_fires_at_the_next_advance(void)
{
    struct model *m = model_create(1, 1000);

    add(m, &m->entry[0], 1000);
    add(m, &m->entry[1], 999);
    add(m, &m->entry[2], 0);
    add(m, &m->entry[3], 1001);
    advance(m, 1000);
    TEST_ASSERT_EQUAL(3, m->fired);
    free(m);
}

static void test_equal_deadlines_keep_their_order(void)
{
    static const uint64_t distances[] = {5, 64, 70, 4096, 300000};

    for (unsigned d = 0; d < sizeof(distances) / sizeof(*distances); d++) {
        struct model *m = model_create(1, 7);
        for (unsigned i = 0; i < 20; i++) {
            add(m, &m->entry[i], 7 + distances[d]);
            /* The order in which they fire is then the order of `due`. */
            m->entry[i].due += i;
        }
        m->target = 7 + distances[d] + 20;
        m->last = 0;
        wheel_advance(&m->wheel, 7 + distances[d], on_fire, m);
        TEST_ASSERT_EQUAL(20, m->fired);
        free(m);
    }
}

static void test_removed_timer_never_fires(void)
{
    struct model *m = model_create(1, 0);

    for (unsigned i = 0; i < TIMERS; i++)
        add(m, &m->entry[i], 1 + i * 37);
    for (unsigned i = 0; i < TIMERS; i += 2) {
        wheel_remove(&m->wheel, &m->entry[i].timer);
        m->entry[i].armed = false; /* on_fire would object */
    }
    advance(m, TIMERS * 37);
    TEST_ASSERT_EQUAL(TIMERS / 2, m->fired);
    TEST_ASSERT_TRUE(wheel_next(&m->wheel) == WHEEL_NEVER);
    free(m);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_agrees_with_a_list);
    TEST(test_slot_boundaries);
    TEST(test_deadline_beyond_the_top);
    TEST(test_far_timer_hides_no_nearer_one);
    TEST(test_deadline_in_millions_of_years);
    TEST(test_one_step_for_one_near_timer);
    TEST(test_passed_deadline_fires_at_the_next_advance);
    TEST(test_equal_deadlines_keep_their_order);
    TEST(test_removed_timer_never_fires);
    return TAP_END();
}
