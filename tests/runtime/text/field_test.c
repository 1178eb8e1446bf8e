/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"

#include <string.h>

#include "tap.h"

static yyjson_doc *doc;

void setUp(void)
{
    static const char text[] =
        "{\"n\":7,\"neg\":-7,\"half\":2.9,\"huge\":1e300,\"digits\":"
        "\"1784819289745\",\"many\":\"99999999999999999999\",\"word\":"
        "\"12x\",\"s\":\"text\",\"empty\":\"\",\"null\":null,\"o\":{"
        "\"in\":\"side\"},\"negreal\":-0.5}";

    doc = yyjson_read(text, sizeof(text) - 1, 0);
}

void tearDown(void)
{
    yyjson_doc_free(doc);
}

static yyjson_val *root(void)
{
    return yyjson_doc_get_root(doc);
}

static void test_counts(void)
{
    TEST_ASSERT_EQUAL_UINT64(7, FIELD_COUNT(root(), "n"));
    TEST_ASSERT_EQUAL_UINT64(0, FIELD_COUNT(root(), "neg"));
    TEST_ASSERT_EQUAL_UINT64(2, FIELD_COUNT(root(), "half"));
    TEST_ASSERT_EQUAL_UINT64(UINT64_MAX, FIELD_COUNT(root(), "huge"));
    TEST_ASSERT_EQUAL_UINT64(0, FIELD_COUNT(root(), "negreal"));
    TEST_ASSERT_EQUAL_UINT64(1784819289745, FIELD_COUNT(root(), "digits"));
    TEST_ASSERT_EQUAL_UINT64(UINT64_MAX, FIELD_COUNT(root(), "many"));
    TEST_ASSERT_EQUAL_UINT64(0, FIELD_COUNT(root(), "word"));
    TEST_ASSERT_EQUAL_UINT64(0, FIELD_COUNT(root(), "null"));
    TEST_ASSERT_EQUAL_UINT64(0, FIELD_COUNT(root(), "missing"));
}

static void test_texts(void)
{
    TEST_ASSERT_TRUE(slice_eq(SLICE("text"), FIELD_TEXT(root(), "s")));
    TEST_ASSERT_EQUAL_size_t(0, FIELD_TEXT(root(), "n").len);
    TEST_ASSERT_EQUAL_size_t(0, FIELD_TEXT(root(), "missing").len);
    TEST_ASSERT_TRUE(
        slice_eq(SLICE("side"), FIELD_TEXT(FIELD(root(), "o"), "in")));
}

static void test_what_is_no_object_has_nothing(void)
{
    TEST_ASSERT_NULL(FIELD(NULL, "s"));
    TEST_ASSERT_NULL(FIELD(FIELD(root(), "s"), "s"));
    TEST_ASSERT_NULL(FIELD(FIELD(root(), "null"), "s"));
}

static void test_first_of_several(void)
{
    static const struct slice keys[] = {SLICE_INIT("missing"),
                                        SLICE_INIT("empty"),
                                        SLICE_INIT("n"),
                                        SLICE_INIT("s"),
                                        {0}};
    static const struct slice none[] = {SLICE_INIT("missing"), {0}};

    TEST_ASSERT_TRUE(slice_eq(SLICE("text"), field_first_text(root(), keys)));
    TEST_ASSERT_EQUAL_size_t(0, field_first_text(root(), none).len);
    TEST_ASSERT_EQUAL_UINT64(0, field_first_count(root(), none));
    TEST_ASSERT_EQUAL_UINT64(7, field_first_count(root(), keys + 2));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_counts);
    TEST(test_texts);
    TEST(test_what_is_no_object_has_nothing);
    TEST(test_first_of_several);
    return TAP_END();
}
