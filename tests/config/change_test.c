/* SPDX-License-Identifier: MIT */
/* Roles made, deleted, disabled and reset in a file; what is said to be written
 * is what is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/edit.h"
#include "tap.h"
#include "tests/config/check.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static char *dir;

void setUp(void)
{
    dir = check_mkdir();
}

void tearDown(void)
{
    check_rmdir(dir);
}

static struct config *load(const char *text)
{
    struct config_error e;
    struct config *c = NULL;

    check_write(check_path(dir, "f.yaml"), text, strlen(text));
    if (config_load(check_path(dir, "f.yaml"), NULL, &c, &e))
        TEST_FAIL_MESSAGE(e.text);
    return c;
}

static void is_file(const char *text)
{
    char *found = check_read(check_path(dir, "f.yaml"), &(size_t){0});

    TEST_ASSERT_EQUAL_STRING(text, found);
    free(found);
}

/* Dry first: it says the same and writes nothing. */
static void becomes(const char *before, struct role_change change,
                    const char *after)
{
    struct config *c = load(before);
    struct role_changed dry, made;
    struct config_error e;

    change.is_dry = true;
    if (config_change(c, NULL, &change, &dry, &e))
        TEST_FAIL_MESSAGE(e.text);
    is_file(before);
    change.is_dry = false;
    if (config_change(c, NULL, &change, &made, &e))
        TEST_FAIL_MESSAGE(e.text);
    is_file(after);
    TEST_ASSERT_EQUAL_STRING(dry.diff, made.diff);
    TEST_ASSERT_TRUE(config_equal(dry.config, made.config, NULL));
    role_changed_finish(&dry);
    role_changed_finish(&made);
    config_destroy(c);
}

static void refused(const char *text, struct role_change change, int rc,
                    const char *why)
{
    struct config *c = load(text);
    struct role_changed made;
    struct config_error e;

    TEST_ASSERT_EQUAL_INT(rc, config_change(c, NULL, &change, &made, &e));
    TEST_ASSERT_NULL(made.config);
    TEST_ASSERT_NULL(made.diff);
    if (!strstr(e.text, why))
        TEST_FAIL_MESSAGE(e.text);
    is_file(text);
    config_destroy(c);
}

static struct role_change deletion(const char *role)
{
    return (struct role_change){.kind = ROLE_DELETE, .role = role};
}

static void a_role_is_made(void)
{
    const struct config_edit edits[] = {
        {.key = "name", .value = "N: x"},
        {.key = "model", .value = "m"},
        {.key = "timeout_ms", .value = NULL},
        {.key = "systemPrompt", .value = "one\ntwo\n"}};
    struct role_change change = {.kind = ROLE_CREATE,
                                 .role = "mine",
                                 .edits = edits,
                                 .count = COUNT(edits)};
    const char *item = "  - id: mine\n    name: \"N: x\"\n    model: m\n"
                       "    timeout_ms: null\n    systemPrompt: |\n"
                       "      one\n      two\n";
    char text[512];

    snprintf(text, sizeof(text), "# a\nroles:\n%s", item);
    becomes("# a\n", change, text);
    snprintf(text, sizeof(text),
             "roles:\n  # r\n  - id: research # s\n    model: x\n%s# end\n",
             item);
    becomes("roles:\n  # r\n  - id: research # s\n    model: x\n# end\n",
            change, text);
    refused("roles: [{id: mine, model: m, systemPrompt: s}]", change, -EINVAL,
            "there is one already");
    change.role = "research";
    refused("roles: [{id: research, enabled: false}]", change, -EINVAL,
            "there is one already");
    change.role = "no good";
    refused("", change, -EINVAL, "expected an id");
    change.role = "mine";
    change.count = 2;
    refused("", change, -EINVAL, "systemPrompt");
}

static void a_copy_has_its_parameters(void)
{
    const char *items[] = {"textlint"};
    const char *text =
        "roles:\n- id: research\n  tools: [{id: textlint, parameters: "
        "{options: 'a: b'}}]\n";
    struct config *c = load(text);
    const struct config_edit edits[] = {{.key = "model", .value = "m"},
                                        {.key = "systemPrompt", .value = "s"},
                                        {.key = "tools",
                                         .items = items,
                                         .count = 1,
                                         .like = role_find(c, "research")}};
    struct role_change change = {.kind = ROLE_CREATE,
                                 .role = "mine",
                                 .edits = edits,
                                 .count = COUNT(edits)};

    becomes(text, change,
            "roles:\n- id: research\n  tools: [{id: textlint, parameters: "
            "{options: 'a: b'}}]\n- id: mine\n  model: m\n  systemPrompt: s\n"
            "  tools: [{id: textlint, parameters: {options: \"a: b\"}}]\n");
    config_destroy(c);
}

static void a_role_is_deleted(void)
{
    const char *a = "  - id: a\n    model: m\n    systemPrompt: |\n      s\n";
    const char *b = "  - id: b # its own\n    model: m # too\n"
                    "    systemPrompt: s\n";
    char before[512], after[512];

    snprintf(before, sizeof(before),
             "# top\nroles:\n  # list\n%s\n  # about b\n%s\n  # about r\n"
             "  - id: research\nlog: {}\n",
             a, b);
    snprintf(after, sizeof(after),
             "# top\nroles:\n  # list\n%s\n  # about r\n  - id: research\n"
             "log: {}\n",
             a);
    becomes(before, deletion("b"), after);
    snprintf(after, sizeof(after),
             "# top\nroles:\n  # list\n\n  # about b\n%s\n  # about r\n"
             "  - id: research\nlog: {}\n",
             b);
    becomes(before, deletion("a"), after);
    becomes("roles:\n- model: m\n  id: a\n  systemPrompt: s", deletion("a"),
            "roles:\n");
    becomes("roles: [{id: a, model: m, systemPrompt: s}, {id: research}]\n",
            deletion("a"), "roles: [{id: research}]\n");
    becomes("roles: [{id: research}, {id: a, model: m, systemPrompt: s}]\n",
            deletion("a"), "roles: [{id: research}]\n");
    becomes("roles: [{id: a, model: m, systemPrompt: s}]\n", deletion("a"),
            "roles: []\n");
}

static void what_cannot_be_deleted_says_the_way_out(void)
{
    refused("roles: [{id: research, model: m}]", deletion("research"), -EINVAL,
            "disable it instead");
    refused("", deletion("nobody"), -EINVAL, "expected the id of a role");
    refused("roles:\n- &a {id: a, model: m, systemPrompt: s}\n"
            "- {<<: *a, id: b}\n",
            deletion("a"), -EINVAL, "");
}

static void a_role_is_disabled_and_enabled(void)
{
    struct config_edit edit = {.key = "enabled", .value = "false"};
    struct role_change change = {
        .role = "research", .edits = &edit, .count = 1};
    const char *off = "roles:\n  - id: research\n    enabled: false\n";
    struct config *c = load(off);

    TEST_ASSERT_NULL(role_find(c, "research"));
    TEST_ASSERT_NOT_NULL(role_find_any(c, "research"));
    TEST_ASSERT_EQUAL_size_t(5, c->role_count);
    TEST_ASSERT_EQUAL_size_t(1, c->disabled_count);
    config_destroy(c);
    becomes("", change, off);
    edit.value = "true";
    becomes(off, change, "roles:\n  - id: research\n    enabled: true\n");
}

static void a_key_goes_back_to_what_is_built_in(void)
{
    const struct config_edit edit = {.key = "model", .is_removed = true};
    struct role_change change = {
        .role = "research", .edits = &edit, .count = 1};

    becomes("roles:\n  - id: research # r\n    model: m # gone\n    name: n\n",
            change, "roles:\n  - id: research # r\n    name: n\n");
    becomes("roles:\n  - model: m\n    id: research\n", change,
            "roles:\n  - id: research\n");
    becomes("roles: [{id: research, model: m, name: n}]", change,
            "roles: [{id: research, name: n}]");
    becomes("roles: [{id: research}]", change, "roles: [{id: research}]");
    refused("roles: [{id: a, model: m, systemPrompt: s}]",
            (struct role_change){.role = "a", .edits = &edit, .count = 1},
            -EINVAL, "expected the key model");
}

/* It stands for the description too. */
static void a_name_alone_is_changed(void)
{
    const struct config_edit edit = {.key = "name", .value = "new"};
    struct role_change change = {.role = "a", .edits = &edit, .count = 1};

    becomes("roles: [{id: a, model: m, systemPrompt: s}]", change,
            "roles: [{id: a, model: m, systemPrompt: s, name: new}]");
    becomes("roles: [{id: a, name: m, model: m, systemPrompt: s}]", change,
            "roles: [{id: a, name: new, model: m, systemPrompt: s}]");
}

static void another_version_is_refused(void)
{
    const struct config_edit edit = {.key = "model", .value = "m"};
    struct role_change change = {
        .role = "research", .edits = &edit, .count = 1, .version = "0"};
    char version[CONFIG_VERSION];
    struct config *c = load("# a\n");

    refused("# a\n", change, -ESTALE, "changed since it was read");
    config_version(c, version);
    change.version = version;
    becomes("# a\n", change, "# a\nroles:\n  - id: research\n    model: m\n");
    refused("# b\n", change, -ESTALE, "changed since it was read");
    config_destroy(c);
}

static void values_say_where_they_are_from(void)
{
    char *env[] = {(char *)"KUROMAJUTSU_PORT=7", NULL};
    struct config *c = check_load(
        "log: {level: warn}\nroles: [{id: research, model: m}]\n", env);
    const struct role *r = role_find(c, "research");
    size_t by[4] = {0};

    for (size_t i = 0; i < CONFIG_KEYS; i++)
        by[c->origins[i]]++;
    TEST_ASSERT_EQUAL_size_t(1, by[CONFIG_PROJECTS]);
    TEST_ASSERT_EQUAL_size_t(1, by[CONFIG_ENVIRONMENT]);
    memset(by, 0, sizeof(by));
    for (size_t i = 0; i <= ROLE_KEYS; i++)
        by[r->origins[i]]++;
    TEST_ASSERT_EQUAL_size_t(2, by[CONFIG_PROJECTS]); /* its id and model */
    config_destroy(c);
}

int main(void)
{
    TAP_BEGIN();
    TEST(a_role_is_made);
    TEST(a_copy_has_its_parameters);
    TEST(a_role_is_deleted);
    TEST(what_cannot_be_deleted_says_the_way_out);
    TEST(a_role_is_disabled_and_enabled);
    TEST(a_key_goes_back_to_what_is_built_in);
    TEST(a_name_alone_is_changed);
    TEST(another_version_is_refused);
    TEST(values_say_where_they_are_from);
    return TAP_END();
}
