/* SPDX-License-Identifier: MIT */
#include "runtime/text/utf8.h"

#include <string.h>

#include "runtime/text/bytes.h"
#include "tap.h"

#define FFFD "\xEF\xBF\xBD"

typedef size_t (*repair_fn)(const char *str, size_t len, struct bytes *out);

static void check(repair_fn repair, const char *in, const char *want,
                  size_t count)
{
    struct bytes out = {0};

    TEST_ASSERT_EQUAL_size_t(count, repair(in, strlen(in), &out));
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
}

static void test_valid_text_stays(void)
{
    struct bytes out = {0};

    /* Found by the fuzzer: no text at all has no address either. */
    TEST_ASSERT_EQUAL_size_t(0, utf8_repair(NULL, 0, &out));
    check(utf8_repair, "plain", "plain", 0);
    check(utf8_repair, "\xE6\xAD\xA3\xC3\xA9\xF0\x9F\x98\x80",
          "\xE6\xAD\xA3\xC3\xA9\xF0\x9F\x98\x80", 0);
}

static void check_code(const char *in, size_t len, uint32_t want)
{
    uint32_t code = 0;

    TEST_ASSERT_EQUAL_size_t(len, utf8_decode(in, strlen(in), &code));
    if (len > 0)
        TEST_ASSERT_EQUAL_UINT32(want, code);
}

static void test_characters_have_codes(void)
{
    check_code("a", 1, 'a');
    check_code("\x7f", 1, 0x7f);
    check_code("\xC3\xA9z", 2, 0xe9);
    check_code("\xE6\xAD\xA3", 3, 0x6b63);
    check_code("\xF0\x9F\x98\x80", 4, 0x1f600);
    check_code("\xF4\x8F\xBF\xBF", 4, 0x10ffff);
    check_code("\x80", 0, 0);
    check_code("\xC1\xBF", 0, 0);
    check_code("\xE6\xAD", 0, 0);
    check_code("\xED\xA0\x80", 0, 0);
    check_code("\xF4\x90\x80\x80", 0, 0);
}

static void test_each_broken_part_is_one_replacement(void)
{
    check(utf8_repair,
          "a\xFF"
          "b",
          "a" FFFD "b", 1);
    check(utf8_repair, "\xE6\xAD", FFFD, 1);
    check(utf8_repair,
          "\xE6\xAD"
          "x",
          FFFD "x", 1);
    check(utf8_repair, "\xC0\x80", FFFD FFFD, 2);
    check(utf8_repair, "\xED\xA0\x80", FFFD FFFD FFFD, 3);
    check(utf8_repair, "\xF0\x9F\x98", FFFD, 1);
    check(utf8_repair, "\xF5\x80", FFFD FFFD, 2);
    check(utf8_repair, "\x80\xE6\xAD\xA3", FFFD "\xE6\xAD\xA3", 1);
}

static void test_half_escapes_are_broken_in_json(void)
{
    check(utf8_repair_json, "\\ud83d\\ude00", "\\ud83d\\ude00", 0);
    check(utf8_repair_json, "a\\ud83d", "a\\uFFFD", 1);
    check(utf8_repair_json, "\\uDE00b", "\\uFFFDb", 1);
    check(utf8_repair_json, "\\ud83d\\ud83d\\ude00", "\\uFFFD\\ud83d\\ude00",
          1);
    check(utf8_repair_json, "\\ud83d\\n", "\\uFFFD\\n", 1);
    check(utf8_repair, "\\ud83d", "\\ud83d", 0);
}

static void test_escaped_backslash_is_no_escape(void)
{
    check(utf8_repair_json, "\\\\ud83d", "\\\\ud83d", 0);
    check(utf8_repair_json, "\\\\\\ud83d", "\\\\\\uFFFD", 1);
    check(utf8_repair_json, "\\ud83", "\\ud83", 0);
    check(utf8_repair_json, "\\", "\\", 0);
}

static void test_cut_keeps_characters_whole(void)
{
    const char *text = "a\xE6\xAD\xA3z";

    TEST_ASSERT_EQUAL_size_t(5, utf8_cut(text, 5, 9));
    TEST_ASSERT_EQUAL_size_t(4, utf8_cut(text, 5, 4));
    TEST_ASSERT_EQUAL_size_t(1, utf8_cut(text, 5, 3));
    TEST_ASSERT_EQUAL_size_t(1, utf8_cut(text, 5, 2));
    TEST_ASSERT_EQUAL_size_t(0, utf8_cut(text, 5, 0));
    TEST_ASSERT_EQUAL_size_t(
        6, utf8_cut("\x80\x80\x80\x80\x80\x80\x80\x80", 8, 6));
}

static void test_prefix_counts_characters(void)
{
    const char text[] = "a\xE3\x81\x82\xF0\x9F\x98\x80z";

    TEST_ASSERT_EQUAL_size_t(0, utf8_prefix(text, 9, 0));
    TEST_ASSERT_EQUAL_size_t(1, utf8_prefix(text, 9, 1));
    TEST_ASSERT_EQUAL_size_t(4, utf8_prefix(text, 9, 2));
    TEST_ASSERT_EQUAL_size_t(8, utf8_prefix(text, 9, 3));
    TEST_ASSERT_EQUAL_size_t(9, utf8_prefix(text, 9, 4));
    TEST_ASSERT_EQUAL_size_t(9, utf8_prefix(text, 9, 500));
    TEST_ASSERT_EQUAL_size_t(0, utf8_prefix("", 0, 1));
}

/* One that ends a text is told in another way than one that does not. */
static void test_what_is_valid_can_be_decoded(void)
{
    for (unsigned i = 0xE00000; i <= 0xEFFFFF; i++) {
        const char text[] = {(char)(i >> 16), (char)(i >> 8), (char)i, 'a'};
        uint32_t code;
        bool is_valid = utf8_decode(text, 3, &code) == 3;

        if (utf8_is_valid(text, 3) != is_valid ||
            utf8_is_valid(text, 4) != is_valid)
            TEST_ASSERT_EQUAL_HEX32(0, i);
    }
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_valid_text_stays);
    TEST(test_characters_have_codes);
    TEST(test_each_broken_part_is_one_replacement);
    TEST(test_half_escapes_are_broken_in_json);
    TEST(test_escaped_backslash_is_no_escape);
    TEST(test_cut_keeps_characters_whole);
    TEST(test_prefix_counts_characters);
    TEST(test_what_is_valid_can_be_decoded);
    return TAP_END();
}
