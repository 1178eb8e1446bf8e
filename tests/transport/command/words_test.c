/* SPDX-License-Identifier: MIT */
/* What people wrote, and what they are to read. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tap.h"
#include "runtime/text/distance.h"
#include "transport/command/humanize.h"

static void test_distance(void)
{
    TEST_ASSERT_EQUAL_size_t(0, distance_between("agents", "agents"));
    TEST_ASSERT_EQUAL_size_t(1, distance_between("agent", "agents"));
    TEST_ASSERT_EQUAL_size_t(1, distance_between("satus", "status"));
    TEST_ASSERT_EQUAL_size_t(1, distance_between("sattus", "status"));
    TEST_ASSERT_EQUAL_size_t(1, distance_between("xogs", "logs"));
    TEST_ASSERT_EQUAL_size_t(4, distance_between("", "logs"));
    TEST_ASSERT_EQUAL_size_t(0, distance_between("Logs", "lOGS"));
    TEST_ASSERT_EQUAL_size_t(1, distance_between("lGos", "logs"));
}

static void test_nearest(void)
{
    static const char *const names[] = {"status", "agents", "stop", "logs",
                                        NULL};
    char endless[200];

    TEST_ASSERT_EQUAL_STRING("status", distance_nearest("stats", names));
    TEST_ASSERT_EQUAL_STRING("stop", distance_nearest("stpo", names));
    TEST_ASSERT_EQUAL_STRING("agents", distance_nearest("ag", names));
    TEST_ASSERT_NULL(distance_nearest("dashboard", names));
    TEST_ASSERT_NULL(distance_nearest("x", (const char *const[]){NULL}));
    memset(endless, 'a', sizeof(endless) - 1);
    endless[sizeof(endless) - 1] = '\0';
    TEST_ASSERT_NULL(distance_nearest(endless, names));
}

static void test_durations(void)
{
    TEST_ASSERT_EQUAL_STRING("0 ms", humanize_duration(0).text);
    TEST_ASSERT_EQUAL_STRING("99 ms", humanize_duration(99).text);
    TEST_ASSERT_EQUAL_STRING("1.2 s", humanize_duration(1290).text);
    TEST_ASSERT_EQUAL_STRING("59 s", humanize_duration(59999).text);
    TEST_ASSERT_EQUAL_STRING("1m 00s", humanize_duration(60000).text);
    TEST_ASSERT_EQUAL_STRING("59m 59s", humanize_duration(3599999).text);
    TEST_ASSERT_EQUAL_STRING("2h 05m", humanize_duration(7500000).text);
    TEST_ASSERT_EQUAL_STRING("4d 03h", humanize_duration(356400000).text);
    TEST_ASSERT_GREATER_THAN_size_t(0,
                                    strlen(humanize_duration(UINT64_MAX).text));
}

static void test_counts(void)
{
    TEST_ASSERT_EQUAL_STRING("0", humanize_count(0).text);
    TEST_ASSERT_EQUAL_STRING("12,345", humanize_number(12345).text);
    TEST_ASSERT_EQUAL_STRING("18,446,744,073,709,551,615",
                             humanize_number(UINT64_MAX).text);
    TEST_ASSERT_EQUAL_STRING("999", humanize_count(999).text);
    TEST_ASSERT_EQUAL_STRING("1,234", humanize_count(1234).text);
    TEST_ASSERT_EQUAL_STRING("123,456", humanize_count(123456).text);
    TEST_ASSERT_EQUAL_STRING("1.5M", humanize_count(1500000).text);
    TEST_ASSERT_EQUAL_STRING("812 B", humanize_bytes(812).text);
    TEST_ASSERT_EQUAL_STRING("3.4 MB", humanize_bytes(3400000).text);
}

static void test_times(void)
{
    setenv("TZ", "JST-9", 1);
    tzset();
    TEST_ASSERT_EQUAL_STRING(
        "2026-02-13 21:00:00",
        humanize_time(SLICE("2026-02-13T12:00:00.000Z")).text);
    TEST_ASSERT_EQUAL_STRING("-", humanize_time(SLICE("")).text);
    TEST_ASSERT_EQUAL_STRING("-", humanize_time(SLICE("soon")).text);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_distance);
    TEST(test_nearest);
    TEST(test_durations);
    TEST(test_counts);
    TEST(test_times);
    return TAP_END();
}
