/* SPDX-License-Identifier: MIT */
#include "runtime/list.h"

#include "tap.h"

struct item {
    char name;
    LIST_LINK(struct item) link;
};

struct items {
    LIST(struct item) list;
};

static struct items all;
static struct item a, b, c;

void setUp(void)
{
    all = (struct items){0};
    a = (struct item){.name = 'a'};
    b = (struct item){.name = 'b'};
    c = (struct item){.name = 'c'};
}

/* Forwards by LIST_EACH, and the same backwards by the links. */
static void assert_list(const struct items *items, const char *names)
{
    const char *at = names;

    LIST_EACH (one, &items->list, link)
        TEST_ASSERT_EQUAL_CHAR(*at++, one->name);
    TEST_ASSERT_EQUAL_CHAR(0, *at);
    for (struct item *one = items->list.last; one; one = one->link.prev)
        TEST_ASSERT_EQUAL_CHAR(*--at, one->name);
    TEST_ASSERT_EQUAL_PTR(names, at);
}

static void fill(void)
{
    LIST_APPEND(&all.list, &b, link);
    LIST_PREPEND(&all.list, &a, link);
    LIST_APPEND(&all.list, &c, link);
}

static void zeroed_memory_is_an_empty_list(void)
{
    assert_list(&all, "");
}

static void it_grows_at_both_ends(void)
{
    fill();
    assert_list(&all, "abc");
}

static void each_place_can_be_left(void)
{
    static const char *const left[] = {"bc", "ac", "ab"};
    struct item *items[] = {&a, &b, &c};

    for (int i = 0; i < 3; i++) {
        setUp();
        fill();
        LIST_REMOVE(&all.list, items[i], link);
        assert_list(&all, left[i]);
        LIST_APPEND(&all.list, items[i], link);
        TEST_ASSERT_EQUAL_PTR(items[i], all.list.last);
    }
}

static void what_is_looked_at_may_be_removed(void)
{
    fill();
    LIST_EACH (one, &all.list, link) {
        LIST_REMOVE(&all.list, one, link);
        one->link.next = one;
    }
    assert_list(&all, "");
}

static void a_list_moves(void)
{
    struct items moved;

    fill();
    moved = all;
    all = (struct items){0};
    LIST_REMOVE(&moved.list, &a, link);
    LIST_REMOVE(&moved.list, &c, link);
    assert_list(&moved, "b");
    assert_list(&all, "");
}

int main(void)
{
    TAP_BEGIN();
    TEST(zeroed_memory_is_an_empty_list);
    TEST(it_grows_at_both_ends);
    TEST(each_place_can_be_left);
    TEST(what_is_looked_at_may_be_removed);
    TEST(a_list_moves);
    return TAP_END();
}
