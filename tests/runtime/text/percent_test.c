/* SPDX-License-Identifier: MIT */
#include "runtime/text/percent.h"

#include "tap.h"

static void check(struct slice wanted, const char *text)
{
    struct bytes out = {0};

    percent_decode(&out, slice_cstr(text));
    TEST_ASSERT_EQUAL_size_t(wanted.len, out.len);
    TEST_ASSERT_TRUE(slice_eq(wanted, bytes_slice(&out)));
    bytes_finish(&out);
}

static void escapes_stand_for_bytes(void)
{
    check(SLICE("a/b c"), "a%2Fb%20c");
    check(SLICE("\xe3\x81\x82"), "%e3%81%82");
    check(SLICE("a\0b"), "a%00b");
    check(SLICE("%41"), "%2541");
}

static void what_is_no_escape_stays(void)
{
    check(SLICE(""), "");
    check(SLICE("100%"), "100%");
    check(SLICE("%4"), "%4");
    check(SLICE("%zz+%4g"), "%zz+%4g");
}

int main(void)
{
    TAP_BEGIN();
    TEST(escapes_stand_for_bytes);
    TEST(what_is_no_escape_stays);
    return TAP_END();
}
