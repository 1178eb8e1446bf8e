/* SPDX-License-Identifier: MIT */
#include "transport/io/outbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

#define MUCH ((size_t)3 << 20) /* more than any pipe is made to hold */

static int ends[2];
static struct nonblocking to;
static struct outbox box;

void setUp(void)
{
    box = (struct outbox){0};
    TEST_ASSERT_EQUAL_INT(0, pipe2(ends, O_CLOEXEC));
    TEST_ASSERT_EQUAL_INT(0, nonblocking_open_output(&to, ends[1]));
}

void tearDown(void)
{
    outbox_finish(&box);
    nonblocking_close(&to);
    close(ends[0]);
    close(ends[1]);
}

/* Bytes that tell their place. */
static void put_much(void)
{
    char *text = bytes_alloc(MUCH);

    for (size_t i = 0; i < MUCH; i++)
        text[i] = (char)(i * 7 + i / 251);
    outbox_put(&box, slice_of(text, MUCH));
    free(text);
}

static void read_and_compare(size_t *at)
{
    char text[5000];
    ssize_t n = read(ends[0], text, sizeof(text));

    TEST_ASSERT_TRUE(n > 0);
    for (ssize_t i = 0; i < n; i++, ++*at)
        TEST_ASSERT_EQUAL_INT((char)(*at * 7 + *at / 251), text[i]);
}

static void test_what_a_full_pipe_refuses_leaves_later_in_order(void)
{
    size_t gone = 0, seen = 0, highest = 0;
    ssize_t n;

    put_much();
    while (seen < MUCH) {
        n = outbox_flush(&box, &to);
        TEST_ASSERT_TRUE(n >= 0);
        gone += (size_t)n;
        TEST_ASSERT_EQUAL_size_t(MUCH - gone, outbox_left(&box));
        highest = box.sent > highest ? box.sent : highest;
        read_and_compare(&seen);
    }
    TEST_ASSERT_EQUAL_size_t(MUCH, gone);
    TEST_ASSERT_EQUAL_size_t(0, box.bytes.len);
    /* It was forgotten on the way, not only at the end. */
    TEST_ASSERT_TRUE(highest <= MUCH / 2 + (1 << 20));
}

static void test_a_reader_that_left_is_told(void)
{
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    outbox_put(&box, SLICE("nobody"));
    TEST_ASSERT_EQUAL_INT(-EPIPE, outbox_flush(&box, &to));
    outbox_clear(&box);
    TEST_ASSERT_EQUAL_INT(0, outbox_flush(&box, &to));
    ends[0] = dup(ends[1]);
}

static void test_memory_of_a_burst_is_given_back(void)
{
    for (int i = 0; i < 2; i++)
        put_much();
    TEST_ASSERT_TRUE(box.bytes.cap >= 2 * MUCH);
    outbox_clear(&box);
    TEST_ASSERT_EQUAL_size_t(0, box.bytes.cap);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_what_a_full_pipe_refuses_leaves_later_in_order);
    TEST(test_a_reader_that_left_is_told);
    TEST(test_memory_of_a_burst_is_given_back);
    return TAP_END();
}
