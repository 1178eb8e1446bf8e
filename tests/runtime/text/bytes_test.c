/* SPDX-License-Identifier: MIT */
#include "runtime/text/bytes.h"

#include <stdlib.h>

#include "tap.h"

static void it_appends_what_printf_would_write(void)
{
    struct bytes b = {0};

    for (int i = 0; i < 300; i++)
        bytes_format(&b, "%d%s", i % 10, i == 299 ? "!" : "");
    TEST_ASSERT_EQUAL_size_t(301, b.len);
    for (size_t i = 0; i < 300; i++)
        TEST_ASSERT_EQUAL_CHAR("0123456789"[i % 10], b.ptr[i]);
    TEST_ASSERT_EQUAL_CHAR('!', b.ptr[300]);
    bytes_format(&b, "%s", "");
    TEST_ASSERT_EQUAL_size_t(301, b.len);
    bytes_finish(&b);
}

static void a_text_is_terminated(void)
{
    char *text = bytes_text("%s/%.*s", "dir", 4, "name and more");
    char *empty = bytes_text("%s", "");

    TEST_ASSERT_EQUAL_STRING("dir/name", text);
    TEST_ASSERT_EQUAL_STRING("", empty);
    free(text);
    free(empty);
}

int main(void)
{
    TAP_BEGIN();
    TEST(it_appends_what_printf_would_write);
    TEST(a_text_is_terminated);
    return TAP_END();
}
