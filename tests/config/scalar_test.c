/* SPDX-License-Identifier: MIT */
#include "config/scalar.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

static const char *const values[] = {"a",
                                     "",
                                     " ",
                                     "\n",
                                     "a\n",
                                     "a\n\n",
                                     "\na",
                                     " a",
                                     "a ",
                                     "\ta",
                                     "a\tb",
                                     "a:b",
                                     "a: b",
                                     "a:",
                                     ":a",
                                     "#a",
                                     "a #b",
                                     "a#b",
                                     "- a",
                                     "-a",
                                     "? a",
                                     "?",
                                     "[a]",
                                     "{a}",
                                     "a, b",
                                     "&a",
                                     "*a",
                                     "!a",
                                     "|",
                                     ">",
                                     "'a'",
                                     "it's",
                                     "\"a\"",
                                     "%a",
                                     "@a",
                                     "`a`",
                                     "---",
                                     "...",
                                     "--- a",
                                     "null",
                                     "~",
                                     "true",
                                     "No",
                                     "12",
                                     "1.5",
                                     "0x1f",
                                     "1e5",
                                     "12:30",
                                     "2026-01-01",
                                     "a\\b",
                                     "\\",
                                     "a\nb",
                                     "a\n b\n  c\n",
                                     "a\n\n\nb",
                                     "a\n\tb",
                                     "a\n   ",
                                     "a\n   \n",
                                     "   \na",
                                     "a\r\nb",
                                     "a\rb",
                                     "日本語",
                                     "日本\n語\n",
                                     "\xc2\x85",
                                     "a\xe2\x80\xa8"
                                     "b",
                                     "\xef\xbb\xbf"
                                     "a",
                                     "a\xef\xbf\xbe",
                                     "\x01\x7f",
                                     "\xf0\x9f\x8e\x89",
                                     "a # b\nc: d\n- e\n",
                                     "---\na\n---\n",
                                     "#a\n#b\n",
                                     "key: |\n  x\n",
                                     "\xc2\x9f",
                                     "x\n#\n",
                                     "(a)",
                                     "/a/b",
                                     "_",
                                     "é",
                                     "a\n...\nb",
                                     "a\n---\nb"};

#define COUNT (sizeof(values) / sizeof(values[0]))

static void check_in(const char *before, const char *value, const char *after,
                     const struct scalar_place *p)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    struct source s;
    struct arena a = {0};
    const struct node *root = NULL;
    struct config_error e = {0};

    fputs(before, f);
    scalar_write(f, value, p);
    fputs(after, f);
    fclose(f);
    int rc = source_take(&s, "f", text, len, &e);
    if (!rc)
        rc = tree_parse(&s, &a, &root, &e);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", e.text, text);
    const struct node *m = tree_get(root, "m")->node;
    TEST_ASSERT_EQUAL_STRING_MESSAGE(value, tree_get(m, "k")->node->text, text);
    TEST_ASSERT_FALSE_MESSAGE(tree_is_null(tree_get(m, "k")->node), text);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("end", tree_get(m, "z")->node->text, text);
    TEST_ASSERT_EQUAL_size_t(2, m->count);
    arena_finish(&a);
    source_finish(&s);
}

static void every_value_comes_back_from_every_style(void)
{
    for (int style = NODE_PLAIN; style <= NODE_FOLDED; style++) {
        for (size_t i = 0; i < COUNT; i++) {
            struct scalar_place p = {.style = (enum node_style)style,
                                     .is_last = true,
                                     .indent = 4,
                                     .eol = "\n",
                                     .comment = " # c"};
            check_in("m:\n  k: ", values[i], "\n  z: end\n", &p);
            check_in("m:\n  k: ", values[i], "\n\n\n  # x\n  z: end", &p);
            p.eol = "\r\n";
            check_in("m:\r\n  k: ", values[i], "\r\n  z: end\r\n", &p);
        }
    }
}

static void every_value_comes_back_from_within_a_line(void)
{
    for (int style = NODE_PLAIN; style <= NODE_DOUBLE; style++) {
        for (size_t i = 0; i < COUNT; i++) {
            struct scalar_place p = {.style = (enum node_style)style,
                                     .indent = 4,
                                     .eol = "\n",
                                     .comment = ""};
            check_in("m:\n  k: ", values[i], " # c\n  z: end\n", &p);
            p.is_flow = true;
            check_in("m: {k: ", values[i], ", z: end}\n", &p);
        }
    }
}

static void a_style_is_kept_where_it_can_be(void)
{
    static const struct {
        enum node_style style;
        const char *value, *want;
    } cases[] = {{NODE_PLAIN, "a b", "a b"},
                 {NODE_SINGLE, "a b", "'a b'"},
                 {NODE_DOUBLE, "a b", "\"a b\""},
                 {NODE_LITERAL, "a b", "|-\n    a b"},
                 {NODE_FOLDED, "a b\n", "|\n    a b"},
                 {NODE_SINGLE, "a\nb", "|-\n    a\n    b"},
                 {NODE_DOUBLE, "a\nb", "\"a\\nb\""},
                 {NODE_PLAIN, "\xc2\x85\xe2\x80\xa8", "\"\\x85\\u2028\""}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scalar_place p = {.style = cases[i].style,
                                 .is_last = true,
                                 .indent = 4,
                                 .eol = "\n",
                                 .comment = ""};
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);
        scalar_write(f, cases[i].value, &p);
        fclose(f);
        TEST_ASSERT_EQUAL_STRING(cases[i].want, text);
        free(text);
    }
}

int main(void)
{
    TAP_BEGIN();
    TEST(every_value_comes_back_from_every_style);
    TEST(every_value_comes_back_from_within_a_line);
    TEST(a_style_is_kept_where_it_can_be);
    return TAP_END();
}
