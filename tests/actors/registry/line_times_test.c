/* SPDX-License-Identifier: MIT */
#include "actors/registry/line_times.h"

#include "tap.h"

static struct line_times times;

void setUp(void)
{
    times = (struct line_times){0};
}

void tearDown(void)
{
    line_times_finish(&times);
}

static void note(uint64_t up_to, uint64_t now)
{
    line_times_note(&times, up_to, 0, now);
}

/* When the byte before this was read, by what is noted. */
static uint64_t at(uint64_t up_to)
{
    for (size_t i = 0; i < times.count; i++)
        if (times.items[i].up_to >= up_to)
            return times.items[i].at;
    return UINT64_MAX;
}

/* One that writes all the time is noted now and then, and silence exactly. */
static void silence_is_exact_and_noise_is_not_kept(void)
{
    uint64_t bytes = 0, now = 1000000;

    for (int i = 0; i < 1000; i++)
        note(bytes += 10, now += 1);
    TEST_ASSERT_TRUE(times.count < 10);
    uint64_t quiet = bytes;
    TEST_ASSERT_EQUAL_UINT64(now, at(quiet));
    note(bytes += 10, now + 60000);
    TEST_ASSERT_EQUAL_UINT64(now, at(quiet));
    TEST_ASSERT_EQUAL_UINT64(now + 60000, at(bytes));
}

/* Whatever comes, a note is off by no more than it may be. */
static void every_line_is_near_its_time(void)
{
    static uint64_t ups[2000], nows[2000];
    uint64_t bytes = 0, now = 5000;

    for (int i = 0; i < 2000; i++) {
        note(ups[i] = bytes += 7, nows[i] = now += (i * 37 % 211));
        TEST_ASSERT_TRUE(times.count <= LINE_TIMES_MAX);
    }
    for (int i = 0; i < 2000; i++) {
        TEST_ASSERT_TRUE(at(ups[i]) >= nows[i]);
        TEST_ASSERT_TRUE(at(ups[i]) - nows[i] < 4000);
    }
}

/* A run of a day that never pauses: what is written stays small. */
static void a_long_run_keeps_few(void)
{
    uint64_t bytes = 0, now = 1, written = 0;

    for (; now < 24 * 3600 * 1000ull; now += 50) {
        note(bytes += 10, now);
        if (times.count > 100) { /* as if it were written */
            written += times.count - 1;
            times.items[0] = times.items[times.count - 1];
            times.count = 1;
        }
    }
    TEST_ASSERT_TRUE(written < 10000);
    TEST_ASSERT_TRUE(written > 1000);
}

static void what_was_there_before_has_no_time(void)
{
    line_times_note(&times, 100, 1000, 50000);
    line_times_note(&times, 1000, 1000, 50001);
    TEST_ASSERT_EQUAL_size_t(1, times.count);
    line_times_note(&times, 1200, 1000, 50002);
    line_times_note(&times, 1300, 1000, 50003);
    TEST_ASSERT_EQUAL_UINT64(0, at(1000));
    TEST_ASSERT_EQUAL_UINT64(50002, at(1200));
    TEST_ASSERT_EQUAL_UINT64(50003, at(1300));
}

static void a_clock_that_is_set_back_does_no_harm(void)
{
    note(10, 90000);
    note(20, 91000);
    note(30, 500);
    note(40, 600);
    for (size_t i = 1; i < times.count; i++)
        TEST_ASSERT_TRUE(times.items[i].at >= times.items[i - 1].at);
    TEST_ASSERT_EQUAL_UINT64(91000, at(40));
}

int main(void)
{
    TAP_BEGIN();
    TEST(silence_is_exact_and_noise_is_not_kept);
    TEST(every_line_is_near_its_time);
    TEST(a_long_run_keeps_few);
    TEST(what_was_there_before_has_no_time);
    TEST(a_clock_that_is_set_back_does_no_harm);
    return TAP_END();
}
