/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/utf8.h"
#include "tap.h"

#define LIMIT (48 << 10)

static struct bytes out;
static struct config *config;

static void load(const char *yaml)
{
    struct config_error e;

    config_destroy(config);
    if (config_parse("f.yaml", yaml, strlen(yaml), NULL, &config, &e))
        TEST_FAIL_MESSAGE(e.text);
}

void setUp(void)
{
    load("");
}

void tearDown(void)
{
    bytes_finish(&out);
    config_destroy(config);
    config = NULL;
}

static struct bytes fixture(const char *name)
{
    struct bytes b = {0};
    char path[4096];
    int c;

    snprintf(path, sizeof(path), FIXTURES "/%s", name);
    FILE *f = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL(f);
    while ((c = fgetc(f)) != EOF)
        bytes_append(&b, &(char){(char)c}, 1);
    fclose(f);
    bytes_append(&b, "", 1);
    return b;
}

/* The built prompt, terminated. */
static const char *build(const struct prompt_input *in)
{
    out.len = 0;
    prompt_build(in, &out, &(struct prompt_layers){0});
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_size_t(strlen(out.ptr) + 1, out.len);
    return out.ptr;
}

static const struct role system_role = {.id = "impl-code",
                                        .system_prompt = "SYSTEM\n"};

static struct prompt_input input(const struct role *role)
{
    return (struct prompt_input){
        .role = role,
        .agent_id = SLICE("impl-code-1739487600-a3f2"),
        .group_id = SLICE("grp-1739487600-b4e1"),
        .directory = SLICE("/work dir"),
        .inject_limit = LIMIT,
        .task = SLICE("USER"),
    };
}

static void check_fixture(const struct prompt_input *in, const char *name)
{
    struct bytes want = fixture(name);

    TEST_ASSERT_EQUAL_STRING(want.ptr, build(in));
    bytes_finish(&want);
}

static const struct prompt_result short_result = {
    .agent_id = SLICE_INIT("research-1739487600-0001"),
    .role = SLICE_INIT("research"),
    .status = SLICE_INIT("success"),
    .summary = SLICE_INIT("S"),
    .response = SLICE_INIT("R"),
    .is_reported = true,
};

static void two_layers_are_the_seeds_to_the_letter(void)
{
    struct prompt_input in = input(&system_role);

    check_fixture(&in, "plain_ja.txt");
    in.language = CONFIG_EN;
    check_fixture(&in, "plain_en.txt");
}

static void five_layers_are_the_seeds_to_the_letter(void)
{
    struct role_tool tool = {.id = "t", .instructions = "TOOL\n"};
    struct role_use use = {.tool = &tool};
    struct role role = system_role;

    role.tools = &use;
    role.tool_count = 1;
    struct prompt_input in = input(&role);
    in.previous = &short_result;
    in.previous_count = 1;
    check_fixture(&in, "all_ja.txt");
}

static void parameters_are_filled_in_once(void)
{
    load("tools:\n"
         "  - id: a\n"
         "    promptInstructions: \"{{x}} {{ y }} {{z}} {{role}} {{agentId}} "
         "{{groupId}} {{workingDirectory}} {{}} {{x {x} ${{ secrets.A }}\"\n"
         "    parameters: {x: '{{y}}', y: 2}\n"
         "roles:\n"
         "  - id: research\n"
         "    tools: [{id: a, parameters: {y: '3'}}, textlint]\n");
    struct prompt_input in = input(role_find(config, "research"));
    const char *text = build(&in);

    TEST_ASSERT_NOT_NULL(
        strstr(text, "【利用可能ツール】\n\n{{y}} 3 {{z}} research "
                     "impl-code-1739487600-a3f2 grp-1739487600-b4e1 /work dir "
                     "{{}} {{x {x} ${{ secrets.A }}\n\n### textlint"));
    TEST_ASSERT_NOT_NULL(
        strstr(text, "npx --no-install textlint --format stylish \""));
}

static void the_layers_are_not_looked_at_for_holes(void)
{
    struct role role = {.id = "r", .system_prompt = "{agentId}{{role}}"};
    struct prompt_result odd = short_result;
    struct prompt_input in = input(&role);

    odd.summary = SLICE("{bytes}{status}");
    in.previous = &odd;
    in.previous_count = 1;
    in.task = SLICE("{groupId}");
    const char *text = build(&in);
    TEST_ASSERT_EQUAL_STRING_LEN("{agentId}{{role}}\n\n---", text, 22);
    TEST_ASSERT_NOT_NULL(strstr(text, "Summary: {bytes}{status}\n"));
    TEST_ASSERT_EQUAL_STRING("{groupId}", strrchr(text, '{'));
}

static void failures_are_told_too(void)
{
    struct prompt_result all[3] = {short_result, short_result, short_result};
    struct prompt_input in = input(&system_role);

    all[1].status = SLICE("failure");
    all[1].error = SLICE("exit 1");
    all[2] = (struct prompt_result){.agent_id = SLICE("x-1-0002"),
                                    .role = SLICE("x"),
                                    .status = SLICE("timeout")};
    in.previous = all;
    in.previous_count = 3;
    TEST_ASSERT_NOT_NULL(
        strstr(build(&in),
               "---\n【前ステージの実行結果】\n\n"
               "[Agent: research-1739487600-0001 (research) — success]\n"
               "Summary: S\nResponse:\nR\n\n"
               "[Agent: research-1739487600-0001 (research) — failure]\n"
               "Summary: S\nError: exit 1\nResponse:\nR\n\n"
               "[Agent: x-1-0002 (x) — timeout]\n"
               "Summary: (結果報告なし)\nResponse:\n(report_result 未呼出)\n"
               "---\n\nUSER"));
}

/* The fourth layer of the last build: from its head to its tail. */
static struct slice stage_of(const char *text)
{
    const char *head = strstr(text, "---\n【前ステージの実行結果】");
    const char *tail = text + strlen(text) - strlen("\n\nUSER");

    TEST_ASSERT_NOT_NULL(head);
    TEST_ASSERT_EQUAL_STRING("\n\nUSER", tail);
    return slice_of(head, (size_t)(tail - head));
}

static char *text_of(const char *unit, size_t n)
{
    size_t len = strlen(unit);
    char *text = bytes_alloc(len * n + 1);

    for (size_t i = 0; i < n; i++)
        memcpy(text + i * len, unit, len);
    text[len * n] = '\0';
    return text;
}

static void check_stage(struct slice stage, size_t limit)
{
    struct bytes mended = {0};

    TEST_ASSERT_LESS_OR_EQUAL_size_t(limit, stage.len);
    TEST_ASSERT_EQUAL_size_t(0, utf8_repair(stage.ptr, stage.len, &mended));
    bytes_finish(&mended);
}

static size_t count_char(struct slice s, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += s.ptr[i] == c;
    return n;
}

static void long_results_share_what_the_short_ones_leave(void)
{
    struct prompt_result all[4] = {short_result, short_result, short_result,
                                   short_result};
    char *x = text_of("#", 200000), *y = text_of("@", 60000);
    struct prompt_input in = input(&system_role);

    all[1].response = slice_cstr(x);
    all[1].agent_id = SLICE("long-1");
    all[2].response = slice_cstr(y);
    all[2].agent_id = SLICE("long-2");
    all[3].response = SLICE("short but whole");
    in.previous = all;
    in.previous_count = 4;
    struct slice stage = stage_of(build(&in));
    check_stage(stage, LIMIT);
    TEST_ASSERT_GREATER_THAN_size_t(LIMIT - 64, stage.len);
    size_t xs = count_char(stage, '#'), ys = count_char(stage, '@');
    TEST_ASSERT_UINT_WITHIN(1, xs, ys);
    TEST_ASSERT_GREATER_THAN_size_t(23000, xs);
    TEST_ASSERT_NOT_NULL(strstr(out.ptr, "short but whole\n---"));
    char want[256];
    snprintf(want, sizeof(want),
             "#\n[以下 %zu バイトを省略。全文は get_agent_status(agentId: "
             "\"long-1\", full: true) の result.response で読めます]\n\n[Agent: long-2",
             200000 - xs);
    TEST_ASSERT_NOT_NULL(strstr(out.ptr, want));
    free(x);
    free(y);
}

/* Every limit in a range that covers all remainders of three bytes. */
static void cuts_are_between_characters(void)
{
    struct prompt_result all[2] = {short_result, short_result};
    char *x = text_of("あ", 2000), *y = text_of("é🎉", 2000);
    struct prompt_input in = input(&system_role);

    all[0].summary = slice_cstr(x);
    all[1].response = slice_cstr(y);
    in.previous = all;
    in.previous_count = 2;
    for (size_t limit = 1024; limit < 1200; limit++) {
        in.inject_limit = limit;
        check_stage(stage_of(build(&in)), limit);
        TEST_ASSERT_NOT_NULL(strstr(out.ptr, "を省略"));
    }
    free(x);
    free(y);
}

static void what_fits_exactly_is_not_cut(void)
{
    struct prompt_result one = short_result;
    char *x = text_of("x", 5000);
    struct prompt_input in = input(&system_role);

    one.response = slice_cstr(x);
    in.previous = &one;
    in.previous_count = 1;
    size_t whole = stage_of(build(&in)).len;
    in.inject_limit = whole;
    TEST_ASSERT_EQUAL_size_t(whole, stage_of(build(&in)).len);
    TEST_ASSERT_NULL(strstr(out.ptr, "を省略"));
    in.inject_limit = whole - 1;
    check_stage(stage_of(build(&in)), whole - 1);
    TEST_ASSERT_NOT_NULL(strstr(out.ptr, "を省略"));
    free(x);
}

static void too_many_agents_are_counted(void)
{
    struct prompt_result *all = bytes_zalloc(1000 * sizeof(*all));
    char *x = text_of("x", 3000);
    struct prompt_input in = input(&system_role);

    for (size_t i = 0; i < 1000; i++) {
        all[i] = short_result;
        all[i].response = slice_cstr(x);
    }
    in.previous = all;
    in.previous_count = 1000;
    struct slice stage = stage_of(build(&in));
    check_stage(stage, LIMIT);
    size_t shown = 0;
    for (const char *p = out.ptr; (p = strstr(p, "[Agent: ")); p++)
        shown++;
    TEST_ASSERT_GREATER_THAN_size_t(60, shown);
    char want[256];
    snprintf(want, sizeof(want),
             "[ほか %zu 件の Agent の結果を省略。get_agent_status で読めます: "
             "%.*s, ",
             1000 - shown, (int)short_result.agent_id.len,
             short_result.agent_id.ptr);
    TEST_ASSERT_NOT_NULL(strstr(out.ptr, want));
    in.inject_limit = 0;
    TEST_ASSERT_NOT_NULL(strstr(build(&in), "[ほか 1000 件"));
    free(all);
    free(x);
}

static void an_orchestrator_is_told_its_task(void)
{
    const struct role *orchestrator = role_find(config, ROLE_ORCHESTRATOR);
    const struct role *roles[] = {role_find(config, "research")};
    struct prompt_magentic m = {.task = SLICE("T"),
                                .criteria = SLICE("C"),
                                .scope = SLICE("S"),
                                .constraints = SLICE("N"),
                                .context = SLICE("X"),
                                .roles = roles,
                                .role_count = 1,
                                .max_iterations = 10,
                                .timeout_ms = 5};
    struct prompt_input in = input(orchestrator);

    in.magentic = &m;
    const char *text = build(&in);
    TEST_ASSERT_NOT_NULL(
        strstr(text, "parentGroupId: \"grp-1739487600-b4e1\""));
    TEST_ASSERT_NOT_NULL(strstr(
        text, "---\n【タスク定義】\n\nT\n---\n\n---\n【完了条件】\n\nC\n---\n\n"
              "---\n【操作範囲・制約】\n\nS\n\n制約: N\n\n補足コンテキスト: X\n"
              "---\n\n---\n【実行パラメータ】\n\n利用可能な職種:\n"
              "- research: 調査員 — 調査・情報収集を行う。"));
    const char *end = "\n最大反復回数: 10\n全体タイムアウト: 5 ミリ秒\n---";
    TEST_ASSERT_EQUAL_STRING(end, text + strlen(text) - strlen(end));
    TEST_ASSERT_NULL(strstr(text, "USER"));
}

static void an_orchestrator_knows_every_field_of_the_ledgers(void)
{
    static const char *const words[] = {"given",
                                        "toInvestigate",
                                        "toDerive",
                                        "assumptions",
                                        "plan",
                                        "isRequestSatisfied",
                                        "isInLoop",
                                        "isProgressBeingMade",
                                        "nextAction",
                                        "instruction",
                                        "iteration",
                                        "reason",
                                        "answer",
                                        "create_group",
                                        "run_agents",
                                        "run_sequential",
                                        "wait_agent",
                                        "get_agent_status",
                                        "cancel_agent",
                                        "delete_group",
                                        "list_agents",
                                        "update_ledger",
                                        "report_result",
                                        "MAX_ITERATIONS_REACHED",
                                        "ROLE_NOT_ALLOWED",
                                        "MAX_CONCURRENT_REACHED",
                                        "again: true"};
    struct prompt_magentic m = {.task = SLICE("T")};

    for (int language = CONFIG_JA; language <= CONFIG_EN; language++) {
        load(language == CONFIG_EN ? "language: en" : "");
        struct prompt_input in = input(role_find(config, ROLE_ORCHESTRATOR));
        in.language = config->language;
        in.magentic = &m;
        const char *text = build(&in);
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, words[i]), words[i]);
        TEST_ASSERT_LESS_THAN_size_t(24 << 10, out.len);
    }
}

static void english_is_english(void)
{
    load("language: en");
    struct prompt_magentic m = {.task = SLICE("T")};
    struct prompt_input in = input(role_find(config, ROLE_ORCHESTRATOR));

    in.language = CONFIG_EN;
    in.magentic = &m;
    in.previous = &short_result;
    in.previous_count = 1;
    const unsigned char *p = (const unsigned char *)build(&in);
    /* Kana and kanji begin with these bytes; dashes and squares do not. */
    for (; *p; p++)
        TEST_ASSERT_FALSE(*p >= 0xe3 && *p <= 0xe9);
}

static void nul_does_not_cut_the_argument(void)
{
    struct prompt_input in = input(&system_role);

    in.task = SLICE("a\0b\0");
    const char *text = build(&in);
    TEST_ASSERT_EQUAL_STRING("\n\na b ", text + strlen(text) - 6);
}

static void it_is_appended(void)
{
    struct prompt_input in = input(&system_role);

    bytes_append(&out, "before\0", 7);
    prompt_build(&in, &out, &(struct prompt_layers){0});
    TEST_ASSERT_EQUAL_MEMORY("before\0SYSTEM\n", out.ptr, 14);
}

int main(void)
{
    TAP_BEGIN();
    TEST(two_layers_are_the_seeds_to_the_letter);
    TEST(five_layers_are_the_seeds_to_the_letter);
    TEST(parameters_are_filled_in_once);
    TEST(the_layers_are_not_looked_at_for_holes);
    TEST(failures_are_told_too);
    TEST(long_results_share_what_the_short_ones_leave);
    TEST(cuts_are_between_characters);
    TEST(what_fits_exactly_is_not_cut);
    TEST(too_many_agents_are_counted);
    TEST(an_orchestrator_is_told_its_task);
    TEST(an_orchestrator_knows_every_field_of_the_ledgers);
    TEST(english_is_english);
    TEST(nul_does_not_cut_the_argument);
    TEST(it_is_appended);
    return TAP_END();
}
