/* SPDX-License-Identifier: MIT */
#include "config/edit.h"

#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "config/source.h"
#include "tap.h"
#include "tests/config/check.h"

/* Every file here, every role, every key, every value: what is written is
 * what is read, and nothing else is different. */

static char *dir;

void setUp(void)
{
    dir = check_mkdir();
}

void tearDown(void)
{
    check_rmdir(dir);
}

static const char *const roles[] = {"impl-code", "research", "orchestrator"};
static const char *const keys[] = {"description", "systemPrompt",
                                   "healthCheckPrompt"};
static const char *const values[] = {"a",
                                     "two\nlines",
                                     "two\nlines\n",
                                     "a: b # c",
                                     " lead\n",
                                     "日本語\n\n  と\n",
                                     "- a\n- b\n",
                                     "\"q\" 'q' \\",
                                     "\ttab",
                                     "# a\n---\nb",
                                     "x\r\ny",
                                     "{a, b}",
                                     "null",
                                     "12",
                                     "a\n\n\n",
                                     "%TAG",
                                     "&a *b !c |d >e",
                                     "a\n   \nb\n"};

static const char *const files[] = {
    "",
    "\n\n",
    "# c",
    "log: {}",
    "roles:\n",
    "roles: []",
    "roles: [ ]\n\n\nlog: {}\n",
    "roles:\n- id: research",
    "roles:\n- id: research\n  systemPrompt: |\n   a\n\n\n- id: impl-code\n",
    "roles:\n  - systemPrompt: >+\n      a\n\n      b\n\n\n    id: research\n",
    "roles:\n  - id: impl-code # x\n    description: 'a\n      b' # y\n"
    "  # z\n\n  - id: research\n    description: \"a\\\n      b\"\n# w\n",
    "roles:\r\n  - id: impl-code\r\n    systemPrompt: |\r\n      a\r\n\r\n"
    "  - id: research\r\n    description: b\r\n",
    "---\nroles: [{id: research, systemPrompt: a,}, {id: impl-code}]\n...\n",
    "{\"roles\": [{\"id\": \"research\", \"systemPrompt\": \"a\"}]}",
    "roles:\n    -\n        id: research\n        description: |-\n"
    "            deep\n        model: m\n    -\n        id: impl-code\n",
    "x-a: &a {model: m, systemPrompt: p}\nroles:\n  - {<<: *a, id: research}\n"
    "  - <<: *a\n    id: impl-code\n",
    "log:\n  level: info\n\n\n\n# the end\n\n"};

/* The text after one edit; text is freed. */
static char *edited(char *text, const char *role, struct config_edit edit)
{
    struct config_error e = {0};
    struct source s;
    char *out = NULL;
    size_t len;

    int rc = source_take(&s, "f.yaml", text, strlen(text), &e);
    if (rc || edit_text(&s, role, &edit, &out, &len, &e))
        TEST_FAIL_MESSAGE(e.text);
    TEST_ASSERT_EQUAL_size_t(strlen(out), len);
    source_finish(&s);
    return out;
}

static void check(const char *text, const char *role, const char *key,
                  const char *value)
{
    const struct key *k = keys_find(&keys_role, NULL, key);
    struct config *was = check_load(text, NULL);
    char *out = edited(strdup(text), role,
                       (struct config_edit){.key = key, .value = value});

    out =
        edited(out, role, (struct config_edit){.key = "model", .value = "new"});
    struct config *is = check_load(out, NULL);
    TEST_ASSERT_TRUE_MESSAGE(config_equal(was, is, role), out);
    const struct role *r = role_find(is, role);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("new", r->model, out);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
        value, *(char *const *)((const char *)r + k->offset), out);
    config_destroy(is);
    config_destroy(was);
    free(out);
}

static void sweep(const char *text)
{
    for (size_t r = 0; r < 3; r++)
        for (size_t k = 0; k < 3; k++)
            for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
                check(text, roles[r], keys[k], values[v]);
}

static void every_value_into_every_file(void)
{
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        sweep(files[i]);
}

/* The lines of b that are not a's, when the rest are the same in order. */
static void check_only_lines(const char *a, const char *b, const char *line)
{
    size_t head = 0, tail = 0, alen = strlen(a), blen = strlen(b);

    while (a[head] && a[head] == b[head])
        head++;
    while (tail < alen - head && tail < blen - head &&
           a[alen - tail - 1] == b[blen - tail - 1])
        tail++;
    const char *start = b + head;
    while (start > b && start[-1] != '\n')
        start--;
    TEST_ASSERT_EQUAL_STRING_LEN(line, start, strlen(line));
    TEST_ASSERT_LESS_OR_EQUAL_size_t(strlen(line),
                                     (size_t)(b + blen - tail - start));
}

static void the_example_changes_in_one_line(void)
{
    size_t len;
    char *text = check_read(EXAMPLE, &len), *after;
    char path[4096];
    struct config_edit edit = {.key = "model", .value = "new"};
    struct config_error e;
    struct config *c = NULL, *fresh = NULL;

    snprintf(path, sizeof(path), "%s", check_path(dir, "f.yaml"));
    check_write(path, text, len);
    TEST_ASSERT_EQUAL_INT(0, config_load(path, NULL, &c, &e));
    if (config_edit(c, NULL, "impl-test", &edit, 1, &fresh, &e))
        TEST_FAIL_MESSAGE(e.text);
    after = check_read(path, &len);
    check_only_lines(text, after, "    model: new\n");
    config_destroy(fresh);
    config_destroy(c);
    sweep(text);
    free(after);
    free(text);
}

int main(void)
{
    TAP_BEGIN();
    TEST(every_value_into_every_file);
    TEST(the_example_changes_in_one_line);
    return TAP_END();
}
