/* SPDX-License-Identifier: MIT */
#include "transport/mcp/tools.h"

#include <string.h>

#include "runtime/text/field.h"
#include "json_text.h"
#include "tap.h"
#include "transport/mcp/tools_json.h"

#define KURO TOOLSET_BIT(TOOLSET_KURO)
#define MAIL TOOLSET_BIT(TOOLSET_MAIL)

static struct tools *ja, *en;

void setUp(void)
{
    ja = tools_create(TOOLS_JAPANESE);
    en = tools_create(TOOLS_ENGLISH);
}

void tearDown(void)
{
    tools_destroy(ja);
    tools_destroy(en);
}

static const char *const names[] = {"create_group",
                                    "delete_group",
                                    "run_agents",
                                    "run_sequential",
                                    "run_magentic",
                                    "list_agents",
                                    "get_agent_status",
                                    "wait_agent",
                                    "report_result",
                                    "list_roles",
                                    "update_ledger",
                                    "cancel_agent",
                                    "list_groups",
                                    "agent_register",
                                    "agent_get",
                                    "agent_send_message",
                                    "agent_receive_messages",
                                    "context_share",
                                    "context_read",
                                    "inject_phase_prompt",
                                    "transition_to_next_phase",
                                    "get_phase_context",
                                    "save_phase_result",
                                    "health_check",
                                    "list_active_projects_with_agents",
                                    "should_start",
                                    "authenticate",
                                    "get_my_task",
                                    "get_my_profile",
                                    "list_tasks",
                                    "update_task_status",
                                    "report_completed",
                                    "logout",
                                    "get_agent_profile",
                                    "get_task",
                                    "create_handoff",
                                    "get_pending_handoffs",
                                    "accept_handoff",
                                    "save_context",
                                    "create_project",
                                    "create_agent",
                                    "assign_agent",
                                    "create_task",
                                    "assign_task",
                                    "list_projects",
                                    "get_project",
                                    "get_task_context"};

static void test_the_tools_in_their_order(void)
{
    TEST_ASSERT_EQUAL_size_t(ORDER_TOOLS, sizeof(names) / sizeof(*names));
    for (int i = 0; i < ORDER_TOOLS; i++) {
        const struct tool *t = tools_get(ja, (enum order_kind)i);
        TEST_ASSERT_TRUE(slice_eq(slice_cstr(names[i]), t->text));
        TEST_ASSERT_EQUAL_PTR(t, tools_find(ja, slice_cstr(names[i])));
    }
    TEST_ASSERT_NULL(tools_find(ja, SLICE("run_agent")));
    TEST_ASSERT_NULL(tools_find(ja, SLICE("")));
}

/* Clients refuse the whole list for one schema whose root is no object. */
static void check_schema(yyjson_val *schema, const char *name)
{
    struct slice word;

    TEST_ASSERT_TRUE_MESSAGE(
        slice_eq(FIELD_TEXT(schema, "type"), SLICE("object")), name);
    TEST_ASSERT_TRUE_MESSAGE(schema_is_known(schema, &word), name);
}

/* Where nothing is said a client must think the worst. */
static void check_hints(yyjson_val *hints, const char *name)
{
    TEST_ASSERT_TRUE_MESSAGE(
        yyjson_is_true(FIELD(hints, "readOnlyHint")) ||
            yyjson_is_bool(FIELD(hints, "destructiveHint")),
        name);
    TEST_ASSERT_TRUE_MESSAGE(yyjson_is_bool(FIELD(hints, "openWorldHint")),
                             name);
}

static void test_schemas_are_portable(void)
{
    for (int i = 0; i < ORDER_TOOLS; i++) {
        const struct tool *t = tools_get(en, (enum order_kind)i);
        check_schema(t->input, names[i]);
        check_schema(t->output, names[i]);
        TEST_ASSERT_TRUE(
            yyjson_is_false(FIELD(t->input, "additionalProperties")));
        check_hints(FIELD(t->table, "annotations"), names[i]);
        struct slice about = FIELD_TEXT(t->table, "description");
        TEST_ASSERT_TRUE(about.len > 20 && about.len < 1000);
    }
}

static void test_every_required_name_is_a_property(void)
{
    yyjson_val *name;
    size_t i, n;

    for (int t = 0; t < ORDER_TOOLS; t++) {
        yyjson_val *schemas[] = {tools_get(en, (enum order_kind)t)->input,
                                 tools_get(en, (enum order_kind)t)->output};
        for (int k = 0; k < 2; k++) {
            yyjson_arr_foreach(FIELD(schemas[k], "required"), i, n, name)
            {
                TEST_ASSERT_NOT_NULL(field_get(FIELD(schemas[k], "properties"),
                                               field_text(name)));
            }
        }
    }
}

static bool has_text(struct slice s, const char *part)
{
    return memmem(s.ptr, s.len, part, strlen(part)) != NULL;
}

static void test_lists_by_version(void)
{
    struct slice plain = tools_list(en, TOOLS_PLAIN);
    struct slice some = tools_list(en, TOOLS_ANNOTATED);
    struct slice full = tools_list(en, TOOLS_FULL);

    TEST_ASSERT_FALSE(has_text(plain, "annotations"));
    TEST_ASSERT_FALSE(has_text(plain, "\"title\":\""));
    TEST_ASSERT_TRUE(has_text(some, "annotations"));
    TEST_ASSERT_FALSE(has_text(some, "outputSchema"));
    TEST_ASSERT_TRUE(has_text(full, "\"outputSchema\":{\"type\":\"object\""));
    TEST_ASSERT_TRUE(has_text(
        full, "{\"name\":\"wait_agent\",\"title\":\"Wait for agents\""));
    TEST_ASSERT_FALSE(has_text(full, "$schema"));
    TEST_ASSERT_FALSE(has_text(full, "requiredBy"));
    TEST_ASSERT_FALSE(has_text(full, "eitherOf"));
    TEST_ASSERT_FALSE(has_text(full, "\"en\""));
    TEST_ASSERT_FALSE(has_text(full, "グループ"));
    TEST_ASSERT_TRUE(has_text(tools_list(ja, TOOLS_FULL), "グループを作る"));
    TEST_ASSERT_FALSE(has_text(full, "\n"));
}

/* A model reads the list in every conversation. */
static void test_bounds_are_checked_and_not_listed(void)
{
    static const char *const bounds[] = {"additionalProperties", "minLength",
                                         "minItems", "minimum", "maximum"};
    struct tools *set =
        tools_choose(TOOLS_ENGLISH, KURO, SLICE("orchestrator"));

    for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
        TEST_ASSERT_FALSE_MESSAGE(
            has_text(tools_list(en, TOOLS_FULL), bounds[i]), bounds[i]);
    TEST_ASSERT_TRUE(has_text(tools_list(en, TOOLS_FULL),
                              "\"required\":[\"role\",\"prompt\"]"));
    /* Who keeps a ledger is told its form, all others that there is one. */
    TEST_ASSERT_TRUE(
        has_text(tools_list(set, TOOLS_FULL), "\"toInvestigate\":{"));
    TEST_ASSERT_FALSE(has_text(tools_list(en, TOOLS_FULL), "toInvestigate"));
    TEST_ASSERT_TRUE(has_text(tools_list(en, TOOLS_FULL),
                              "\"facts\":{\"type\":\"object\"},"));
    TEST_ASSERT_FALSE(has_text(tools_list(en, TOOLS_FULL), "isOutlined"));
    tools_destroy(set);
}

static void test_instructions_fit_what_clients_keep(void)
{
    TEST_ASSERT_TRUE(has_text(tools_instructions(ja), "run_magentic"));
    TEST_ASSERT_TRUE(has_text(tools_instructions(en), "run_sequential"));
    TEST_ASSERT_TRUE(tools_instructions(ja).len < 2048);
    TEST_ASSERT_TRUE(tools_instructions(en).len < 2048);
}

/* What a client is offered by name, in the table's order. */
static const char *offered_of(unsigned toolsets, enum tools_language language,
                              const char *set)
{
    static char text[1000];
    struct tools *t = tools_choose(language, toolsets, slice_cstr(set));
    struct slice list = tools_list(t, TOOLS_FULL);
    yyjson_doc *doc = yyjson_read(list.ptr, list.len, 0);
    yyjson_val *tool;
    size_t i, max;

    text[0] = 0;
    yyjson_arr_foreach(yyjson_doc_get_root(doc), i, max, tool)
    {
        strcat(text, i > 0 ? " " : "");
        strcat(text, yyjson_get_str(FIELD(tool, "name")));
    }
    yyjson_doc_free(doc);
    tools_destroy(t);
    return text;
}

static const char *offered(enum tools_language language, const char *set)
{
    return offered_of(KURO, language, set);
}

static void test_toolsets_are_chosen(void)
{
    static const char mail[] =
        "agent_register agent_get agent_send_message agent_receive_messages "
        "context_share context_read";
    char both[400];
    struct slice wrong;
    struct tools *t;

    TEST_ASSERT_EQUAL_STRING(mail, offered_of(MAIL, TOOLS_ENGLISH, ""));
    snprintf(both, sizeof(both), "get_agent_status report_result %s", mail);
    TEST_ASSERT_EQUAL_STRING(both,
                             offered_of(KURO | MAIL, TOOLS_ENGLISH, "agent"));
    snprintf(both, sizeof(both),
             "get_agent_status report_result %s inject_phase_prompt "
             "transition_to_next_phase get_phase_context save_phase_result",
             mail);
    TEST_ASSERT_EQUAL_STRING(both,
                             offered_of(TOOLSET_ALL, TOOLS_ENGLISH, "phases"));
    /* What is in none of them is not there at all. */
    t = tools_choose(TOOLS_ENGLISH, MAIL, SLICE_EMPTY);
    TEST_ASSERT_NULL(tools_find(t, SLICE("list_roles")));
    TEST_ASSERT_NOT_NULL(tools_find(t, SLICE("agent_get")));
    TEST_ASSERT_NOT_NULL(tools_get(t, ORDER_LIST_ROLES));
    TEST_ASSERT_FALSE(has_text(tools_instructions(t), "run_agents"));
    TEST_ASSERT_TRUE(has_text(tools_instructions(t), "context_share"));
    tools_destroy(t);
    TEST_ASSERT_EQUAL_UINT(KURO | MAIL,
                           toolset_read(SLICE("mail,kuro"), &wrong));
    TEST_ASSERT_EQUAL_size_t(0, wrong.len);
    TEST_ASSERT_EQUAL_UINT(MAIL, toolset_read(SLICE("mail,pm_,x"), &wrong));
    TEST_ASSERT_TRUE(slice_eq(wrong, SLICE("pm_")));
}

static void test_a_sub_agent_is_offered_what_it_may_use(void)
{
    TEST_ASSERT_EQUAL_STRING("get_agent_status report_result",
                             offered(TOOLS_ENGLISH, "agent"));
    TEST_ASSERT_EQUAL_STRING("get_agent_status report_result",
                             offered(TOOLS_JAPANESE, "agent"));
    TEST_ASSERT_EQUAL_STRING(
        "create_group delete_group run_agents run_sequential list_agents "
        "get_agent_status wait_agent report_result list_roles cancel_agent "
        "list_groups",
        offered(TOOLS_ENGLISH, "nesting"));
    TEST_ASSERT_EQUAL_STRING(
        "create_group delete_group run_agents run_sequential run_magentic "
        "list_agents get_agent_status wait_agent report_result list_roles "
        "update_ledger cancel_agent list_groups",
        offered(TOOLS_ENGLISH, "orchestrator"));
    TEST_ASSERT_NULL(tools_choose(TOOLS_ENGLISH, KURO, SLICE("agents")));
    TEST_ASSERT_NULL(tools_choose(TOOLS_ENGLISH, KURO, SLICE("agent,")));
}

static void test_a_set_has_instructions_of_its_own(void)
{
    for (int language = 0; language < 2; language++) {
        struct tools *t =
            tools_choose((enum tools_language)language, KURO, SLICE("agent"));
        struct slice told = tools_instructions(t);

        TEST_ASSERT_TRUE(slice_eq(tools_set(t), SLICE("agent")));
        TEST_ASSERT_TRUE(has_text(told, "report_result"));
        TEST_ASSERT_FALSE(has_text(told, "run_agents"));
        TEST_ASSERT_FALSE(has_text(told, "create_group"));
        /* Whether it may be called is not for the list to say. */
        TEST_ASSERT_NOT_NULL(tools_find(t, SLICE("create_group")));
        tools_destroy(t);
    }
    TEST_ASSERT_EQUAL_size_t(0, tools_set(en).len);
}

/* code:path:expected, or "good". */
static yyjson_doc *read_json(const char *text)
{
    const char *json = json_of(text);
    yyjson_doc *doc =
        yyjson_read(json, strlen(json), YYJSON_READ_BIGNUM_AS_RAW);

    TEST_ASSERT_NOT_NULL_MESSAGE(doc, text);
    return doc;
}

static const char *verdict(const struct tools *tools, const char *tool,
                           const char *args)
{
    static char text[600];
    struct tools_problem p;
    yyjson_doc *doc = args ? read_json(args) : NULL;

    if (tools_check_args(tools_find(tools, slice_cstr(tool)),
                         yyjson_doc_get_root(doc), tools_language(tools), &p)) {
        strcpy(text, "good");
    } else {
        snprintf(text, sizeof(text), "%s:%s:%.*s", code_name(p.code).ptr,
                 p.path, (int)p.expected.len, p.expected.ptr);
        TEST_ASSERT_TRUE(p.message.len > 0);
        tools_problem_finish(&p);
    }
    yyjson_doc_free(doc);
    return text;
}

#define GOOD(tool, args)                                                       \
    TEST_ASSERT_EQUAL_STRING("good", verdict(en, tool, args))
#define BAD(tool, args, want)                                                  \
    TEST_ASSERT_EQUAL_STRING(want, verdict(en, tool, args))

static void test_good_arguments(void)
{
    GOOD("create_group", "{'description':'d'}");
    GOOD("create_group", "{'description':'認証','mode':'sequential',"
                         "'parentGroupId':'grp-1-aaaa'}");
    GOOD("run_agents",
         "{'groupId':'g','agents':[{'role':'r','prompt':'p',"
         "'workingDirectory':'/','timeout_ms':9007199254740992}]}");
    GOOD("run_agents", "{'groupId':'g','agents':[{'role':'r','prompt':'p',"
                       "'timeout_ms':1e3}]}");
    GOOD("run_sequential",
         "{'groupId':'g','onFailure':'stop','stages':[{'tasks':[{'role':'r',"
         "'prompt':'p'}]}]}");
    GOOD("list_agents", NULL);
    GOOD("list_agents", "{}");
    GOOD("list_agents", "{'status':'resultReported'}");
    GOOD("list_roles", NULL);
    GOOD("wait_agent", "{'agentIds':['a'],'timeout_ms':0}");
    GOOD("cancel_agent", "{'agentIds':['a'],'reason':''}");
    GOOD("cancel_agent", "{'groupId':'g'}");
    GOOD("update_ledger",
         "{'groupId':'g','type':'task','plan':[],'facts':{'given':[],"
         "'toInvestigate':[],'toDerive':[],'assumptions':[]}}");
}

static void test_the_seeds_own_codes(void)
{
    BAD("run_agents", "{'groupId':'g','agents':[]}",
        "EMPTY_AGENTS:agents:an array");
    BAD("run_sequential", "{'groupId':'g','stages':[]}",
        "EMPTY_STAGES:stages:an array");
    BAD("run_sequential",
        "{'groupId':'g','stages':[{'tasks':[{'role':'r','prompt':'p'}]},"
        "{'tasks':[]}]}",
        "EMPTY_STAGE_TASKS:stages[1].tasks:an array");
    BAD("wait_agent", "{'agentIds':[]}", "EMPTY_AGENT_IDS:agentIds:an array");
    BAD("cancel_agent", "{'agentIds':[]}", "EMPTY_AGENT_IDS:agentIds:an array");
}

static void test_unknown_names_are_refused_by_name(void)
{
    BAD("wait_agent", "{'agentIds':['a'],'timeout':5}",
        "VALIDATION_ERROR:timeout:agentIds, groupId, timeout_ms, mode");
    BAD("run_agents",
        "{'groupId':'g','agents':[{'role':'r','prompt':'p','model':'x'}]}",
        "VALIDATION_ERROR:agents[0].model:"
        "role, prompt, workingDirectory, timeout_ms");
    BAD("list_roles", "{'x':1}", "VALIDATION_ERROR:x:(none)");
}

static void test_types_ranges_enums_and_missing_ones(void)
{
    BAD("create_group", NULL, "VALIDATION_ERROR:description:a string");
    BAD("create_group", "{'description':7}",
        "VALIDATION_ERROR:description:a string");
    BAD("create_group", "{'description':'a\\u0000b'}",
        "VALIDATION_ERROR:description:a string without NUL characters");
    BAD("run_agents", "{'groupId':'g','agents':{}}",
        "VALIDATION_ERROR:agents:an array");
    BAD("run_agents", "{'groupId':'g','agents':['x']}",
        "VALIDATION_ERROR:agents[0]:an object");
    BAD("run_agents", "{'groupId':'g','agents':[{'role':'r'}]}",
        "VALIDATION_ERROR:agents[0].prompt:a string");
    BAD("list_agents", "{'status':'done'}",
        "VALIDATION_ERROR:status:running, completed, failed, all, queued, "
        "timedOut, resultReported, cancelled (one of these)");
    BAD("wait_agent", "{'agentIds':['a',1]}",
        "VALIDATION_ERROR:agentIds[1]:a string");
}

/* A model reads all of it before its first word. */
static void test_lists_are_small(void)
{
    struct tools *agent =
        tools_choose(TOOLS_JAPANESE, KURO | MAIL, SLICE("agent"));

    for (int language = 0; language < 2; language++) {
        enum tools_language spoken = (enum tools_language)language;
        struct tools *kuro = tools_choose(spoken, KURO, SLICE_EMPTY);

        TEST_ASSERT_LESS_THAN_size_t(12000, tools_list(kuro, TOOLS_FULL).len);
        tools_destroy(kuro);
    }
    TEST_ASSERT_LESS_THAN_size_t(32000, tools_list(ja, TOOLS_FULL).len);
    TEST_ASSERT_LESS_THAN_size_t(32000, tools_list(en, TOOLS_FULL).len);
    TEST_ASSERT_LESS_THAN_size_t(6000, tools_list(agent, TOOLS_FULL).len);
    tools_destroy(agent);
}

/* Gemini reads errors by it too, and deferred tools are not seen at all. */
static void test_clients_are_told_what_lets_them_read_on(void)
{
    struct slice full = tools_list(en, TOOLS_FULL);

    TEST_ASSERT_FALSE(has_text(full, "answerSchema"));
    TEST_ASSERT_TRUE(has_text(full, "\"_meta\":{\"anthropic/alwaysLoad\":"
                                    "true}"));
    TEST_ASSERT_FALSE(has_text(tools_list(en, TOOLS_PLAIN), "_meta"));
    for (int i = 0; i < ORDER_TOOLS; i++) {
        yyjson_val *told =
            FIELD(tools_get(en, (enum order_kind)i)->table, "outputSchema");
        struct schema_problem p;
        yyjson_doc *doc = read_json("{'error':true,'code':'C','message':'m',"
                                    "'details':{}}");

        TEST_ASSERT_TRUE(schema_check(told, yyjson_doc_get_root(doc), &p));
        yyjson_doc_free(doc);
    }
}

static void test_texts_that_say_nothing(void)
{
    static const char *const blank[] = {"", " ", "\\n\\t ", "　", "　 　"};
    char args[400];

    for (size_t i = 0; i < sizeof(blank) / sizeof(*blank); i++) {
        snprintf(args, sizeof(args), "{'description':'%s'}", blank[i]);
        BAD("create_group", args,
            "VALIDATION_ERROR:description:a string that is not empty or "
            "blank");
        snprintf(args, sizeof(args),
                 "{'groupId':'g','agents':[{'role':'r','prompt':'p'},"
                 "{'role':'r','prompt':'%s'}]}",
                 blank[i]);
        BAD("run_agents", args,
            "VALIDATION_ERROR:agents[1].prompt:a string that is not empty or "
            "blank");
    }
    BAD("run_sequential",
        "{'groupId':'g','stages':[{'tasks':[{'role':'r','prompt':' '}]}]}",
        "VALIDATION_ERROR:stages[0].tasks[0].prompt:a string that is not "
        "empty or blank");
    BAD("run_magentic",
        "{'description':'d','task':'t','completionCriteria':'','scope':'s'}",
        "VALIDATION_ERROR:completionCriteria:a string that is not empty or "
        "blank");
    BAD("report_result",
        "{'agentId':'a','status':'success','summary':' ','response':''}",
        "VALIDATION_ERROR:summary:a string that is not empty or blank");
    BAD("run_magentic",
        "{'description':'d','task':'t','completionCriteria':'c','scope':'s',"
        "'availableRoles':[]}",
        "VALIDATION_ERROR:availableRoles:an array");
}

static void test_time_limits(void)
{
    static const char *const bad[] = {"0",     "-1",
                                      "1.5",   "9007199254740993",
                                      "1e300", "99999999999999999999999",
                                      "null",  "\"5\"",
                                      "true"};
    char args[200];

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        snprintf(args, sizeof(args),
                 "{\"groupId\":\"g\",\"agents\":[{\"role\":\"r\","
                 "\"prompt\":\"p\",\"timeout_ms\":%s}]}",
                 bad[i]);
        BAD("run_agents", args,
            "VALIDATION_ERROR:agents[0].timeout_ms:"
            "an integer from 1 to 9007199254740992");
    }
}

static void test_rules_across_fields(void)
{
    BAD("cancel_agent", "{}",
        "VALIDATION_ERROR:agentIds:agentIds, groupId (exactly one of them)");
    BAD("cancel_agent", "{'agentIds':['a'],'groupId':'g'}",
        "VALIDATION_ERROR:agentIds:agentIds, groupId (exactly one of them)");
    BAD("wait_agent", "{'timeout_ms':0}",
        "VALIDATION_ERROR:agentIds:agentIds, groupId (exactly one of them)");
    BAD("wait_agent", "{'agentIds':['a'],'groupId':'g'}",
        "VALIDATION_ERROR:agentIds:agentIds, groupId (exactly one of them)");
    BAD("update_ledger", "{'groupId':'g','type':'task','plan':[]}",
        "VALIDATION_ERROR:facts:an object");
    BAD("update_ledger", "{'groupId':'g','type':'progress'}",
        "VALIDATION_ERROR:isRequestSatisfied:an object");
}

static void check_body(const struct tools *tools, const char *tool,
                       const char *args, const char *want)
{
    struct tools_problem p;
    struct bytes body = {0};
    yyjson_doc *doc = read_json(args);

    TEST_ASSERT_FALSE(tools_check_args(tools_find(tools, slice_cstr(tool)),
                                       yyjson_doc_get_root(doc),
                                       tools_language(tools), &p));
    tools_problem_body(&body, &p);
    bytes_append(&body, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, body.ptr);
    bytes_finish(&body);
    tools_problem_finish(&p);
    yyjson_doc_free(doc);
}

static void test_bodies_of_errors(void)
{
    check_body(ja, "create_group", "{'description':'d','mode':'magentic'}",
               "{\"error\":true,\"code\":\"VALIDATION_ERROR\",\"message\":"
               "\"'mode' の値が正しくありません。期待する値: concurrent, "
               "sequential のいずれか。magentic のグループは run_magentic "
               "が作成します\",\"details\":{\"path\":\"mode\",\"expected\":"
               "\"concurrent, sequential のいずれか\"}}");
    check_body(ja, "wait_agent", "{'agentIds':[]}",
               "{\"error\":true,\"code\":\"EMPTY_AGENT_IDS\",\"message\":"
               "\"agentIds 配列が空です。1 件以上指定してください\","
               "\"details\":{\"path\":\"agentIds\",\"expected\":\"配列\"}}");
    check_body(
        en, "wait_agent", "{'agentIds':['a'],'x\\'y':1}",
        "{\"error\":true,\"code\":\"VALIDATION_ERROR\",\"message\":"
        "\"unknown argument 'x\\\"y'; known are: agentIds, groupId, "
        "timeout_ms, mode\",\"details\":{\"path\":\"x\\\"y\",\"expected\":"
        "\"agentIds, groupId, timeout_ms, mode\"}}");
}

/* Names from outside may be of any length; the path is cut, nothing else. */
static void test_a_huge_unknown_name(void)
{
    char args[5000] = "{\"agentIds\":[\"a\"],\"";

    memset(args + strlen(args), 'x', 4000);
    strcat(args, "\":1}");
    const char *v = verdict(en, "wait_agent", args);
    TEST_ASSERT_EQUAL_INT(0, strncmp(v, "VALIDATION_ERROR:xxxx", 21));
}

static void test_codes_are_found_by_name(void)
{
    for (int i = 0; i < CODE_COUNT; i++)
        TEST_ASSERT_EQUAL_INT(i, code_find(code_name((enum code)i)));
    TEST_ASSERT_EQUAL_INT(CODE_COUNT, code_find(SLICE("NO_SUCH_CODE")));
}

/* Answers as they are documented are what the table promises. */
static void test_good_answers_meet_the_output_schemas(void)
{
    static const char *const answers[][2] = {
#include "tests/transport/mcp/answers.inc"
    };

    TEST_ASSERT_EQUAL_size_t(ORDER_TOOLS, sizeof(answers) / sizeof(answers[0]));
    for (int i = 0; i < ORDER_TOOLS; i++) {
        struct schema_problem p;
        yyjson_doc *doc = read_json(answers[i][1]);
        TEST_ASSERT_TRUE_MESSAGE(
            tools_check_answer(tools_find(en, slice_cstr(answers[i][0])),
                               yyjson_doc_get_root(doc), &p),
            answers[i][0]);
        yyjson_doc_free(doc);
    }
}

static void test_a_wrong_answer_is_seen(void)
{
    struct schema_problem p;
    yyjson_doc *doc = read_json("{'deleted':1,'groupId':'g'}");

    TEST_ASSERT_FALSE(tools_check_answer(tools_get(en, ORDER_DELETE_GROUP),
                                         yyjson_doc_get_root(doc), &p));
    TEST_ASSERT_EQUAL_STRING("deleted", p.path);
    yyjson_doc_free(doc);
}

/* ---- orders that are no tools -------------------------------------------- */

static void test_every_order_with_a_name_has_its_arguments(void)
{
    for (int i = ORDER_TOOLS; i < ORDER_KINDS; i++) {
        struct slice name = order_name((enum order_kind)i);
        const struct tool *t = tools_get(en, (enum order_kind)i);

        TEST_ASSERT_EQUAL_MESSAGE(name.len > 0, t != NULL, name.ptr);
        if (t == NULL)
            continue;
        TEST_ASSERT_TRUE(slice_eq(name, t->text));
        check_schema(t->input, name.ptr);
        TEST_ASSERT_TRUE(
            yyjson_is_false(FIELD(t->input, "additionalProperties")));
        TEST_ASSERT_NULL(tools_find(en, name));
    }
}

/* field "": the arguments are good; else it is named, in both languages. */
static void check_order(enum order_kind kind, const char *args,
                        const char *field)
{
    yyjson_doc *doc = read_json(args);
    struct tools *const both[] = {ja, en};
    struct tools_problem p;

    for (int i = 0; i < 2; i++) {
        bool is_good =
            tools_check_args(tools_get(both[i], kind), yyjson_doc_get_root(doc),
                             tools_language(both[i]), &p);

        TEST_ASSERT_EQUAL_MESSAGE(*field == 0, is_good, args);
        if (is_good)
            continue;
        TEST_ASSERT_EQUAL_STRING_MESSAGE(field, p.path, args);
        TEST_ASSERT_TRUE_MESSAGE(p.expected.len > 0, args);
        TEST_ASSERT_TRUE(has_text(bytes_slice(&p.message), field));
        tools_problem_finish(&p);
    }
    yyjson_doc_free(doc);
}

static void test_arguments_of_orders(void)
{
    check_order(ORDER_HISTORY, "{}", "");
    check_order(ORDER_HISTORY, "{'limit':500,'role':null}", "");
    check_order(ORDER_HISTORY, "{'since':0,'until':'2026-02-13'}", "");
    check_order(ORDER_HISTORY, "{'limit':0}", "limit");
    check_order(ORDER_HISTORY, "{'limit':501}", "limit");
    check_order(ORDER_HISTORY, "{'limit':1.5}", "limit");
    check_order(ORDER_HISTORY, "{'before':-1}", "before");
    check_order(ORDER_HISTORY, "{'role':7}", "role");
    check_order(ORDER_HISTORY, "{'since':'soon'}", "since");
    check_order(ORDER_HISTORY, "{'since':-1}", "since");
    check_order(ORDER_HISTORY, "{'until':'2026-02-30'}", "until");
    check_order(ORDER_HISTORY, "{'search':'a\\u0000b'}", "search");
    check_order(ORDER_HISTORY, "{'serach':'x'}", "serach");
    check_order(ORDER_EVENTS, "{'since':'x'}", "since");
    check_order(ORDER_USAGE, "{'by':'week'}", "by");
    check_order(ORDER_RECORD, "{}", "agentId");
    check_order(ORDER_RECORD, "{'agentId':'a','groupId':'g'}", "agentId");
    check_order(ORDER_GC, "{'dryRun':1}", "dryRun");
    check_order(ORDER_TRANSCRIPT, "{}", "agentId");
    check_order(ORDER_TRANSCRIPT, "{'agentId':''}", "agentId");
    check_order(ORDER_UPDATE_ROLE, "{'model':'m'}", "roleId");
    check_order(ORDER_SNAPSHOT, "{'all':true}", "all");
}

static void test_what_is_too_long_is_told_its_bound(void)
{
    char args[200] = "{\"role\":\"";
    yyjson_doc *doc;
    struct tools_problem p;

    memset(args + 9, 'x', 97);
    strcpy(args + 9 + 97, "\"}");
    doc = yyjson_read(args, strlen(args), 0);
    TEST_ASSERT_FALSE(tools_check_args(tools_get(en, ORDER_HISTORY),
                                       yyjson_doc_get_root(doc),
                                       tools_language(en), &p));
    TEST_ASSERT_TRUE(
        has_text(bytes_slice(&p.expected), "a string of at most 96 bytes"));
    tools_problem_finish(&p);
    yyjson_doc_free(doc);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_the_tools_in_their_order);
    TEST(test_schemas_are_portable);
    TEST(test_every_required_name_is_a_property);
    TEST(test_lists_by_version);
    TEST(test_bounds_are_checked_and_not_listed);
    TEST(test_instructions_fit_what_clients_keep);
    TEST(test_toolsets_are_chosen);
    TEST(test_a_sub_agent_is_offered_what_it_may_use);
    TEST(test_a_set_has_instructions_of_its_own);
    TEST(test_lists_are_small);
    TEST(test_clients_are_told_what_lets_them_read_on);
    TEST(test_texts_that_say_nothing);
    TEST(test_good_arguments);
    TEST(test_the_seeds_own_codes);
    TEST(test_unknown_names_are_refused_by_name);
    TEST(test_types_ranges_enums_and_missing_ones);
    TEST(test_time_limits);
    TEST(test_rules_across_fields);
    TEST(test_bodies_of_errors);
    TEST(test_a_huge_unknown_name);
    TEST(test_codes_are_found_by_name);
    TEST(test_good_answers_meet_the_output_schemas);
    TEST(test_a_wrong_answer_is_seen);
    TEST(test_every_order_with_a_name_has_its_arguments);
    TEST(test_arguments_of_orders);
    TEST(test_what_is_too_long_is_told_its_bound);
    return TAP_END();
}
