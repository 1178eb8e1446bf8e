/* SPDX-License-Identifier: MIT */
#include "config/loader.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tests/config/check.h"

#define CONCURRENT "agent.maxConcurrent: expected a whole number from 1 to 4000"

static void numbers_are_decimal_digits(void)
{
    static const char *const wrong[] = {"ten", "1.5",  "010",
                                        "1_0", "0x10", "1e3",
                                        "-5",  "+5",   "99999999999999999999",
                                        "1 0", "true", "4001"};
    char text[128], want[256];

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        snprintf(text, sizeof(text), "agent:\n  maxConcurrent: %s\n", wrong[i]);
        snprintf(want, sizeof(want),
                 "f.yaml:2:18: " CONCURRENT ", found \"%s\"", wrong[i]);
        check_error(text, NULL, want);
    }
}

static void memory_has_a_least_and_may_be_none(void)
{
    check_error("agent:\n  memoryMax_bytes: 1048576\n", NULL,
                "f.yaml:2:20: agent.memoryMax_bytes: expected a whole number "
                "from 16777216 to 1099511627776, or null, found \"1048576\"");
    check_error("agent:\n  memoryMax_bytes: 2GiB\n", NULL,
                "f.yaml:2:20: agent.memoryMax_bytes: expected a whole number "
                "from 16777216 to 1099511627776, or null, found \"2GiB\"");

    struct config *c = check_load("agent:\n  memoryMax_bytes: null\n", NULL);

    TEST_ASSERT_EQUAL_INT64(0, c->agent.memory_max_bytes);
    config_destroy(c);
}

static void what_was_found_is_said(void)
{
    check_error("agent:\n  maxConcurrent: '5'\n", NULL,
                "f.yaml:2:18: " CONCURRENT ", found the quoted text \"5\"");
    check_error("agent:\n  maxConcurrent: !!str 5\n", NULL,
                "f.yaml:2:18: " CONCURRENT ", found the quoted text \"5\"");
    check_error("agent:\n  maxConcurrent:\n", NULL,
                "f.yaml:2:17: " CONCURRENT ", found nothing");
    check_error("agent:\n  maxConcurrent: ~\n", NULL,
                "f.yaml:2:18: " CONCURRENT ", found nothing");
    check_error("agent:\n  maxConcurrent: [1]\n", NULL,
                "f.yaml:2:18: " CONCURRENT ", found a list");
    check_error("agent:\n  maxConcurrent: {a: 1}\n", NULL,
                "f.yaml:2:18: " CONCURRENT ", found a mapping");
    check_error("agent:\n  maxConcurrent: \"a\\nb\\\"c\\\\\"\n", NULL,
                "f.yaml:2:18: " CONCURRENT
                ", found the quoted text \"a\\nb\\\"c\\\\\"");
}

static void long_values_are_cut_between_characters(void)
{
    check_error(
        "agent:\n  maxConcurrent: ああああああああああああああああああ\n", NULL,
        "f.yaml:2:18: " CONCURRENT
        ", found \"ああああああああああああああああ...\"");
}

static void columns_count_characters(void)
{
    check_error("{\"x-日本語\": 日本語, agent: {maxConcurrent: 0}}", NULL,
                "f.yaml:1:39: " CONCURRENT ", found \"0\"");
    check_error("\xef\xbb\xbf"
                "agent: {maxConcurrent: 0}",
                NULL, "f.yaml:1:24: " CONCURRENT ", found \"0\"");
}

static void words_and_truths(void)
{
    check_error("log:\n  level: loud\n", NULL,
                "f.yaml:2:10: log.level: expected one of debug, info, warn, "
                "error, found \"loud\"");
    check_error("language: fr", NULL,
                "f.yaml:1:11: language: expected one of ja, en, auto, found "
                "\"fr\"");
    check_error("agent: {backend: vim}", NULL,
                "f.yaml:1:18: agent.backend: expected one of cursor, claude, "
                "found \"vim\"");
    check_error("agent: {allowNesting: yes}", NULL,
                "f.yaml:1:23: agent.allowNesting: expected true or false, "
                "found \"yes\"");
    check_error("agent: {allowNesting: 'true'}", NULL,
                "f.yaml:1:23: agent.allowNesting: expected true or false, "
                "found the quoted text \"true\"");
    check_error("agent: {command: \"a\\nb\"}", NULL,
                "f.yaml:1:18: agent.command: expected a line of text of at "
                "most 4095 bytes, found the quoted text \"a\\nb\"");
}

static void shapes_are_checked(void)
{
    check_error("agent: 5", NULL,
                "f.yaml:1:8: agent: expected a mapping, found \"5\"");
    check_error("agent: [a]", NULL,
                "f.yaml:1:8: agent: expected a mapping, found a list");
    check_error("- a", NULL,
                "f.yaml:1:1: expected a mapping of settings, found a list");
    check_error("hello", NULL,
                "f.yaml:1:1: expected a mapping of settings, found a text");
    check_error("roles: {a: 1}", NULL,
                "f.yaml:1:8: roles: expected a list of at most 256, found a "
                "mapping");
    check_error("roles: [a]", NULL,
                "f.yaml:1:9: roles[0]: expected a mapping, found \"a\"");
    check_error("tools: 5", NULL,
                "f.yaml:1:8: tools: expected a list of at most 256, found "
                "\"5\"");
}

static void a_timeout_may_be_null(void)
{
    struct config *c = check_load("agent: {defaultTimeout_ms: 7}", NULL);
    TEST_ASSERT_EQUAL_INT64(7, c->agent.default_timeout_ms);
    config_destroy(c);
    c = check_load("agent: {defaultTimeout_ms: null}", NULL);
    TEST_ASSERT_EQUAL_INT64(0, c->agent.default_timeout_ms);
    config_destroy(c);
    check_error("agent: {defaultTimeout_ms: 0}", NULL,
                "f.yaml:1:28: agent.defaultTimeout_ms: expected a whole number "
                "from 1 to 9007199254740992, or null, found \"0\"");
}

/* Not given is another thing: then the default of all roles holds. */
static void a_role_may_have_no_timeout(void)
{
    struct config *c = check_load("agent: {defaultTimeout_ms: 7}\n"
                                  "roles: [{id: research, timeout_ms: null},"
                                  " {id: impl-code, timeout_ms: 9}]",
                                  NULL);

    TEST_ASSERT_EQUAL_INT64(-1, role_find(c, "research")->timeout_ms);
    TEST_ASSERT_EQUAL_INT64(9, role_find(c, "impl-code")->timeout_ms);
    TEST_ASSERT_EQUAL_INT64(0, role_find(c, "impl-test")->timeout_ms);
    config_destroy(c);
    check_error("roles: [{id: research, timeout_ms: -1}]", NULL,
                "f.yaml:1:36: roles[0].timeout_ms: expected a whole number "
                "from 1 to 9007199254740992, or null, found \"-1\"");
}

static void a_tab_is_called_one(void)
{
    check_error("agent:\n\tmaxConcurrent: 5\n", NULL,
                "f.yaml:2:1: expected spaces, found a tab: YAML is indented "
                "with spaces alone");
    check_error("agent:\n  maxConcurrent: 5\n  \tmaxQueued: 1\n", NULL,
                "f.yaml:3:3: expected spaces, found a tab: YAML is indented "
                "with spaces alone");
}

static void uses_of_a_tool_are_looked_at_too(void)
{
    check_warnings("roles: [{id: research, tools: [{id: textlint, "
                   "parameter: {}}]}]",
                   "f.yaml:1:47: roles[0].tools[0].parameter: unknown key; did "
                   "you mean parameters?");
}

static void a_misspelt_variable_is_told(void)
{
    char *env[] = {"KUROMAJUTSU_PROT=1",
                   "KUROMAJUTSU_HOEM=/x",
                   "KUROMAJUTSU_SOMETHING_ELSE=1",
                   "KUROMAJUTSU_PORT=7",
                   "LANG=en_US.UTF-8",
                   NULL};
    struct config *c = check_load("", env);

    TEST_ASSERT_EQUAL_size_t(2, c->warning_count);
    TEST_ASSERT_EQUAL_STRING("KUROMAJUTSU_PROT: unknown variable; did you mean "
                             "KUROMAJUTSU_PORT?",
                             c->warnings[0]);
    TEST_ASSERT_EQUAL_STRING("KUROMAJUTSU_HOEM: unknown variable; did you mean "
                             "KUROMAJUTSU_HOME?",
                             c->warnings[1]);
    config_destroy(c);
}

static void check_models(const char *text, const char *research,
                         const char *orchestrator)
{
    struct config *c = check_load(text, NULL);

    TEST_ASSERT_EQUAL_STRING(research, role_find(c, "research")->model);
    TEST_ASSERT_EQUAL_STRING(orchestrator, role_find(c, "orchestrator")->model);
    config_destroy(c);
}

static void built_in_models_fit_the_back_end(void)
{
    struct config *plain = check_load("", NULL);
    const char *research = role_find(plain, "research")->model;

    check_models("", research, "opus-4.6-thinking");
    check_models("agent: {backend: claude}", "sonnet", "opus");
    check_models("agent: {backend: claude}\nlanguage: en", "sonnet", "opus");
    check_models("agent: {backend: claude}\n"
                 "roles: [{id: research, model: claude-4-sonnet}]",
                 "claude-4-sonnet", "opus");
    check_models("roles: [{id: orchestrator, backend: claude}]", research,
                 "opus");
    config_destroy(plain);
}

static void unknown_keys_are_warnings(void)
{
    check_warnings("agent:\n  maxConcurent: 5\n",
                   "f.yaml:2:3: agent.maxConcurent: unknown key; did you mean "
                   "maxConcurrent?");
    check_warnings("agents: {}\nrole: []\n",
                   "f.yaml:1:1: agents: unknown key; did you mean agent?\n"
                   "f.yaml:2:1: role: unknown key; did you mean roles?");
    check_warnings("maxConcurrent: 5\n",
                   "f.yaml:1:1: maxConcurrent: unknown "
                   "key; did you mean agent.maxConcurrent?");
    check_warnings("log: {port: 5}\n", "f.yaml:1:7: log.port: unknown key; did "
                                       "you mean dashboard.port?");
    check_warnings("something: {else: 5}\n",
                   "f.yaml:1:1: something: unknown key");
    check_warnings("roles:\n  - id: research\n    Modell: x\n    tool: [a]\n",
                   "f.yaml:3:5: roles[0].Modell: unknown key; did you mean "
                   "model?\n"
                   "f.yaml:4:5: roles[0].tool: unknown key; did you mean "
                   "tools?");
    check_warnings("x-mine: {a: b}\n", "");
}

static void warnings_are_bounded(void)
{
    char text[4096] = "agent:\n";

    for (int i = 0; i < 200; i++)
        sprintf(text + strlen(text), "  k%d: 1\n", i);
    struct config *c = check_load(text, NULL);
    TEST_ASSERT_EQUAL_size_t(100, c->warning_count);
    config_destroy(c);
}

static void keys_are_given_once(void)
{
    check_error("agent:\n  maxQueued: 1\n  maxQueued: 1\n", NULL,
                "f.yaml:3:3: maxQueued: given twice, first in line 2");
    check_error("log: {}\nlog: {}\n", NULL,
                "f.yaml:2:1: log: given twice, first in line 1");
    check_error("log: {}\n\"log\": {}\n", NULL,
                "f.yaml:2:1: log: given twice, first in line 1");
    check_error("? [a]\n: b\n", NULL, "f.yaml:1:3: expected a name as key");
}

static void role_ids_are_checked(void)
{
    static const char *const wrong[] = {"a b", "../x", "日本", "a.b", "a/b"};
    char text[256], want[256];

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        snprintf(text, sizeof(text), "roles:\n  - id: %s\n", wrong[i]);
        snprintf(want, sizeof(want),
                 "f.yaml:2:9: roles[0].id: expected an id of 1 to 64 letters, "
                 "digits, _ and -, found \"%s\"",
                 wrong[i]);
        check_error(text, NULL, want);
    }
    check_error("roles:\n  - model: x\n", NULL,
                "f.yaml:2:5: roles[0]: expected the key id");
    check_error("roles:\n  - id: research\n  - id: research\n", NULL,
                "f.yaml:3:9: roles[1].id: research: given twice, first in "
                "line 2");
}

static void a_model_is_no_option(void)
{
    check_error("roles: [{id: impl-code, model: --yolo}]", NULL,
                "f.yaml:1:32: roles[0].model: expected the name of a model, "
                "found \"--yolo\"");
}

static void a_new_role_needs_a_model_and_a_prompt(void)
{
    check_error("roles:\n  - id: new\n    systemPrompt: x\n", NULL,
                "f.yaml:2:5: roles[0]: expected the key model");
    check_error("roles:\n  - id: new\n    model: x\n", NULL,
                "f.yaml:2:5: roles[0]: expected the key systemPrompt");
    check_error("roles:\n  - id: new\n    model: ''\n", NULL,
                "f.yaml:3:12: roles[0].model: expected a line of text of 1 to "
                "256 bytes, found the quoted text \"\"");
    check_error("tools:\n  - id: new\n", NULL,
                "f.yaml:2:5: tools[0]: expected the key promptInstructions");
}

static void tools_of_a_role_must_exist(void)
{
    check_error("roles:\n  - id: research\n    tools: [textlnt]\n", NULL,
                "f.yaml:3:13: roles[0].tools[0]: expected the id of a tool: "
                "textlint, found \"textlnt\"");
    check_error("roles:\n  - id: research\n    tools: [textlint, textlint]\n",
                NULL, "f.yaml:3:23: roles[0].tools[1]: textlint: given twice");
    check_error("roles:\n  - id: research\n    tools: textlint\n", NULL,
                "f.yaml:3:12: roles[0].tools: expected a list of at most 64, "
                "found \"textlint\"");
    check_error("roles:\n  - id: research\n    tools: [{a: b}]\n", NULL,
                "f.yaml:3:13: roles[0].tools[0]: expected the key id");
    check_error("roles:\n  - id: research\n    tools: [[a]]\n", NULL,
                "f.yaml:3:13: roles[0].tools[0]: expected the id of a tool: "
                "textlint, found a list");
    check_error("roles:\n  - id: research\n    tools:\n    - id: textlint\n"
                "      parameters: {nope: 1}\n",
                NULL,
                "f.yaml:5:19: roles[0].tools[0].parameters.nope: expected a "
                "parameter of the tool textlint");
    check_error("tools:\n  - id: a\n    promptInstructions: x\n"
                "    parameters: {'b c': 1}\n",
                NULL,
                "f.yaml:4:18: tools[0].parameters.b c: expected a name of "
                "letters, digits, _ and -");
}

static void wrong(const char *text, char *const *env, struct config_error *e)
{
    struct config *c;

    TEST_ASSERT_LESS_THAN_INT(
        0, config_parse("f.yaml", text, strlen(text), env, &c, e));
}

static void errors_are_in_both_languages(void)
{
    struct config_error e;

    wrong("agent: {maxConcurrent: many}\n", NULL, &e);
    TEST_ASSERT_EQUAL_STRING(
        "f.yaml:1:24: agent.maxConcurrent: 書ける値は「1 から "
        "4000 までの整数」です（今の値: \"many\"）",
        e.ja);
    TEST_ASSERT_EQUAL_STRING(e.text, config_error_in(&e, true));
    TEST_ASSERT_EQUAL_STRING(e.ja, config_error_in(&e, false));
}

/* The environment, else what the file says as far as it can be read. */
static void who_is_told_is_spoken_to(void)
{
    char *const english[] = {"LANG=en_US.UTF-8", NULL};
    char *const named[] = {"KUROMAJUTSU_LANGUAGE=ja", NULL};
    struct config_error e;

    wrong("language: en\nhub: {lease_ms: x}\n", NULL, &e);
    TEST_ASSERT_TRUE(config_error_is_english(&e, NULL));
    wrong("language: en\nhub: {lease_ms: x}\n", named, &e);
    TEST_ASSERT_FALSE(config_error_is_english(&e, named));
    wrong("language: [\n", english, &e);
    TEST_ASSERT_TRUE(config_error_is_english(&e, english));
    wrong("language: [\n", NULL, &e);
    TEST_ASSERT_FALSE(config_error_is_english(&e, NULL));
}

static void warnings_follow_the_language(void)
{
    struct config *c = check_load("language: ja\nagnet: 1\n", NULL);

    TEST_ASSERT_EQUAL_size_t(1, c->warning_count);
    TEST_ASSERT_EQUAL_STRING("f.yaml:2:1: agnet というキーはありません。"
                             "もしかして: agent",
                             c->warnings[0]);
    config_destroy(c);
}

int main(void)
{
    TAP_BEGIN();
    TEST(numbers_are_decimal_digits);
    TEST(memory_has_a_least_and_may_be_none);
    TEST(what_was_found_is_said);
    TEST(long_values_are_cut_between_characters);
    TEST(columns_count_characters);
    TEST(words_and_truths);
    TEST(shapes_are_checked);
    TEST(a_timeout_may_be_null);
    TEST(a_role_may_have_no_timeout);
    TEST(a_tab_is_called_one);
    TEST(uses_of_a_tool_are_looked_at_too);
    TEST(a_misspelt_variable_is_told);
    TEST(built_in_models_fit_the_back_end);
    TEST(unknown_keys_are_warnings);
    TEST(errors_are_in_both_languages);
    TEST(who_is_told_is_spoken_to);
    TEST(warnings_follow_the_language);
    TEST(warnings_are_bounded);
    TEST(keys_are_given_once);
    TEST(role_ids_are_checked);
    TEST(a_model_is_no_option);
    TEST(a_new_role_needs_a_model_and_a_prompt);
    TEST(tools_of_a_role_must_exist);
    return TAP_END();
}
