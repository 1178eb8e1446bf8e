/* SPDX-License-Identifier: MIT */
#include "runtime/text/array.h"

#include <stdlib.h>

#include "tap.h"

/* Up and down, each time further; a sanitizer tells of what is written behind
 * the array. */
static void it_holds_what_was_added_whatever_was_removed(void)
{
    size_t *items = NULL, count = 0;

    for (size_t most = 1; most < 200; most++) {
        for (; count < most; count++) {
            ARRAY_GROW(items, count);
            items[count] = count;
        }
        for (size_t i = 0; i < count; i++)
            TEST_ASSERT_EQUAL_size_t(i, items[i]);
        count -= count * (most % 7) / 7;
    }
    free(items);
}

static void what_is_reached_is_zeroed(void)
{
    size_t count = 0;
    int *items = NULL;

    ARRAY_REACH(items, &count, 0);
    TEST_ASSERT_GREATER_THAN_size_t(0, count);
    for (size_t i = 0; i < count; i++)
        TEST_ASSERT_EQUAL_INT(0, items[i]);
    items[0] = 7;
    ARRAY_REACH(items, &count, 1000);
    TEST_ASSERT_GREATER_THAN_size_t(1000, count);
    TEST_ASSERT_EQUAL_INT(7, items[0]);
    for (size_t i = 1; i < count; i++)
        TEST_ASSERT_EQUAL_INT(0, items[i]);
    free(items);
}

int main(void)
{
    TAP_BEGIN();
    TEST(it_holds_what_was_added_whatever_was_removed);
    TEST(what_is_reached_is_zeroed);
    return TAP_END();
}
