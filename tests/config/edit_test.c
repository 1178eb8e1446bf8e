/* SPDX-License-Identifier: MIT */
#include "config/edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "tests/config/check.h"

static char *dir;

void setUp(void)
{
    dir = check_mkdir();
}

void tearDown(void)
{
    check_rmdir(dir);
}

static struct config *load(const char *name)
{
    struct config_error e;
    struct config *c = NULL;

    if (config_load(check_path(dir, name), NULL, &c, &e))
        TEST_FAIL_MESSAGE(e.text);
    return c;
}

/* Edits before in a file and compares the whole file with after. */
static void golden(const char *before, const char *role,
                   const struct config_edit *edits, size_t count,
                   const char *after)
{
    struct config_error e;
    struct config *fresh = NULL;
    size_t len;

    check_write(check_path(dir, "f.yaml"), before, strlen(before));
    struct config *c = load("f.yaml");
    if (config_edit(c, NULL, role, edits, count, &fresh, &e))
        TEST_FAIL_MESSAGE(e.text);
    char *text = check_read(check_path(dir, "f.yaml"), &len);
    TEST_ASSERT_EQUAL_STRING(after, text);
    free(text);
    struct config *again = load("f.yaml");
    TEST_ASSERT_TRUE(config_equal(again, fresh, NULL));
    TEST_ASSERT_EQUAL_UINT64(again->text.hash, fresh->text.hash);
    config_destroy(again);
    config_destroy(fresh);
    config_destroy(c);
}

static void scalar(const char *before, const char *key, const char *value,
                   const char *after)
{
    struct config_edit edit = {.key = key, .value = value};

    golden(before, "research", &edit, 1, after);
}

static void list(const char *before, const char *const *items, size_t count,
                 const char *after)
{
    struct config_edit edit = {.key = "tools", .items = items, .count = count};

    golden(before, "research", &edit, 1, after);
}

static void only_the_scalar_changes(void)
{
    scalar("# top\nlog:   {level: warn}   # odd  spacing\n\nroles:\n"
           "  # about research\n"
           "  - id: research   # the id\n"
           "    model:   old   # the model\n"
           "    name: \"N\"\n\n"
           "  - id: impl-code\n    model: old\n# end",
           "model", "new-1.5",
           "# top\nlog:   {level: warn}   # odd  spacing\n\nroles:\n"
           "  # about research\n"
           "  - id: research   # the id\n"
           "    model:   new-1.5   # the model\n"
           "    name: \"N\"\n\n"
           "  - id: impl-code\n    model: old\n# end");
}

static void quoting_stays(void)
{
    scalar("roles:\n- {id: research, model: 'a', name: b}\n", "model",
           "it's: #1",
           "roles:\n- {id: research, model: 'it''s: #1', name: b}\n");
    scalar("roles:\n- id: research\n  name: \"a\"\n", "name", "say \"\\\"",
           "roles:\n- id: research\n  name: \"say \\\"\\\\\\\"\"\n");
    scalar("roles:\n- id: research\n  name: a\n", "name", "b: c # d",
           "roles:\n- id: research\n  name: \"b: c # d\"\n");
    scalar("roles:\n- id: research\n  model: a\n", "model", "4",
           "roles:\n- id: research\n  model: \"4\"\n");
    scalar("roles:\n- id: research\n  model: a\n", "model", "null",
           "roles:\n- id: research\n  model: \"null\"\n");
    scalar("roles:\n- {id: research, name: a}\n", "name", "b, c",
           "roles:\n- {id: research, name: \"b, c\"}\n");
    scalar("roles:\n- id: research\n  name: a\n", "name", "日本語、調査員",
           "roles:\n- id: research\n  name: 日本語、調査員\n");
}

static void blocks_stay_blocks(void)
{
    scalar("roles:\n  - id: research\n    systemPrompt: |  # note\n"
           "        one\n        two\n\n\n    # next\n    model: m\n",
           "systemPrompt", "eins\n\n  zwei\n",
           "roles:\n  - id: research\n    systemPrompt: |  # note\n"
           "        eins\n\n          zwei\n\n\n    # next\n    model: m\n");
    scalar("roles:\n  - id: research\n    systemPrompt: >-\n      one\n"
           "      two\n    model: m\n",
           "systemPrompt", "eins",
           "roles:\n  - id: research\n    systemPrompt: |-\n      eins\n"
           "    model: m\n");
    scalar("roles:\n  - id: research\n    systemPrompt: |2\n       one\n"
           "    model: m\n",
           "systemPrompt", "eins",
           "roles:\n  - id: research\n    systemPrompt: |-\n      eins\n"
           "    model: m\n");
    scalar("roles:\n  - id: research\n    systemPrompt: |\n      one\n"
           "    model: m\n",
           "systemPrompt", " lead\nx\n\n",
           "roles:\n  - id: research\n    systemPrompt: \" lead\\nx\\n\\n\"\n"
           "    model: m\n");
}

static void lines_become_blocks_where_there_is_room(void)
{
    scalar("roles:\n  - id: research\n    systemPrompt: one\n    model: m\n",
           "systemPrompt", "a\nb\n",
           "roles:\n  - id: research\n    systemPrompt: |\n      a\n      b\n"
           "    model: m\n");
    scalar("roles:\n  - id: research\n    systemPrompt: one # c\n",
           "systemPrompt", "a\nb",
           "roles:\n  - id: research\n    systemPrompt: \"a\\nb\" # c\n");
    scalar("roles: [{id: research, systemPrompt: one}]\n", "systemPrompt",
           "a\nb", "roles: [{id: research, systemPrompt: \"a\\nb\"}]\n");
    scalar("roles:\n  - id: research\n    systemPrompt: one\n     more\n"
           "    model: m\n",
           "systemPrompt", "x",
           "roles:\n  - id: research\n    systemPrompt: x\n    model: m\n");
}

static void new_keys_stand_with_the_others(void)
{
    scalar("roles:\n    -   id: research   # c\n        tools: []  # d\n"
           "    # after\nlog: {}\n",
           "model", "m",
           "roles:\n    -   id: research   # c\n        tools: []  # d\n"
           "        model: m\n    # after\nlog: {}\n");
    scalar("roles: [ {id: research} ]", "model", "m",
           "roles: [ {id: research, model: m} ]");
    scalar("roles:\n- id: research", "systemPrompt", "a\nb\n",
           "roles:\n- id: research\n  systemPrompt: |\n    a\n    b\n");
    scalar("roles:\n- id: research\n  systemPrompt: |\n    x\n\n\n",
           "timeout_ms", "5",
           "roles:\n- id: research\n  systemPrompt: |\n    x\n"
           "  timeout_ms: 5\n\n\n");
    scalar("roles:\n- id: research\n  timeout_ms: 7 # t\n", "timeout_ms", NULL,
           "roles:\n- id: research\n  timeout_ms: null # t\n");
    scalar("roles:\n- id: research\n  timeout_ms:  # t\n", "timeout_ms", "9",
           "roles:\n- id: research\n  timeout_ms: 9  # t\n");
}

static void a_role_that_is_built_in_is_added(void)
{
    scalar("roles:\n  - id: impl-code\n    systemPrompt: |\n      x\n\n"
           "# after\nlog: {}\n",
           "model", "m",
           "roles:\n  - id: impl-code\n    systemPrompt: |\n      x\n"
           "  - id: research\n    model: m\n\n# after\nlog: {}\n");
    scalar("roles: [{id: impl-code}]\n", "name", "b",
           "roles: [{id: impl-code}, {id: research, name: b}]\n");
    scalar("roles: [\n  {id: impl-code}, # c, d\n]\n", "model", "m",
           "roles: [\n  {id: impl-code}, # c, d\n"
           " {id: research, model: m}]\n");
    scalar("roles: [\n  {id: impl-code} # c\n]\n", "model", "m",
           "roles: [\n  {id: impl-code} # c\n"
           ", {id: research, model: m}]\n");
    scalar("roles: [{id: impl-code} , ]\n", "model", "m",
           "roles: [{id: impl-code} , {id: research, model: m} ]\n");
    scalar("{}\n", "model", "m", "{roles: [{id: research, model: m}]}\n");
    scalar("{roles: [], log: {}}\n", "model", "m",
           "{roles: [{id: research, model: m}], log: {}}\n");
    scalar("{log: {}, roles: }\n", "model", "m",
           "{log: {}, roles: [{id: research, model: m}]}\n");
    scalar("roles: [] # none\nlog: {}\n", "model", "m",
           "roles:\n  - id: research\n    model: m # none\nlog: {}\n");
    scalar("roles:\nlog: {}\n", "model", "m",
           "roles:\n  - id: research\n    model: m\nlog: {}\n");
    scalar("log: {} # c", "model", "m",
           "log: {} # c\nroles:\n  - id: research\n    model: m");
    scalar("{log: {}}\n", "model", "m",
           "{log: {}, roles: [{id: research, model: m}]}\n");
    scalar("# nothing\n", "model", "m",
           "# nothing\nroles:\n  - id: research\n    model: m\n");
    scalar("", "systemPrompt", "a\n",
           "roles:\n  - id: research\n"
           "    systemPrompt: |\n      a\n");
}

static void line_ends_and_marks_stay(void)
{
    scalar("\xef\xbb\xbfroles:\r\n  - id: research\r\n    model: a\r\n",
           "systemPrompt", "x\ny\n",
           "\xef\xbb\xbfroles:\r\n  - id: research\r\n    model: a\r\n"
           "    systemPrompt: |\r\n      x\r\n      y\r\n");
    scalar("roles:\r\n  - id: research\r\n    systemPrompt: |\r\n      a\r\n"
           "    model: m\r\n",
           "systemPrompt", "x\ny",
           "roles:\r\n  - id: research\r\n    systemPrompt: |-\r\n      x\r\n"
           "      y\r\n    model: m\r\n");
    scalar("日本: 語\nroles:\n  - id: research # 調査\n    name: 調査員 # 名\n",
           "name", "員",
           "日本: 語\nroles:\n  - id: research # 調査\n    name: 員 # 名\n");
}

static void anchors_stay(void)
{
    scalar("roles:\n  - id: research\n    model: &m !!str old\n", "model",
           "new", "roles:\n  - id: research\n    model: &m !!str new\n");
    scalar("x-m: &m old\nroles:\n  - id: research\n    model: *m\n"
           "  - id: impl-code\n    model: *m\n",
           "model", "new",
           "x-m: &m old\nroles:\n  - id: research\n    model: new\n"
           "  - id: impl-code\n    model: *m\n");
    scalar("x-m: &m {model: old}\nroles:\n  - <<: *m\n    id: research\n",
           "model", "new",
           "x-m: &m {model: old}\nroles:\n  - <<: *m\n    id: research\n"
           "    model: new\n");
}

static void tools_are_a_list(void)
{
    static const char *const both[] = {"textlint", "lint"};
    const char *tools = "tools: [{id: lint, promptInstructions: x, parameters: "
                        "{a: b}}]\n";
    char before[512], after[512];

    snprintf(before, sizeof(before),
             "%sroles:\n- id: research\n  tools:\n"
             "  - id: lint # c\n    parameters: {a: c} # d\n  model: m\n",
             tools);
    snprintf(after, sizeof(after),
             "%sroles:\n- id: research\n  tools:\n"
             "  - textlint\n  - id: lint # c\n    parameters: {a: c} # d\n"
             "  model: m\n",
             tools);
    list(before, both, 2, after);
    list("roles:\n- id: research\n  tools: [ ] # t\n", both, 1,
         "roles:\n- id: research\n  tools: [textlint] # t\n");
    list("roles:\n- id: research\n  tools:\n  - textlint\n  model: m\n", NULL,
         0, "roles:\n- id: research\n  tools:\n    []\n  model: m\n");
    list("roles:\n- id: research\n  tools:\n    - textlint # t\n", NULL, 0,
         "roles:\n- id: research\n  tools:\n    [] # t\n");
    list("roles:\n- id: research\n", both, 1,
         "roles:\n- id: research\n  tools: [textlint]\n");
    list("roles:\n- id: research\n  tools:\n", both, 1,
         "roles:\n- id: research\n  tools: [textlint]\n");
}

static void several_edits_are_one(void)
{
    const struct config_edit edits[] = {{.key = "model", .value = "m"},
                                        {.key = "name", .value = "nn"},
                                        {.key = "backend", .value = "claude"},
                                        {.key = "description", .value = ""}};

    golden("log: {level: warn}\n", "research", edits, 4,
           "log: {level: warn}\nroles:\n  - id: research\n    model: m\n"
           "    name: nn\n    backend: claude\n    description: \"\"\n");
}

/* The edit is refused with want in its message, the file as it was. */
static void refused(const char *before, const char *role,
                    const struct config_edit *edits, size_t count, int want_rc,
                    const char *want)
{
    struct config_error e;
    struct config *fresh = NULL;
    size_t len;

    check_write(check_path(dir, "f.yaml"), before, strlen(before));
    struct config *c = load("f.yaml");
    int rc = config_edit(c, NULL, role, edits, count, &fresh, &e);
    config_destroy(c);
    TEST_ASSERT_NULL(fresh);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(e.text, want), e.text);
    TEST_ASSERT_EQUAL_INT(want_rc, rc);
    char *text = check_read(check_path(dir, "f.yaml"), &len);
    TEST_ASSERT_EQUAL_STRING(before, text);
    free(text);
}

static void wrong_edits_change_nothing(void)
{
    const char *text = "roles: [{id: research, model: m}]\n";
    static const char *const nope[] = {"nope"};
    struct config_edit edits[] = {{.key = "model", .value = "ok"},
                                  {.key = "model", .value = ""}};

    refused(text, "research", edits, 2, -EINVAL,
            "roles[0].model: expected a line of text of 1 to 256 bytes, found "
            "the quoted text \"\"");
    edits[1].value = NULL;
    refused(text, "research", edits, 2, -EINVAL,
            "roles[research].model: expected a line of text of 1 to 256 bytes, "
            "found nothing");
    edits[1] = (struct config_edit){.key = "id", .value = "x"};
    refused(text, "research", edits, 2, -EINVAL,
            "roles[research].id: expected");
    edits[1] = (struct config_edit){.key = "enabled", .value = "no"};
    refused(text, "research", edits, 2, -EINVAL,
            "roles[0].enabled: expected");
    edits[1] = (struct config_edit){.key = "nonsense", .value = "x"};
    refused(text, "research", edits, 2, -EINVAL, "roles[research].nonsense:");
    edits[1] = (struct config_edit){.key = "timeout_ms", .value = "1}, x"};
    refused(text, "research", edits, 2, -EINVAL,
            "roles[0].timeout_ms: expected");
    edits[1] = (struct config_edit){.key = "name", .value = "a\xff"};
    refused(text, "research", edits, 2, -EINVAL,
            "roles[research].name: expected UTF-8, found the byte 0xFF");
    edits[1] = (struct config_edit){.key = "tools", .items = nope, .count = 1};
    refused(text, "research", edits, 2, -EINVAL, "roles[0].tools[0]: expected");
    refused(text, "no-role", edits, 1, -EINVAL,
            "roles[no-role]: expected the id of a role");
    refused(text, "research", edits, 0, -EINVAL, "expected 1 to 16 edits");
}

static void what_is_shared_is_not_changed(void)
{
    struct config_edit edit = {.key = "model", .value = "new"};

    refused("roles:\n  - id: research\n    model: &m old\n"
            "  - id: impl-code\n    model: *m\n",
            "research", &edit, 1, -EINVAL, "cannot be changed by itself");
}

static void a_change_by_others_is_seen(void)
{
    const char *path = check_path(dir, "g.yaml");
    struct config_edit edit = {.key = "model", .value = "new"};
    struct config_error e;
    struct config *fresh = NULL;

    check_write(path, "log: {}\n", 8);
    struct config *c = load("g.yaml");
    check_write(path, "hub: {}\n", 8);
    TEST_ASSERT_EQUAL_INT(
        -ESTALE, config_edit(c, NULL, "research", &edit, 1, &fresh, &e));
    TEST_ASSERT_NOT_NULL(strstr(e.text, "changed since it was read"));
    unlink(path);
    TEST_ASSERT_EQUAL_INT(
        -ENOENT, config_edit(c, NULL, "research", &edit, 1, &fresh, &e));
    config_destroy(c);
}

static void mode_and_link_stay(void)
{
    const char *path = check_path(dir, "real.yaml");
    const char *name = check_path(dir, "f.yaml");
    struct config_edit edit = {.key = "model", .value = "new"};
    struct config_error e;
    struct config *fresh = NULL;
    struct stat st;

    check_write(path, "log: {}\n", 8);
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0640));
    TEST_ASSERT_EQUAL_INT(0, symlink("real.yaml", name));
    struct config *c = load("f.yaml");
    TEST_ASSERT_EQUAL_INT(
        0, config_edit(c, NULL, "research", &edit, 1, &fresh, &e));
    TEST_ASSERT_EQUAL_INT(0, lstat(name, &st));
    TEST_ASSERT_TRUE(S_ISLNK(st.st_mode));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &st));
    TEST_ASSERT_EQUAL_INT(0640, st.st_mode & 07777);
    TEST_ASSERT_EQUAL_STRING("new", role_find(fresh, "research")->model);
    config_destroy(fresh);
    config_destroy(c);
}

static void the_environment_is_never_written(void)
{
    char *env[] = {"KUROMAJUTSU_PORT=1234", NULL};
    struct config_edit edit = {.key = "model", .value = "m"};
    struct config_error e;
    struct config *c = NULL, *fresh = NULL;
    const char *path = check_path(dir, "f.yaml");
    size_t len;

    check_write(path, "dashboard: {port: 99}\n", 22);
    TEST_ASSERT_EQUAL_INT(0, config_load(path, env, &c, &e));
    TEST_ASSERT_EQUAL_INT(
        0, config_edit(c, env, "research", &edit, 1, &fresh, &e));
    TEST_ASSERT_EQUAL_INT64(1234, fresh->dashboard.port);
    char *text = check_read(path, &len);
    TEST_ASSERT_EQUAL_STRING("dashboard: {port: 99}\nroles:\n  - id: research\n"
                             "    model: m\n",
                             text);
    free(text);
    config_destroy(fresh);
    config_destroy(c);
}

static void without_a_file_one_is_made(void)
{
    struct config_edit edit = {.key = "model", .value = "m"};
    struct config_error e;
    struct config *c = NULL, *fresh = NULL, *other = NULL;
    char start[4096];
    size_t len;

    TEST_ASSERT_NOT_NULL(getcwd(start, sizeof(start)));
    TEST_ASSERT_EQUAL_INT(0, chdir(dir));
    TEST_ASSERT_EQUAL_INT(0, config_load(NULL, NULL, &c, &e));
    TEST_ASSERT_EQUAL_INT(
        0, config_edit(c, NULL, "research", &edit, 1, &fresh, &e));
    char *text = check_read(CONFIG_FILE, &len);
    TEST_ASSERT_EQUAL_STRING("roles:\n  - id: research\n    model: m\n", text);
    free(text);
    TEST_ASSERT_EQUAL_STRING(c->identity, fresh->identity);
    TEST_ASSERT_EQUAL_INT(
        -ESTALE, config_edit(c, NULL, "research", &edit, 1, &other, &e));
    TEST_ASSERT_EQUAL_INT(0, chdir(start));
    config_destroy(fresh);
    config_destroy(c);
}

int main(void)
{
    TAP_BEGIN();
    TEST(only_the_scalar_changes);
    TEST(quoting_stays);
    TEST(blocks_stay_blocks);
    TEST(lines_become_blocks_where_there_is_room);
    TEST(new_keys_stand_with_the_others);
    TEST(a_role_that_is_built_in_is_added);
    TEST(line_ends_and_marks_stay);
    TEST(anchors_stay);
    TEST(tools_are_a_list);
    TEST(several_edits_are_one);
    TEST(wrong_edits_change_nothing);
    TEST(what_is_shared_is_not_changed);
    TEST(a_change_by_others_is_seen);
    TEST(mode_and_link_stay);
    TEST(the_environment_is_never_written);
    TEST(without_a_file_one_is_made);
    return TAP_END();
}
