/* SPDX-License-Identifier: MIT */
/* What a wait for very many answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actors/registry/wait_watch.h"
#include "runtime/text/field.h"
#include "tap.h"

#define KIB64 ((size_t)64 << 10)

static struct agent_result good = {.outcome = AGENT_SUCCESS};
static struct agent_result bad = {.outcome = AGENT_FAILURE};
static char summary[4000];
static struct bytes out;
static yyjson_doc *doc;
static yyjson_val *root;

void setUp(void)
{
    memset(summary, 's', sizeof(summary));
    good.summary = bad.summary = slice_of(summary, sizeof(summary));
}

void tearDown(void)
{
    yyjson_doc_free(doc);
    doc = NULL;
    bytes_finish(&out);
}

/* Of `done` every third has failed; the others are at work. */
static void answer_of(unsigned done, unsigned pending)
{
    unsigned count = done + pending;
    struct watch_list *l =
        bytes_zalloc(sizeof(*l) + count * sizeof(l->items[0]));

    l->count = count;
    for (unsigned i = 0; i < count; i++) {
        struct watch_item *item = &l->items[i];

        snprintf(item->id, sizeof(item->id), "impl-code-1739487600-%04x", i);
        item->state = i < done ? AGENT_RESULT_REPORTED : AGENT_RUNNING;
        item->result = i >= done ? NULL : i % 3 == 0 ? &bad : &good;
        item->duration_ms = 45000;
    }
    tearDown();
    wait_put_answer(&out, l, pending > 0, pending > 0);
    free(l);
    doc = yyjson_read(out.ptr, out.len, 0);
    root = yyjson_doc_get_root(doc);
    TEST_ASSERT_NOT_NULL(root);
    TEST_ASSERT_TRUE(out.len <= KIB64);
}

static size_t size_of(const char *list)
{
    return yyjson_arr_size(yyjson_obj_get(root, list));
}

static size_t length(void)
{
    return FIELD_TEXT(yyjson_arr_get_first(FIELD(root, "completed")), "summary")
        .len;
}

static void test_few_are_told_with_their_summaries(void)
{
    answer_of(50, 2);
    TEST_ASSERT_EQUAL_size_t(50, size_of("completed"));
    TEST_ASSERT_EQUAL_size_t(2, size_of("pending"));
    TEST_ASSERT_EQUAL_size_t(500, length());
    TEST_ASSERT_NULL(FIELD(root, "counts"));
    TEST_ASSERT_TRUE(yyjson_is_true(FIELD(root, "again")));
}

static void test_many_with_shorter_ones(void)
{
    size_t before = 501;

    for (unsigned count = 50; count <= 300; count += 50) {
        answer_of(count, 0);
        TEST_ASSERT_EQUAL_size_t(count, size_of("completed"));
        TEST_ASSERT_TRUE(length() <= before && length() >= 80);
        before = length();
    }
    TEST_ASSERT_EQUAL_size_t(80, before);
}

static void test_more_by_their_ids_and_counts(void)
{
    answer_of(500, 100);
    TEST_ASSERT_EQUAL_size_t(500, size_of("completed"));
    TEST_ASSERT_EQUAL_size_t(100, size_of("pending"));
    TEST_ASSERT_EQUAL_size_t(0, length());
    TEST_ASSERT_TRUE(yyjson_is_true(FIELD(root, "truncated")));
    TEST_ASSERT_EQUAL_UINT64(167,
                             FIELD_COUNT(FIELD(root, "counts"), "failure"));
}

static void test_and_all_of_them_are_counted(void)
{
    answer_of(5000, 5000);
    TEST_ASSERT_TRUE(size_of("completed") > 300 && size_of("pending") > 100);
    TEST_ASSERT_EQUAL_UINT64(5000,
                             FIELD_COUNT(FIELD(root, "counts"), "completed"));
    TEST_ASSERT_EQUAL_UINT64(5000,
                             FIELD_COUNT(FIELD(root, "counts"), "pending"));
    TEST_ASSERT_EQUAL_UINT64(5000,
                             FIELD_COUNT(FIELD(root, "counts"), "success") +
                                 FIELD_COUNT(FIELD(root, "counts"), "failure"));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_few_are_told_with_their_summaries);
    TEST(test_many_with_shorter_ones);
    TEST(test_more_by_their_ids_and_counts);
    TEST(test_and_all_of_them_are_counted);
    return TAP_END();
}
