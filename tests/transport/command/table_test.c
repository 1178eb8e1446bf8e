/* SPDX-License-Identifier: MIT */
#include "transport/command/table.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

void setUp(void)
{
    term_text_init();
}

static const struct table_column columns[] = {
    {.head = "ID", .is_id = true},
    {.head = "N", .is_right = true},
    {.head = "説明", .min = 6},
    {.head = "MODEL", .is_spare = true},
};

static void print(size_t width, const char *const *cells, size_t count,
                  const char *want)
{
    char *text = NULL;
    size_t len = 0;
    struct table t;
    struct term out = {.out = open_memstream(&text, &len), .width = width};

    table_init(&t, columns, 4);
    for (size_t i = 0; i < count; i++)
        table_add(&t, TERM_GREEN, slice_cstr(cells[i]));
    table_print(&t, &out);
    table_finish(&t);
    fclose(out.out);
    TEST_ASSERT_EQUAL_STRING(want, text);
    free(text);
}

static const char *const rows[] = {
    "a-1", "5", "日本語の長い説明", "gpt", "bb-2", "12", "short", "claude-4"};

static void test_as_wide_as_it_takes(void)
{
    print(0, rows, 8,
          "ID     N  説明              MODEL\n"
          "a-1    5  日本語の長い説明  gpt\n"
          "bb-2  12  short             claude-4\n");
}

static void test_narrowed(void)
{
    print(32, rows, 8,
          "ID     N  説明          MODEL\n"
          "a-1    5  日本語の長…   gpt\n"
          "bb-2  12  short         claude-4\n");
}

static void test_spared(void)
{
    print(20, rows, 8,
          "ID     N  説明\n"
          "a-1    5  日本語の…\n"
          "bb-2  12  short\n");
}

static void test_forced(void)
{
    print(10, rows, 8,
          "ID   N  …\n"
          "…1   5  …\n"
          "…2  12  s…\n");
}

/* Words give way to the last, and an id loses its beginning. */
static void test_ids_stay(void)
{
    static const char *const long_ids[] = {
        "orchestrator-1-a661", "5", "what it is about", "gpt",
        "orchestrator-1-be1e", "6", "what it is about", "gpt"};

    print(28, long_ids, 8,
          "ID                   N  説明\n"
          "orchestrator-1-a661  5  wha…\n"
          "orchestrator-1-be1e  6  wha…\n");
    print(20, long_ids, 8,
          "ID           N  説明\n"
          "…tor-1-a661  5  wha…\n"
          "…tor-1-be1e  6  wha…\n");
}

static void test_without_rows(void)
{
    print(80, NULL, 0, "ID  N  説明  MODEL\n");
}

static void test_cells_are_one_safe_line(void)
{
    static const char *const odd[] = {"a\nb", "\x1b[2J", "c\td", ""};

    print(0, odd, 4,
          "ID         N  説明  MODEL\n"
          "a b  \\x1b[2J  c d   \n");
}

static void test_no_line_is_wider(void)
{
    for (size_t width = 7; width < 60; width++) {
        char *text = NULL;
        size_t len = 0;
        struct table t;
        struct term out = {.out = open_memstream(&text, &len), .width = width};

        table_init(&t, columns, 4);
        for (size_t i = 0; i < 8; i++)
            table_add(&t, TERM_PLAIN, slice_cstr(rows[i]));
        table_print(&t, &out);
        table_finish(&t);
        fclose(out.out);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            TEST_ASSERT_LESS_OR_EQUAL_size_t(
                width, term_text_columns(slice_cstr(line)));
        free(text);
    }
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_as_wide_as_it_takes);
    TEST(test_narrowed);
    TEST(test_spared);
    TEST(test_forced);
    TEST(test_ids_stay);
    TEST(test_without_rows);
    TEST(test_cells_are_one_safe_line);
    TEST(test_no_line_is_wider);
    return TAP_END();
}
