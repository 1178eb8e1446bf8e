/* SPDX-License-Identifier: MIT */
#include "runtime/text/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/text/utf8.h"
#include "tap.h"

static struct bytes out;

void tearDown(void)
{
    bytes_finish(&out);
}

static void assert_out(const char *wanted)
{
    TEST_ASSERT_EQUAL_size_t(strlen(wanted), out.len);
    TEST_ASSERT_EQUAL_STRING_LEN(wanted, out.ptr, out.len);
    bytes_finish(&out);
}

/* One byte after the other, as the standard has it. */
static void escape_slowly(struct bytes *b, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *letter = strchr("\bb\tt\nn\ff\rr\"\"\\\\", c);
        char number[8];

        if (c >= 0x20 && c != '"' && c != '\\') {
            bytes_append(b, text + i, 1);
        } else if (c != 0 && letter != NULL) {
            bytes_append(b, "\\", 1);
            bytes_append(b, c == '"' || c == '\\' ? letter : letter + 1, 1);
        } else {
            snprintf(number, sizeof(number), "\\u%04x", c);
            bytes_append(b, number, 6);
        }
    }
}

static void assert_escaped(const char *text, size_t len)
{
    struct bytes wanted = {0};

    escape_slowly(&wanted, text, len);
    json_escaped(&out, slice_of(text, len));
    TEST_ASSERT_EQUAL_size_t(wanted.len, out.len);
    if (out.len > 0)
        TEST_ASSERT_EQUAL_MEMORY(wanted.ptr, out.ptr, out.len);
    bytes_finish(&wanted);
    bytes_finish(&out);
}

/* Every ASCII byte at every place of a word, and texts of every length. */
static void test_escapes_what_it_must(void)
{
    char text[40];

    memset(text, 'x', sizeof(text));
    for (int c = 0; c < 128; c++)
        for (size_t at = 0; at < 20; at++) {
            text[at] = (char)c;
            assert_escaped(text, 20);
            assert_escaped(text, at + 1);
            text[at] = 'x';
        }
    for (size_t len = 0; len < sizeof(text); len++)
        assert_escaped(text, len);
}

static void test_escapes_long_texts_of_any_mixture(void)
{
    static const char some[] = "ab\"\\\n\x01 :{}\x7f";
    size_t len = 3 * 4096 + 7;
    char *text = malloc(len);

    srand(1);
    for (size_t i = 0; i < len; i++)
        text[i] = some[(size_t)rand() % (sizeof(some) - 1)];
    assert_escaped(text, len);
    memset(text, '"', len);
    assert_escaped(text, len);
    free(text);
}

static void test_keeps_characters_and_mends_what_is_none(void)
{
    json_string(&out, SLICE("長い\"文\"\xF0\x9F\xA7\x99"));
    assert_out("\"長い\\\"文\\\"\xF0\x9F\xA7\x99\"");
    json_string(&out, SLICE("12345678\xFF\"\xE3\x81"));
    assert_out("\"12345678\xEF\xBF\xBD\\\"\xEF\xBF\xBD\"");
}

static void test_knows_valid_text(void)
{
    static const char wide[] = "1234567長い文";

    TEST_ASSERT_TRUE(utf8_is_valid("", 0));
    TEST_ASSERT_TRUE(utf8_is_valid(wide, strlen(wide)));
    for (size_t len = 8; len < strlen(wide); len++)
        TEST_ASSERT_EQUAL((len - 7) % 3 == 0, utf8_is_valid(wide, len));
    TEST_ASSERT_FALSE(utf8_is_valid("abcdefgh\x80", 9));
    TEST_ASSERT_FALSE(utf8_is_valid("\xC0\xAF", 2));
    TEST_ASSERT_FALSE(utf8_is_valid("\xED\xA0\x80", 3));
    TEST_ASSERT_TRUE(utf8_is_valid("\0\x7f", 2));
}

static void assert_time(uint64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    char date[48], wanted[64];

    gmtime_r(&seconds, &tm);
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(wanted, sizeof(wanted), "\"%s.%03dZ\"", date, (int)(ms % 1000));
    json_time(&out, ms);
    assert_out(wanted);
}

/* Each day of two eras, so that every kind of leap year is among them. */
static void test_tells_the_time(void)
{
    json_time(&out, 0);
    assert_out("null");
    assert_time(1);
    for (uint64_t day = 0; day < 2 * 146097; day++)
        assert_time(day * 86400000 + day * 7919 % 86400000 + (day == 0));
    assert_time(UINT64_C(253402300799999));
    json_time(&out, UINT64_MAX);
    assert_out("\"9999-12-31T23:59:59.999Z\"");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_escapes_what_it_must);
    TEST(test_escapes_long_texts_of_any_mixture);
    TEST(test_keeps_characters_and_mends_what_is_none);
    TEST(test_knows_valid_text);
    TEST(test_tells_the_time);
    return TAP_END();
}
