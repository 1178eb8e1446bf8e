/* SPDX-License-Identifier: MIT */
#include "runtime/text/moment.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"

#define NOON 1770951600000 /* 2026-02-13 12:00 in Tokyo */

void setUp(void)
{
    setenv("TZ", "Asia/Tokyo", 1);
    tzset();
}

static void check(const char *text, int64_t wanted)
{
    int64_t ms = -1;

    TEST_ASSERT_TRUE_MESSAGE(moment_read(slice_cstr(text), &ms), text);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(wanted, ms, text);
}

static void check_typed(const char *text, int64_t wanted)
{
    int64_t ms = -1;

    TEST_ASSERT_TRUE_MESSAGE(moment_read_typed(slice_cstr(text), &ms), text);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(wanted, ms, text);
}

static void what_is_written_is_read(void)
{
    static const uint64_t some[] = {0, 1, 951782400000, 1771000000123,
                                    253402300799999};
    char text[MOMENT_LEN];
    int64_t ms;

    for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
        moment_put(text, some[i]);
        TEST_ASSERT_TRUE(moment_read(slice_of(text, MOMENT_LEN), &ms));
        TEST_ASSERT_EQUAL_INT64((int64_t)some[i], ms);
    }
    moment_put(text, UINT64_MAX);
    TEST_ASSERT_EQUAL_MEMORY("9999-12-31T23:59:59.999Z", text, MOMENT_LEN);
}

static void it_is_utc_unless_it_has_a_zone(void)
{
    check("1970-01-02", 86400000);
    check("1970-01-01 00:01", 60000);
    check("1970-01-01T09:00:00.1239+0900", 123);
    check("1969-12-31T23:59:59.5Z", -500);
    check("2026-02-13T03:00", NOON);
    check("2026-02-12T23:30:00-03:30", NOON);
}

static void people_type_local_time(void)
{
    check_typed("2026-02-13T12:00", NOON);
    check_typed("2026-2-13 3:00Z", NOON);
    check_typed("2026-02-13 9:05:7", NOON - 10493000);
    check_typed("2026-02-13", NOON - 12 * 3600000);
    check_typed("2026-02-13T12:00+9:00", NOON);
    check_typed("2026-02-13T12:00:00.25+0900", NOON + 250);
}

static void the_rest_is_none(void)
{
    static const char *const wrong[] = {"",
                                        "soon",
                                        "2026",
                                        "26-02-13",
                                        "2026-00-13",
                                        "2026-13-01",
                                        "2026-02-00",
                                        "2026-02-30",
                                        "2026-02-13x",
                                        "2026-02-13T",
                                        "2026-02-13T12",
                                        "2026-02-13T24:00",
                                        "2026-02-13T12:60",
                                        "2026-02-13T12:00:61",
                                        "2026-02-13T12:00+99",
                                        "2026-02-13T12:00+15:00",
                                        "2026-02-13T12:00+09:60",
                                        "2026-02-13T12:00 UTC",
                                        " 2026-02-13"};
    int64_t ms;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct slice text = slice_cstr(wrong[i]);

        TEST_ASSERT_FALSE_MESSAGE(moment_read(text, &ms), wrong[i]);
        TEST_ASSERT_FALSE_MESSAGE(moment_read_typed(text, &ms), wrong[i]);
    }
    TEST_ASSERT_FALSE(moment_read(SLICE("2026-2-13"), &ms));
    TEST_ASSERT_FALSE(moment_read(SLICE("2026-02-13T9:00"), &ms));
}

int main(void)
{
    TAP_BEGIN();
    TEST(what_is_written_is_read);
    TEST(it_is_utc_unless_it_has_a_zone);
    TEST(people_type_local_time);
    TEST(the_rest_is_none);
    return TAP_END();
}
