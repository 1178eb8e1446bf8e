/* SPDX-License-Identifier: MIT */
#include "actors/stream/shapes.h"

#include <stdio.h>
#include <string.h>

#include "actors/stream/backend.h"
#include "tap.h"
#include "tests/actors/stream/describe.h"
#include "tests/actors/stream/reread.h"

static bool take(struct shapes *all, const char *line)
{
    return reread(all, slice_cstr(line));
}

static void values_may_differ(void)
{
    struct shapes all = {0};

    TEST_ASSERT_FALSE(take(&all, "{\"a\":\"x\",\"n\":1,\"b\":[true]}"));
    TEST_ASSERT_TRUE(take(&all, "{\"a\":\"yes\",\"n\":250,\"b\":[true]}"));
    TEST_ASSERT_TRUE(take(&all, "{\"a\":\"\",\"n\":0,\"b\":[true]}"));
    TEST_ASSERT_TRUE(
        take(&all, "{\"a\":\"\\\"日\\n本\",\"n\":7,\"b\":[true]}"));
    shapes_finish(&all);
}

static void nothing_else_may(void)
{
    static const char *const others[] = {
        "{\"a\":\"x\",\"n\":1,\"b\":[false]}",
        "{\"n\":1,\"a\":\"x\",\"b\":[true]}",
        "{\"a\":\"x\",\"n\":1,\"b\":[true],\"c\":2}",
        "{\"a\":\"x\",\"a\":\"x\",\"n\":1,\"b\":[true]}",
        "{\"a\":\"x\", \"n\":1,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":1,\"b\":[true]} ",
        "{\"a\":\"x\",\"n\":-1,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":1.0,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":1e3,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":\"1\",\"b\":[true]}",
        "{\"a\":1,\"n\":1,\"b\":[true]}",
        "{\"a\":null,\"n\":1,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":18446744073709551615,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":18446744073709551616,\"b\":[true]}",
        "{\"a\":\"\\u0041\",\"n\":1,\"b\":[true]}",
        /* Not even JSON. */
        "{\"a\":\"x\",\"n\":01,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":,\"b\":[true]}",
        "{\"a\":\"\\x\",\"n\":1,\"b\":[true]}",
        "{\"a\":\"\t\",\"n\":1,\"b\":[true]}",
        "{\"a\":\"\xed\xa0\x80\",\"n\":1,\"b\":[true]}",
        "{\"a\":\"\xc0\x80\",\"n\":1,\"b\":[true]}",
        "{\"a\":\"x\",\"n\":1,\"b\":[true]",
        "{\"a\":\"x",
        "{\"a\":\"x\\",
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct shapes all = {0};

        take(&all, "{\"a\":\"x\",\"n\":1,\"b\":[true]}");
        TEST_ASSERT_FALSE_MESSAGE(take(&all, others[i]), others[i]);
        shapes_finish(&all);
    }
}

/* What two lines have in common is not looked for in the third, and may differ
 * there all the same. */
static void constant_texts_may_change(void)
{
    struct shapes all = {0};

    TEST_ASSERT_FALSE(take(&all, "{\"id\":\"a\",\"n\":1,\"t\":\"x\"}"));
    TEST_ASSERT_TRUE(take(&all, "{\"id\":\"a\",\"n\":1,\"t\":\"y\"}"));
    TEST_ASSERT_TRUE(take(&all, "{\"id\":\"a\",\"n\":2,\"t\":\"\"}"));
    TEST_ASSERT_FALSE(take(&all, "{\"id\":\"ab\",\"n\":2,\"t\":\"x\"}"));
    TEST_ASSERT_TRUE(take(&all, "{\"id\":\"b\",\"n\":2,\"t\":\"x\"}"));
    TEST_ASSERT_TRUE(take(&all, "{\"id\":\"a\",\"n\":3,\"t\":\"x\"}"));
    shapes_finish(&all);
}

/* Known by one line, and by two, which have their ends in common. */
static void reread_changed(const char *changed, size_t len)
{
    static const char *const lines[] = {
        "{\"t\" : \"a\\\"b\\\\\",\"n\":[10,-1,2.5,0,-0,1e5],\"日\":\"本é\","
        "\"o\":{\"x\":null,\"y\":true,\"z\":{}},\"e\":\"\",\"s\":\"same\"}",
        "{\"t\" : \"plain\",\"n\":[7,-1,2.5,12345678901,-0,1e5],\"日\":\"a\","
        "\"o\":{\"x\":null,\"y\":true,\"z\":{}},\"e\":\"\",\"s\":\"same\"}"};
    struct shapes one = {0}, two = {0};

    TEST_ASSERT_FALSE(take(&one, lines[0]));
    TEST_ASSERT_FALSE(take(&two, lines[0]));
    TEST_ASSERT_TRUE(take(&two, lines[1]));
    if (changed != NULL) {
        reread(&one, slice_of(changed, len));
        reread(&two, slice_of(changed, len));
    } else {
        TEST_ASSERT_TRUE(take(&one, lines[0]));
        TEST_ASSERT_TRUE(take(&two, lines[0]));
    }
    shapes_finish(&one);
    shapes_finish(&two);
}

/* Each byte of a line replaced by each other, one put before it, taken out. */
static void one_byte_changed_means_what_reading_says(void)
{
    static const char line[] =
        "{\"t\" : \"a\\\"b\\\\\",\"n\":[10,-1,2.5,0,-0,1e5],\"日\":\"本é\","
        "\"o\":{\"x\":null,\"y\":true,\"z\":{}},\"e\":\"\",\"s\":\"same\"}";
    const size_t len = sizeof(line) - 1;
    char changed[sizeof(line) + 1];

    reread_changed(NULL, 0);
    for (size_t at = 0; at < len; at++) {
        for (int byte = 0; byte < 256; byte++) {
            memcpy(changed, line, len);
            changed[at] = (char)byte;
            reread_changed(changed, len);
            memmove(changed + at + 1, line + at, len - at);
            reread_changed(changed, len + 1);
        }
        memcpy(changed, line, at);
        memcpy(changed + at, line + at + 1, len - at - 1);
        reread_changed(changed, len - 1);
        reread_changed(line, at + 1);
    }
}

static void check_fixture_lines(const char *name, size_t want)
{
    struct bytes text = read_fixture(name);
    struct shapes all = {0};

    TEST_ASSERT_EQUAL_size_t(want, reread_lines(&all, bytes_slice(&text)));
    shapes_finish(&all);
    bytes_finish(&text);
}

static void lines_that_were_printed(void)
{
    check_fixture_lines("cursor_full.ndjson", 0);
    check_fixture_lines("cursor_partial.ndjson", 7);
    check_fixture_lines("cursor_odd.ndjson", 1);
    check_fixture_lines("claude_bash.ndjson", 0);
    check_fixture_lines("claude_task.ndjson", 2);
    check_fixture_lines("claude_background.ndjson", 4);
}

/* What was in use is kept, however many others there are that are not. */
static void those_in_use_are_kept(void)
{
    struct shapes all = {0};
    char line[64];

    for (int i = 0; i < SHAPES_KEPT - SHAPES_FRESH; i++)
        for (int n = 0; n < 2; n++) {
            snprintf(line, sizeof(line), "{\"often %d\":%d}", i, n);
            TEST_ASSERT_EQUAL(n > 0, take(&all, line));
        }
    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof(line), "{\"name %d\":\"\"}", i);
        TEST_ASSERT_FALSE(take(&all, line));
    }
    for (int i = 0; i < SHAPES_KEPT - SHAPES_FRESH; i++) {
        snprintf(line, sizeof(line), "{\"often %d\":17}", i);
        TEST_ASSERT_TRUE(take(&all, line));
    }
    shapes_finish(&all);
}

/* Of those that are, the one that was not for longest gives way. */
static void the_last_used_are_kept(void)
{
    struct shapes all = {0};
    char line[64];

    for (int i = 0; i < 3 * SHAPES_KEPT; i++) {
        take(&all, "{\"often\":1}");
        for (int n = 0; n < 2; n++) {
            snprintf(line, sizeof(line), "{\"name %d\":%d}", i, n);
            TEST_ASSERT_EQUAL(n > 0, take(&all, line));
        }
    }
    TEST_ASSERT_TRUE(take(&all, "{\"often\":1}"));
    TEST_ASSERT_FALSE(take(&all, "{\"name 0\":1}"));
    shapes_finish(&all);
}

static void learning_in_vain_grows_rare(void)
{
    struct shapes all = {0};
    char line[64];

    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof(line), "{\"name %d\":\"\"}", i);
        TEST_ASSERT_FALSE(take(&all, line));
    }
    TEST_ASSERT_EQUAL_UINT(SHAPES_PAUSE, all.pause);
    /* And is over with the first that was not in vain. */
    for (int i = 0; i <= 2 * SHAPES_PAUSE && all.pause > 0; i++)
        take(&all, "{\"again\":\"\"}");
    TEST_ASSERT_EQUAL_UINT(0, all.pause);
    TEST_ASSERT_FALSE(take(&all, "{\"new\":\"\"}"));
    TEST_ASSERT_TRUE(take(&all, "{\"new\":\"\"}"));
    shapes_finish(&all);
}

static void what_would_not_come_again_is_not_kept(void)
{
    struct bytes line = {0};
    struct shapes all = {0};

    bytes_format(&line, "{\"a\":\"%*s\"}", (int)SHAPES_LINE, "");
    reread(&all, bytes_slice(&line));
    line.len = 0;
    bytes_format(&line, "{\"a\":[0");
    for (int i = 0; i < SHAPES_VALS; i++)
        bytes_append(&line, ",0", 2);
    bytes_append(&line, "]}", 2);
    reread(&all, bytes_slice(&line));
    take(&all, "{\"a\":\"\\u00e9\"}");
    TEST_ASSERT_NULL(all.known[0]);
    bytes_finish(&line);
    shapes_finish(&all);
}

/* Of a parser that may know lines, and of one that forgets each. */
static void log_lines(const struct backend *b, struct slice text, bool forgets,
                      struct bytes *log)
{
    struct parser *p = parser_create(b);
    const char *at = text.ptr, *end = text.ptr + text.len;

    while (at < end) {
        struct slice s = slice_first_line(slice_of(at, (size_t)(end - at)));
        struct ndjson_line line = {.ptr = s.ptr, .len = s.len};

        if (forgets)
            shapes_finish(&p->shapes);
        parser_line(p, &line, describe_event, log);
        at += s.len + 1;
    }
    parser_destroy(p);
}

static void events_are_those_of_reading(void)
{
    static const char *const names[] = {
        "cursor_full.ndjson", "cursor_partial.ndjson",    "cursor_odd.ndjson",
        "claude_bash.ndjson", "claude_background.ndjson", "claude_task.ndjson"};
    struct bytes text = {0}, knowing = {0}, reading = {0};

    for (int i = 0; i < 12; i++) {
        struct bytes one = read_fixture(names[i % 6]);

        bytes_append(&text, one.ptr, one.len);
        bytes_finish(&one);
    }
    for (size_t i = 0; backend_at(i) != NULL; i++) {
        log_lines(backend_at(i), bytes_slice(&text), false, &knowing);
        log_lines(backend_at(i), bytes_slice(&text), true, &reading);
    }
    TEST_ASSERT_TRUE(knowing.len > 0);
    TEST_ASSERT_TRUE(slice_eq(bytes_slice(&knowing), bytes_slice(&reading)));
    bytes_finish(&text);
    bytes_finish(&knowing);
    bytes_finish(&reading);
}

int main(void)
{
    TAP_BEGIN();
    TEST(values_may_differ);
    TEST(nothing_else_may);
    TEST(constant_texts_may_change);
    TEST(one_byte_changed_means_what_reading_says);
    TEST(lines_that_were_printed);
    TEST(those_in_use_are_kept);
    TEST(the_last_used_are_kept);
    TEST(learning_in_vain_grows_rare);
    TEST(what_would_not_come_again_is_not_kept);
    TEST(events_are_those_of_reading);
    return TAP_END();
}
