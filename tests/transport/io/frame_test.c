/* SPDX-License-Identifier: MIT */
#include "transport/io/frame.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

static struct bytes seen;
static size_t stop_after;

void setUp(void)
{
    stop_after = 0;
    bytes_finish(&seen);
}

void tearDown(void)
{
    bytes_finish(&seen);
}

static bool on_text(void *ctx, struct slice text)
{
    size_t *count = ctx;

    if (text.ptr)
        bytes_append(&seen, text.ptr, text.len);
    else
        bytes_append(&seen, "TOO LONG", 8);
    bytes_append(&seen, "|", 1);
    return ++*count != stop_after;
}

static const char *result(void)
{
    bytes_append(&seen, "", 1);
    return seen.ptr;
}

static void test_blank_lines_and_crlf_are_no_messages(void)
{
    struct frame f;
    size_t count = 0;
    const char text[] = "{}\r\n\r\n \t \n  [1] \n\n{\"a\":1}";

    frame_init(&f, 0, on_text, &count);
    TEST_ASSERT_EQUAL_size_t(sizeof(text) - 1,
                             frame_feed(&f, text, sizeof(text) - 1));
    frame_end(&f);
    TEST_ASSERT_EQUAL_STRING("{}|[1]|{\"a\":1}|", result());
    frame_finish(&f);
}

static void test_a_long_line_is_refused_and_the_stream_goes_on(void)
{
    struct frame f;
    size_t count = 0;
    char *text = bytes_alloc(3000);

    memset(text, 'x', 3000);
    frame_init(&f, 1000, on_text, &count);
    for (int i = 0; i < 30; i++)
        frame_feed(&f, text + i * 100, 100);
    TEST_ASSERT_TRUE(f.lines.carry.cap <= NDJSON_KEEP);
    frame_feed(&f, "\n{}\n", 4);
    TEST_ASSERT_EQUAL_STRING("TOO LONG|{}|", result());
    frame_finish(&f);
    free(text);
}

static void test_the_taker_may_stop_after_any_message(void)
{
    struct frame f;
    size_t count = 0;
    const char text[] = "1\n2\n3\n";

    stop_after = 2;
    frame_init(&f, 0, on_text, &count);
    size_t taken = frame_feed(&f, text, 6);
    TEST_ASSERT_EQUAL_size_t(4, taken);
    TEST_ASSERT_EQUAL_size_t(2, frame_feed(&f, text + taken, 6 - taken));
    TEST_ASSERT_EQUAL_STRING("1|2|3|", result());
    frame_finish(&f);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_blank_lines_and_crlf_are_no_messages);
    TEST(test_a_long_line_is_refused_and_the_stream_goes_on);
    TEST(test_the_taker_may_stop_after_any_message);
    return TAP_END();
}
