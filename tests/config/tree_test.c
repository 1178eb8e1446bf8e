/* SPDX-License-Identifier: MIT */
#include "config/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "tap.h"
#include "tests/config/check.h"

/* before, then unit n times, then after. */
static char *repeat(const char *before, const char *unit, size_t n,
                    const char *after)
{
    size_t b = strlen(before), u = strlen(unit);
    char *text = malloc(b + u * n + strlen(after) + 1);

    memcpy(text, before, b);
    for (size_t i = 0; i < n; i++)
        memcpy(text + b + i * u, unit, u);
    strcpy(text + b + u * n, after);
    return text;
}

static void depth_is_limited(void)
{
    char *text = repeat("x-a: ", "[", 256 << 10, "");
    check_error(text, NULL, "f.yaml:1:21: expected at most 16 levels");
    free(text);
    text = repeat("x-a:\n ", "- ", 100000, "");
    check_error(text, NULL, "f.yaml:2:32: expected at most 16 levels");
    free(text);
    text = repeat("", "{x: ", 10000, "");
    check_error(text, NULL, "f.yaml:1:62: expected at most 16 levels");
    free(text);
    config_destroy(check_load("x-a: [[[[[[[[[[[[[[a]]]]]]]]]]]]]]", NULL));
}

static void the_number_of_values_is_limited(void)
{
    char *text = repeat("x-a: [", "a,", 30000, "]");
    check_error(text, NULL, "f.yaml:1:40001: expected at most 20000 values");
    free(text);
    text = repeat("x-a: {", "? a\n", 1, ": b}");
    config_destroy(check_load(text, NULL));
    free(text);
}

static void the_number_of_keys_is_limited(void)
{
    char *text = malloc(16384);

    strcpy(text, "x-a:\n");
    for (int i = 0; i < 300; i++)
        sprintf(text + strlen(text), " k%d: 1\n", i);
    check_error(text, NULL,
                "f.yaml:258:2: expected at most 256 keys in one mapping");
    free(text);
}

static void aliases_share_and_are_limited(void)
{
    char *text = repeat("x-a: &a [x]\nx-b: [", "*a,", 300, "]");
    check_error(text, NULL, "f.yaml:2:775: expected at most 256 aliases");
    free(text);
    check_error("x-a: *a\n", NULL,
                "f.yaml:1:6: *a: expected an anchor &a before it");
    check_error("x-a: &a [*a]\n", NULL,
                "f.yaml:1:10: *a: expected an anchor &a before it");
    text = malloc(16384);
    strcpy(text, "x-a:\n");
    for (int i = 0; i < 100; i++)
        sprintf(text + strlen(text), " - &a%d x\n", i);
    check_error(text, NULL, "f.yaml:66:4: expected at most 64 anchors");
    free(text);
}

/* Nine levels of nine would be 387 million values if they were copied. */
static void an_alias_bomb_is_harmless(void)
{
    char text[2048] = "x-0: &x0 [a,a,a,a,a,a,a,a,a]\n";

    for (int i = 1; i < 9; i++)
        sprintf(text + strlen(text),
                "x-%d: &x%d [*x%d,*x%d,*x%d,*x%d,*x%d,*x%d,*x%d,*x%d,*x%d]\n",
                i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1,
                i - 1);
    strcat(text, "roles: *x8\n");
    check_error(text, NULL,
                "f.yaml:9:11: roles[0]: expected a mapping, found a list");
}

static void a_merge_bomb_is_harmless(void)
{
    char text[8192] = "x-0: &x0 {a0: 1, b0: 1}\n";

    for (int i = 1; i < 60; i++)
        sprintf(text + strlen(text), "x-%d: &x%d {<<: [*x%d, *x%d], a%d: 1}\n",
                i, i, i - 1, i - 1, i);
    struct config *c = check_load(text, NULL);
    config_destroy(c);
}

static void merge_keys_merge(void)
{
    struct config *c =
        check_load("x-base: &base {model: m, systemPrompt: base}\n"
                   "x-other: &other {model: o, description: d}\n"
                   "roles:\n"
                   "  - <<: *base\n    id: a\n"
                   "  - {<<: [*other, *base], id: b, systemPrompt: own}\n",
                   NULL);
    const struct role *a = role_find(c, "a"), *b = role_find(c, "b");

    TEST_ASSERT_EQUAL_STRING("m", a->model);
    TEST_ASSERT_EQUAL_STRING("base", a->system_prompt);
    TEST_ASSERT_EQUAL_STRING("o", b->model);
    TEST_ASSERT_EQUAL_STRING("own", b->system_prompt);
    TEST_ASSERT_EQUAL_STRING("d", b->description);
    TEST_ASSERT_EQUAL_size_t(0, c->warning_count);
    config_destroy(c);
    check_error("x-a: &a 5\nlog: {<<: *a}\n", NULL,
                "f.yaml:2:11: <<: expected a mapping or a list of mappings");
}

static void anchors_give_values(void)
{
    struct config *c = check_load("x-a: &t 7\nhub: &h {lease_ms: 2000}\n"
                                  "agent: {maxQueued: *t, maxConcurrent: *t}\n",
                                  NULL);

    TEST_ASSERT_EQUAL_INT64(7, c->agent.max_queued);
    TEST_ASSERT_EQUAL_INT64(7, c->agent.max_concurrent);
    config_destroy(c);
}

static void the_size_is_limited(void)
{
    char *text = repeat("", "# 34567\n", 2 << 17, "");
    check_error(text, NULL,
                "f.yaml:1:1: expected at most 1048576 bytes, found 2097152");
    text[1 << 20] = '\0';
    config_destroy(check_load(text, NULL));
    free(text);
}

static void a_long_file_is_read_no_further_than_the_limit(void)
{
    char *dir = check_mkdir(), *text = repeat("", "# 34567\n", 2 << 17, "");
    const char *path = check_path(dir, "f.yaml");
    struct config_error e;
    struct config *c;

    check_write(path, text, strlen(text));
    TEST_ASSERT_EQUAL_INT(-EINVAL, config_load(path, NULL, &c, &e));
    TEST_ASSERT_NOT_NULL(strstr(e.text, ":1:1: expected at most 1048576"));
    free(text);
    check_rmdir(dir);
}

static void what_is_no_text_is_refused_where_it_stands(void)
{
    check_error_n("a: b\nlog: {\0}\n", 13,
                  "f.yaml:2:7: expected text, found the character U+0000");
    check_error("a: \"\\0\"\n", NULL,
                "f.yaml:1:4: expected a text without NUL");
    check_error("a: \xff\n", NULL,
                "f.yaml:1:4: expected UTF-8, found the byte 0xFF");
    check_error("\xff\xfe"
                "a",
                NULL, "f.yaml:1:1: expected UTF-8, found the byte 0xFF");
    check_error("日: \xc0\x80\n", NULL,
                "f.yaml:1:4: expected UTF-8, found the byte 0xC0");
    check_error("a: \xed\xa0\x80\n", NULL,
                "f.yaml:1:4: expected UTF-8, found the byte 0xED");
    check_error("a: \xf4\x90\x80\x80\n", NULL,
                "f.yaml:1:4: expected UTF-8, found the byte 0xF4");
    check_error("a: \xe3\x81", NULL,
                "f.yaml:1:4: expected UTF-8, found the byte 0xE3");
    check_error("a: \x1b[0m\n", NULL,
                "f.yaml:1:4: expected text, found the character U+001B");
    check_error("a: \xc2\x80\n", NULL,
                "f.yaml:1:4: expected text, found the character U+0080");
}

static void wrong_yaml_is_told_with_its_place(void)
{
    check_error("agent:\n\tmaxQueued: 5\n", NULL,
                "f.yaml:2:1: expected spaces, found a tab: YAML is indented "
                "with spaces alone");
    check_error("agent: @a\n", NULL,
                "f.yaml:1:8: expected YAML: found character that cannot start "
                "any token while scanning for the next token");
    check_error("agent: [a\n", NULL,
                "f.yaml:2:1: expected YAML: did not find expected ',' or ']' "
                "while parsing a flow sequence");
    check_error("a: b: c\n", NULL,
                "f.yaml:1:5: expected YAML: mapping values are not allowed in "
                "this context");
    check_error("a: 1\n---\nb: 2\n", NULL,
                "f.yaml:2:1: expected one document only");
    check_error("a: \"\\ud800\"\n", NULL,
                "f.yaml:1:7: expected YAML: found invalid Unicode character "
                "escape code while parsing a quoted scalar");
}

static void line_ends_of_all_kinds(void)
{
    static const char *const texts[] = {
        "agent:\r\n  maxQueued: 7\r\n", "agent:\r  maxQueued: 7\r",
        ("\xef\xbb\xbf"
         "agent:\n  maxQueued: 7"),
        "%YAML 1.1\n---\nagent: {maxQueued: 7}\n...\n"};

    for (size_t i = 0; i < 4; i++) {
        struct config *c = check_load(texts[i], NULL);
        TEST_ASSERT_EQUAL_INT64(7, c->agent.max_queued);
        TEST_ASSERT_EQUAL_size_t(0, c->warning_count);
        config_destroy(c);
    }
    check_error("agent:\r\n  maxQueued: x\r\n", NULL,
                "f.yaml:2:14: agent.maxQueued: expected a whole number from 0 "
                "to 100000, found \"x\"");
}

/* Every scalar's bytes are where the tree says: what editing stands on. */
static void marks_are_bytes(void)
{
    const char *text =
        "\xef\xbb\xbf"
        "日本: [あ, \"い\", &a う, *a]\r\nx: |\r\n  え\r\n\r\ny: z";
    const char *const want[] = {"あ", "\"い\"", "&a う", "*a"};
    struct source s;
    struct arena a = {0};
    const struct node *root;
    struct config_error e;

    TEST_ASSERT_EQUAL_INT(0,
                          source_take(&s, "f", strdup(text), strlen(text), &e));
    TEST_ASSERT_EQUAL_INT(0, tree_parse(&s, &a, &root, &e));
    const struct node *list = tree_get(root, "日本")->node;
    for (size_t i = 0; i < 4; i++) {
        const struct child *c = &list->children[i];
        TEST_ASSERT_EQUAL_STRING_LEN(want[i], s.text + c->start.byte,
                                     c->end.byte - c->start.byte);
        TEST_ASSERT_EQUAL_size_t(strlen(want[i]), c->end.byte - c->start.byte);
    }
    const struct child *x = tree_get(root, "x"), *y = tree_get(root, "y");
    TEST_ASSERT_EQUAL_STRING_LEN("|\r\n", s.text + x->start.byte, 3);
    TEST_ASSERT_EQUAL_STRING_LEN("y:", s.text + x->end.byte, 2);
    TEST_ASSERT_EQUAL_STRING("z", s.text + y->start.byte);
    TEST_ASSERT_EQUAL_size_t(s.len, y->end.byte);
    arena_finish(&a);
    source_finish(&s);
}

int main(void)
{
    TAP_BEGIN();
    TEST(depth_is_limited);
    TEST(the_number_of_values_is_limited);
    TEST(the_number_of_keys_is_limited);
    TEST(aliases_share_and_are_limited);
    TEST(an_alias_bomb_is_harmless);
    TEST(a_merge_bomb_is_harmless);
    TEST(merge_keys_merge);
    TEST(anchors_give_values);
    TEST(the_size_is_limited);
    TEST(a_long_file_is_read_no_further_than_the_limit);
    TEST(what_is_no_text_is_refused_where_it_stands);
    TEST(wrong_yaml_is_told_with_its_place);
    TEST(line_ends_of_all_kinds);
    TEST(marks_are_bytes);
    return TAP_END();
}
