/* SPDX-License-Identifier: MIT */
#include "transport/command/term_text.h"

#include <string.h>

#include "tap.h"

void setUp(void)
{
    term_text_init();
}

static void check_safe(enum term_text_form form, const char *in,
                       const char *want)
{
    struct bytes out = {0};

    term_text_safe(&out, slice_cstr(in), form);
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
}

static void check_fit(const char *in, size_t columns, const char *want)
{
    struct bytes out = {0};

    term_text_fit(&out, slice_cstr(in), columns);
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
}

static void test_plain_text_stays(void)
{
    check_safe(TERM_TEXT_LINE, "plain 日本語 é 😀", "plain 日本語 é 😀");
    check_safe(TERM_TEXT_BLOCK, "a\n\tb\r\nc", "a\n\tb\nc");
    check_safe(TERM_TEXT_LINE, "", "");
}

static void test_control_is_written_out(void)
{
    check_safe(TERM_TEXT_LINE, "\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m");
    check_safe(TERM_TEXT_LINE, "a\bb\x7f", "a\\x08b\\x7f");
    /* CSI and OSC of eight bits, as UTF-8. */
    check_safe(TERM_TEXT_BLOCK,
               "\xc2\x9b"
               "2J\xc2\x9d",
               "\\x9b2J\\x9d");
    /* A lone CR would overwrite the line. */
    check_safe(TERM_TEXT_BLOCK, "good\rbad", "good\\x0dbad");
}

static void test_direction_is_written_out(void)
{
    check_safe(TERM_TEXT_LINE, "a\u202eb\u2066c\u200fd",
               "a\\u202eb\\u2066c\\u200fd");
    check_safe(TERM_TEXT_BLOCK, "a\u2028b", "a\\u2028b");
}

static void test_lines_become_one(void)
{
    check_safe(TERM_TEXT_LINE, "a\r\n\n\tb\n", "a b ");
}

static void test_broken_utf8_is_mended(void)
{
    check_safe(TERM_TEXT_LINE, "a\xff\xe3\x81", "a\uFFFD\uFFFD");
}

static void test_json_stays_the_same_document(void)
{
    struct bytes out = {0};

    term_text_safe_json(&out, SLICE("{\n  \"a\": \"\xc2\x9b\u202e日\x7f\"\n}"));
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING("{\n  \"a\": \"\\u009b\\u202e日\\u007f\"\n}",
                             out.ptr);
    bytes_finish(&out);
}

static void test_widths(void)
{
    TEST_ASSERT_EQUAL_UINT(1, term_text_width('a'));
    TEST_ASSERT_EQUAL_UINT(1, term_text_width(0xe9));
    TEST_ASSERT_EQUAL_UINT(2, term_text_width(0x3042));  /* あ */
    TEST_ASSERT_EQUAL_UINT(2, term_text_width(0x6f22));  /* 漢 */
    TEST_ASSERT_EQUAL_UINT(1, term_text_width(0xff71));  /* half-width ｱ */
    TEST_ASSERT_EQUAL_UINT(2, term_text_width(0xff21));  /* full-width Ａ */
    TEST_ASSERT_EQUAL_UINT(2, term_text_width(0xac00));  /* 가 */
    TEST_ASSERT_EQUAL_UINT(2, term_text_width(0x1f600)); /* 😀 */
    TEST_ASSERT_EQUAL_UINT(0, term_text_width(0x301));   /* combining acute */
    TEST_ASSERT_EQUAL_UINT(0, term_text_width(0x3099));  /* combining dakuten */
    TEST_ASSERT_EQUAL_UINT(0, term_text_width(0x200d));  /* joiner */
    TEST_ASSERT_EQUAL_UINT(1, term_text_width(0x2500));  /* box drawing */
    TEST_ASSERT_EQUAL_UINT(2, term_text_width(0x2ffff));
    TEST_ASSERT_EQUAL_UINT(1, term_text_width(0x10ffff));
}

static void test_columns(void)
{
    TEST_ASSERT_EQUAL_size_t(0, term_text_columns(SLICE("")));
    TEST_ASSERT_EQUAL_size_t(8, term_text_columns(SLICE("ab日本語")));
    TEST_ASSERT_EQUAL_size_t(2, term_text_columns(SLICE("か\u3099")));
}

static void test_what_is_too_long_is_cut(void)
{
    check_fit("abcdef", 6, "abcdef");
    check_fit("abcdef", 5, "abcd…");
    check_fit("日本語", 6, "日本語");
    check_fit("日本語", 5, "日本…");
    /* Half a character is not to be had: one column stays empty. */
    check_fit("日本語", 4, "日…");
    check_fit("abc", 1, "…");
    check_fit("abc", 0, "");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_plain_text_stays);
    TEST(test_control_is_written_out);
    TEST(test_direction_is_written_out);
    TEST(test_lines_become_one);
    TEST(test_broken_utf8_is_mended);
    TEST(test_json_stays_the_same_document);
    TEST(test_widths);
    TEST(test_columns);
    TEST(test_what_is_too_long_is_cut);
    return TAP_END();
}
