/* SPDX-License-Identifier: MIT */
#include "transport/command/when.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"

#define NOW 1771000000000ull

void setUp(void)
{
    setenv("TZ", "Asia/Tokyo", 1);
    tzset();
}

static uint64_t read(const char *text)
{
    uint64_t ms = 0;

    TEST_ASSERT_TRUE_MESSAGE(when_read(text, NOW, &ms), text);
    return ms;
}

static void times_ago(void)
{
    TEST_ASSERT_EQUAL_UINT64(NOW - 90000, read("90s"));
    TEST_ASSERT_EQUAL_UINT64(NOW - 45 * 60000, read("45m"));
    TEST_ASSERT_EQUAL_UINT64(NOW - 2 * 3600000, read("2h"));
    TEST_ASSERT_EQUAL_UINT64(NOW - 3 * 86400000ull, read("3d"));
    TEST_ASSERT_EQUAL_UINT64(NOW - 14 * 86400000ull, read("2w"));
    TEST_ASSERT_EQUAL_UINT64(NOW, read("0s"));
    TEST_ASSERT_EQUAL_UINT64(1, read("999999999w"));
}

static void moments_are_local_unless_they_say(void)
{
    const uint64_t noon = 1770951600000; /* 2026-02-13 12:00 in Tokyo */

    TEST_ASSERT_EQUAL_UINT64(noon, read("2026-02-13T12:00"));
    TEST_ASSERT_EQUAL_UINT64(noon + 30000, read("2026-02-13 12:00:30"));
    TEST_ASSERT_EQUAL_UINT64(noon - 12 * 3600000, read("2026-02-13"));
    TEST_ASSERT_EQUAL_UINT64(noon, read("2026-02-13T03:00Z"));
    TEST_ASSERT_EQUAL_UINT64(noon, read("2026-02-13T12:00:00+09:00"));
    TEST_ASSERT_EQUAL_UINT64(noon, read("2026-02-12T23:30-0330"));
}

static void the_rest_is_none(void)
{
    static const char *const wrong[] = {"",
                                        "h",
                                        "2",
                                        "2y",
                                        "-2h",
                                        "2h3m",
                                        "2026",
                                        "2026-02-30",
                                        "2026-13-01",
                                        "26-02-13",
                                        "yesterday",
                                        "1e3s",
                                        " 2h",
                                        "2026-02-13T25:00",
                                        "2026-02-13x",
                                        "2026-02-13T12:00+99:00",
                                        "9999999999s"};
    uint64_t ms;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        TEST_ASSERT_FALSE_MESSAGE(when_read(wrong[i], NOW, &ms), wrong[i]);
}

int main(void)
{
    TAP_BEGIN();
    TEST(times_ago);
    TEST(moments_are_local_unless_they_say);
    TEST(the_rest_is_none);
    return TAP_END();
}
