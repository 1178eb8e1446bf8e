/* SPDX-License-Identifier: MIT */
#include "config/role.h"

#include <stdlib.h>
#include <string.h>

#include "config/builtin.h"
#include "tap.h"
#include "tests/config/check.h"

static void check_column(char **row, const char *got, bool is_known)
{
    const char *want = strsep(row, "\t");

    if (is_known)
        TEST_ASSERT_EQUAL_STRING(want, got);
}

/* The fixture is the tables of the specification, one role a line. */
static void the_six_are_the_specifications_to_the_letter(void)
{
    size_t len, count = 0;
    char *text = check_read(FIXTURES "/roles_ja.tsv", &len), *rest = text;
    struct config *c = check_load("", NULL);

    for (char *row; (row = strsep(&rest, "\n")) && *row; count++) {
        const struct role *r = &c->roles[count];
        /* Of the orchestrator's prompt the specification says only what it
         * is about. */
        bool is_ours = strcmp(r->id, ROLE_ORCHESTRATOR) == 0;
        check_column(&row, r->id, true);
        check_column(&row, r->name, true);
        check_column(&row, r->description, true);
        check_column(&row, r->model, true);
        check_column(&row, r->system_prompt, !is_ours);
        check_column(&row, r->health_prompt, true);
        TEST_ASSERT_TRUE(r->is_builtin);
        TEST_ASSERT_EQUAL_size_t(0, r->tool_count);
        TEST_ASSERT_EQUAL_STRING("cursor", r->backend);
    }
    TEST_ASSERT_EQUAL_size_t(6, count);
    TEST_ASSERT_EQUAL_size_t(6, c->role_count);
    config_destroy(c);
    free(text);
}

/* The file that the specification shows is a good one. */
static void the_specifications_own_file_is_read(void)
{
    struct config_error e;
    struct config *c = NULL, *plain = check_load("", NULL);

    if (config_load(FIXTURES "/specified.yaml", NULL, &c, &e))
        TEST_FAIL_MESSAGE(e.text);
    TEST_ASSERT_EQUAL_size_t(0, c->warning_count);
    TEST_ASSERT_EQUAL_size_t(6, c->role_count);
    TEST_ASSERT_EQUAL_INT64(9696, c->dashboard.port);
    for (size_t i = 0; i < 6; i++) {
        TEST_ASSERT_EQUAL_STRING(plain->roles[i].description,
                                 c->roles[i].description);
        TEST_ASSERT_EQUAL_STRING(plain->roles[i].model, c->roles[i].model);
    }
    TEST_ASSERT_EQUAL_STRING_LEN("あなたはコード実装の専門家です。\n与え",
                                 c->roles[0].system_prompt, 54);
    config_destroy(c);
    config_destroy(plain);
}

static void english_has_the_same_roles(void)
{
    struct config *ja = check_load("", NULL);
    struct config *en = check_load("language: en", NULL);

    for (size_t i = 0; i < 6; i++) {
        TEST_ASSERT_EQUAL_STRING(ja->roles[i].id, en->roles[i].id);
        TEST_ASSERT_EQUAL_STRING(ja->roles[i].model, en->roles[i].model);
        for (const char *p = en->roles[i].system_prompt; *p; p++)
            TEST_ASSERT_LESS_THAN_INT(0x80, (unsigned char)*p);
        TEST_ASSERT_NOT_NULL(
            strstr(en->roles[i].system_prompt, "report_result"));
    }
    config_destroy(en);
    config_destroy(ja);
}

static void a_file_changes_what_it_names(void)
{
    struct config *c = check_load("roles:\n"
                                  "  - id: research\n"
                                  "    model: other\n"
                                  "    timeout_ms: 5\n"
                                  "    tools: [textlint]\n"
                                  "  - id: mine\n"
                                  "    model: m\n"
                                  "    systemPrompt: p\n"
                                  "    backend: claude\n"
                                  "  - id: impl-test\n"
                                  "    enabled: false\n",
                                  NULL);
    const struct role *research = role_find(c, "research");
    const struct role *mine = role_find(c, "mine");

    TEST_ASSERT_EQUAL_size_t(6, c->role_count);
    TEST_ASSERT_NULL(role_find(c, "impl-test"));
    TEST_ASSERT_NULL(role_find(c, ""));
    TEST_ASSERT_EQUAL_STRING("調査員", research->name);
    TEST_ASSERT_EQUAL_STRING("other", research->model);
    TEST_ASSERT_EQUAL_INT64(5, research->timeout_ms);
    TEST_ASSERT_EQUAL_size_t(1, research->tool_count);
    TEST_ASSERT_EQUAL_STRING("mine", mine->name);
    TEST_ASSERT_EQUAL_STRING("mine", mine->description);
    TEST_ASSERT_EQUAL_STRING("Hello, respond with exactly: OK",
                             mine->health_prompt);
    TEST_ASSERT_EQUAL_STRING("claude", mine->backend);
    TEST_ASSERT_FALSE(mine->is_builtin);
    config_destroy(c);
}

static void the_backend_is_the_agents_unless_given(void)
{
    struct config *c = check_load("agent: {backend: claude}\n"
                                  "roles: [{id: research, backend: cursor}]\n",
                                  NULL);

    TEST_ASSERT_EQUAL_STRING("cursor", role_find(c, "research")->backend);
    TEST_ASSERT_EQUAL_STRING("claude", role_find(c, "impl-code")->backend);
    config_destroy(c);
}

static void tools_of_the_users_own(void)
{
    struct config *c =
        check_load("tools:\n"
                   "  - id: lint\n"
                   "    promptInstructions: \"run {{cmd}}\"\n"
                   "    parameters: {cmd: a, more: ''}\n"
                   "  - id: textlint\n"
                   "    healthCheckCommand: textlint -v\n"
                   "roles:\n"
                   "  - id: research\n"
                   "    tools: [{id: lint, parameters: {cmd: 7}}, textlint]\n",
                   NULL);
    const struct role *r = role_find(c, "research");
    const struct role_tool *t = role_tool_find(c, "textlint");

    TEST_ASSERT_EQUAL_size_t(2, c->tool_count);
    TEST_ASSERT_EQUAL_STRING("textlint -v", t->health_command);
    TEST_ASSERT_NOT_NULL(strstr(t->instructions, "textlint"));
    TEST_ASSERT_TRUE(t->is_builtin);
    TEST_ASSERT_NULL(role_tool_find(c, "nope"));
    TEST_ASSERT_EQUAL_STRING("lint", r->tools[0].tool->name);
    TEST_ASSERT_EQUAL_STRING("7", role_use_parameter(&r->tools[0], "cmd", 3));
    TEST_ASSERT_EQUAL_STRING("", role_use_parameter(&r->tools[0], "more", 4));
    TEST_ASSERT_NULL(role_use_parameter(&r->tools[0], "cm", 2));
    TEST_ASSERT_EQUAL_PTR(t, r->tools[1].tool);
    config_destroy(c);
}

static void ids_are_names_of_directories(void)
{
    char id[80];

    memset(id, 'a', sizeof(id));
    id[64] = '\0';
    TEST_ASSERT_TRUE(role_id_is_valid(id));
    id[64] = 'a';
    id[65] = '\0';
    TEST_ASSERT_FALSE(role_id_is_valid(id));
    TEST_ASSERT_TRUE(role_id_is_valid("A-z_09"));
    TEST_ASSERT_FALSE(role_id_is_valid(""));
    TEST_ASSERT_FALSE(role_id_is_valid("."));
    TEST_ASSERT_FALSE(role_id_is_valid("a/b"));
    TEST_ASSERT_FALSE(role_id_is_valid("é"));
}

static void the_number_of_roles_is_limited(void)
{
    char *text = malloc(64 << 10);

    strcpy(text, "roles:\n");
    for (int i = 0; i < 257; i++)
        sprintf(text + strlen(text),
                "  - {id: r%d, model: m, systemPrompt: p}\n", i);
    check_error(text, NULL,
                "f.yaml:2:3: roles: expected a list of at most 256, found a "
                "list");
    *strrchr(text, '-') = '#';
    struct config *c = check_load(text, NULL);
    TEST_ASSERT_EQUAL_size_t(262, c->role_count);
    config_destroy(c);
    free(text);
}

int main(void)
{
    TAP_BEGIN();
    TEST(the_six_are_the_specifications_to_the_letter);
    TEST(the_specifications_own_file_is_read);
    TEST(english_has_the_same_roles);
    TEST(a_file_changes_what_it_names);
    TEST(the_backend_is_the_agents_unless_given);
    TEST(tools_of_the_users_own);
    TEST(ids_are_names_of_directories);
    TEST(the_number_of_roles_is_limited);
    return TAP_END();
}
