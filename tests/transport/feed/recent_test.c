/* SPDX-License-Identifier: MIT */
#include "transport/feed/recent.h"

#include <stdlib.h>

#include "tap.h"

static struct recent r;
static struct framing q;

void setUp(void)
{
    r = (struct recent){0};
    q = (struct framing){0};
}

void tearDown(void)
{
    recent_finish(&r);
    framing_finish(&q);
}

static void add(uint64_t seq, size_t len)
{
    char *text = bytes_zalloc(len + 1);
    struct framing_frame *f = framing_text(slice_of(text, len));

    recent_add(&r, &(struct recent_event){.seq = seq, .frame = f});
    framing_drop(f);
    free(text);
}

static void knows_nothing_at_first(void)
{
    TEST_ASSERT_FALSE(recent_covers(&r, 0));
    TEST_ASSERT_FALSE(recent_covers(&r, UINT64_MAX));
    TEST_ASSERT_NULL(recent_after(&r, 0));
}

static void knows_what_it_was_told(void)
{
    recent_begin(&r, 7);
    recent_begin(&r, 3); /* what is known is known */
    TEST_ASSERT_TRUE(recent_covers(&r, 7));
    TEST_ASSERT_FALSE(recent_covers(&r, 6));
    TEST_ASSERT_TRUE(recent_has(&r, 7));
    TEST_ASSERT_FALSE(recent_has(&r, 8));
    add(8, 10);
    add(8, 10);
    add(7, 10);
    add(9, 10);
    TEST_ASSERT_EQUAL(2, r.count);
    TEST_ASSERT_EQUAL(8, recent_after(&r, 7)->seq);
    TEST_ASSERT_EQUAL(9, recent_after(&r, 8)->seq);
    TEST_ASSERT_NULL(recent_after(&r, 9));
    TEST_ASSERT_TRUE(recent_has(&r, 9));
}

static void a_gap_is_a_new_beginning(void)
{
    add(5, 10);
    TEST_ASSERT_TRUE(recent_covers(&r, 4));
    add(7, 10);
    TEST_ASSERT_FALSE(recent_covers(&r, 5));
    TEST_ASSERT_TRUE(recent_covers(&r, 6));
    TEST_ASSERT_EQUAL(7, recent_after(&r, 0)->seq);
}

static void only_so_many_are_kept(void)
{
    for (uint64_t i = 1; i <= 3 * RECENT_EVENTS; i++)
        add(i, 1);
    TEST_ASSERT_EQUAL(RECENT_EVENTS, r.count);
    TEST_ASSERT_TRUE(recent_covers(&r, 2 * RECENT_EVENTS));
    TEST_ASSERT_FALSE(recent_covers(&r, 2 * RECENT_EVENTS - 1));
    for (uint64_t i = 2 * RECENT_EVENTS; i < 3 * RECENT_EVENTS; i++)
        TEST_ASSERT_EQUAL(i + 1, recent_after(&r, i)->seq);
}

static void only_so_much_is_kept(void)
{
    for (uint64_t i = 1; i <= 100; i++)
        add(i, RECENT_BYTES / 10);
    TEST_ASSERT_TRUE(r.bytes <= RECENT_BYTES);
    TEST_ASSERT_EQUAL(9, r.count);
    add(101, 2 * RECENT_BYTES); /* one is kept, however large */
    TEST_ASSERT_EQUAL(1, r.count);
    TEST_ASSERT_EQUAL(101, recent_after(&r, 100)->seq);
}

static void frames_have_the_right_heads(void)
{
    static const struct {
        size_t len, head;
        unsigned char bytes[10];
    } all[] = {{0, 2, {0x81, 0}},
               {125, 2, {0x81, 125}},
               {126, 4, {0x81, 126, 0, 126}},
               {65535, 4, {0x81, 126, 0xff, 0xff}},
               {65536, 10, {0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0}}};
    static char text[65536];

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct framing_frame *f = framing_text(slice_of(text, all[i].len));

        TEST_ASSERT_EQUAL(all[i].head + all[i].len, f->len);
        TEST_ASSERT_EQUAL_MEMORY(all[i].bytes, f->bytes, all[i].head);
        framing_drop(f);
    }
}

static void push(const char *text, bool is_first)
{
    struct framing_frame *f = framing_raw(slice_cstr(text));

    if (is_first)
        framing_push_first(&q, f);
    else
        framing_push(&q, f);
    framing_drop(f);
}

static char letter(size_t i)
{
    return framing_at(&q, i)->bytes[0];
}

/* Whatever the ring's state, the first of those that wait is behind those
 * that fly. */
static void what_overtakes_stays_behind_what_flies(void)
{
    for (size_t round = 0; round < 200; round++) {
        for (size_t i = 0; i < round % 7; i++)
            push("f", false);
        q.flying = q.count;
        push("w", false);
        push("p", true);
        TEST_ASSERT_EQUAL(round % 7 + 2, q.bytes);
        TEST_ASSERT_EQUAL('p', letter(q.flying));
        TEST_ASSERT_EQUAL('w', letter(q.flying + 1));
        for (size_t i = 0; i < q.flying; i++)
            TEST_ASSERT_EQUAL('f', letter(i));
        framing_land(&q);
        TEST_ASSERT_EQUAL('p', letter(0));
        framing_shed(&q);
        TEST_ASSERT_EQUAL(0, q.bytes);
    }
}

static void a_large_ring_is_given_back(void)
{
    for (size_t i = 0; i < 5000; i++)
        push(i % 2 ? "b" : "a", false);
    for (size_t i = 0; i < 5000; i++)
        TEST_ASSERT_EQUAL(i % 2 ? 'b' : 'a', letter(i));
    q.flying = 5000;
    framing_land(&q);
    TEST_ASSERT_EQUAL(0, q.capacity);
    push("c", false);
    TEST_ASSERT_EQUAL('c', letter(0));
}

int main(void)
{
    TAP_BEGIN();
    TEST(knows_nothing_at_first);
    TEST(knows_what_it_was_told);
    TEST(a_gap_is_a_new_beginning);
    TEST(only_so_many_are_kept);
    TEST(only_so_much_is_kept);
    TEST(frames_have_the_right_heads);
    TEST(what_overtakes_stays_behind_what_flies);
    TEST(a_large_ring_is_given_back);
    return TAP_END();
}
