/* SPDX-License-Identifier: MIT */
#include "transport/command/term_wrap.h"

#include "tap.h"
#include "transport/command/term_text.h"

void setUp(void)
{
    term_text_init();
}

void tearDown(void)
{
}

static void check(const char *text, size_t columns, const char *want)
{
    struct bytes out = {0};

    term_wrap(&out, slice_cstr(text), columns);
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
}

static void words_stay_whole(void)
{
    check("one two three\n", 7, "one two\nthree\n");
    check("one two three\n", 6, "one\ntwo\nthree\n");
    check("incomprehensible is it\n", 6, "incomprehensible\nis it\n");
}

static void lines_keep_their_indent(void)
{
    check("name\n    what it is for\n", 11, "name\n    what it\n    is for\n");
}

static void japanese_breaks_between_characters(void)
{
    check("あいうえお\n", 6, "あいう\nえお\n");
    check("ab あい cd\n", 5, "ab あ\nい cd\n");
}

static void punctuation_begins_no_line(void)
{
    check("あい、うえ\n", 4, "あ\nい、\nうえ\n");
    check("あい（うえ）\n", 6, "あい\n（う\nえ）\n");
}

static void without_a_width_it_is_as_it_was(void)
{
    check("one two\n\n  three", 0, "one two\n\n  three\n");
}

int main(void)
{
    TAP_BEGIN();
    TEST(words_stay_whole);
    TEST(lines_keep_their_indent);
    TEST(japanese_breaks_between_characters);
    TEST(punctuation_begins_no_line);
    TEST(without_a_width_it_is_as_it_was);
    return TAP_END();
}
