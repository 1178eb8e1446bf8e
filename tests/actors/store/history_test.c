/* SPDX-License-Identifier: MIT */
/* Questions of the history, and what is removed from it. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "json_text.h"
#include "tap.h"
#include "tests/actors/store/scene.h"

static struct scene *s;

void setUp(void)
{
    scene_fresh();
    s = scene_open();
}

void tearDown(void)
{
    scene_close(s);
}

/* ---- a story ----------------------------------------------------------- */

static void set_state(struct store_write *w, uint64_t serial, const char *state,
                      int64_t at)
{
    store_row(w, STORE_ADD_STATE);
    store_int(w, (int64_t)serial);
    store_int(w, at);
    store_text(w, slice_cstr(state));
}

static void set_counts(struct store_write *w, uint64_t serial, int64_t started,
                       int64_t tokens, int64_t cost, const char *state)
{
    store_row(w, STORE_SET_COUNTS);
    store_int(w, (int64_t)serial);
    store_int(w, started);
    store_int(w, 50);
    store_int(w, 2);
    store_text(w, SLICE("sess"));
    store_text(w, SLICE("cli"));
    store_int(w, tokens);
    store_int(w, 1);
    store_int(w, 0);
    store_int(w, 0);
    if (cost < 0)
        store_null(w);
    else
        store_int(w, cost);
    store_int(w, 1);
    store_int(w, 4);
    store_text(w, slice_cstr(state));
}

static void add_event(struct store_write *w, int64_t seq, int64_t at,
                      int64_t group, int64_t agent, const char *data)
{
    store_row(w, STORE_ADD_EVENT);
    store_int(w, seq);
    store_int(w, at);
    store_text(w, SLICE("agent:status_update"));
    if (group > 0)
        store_int(w, group);
    else
        store_null(w);
    if (agent > 0)
        store_int(w, agent);
    else
        store_null(w);
    store_text(w, slice_cstr(data));
}

static void delete_group(struct store_write *w, int64_t serial, int64_t at)
{
    store_row(w, STORE_DELETE_GROUP);
    store_int(w, serial);
    store_int(w, at);
}

static void set_gone(struct store_write *w, int64_t serial, int64_t at)
{
    store_row(w, STORE_SET_GONE);
    store_int(w, serial);
    store_int(w, at);
    store_int(w, 0);
}

/* Group 1 with agents 10 to 19, and group 2 with agent 20. */
static void tell_story(void)
{
    struct store_write *w = store_write_create();
    char id[40];

    scene_add_group(w, 1, "grp-1");
    scene_add_group(w, 2, "grp-2");
    scene_add_order(w, 10, 1, "run_agents", 10);
    scene_add_order(w, 20, 2, "run_magentic", 1);
    for (uint64_t n = 10; n < 20; n++) {
        snprintf(id, sizeof(id), "a-%d", (int)n);
        scene_add_agent(w, n, id, 10, 1, "設計書を読んで実装してください");
        set_state(w, n, "running", 1700000000100);
        set_counts(w, n, 1700000000100, 100, -1,
                   n == 19 ? "failed" : "running");
        set_gone(w, (int64_t)n, 1700000009000);
    }
    scene_add_agent(w, 20, "a-20", 20, 2, "Fix the 100% CPU_load \"bug\"");
    set_state(w, 20, "resultReported", 1700000000100);
    set_counts(w, 20, 1700086400100, 7, 2500000, "resultReported");
    scene_set_result(w, 20, "直しました", "Résumé of the WORK",
                     json_of("['/src/main.c']"));
    set_state(w, 19, "failed", 1700000000300);
    scene_write(s, w);
}

#define HAS(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text)
#define HAS_JSON(text, part) HAS(text, json_of(part))

static void check_total(const char *args, const char *total)
{
    char want[40];

    snprintf(want, sizeof(want), "'total':%s}", total);
    HAS_JSON(scene_asked(s, ORDER_HISTORY, args), want);
}

/* ---- history ----------------------------------------------------------- */

static void test_an_entry_has_all_its_fields(void)
{
    tell_story();
    ASSERT_JSON("{'agents':[{'agentId':'a-20','groupId':'grp-2',"
                "'groupDescription':'調査','role':'impl-code',"
                "'model':'claude-x','status':'resultReported',"
                "'outcome':'success',"
                "'about':'Fix the 100% CPU_load \\'bug\\'',"
                "'summary':'直しました',"
                "'createdAt':'2023-11-14T22:13:20.020Z',"
                "'startedAt':'2023-11-15T22:13:20.100Z',"
                "'finishedAt':'2023-11-14T22:15:00.020Z','duration_ms':1234,"
                "'toolCallCount':2,'usage':{'inputTokens':7,'outputTokens':1,"
                "'cacheReadTokens':0,'cacheWriteTokens':0,'costUsd':2.5},"
                "'editedFiles':['/src/main.c'],'createdFiles':[]}],'total':1}",
                scene_asked(s, ORDER_HISTORY, "{'groupId':'grp-2'}"));
}

static void test_questions_narrow_it(void)
{
    tell_story();
    check_total("{}", "11");
    check_total("{'role':'impl-code','status':'all'}", "11");
    check_total("{'role':'other'}", "0");
    check_total("{'status':'completed'}", "1");
    check_total("{'status':'failed'}", "1");
    check_total("{'status':'running'}", "9");
    check_total("{'state':'completed'}", "0");
    check_total("{'state':'resultReported'}", "1");
    check_total("{'state':'failed'}", "1");
    check_total("{'state':'timedOut'}", "0");
    check_total("{'state':'all'}", "11");
    check_total("{'groupId':'grp-1','status':'failed'}", "1");
    check_total("{'since':1700000000019}", "2");
    check_total("{'until':1700000000019}", "9");
    check_total("{'since':'2023-11-14T22:13:20.020Z'}", "1");
    check_total("{'since':'2023-11-15T07:13:20.020+09:00'}", "1");
    check_total("{'until':'2023-11-14'}", "0");
}

static void test_pages_follow_one_another(void)
{
    const char *page;

    tell_story();
    page = scene_asked(s, ORDER_HISTORY, "{'limit':4}");
    HAS(page, "a-20");
    HAS_JSON(page, "'next':17,'total':11");
    page = scene_asked(s, ORDER_HISTORY, "{'limit':4,'before':17}");
    HAS(page, "a-16");
    TEST_ASSERT_NULL(strstr(page, "a-17"));
    HAS_JSON(page, "'next':13");
    page = scene_asked(s, ORDER_HISTORY, "{'limit':4,'before':13}");
    HAS(page, "a-10");
    TEST_ASSERT_NULL(strstr(page, "next"));
}

static void test_the_oldest_can_be_first(void)
{
    const char *page;

    tell_story();
    page = scene_asked(s, ORDER_HISTORY, "{'limit':4,'order':'oldest'}");
    HAS(page, "a-10");
    HAS_JSON(page, "'next':13,'total':11");
    page = scene_asked(s, ORDER_HISTORY,
                       "{'limit':7,'before':13,'order':'oldest'}");
    HAS(page, "a-14");
    HAS(page, "a-20");
    TEST_ASSERT_NULL(strstr(page, "a-13"));
    TEST_ASSERT_NULL(strstr(page, "next"));
}

/* Wherever it is: summary, prompt, report, files; also in the midst of it. */
static void test_what_was_found_is_told(void)
{
    tell_story();
    HAS_JSON(scene_asked(s, ORDER_HISTORY, "{'search':'résumé'}"),
             "'hit':'Résumé of the WORK'");
    HAS_JSON(scene_asked(s, ORDER_HISTORY, "{'search':'cpu_LOAD résumé'}"),
             "'hit':'Fix the 100% CPU_load");
    HAS_JSON(scene_asked(s, ORDER_HISTORY, "{'search':'直し'}"),
             "'hit':'直しました'");
    HAS(scene_asked(s, ORDER_HISTORY, "{'search':'main.c'}"), "hit");
    TEST_ASSERT_NULL(strstr(scene_asked(s, ORDER_HISTORY, "{}"), "hit"));
}

static void test_text_is_found_in_any_language(void)
{
    tell_story();
    check_total("{'search':'設計書'}", "10");
    check_total("{'search':'計書を読'}", "10");
    check_total("{'search':'設計'}", "10");
    check_total("{'search':'計'}", "10");
    check_total("{'search':'設計書 実装'}", "10");
    check_total("{'search':'設計書 直し'}", "0");
    check_total("{'search':'設書計'}", "0");
    check_total("{'search':'直しました'}", "1");
    check_total("{'search':'résumé work'}", "1");
    check_total("{'search':'main.c'}", "1");
    check_total("{'search':'fix THE'}", "1");
    check_total("{'search':'sum of'}", "1");
    check_total("{'search':'  '}", "11");
}

/* Whatever people type is text, never syntax. */
static void test_search_has_no_syntax(void)
{
    static const char *const odd[] = {"\\\"",
                                      "\\\"\\\"\\\"",
                                      "AND",
                                      "OR NOT",
                                      "a*",
                                      "^a b",
                                      "{x}: y",
                                      "(((",
                                      "NEAR(a b)",
                                      "prompt:x",
                                      "';--",
                                      "-",
                                      "\\\\",
                                      "%%%%",
                                      "____",
                                      "💥💥💥",
                                      "e\\u0301e\\u0301e\\u0301"};
    char args[200];

    tell_story();
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        snprintf(args, sizeof(args), "{\"search\":\"%s\"}", odd[i]);
        HAS_JSON(scene_asked(s, ORDER_HISTORY, args), "'total':");
    }
    check_total("{'search':'100% cpu_LOAD \\'bug\\''}", "1");
    check_total("{'search':'100_'}", "0");
    check_total("{'search':'cpu%load'}", "0");
}

/* A text that is replaced is no longer found, a new one is. */
static void test_the_index_follows_the_texts(void)
{
    struct store_write *w = store_write_create();

    tell_story();
    scene_set_result(w, 20, "another summary", "changed", "[]");
    scene_write(s, w);
    check_total("{'search':'直しました'}", "0");
    check_total("{'search':'another changed'}", "1");
    check_total("{'search':'main.c'}", "0");
}

/* ---- the index, which is behind ----------------------------------------- */

#define NOT_INDEXED "SELECT count(*) FROM texts WHERE is_indexed = 0"

static int64_t count_hits(const char *word)
{
    char sql[200];

    snprintf(sql, sizeof(sql),
             "SELECT count(*) FROM agents_fts WHERE agents_fts MATCH '%s'",
             word);
    return scene_sql(sql);
}

static void wait_for_index(int64_t left)
{
    while (scene_sql(NOT_INDEXED) > left)
        sched_yield();
    TEST_ASSERT_EQUAL_INT64(left, scene_sql(NOT_INDEXED));
}

static void open_with_index(void)
{
    scene_close(s);
    s = scene_open_with(&(struct store_setup){
        .path = scene_path(), .keep_days = 30, .index_ms = 1});
    scene_past(s);
}

/* Of a-20, which is live, the texts may change: it is found without. */
static void test_texts_are_indexed_when_their_agents_have_gone(void)
{
    struct store_write *w = store_write_create();

    tell_story();
    check_total("{}", "11");
    TEST_ASSERT_EQUAL_INT64(11, scene_sql(NOT_INDEXED));
    TEST_ASSERT_EQUAL_INT64(0, count_hits("設計書"));
    open_with_index();
    wait_for_index(1);
    TEST_ASSERT_EQUAL_INT64(10, count_hits("設計書"));
    TEST_ASSERT_EQUAL_INT64(0, count_hits("WOR"));
    check_total("{'search':'設計書'}", "10");
    check_total("{'search':'résumé'}", "1");
    set_gone(w, 20, 1700000009000);
    scene_write_answered(s, w, 1);
    scene_answer(s, 1);
    wait_for_index(0);
    TEST_ASSERT_EQUAL_INT64(1, count_hits("WOR"));
    check_total("{'search':'résumé'}", "1");
}

/* As of one that was told to be gone before it was known what it had said. */
static void test_a_text_that_changes_is_indexed_anew(void)
{
    struct store_write *w = store_write_create();

    open_with_index();
    tell_story();
    set_gone(w, 20, 1700000009000);
    scene_write_answered(s, w, 2);
    scene_answer(s, 2);
    wait_for_index(0);
    w = store_write_create();
    scene_set_result(w, 20, "another summary", "changed", "[]");
    scene_write_answered(s, w, 1);
    scene_answer(s, 1);
    check_total("{'search':'another changed'}", "1");
    check_total("{'search':'直しました'}", "0");
    open_with_index();
    wait_for_index(0);
    TEST_ASSERT_EQUAL_INT64(0, count_hits("直しま"));
    TEST_ASSERT_EQUAL_INT64(1, count_hits("ano"));
    scene_sql("INSERT INTO agents_fts(agents_fts) VALUES('integrity-check')");
}

/* Removed before its turn came, or after: nothing of it is left. */
static void test_what_is_removed_leaves_the_index(void)
{
    struct store_write *w = store_write_create();

    tell_story();
    delete_group(w, 1, 5);
    scene_write_answered(s, w, 1);
    scene_answer(s, 1);
    open_with_index();
    wait_for_index(1);
    HAS_JSON(scene_asked(s, ORDER_GC, "{}"), "'agents':10");
    TEST_ASSERT_EQUAL_INT64(0, count_hits("設計書"));
    check_total("{'search':'設計書'}", "0");
}

static void check_refused(enum order_kind kind, const char *args,
                          const char *code, const char *field)
{
    const char *answer = scene_asked(s, kind, args);

    HAS(answer, code);
    HAS(answer, field);
}

static void test_what_is_not_there_is_named(void)
{
    const char *wrong = json_of("'VALIDATION_ERROR'");

    check_refused(ORDER_HISTORY, "{'status':'fine'}", wrong, "'status'");
    check_refused(ORDER_HISTORY, "{'state':'fine'}", wrong, "'state'");
    check_refused(ORDER_HISTORY, "{'order':'up'}", wrong, "'order'");
    check_refused(ORDER_HISTORY, "{'search':'1 2 3 4 5 6 7 8 9'}", wrong,
                  "'search'");
    check_refused(ORDER_HISTORY, "{'groupId':'x'}", "GROUP_NOT_FOUND", "'x'");
    check_refused(ORDER_EVENTS, "{'agentId':'x'}", "AGENT_NOT_FOUND", "'x'");
    check_refused(ORDER_RECORD, "{'groupId':'g'}", "GROUP_NOT_FOUND", "'g'");
    check_refused(ORDER_GET_AGENT_STATUS, "{'agentId':'x'}", "AGENT_NOT_FOUND",
                  "'x'");
    check_refused(ORDER_CREATE_GROUP, "{}", "INTERNAL_ERROR", "create_group");
}

/* ---- the other questions ----------------------------------------------- */

static void test_an_agent_is_told_as_the_registry_tells_it(void)
{
    struct store_write *w = store_write_create();

    tell_story();
    store_row(w, STORE_ADD_LEDGER);
    store_int(w, 2);
    store_int(w, 5);
    store_text(w, json_slice("{'task': 1}"));
    for (int i = 0; i < 3; i++)
        store_int(w, 0);
    scene_write(s, w);
    ASSERT_JSON("{'agentId':'a-20','groupId':'grp-2','role':'impl-code',"
                "'model':'claude-x','status':'resultReported',"
                "'startedAt':'2023-11-15T22:13:20.100Z','outcome':'success',"
                "'elapsed_ms':50,'toolCallCount':2,'result':{'agentId':'a-20',"
                "'groupId':'grp-2','status':'success','summary':'直しました',"
                "'response':'Résumé of the WORK',"
                "'editedFiles':['/src/main.c'],'createdFiles':[],"
                "'duration_ms':1234,'model':'claude-x','role':'impl-code',"
                "'toolCallCount':2,'timestamp':'2023-11-14T22:15:00.020Z',"
                "'final':false,'finalLedger':{'task':1}},'createdAt':"
                "'2023-11-14T22:13:20.020Z'}",
                scene_asked(s, ORDER_GET_AGENT_STATUS, "{'agentId':'a-20'}"));
    HAS_JSON(scene_asked(s, ORDER_GET_AGENT_STATUS, "{'agentId':'a-10'}"),
             "'result':null,'createdAt':'2023-11-14T22:13:20.010Z'}");
    HAS_JSON(scene_asked(s, ORDER_SHOW_AGENT, "{'agentId':'a-10'}"),
             "'workingDirectory':'/w'");
}

static void test_events_are_read_from_any_number(void)
{
    struct store_write *w = store_write_create();

    tell_story();
    for (int i = 1; i <= 5; i++)
        add_event(w, i, 1700000000000 + i, i < 4 ? 1 : 2, i < 3 ? 10 : 0,
                  i == 5 ? "broken{" : json_of("{'n': 1}"));
    scene_write(s, w);
    ASSERT_JSON("{'events':[{'seq':4,'at':'2023-11-14T22:13:20.004Z',"
                "'type':'agent:status_update','data':{'n':1}},{'seq':5,"
                "'at':'2023-11-14T22:13:20.005Z',"
                "'type':'agent:status_update','data':null}],'begins':null}",
                scene_asked(s, ORDER_EVENTS, "{'since':3}"));
    HAS_JSON(scene_asked(s, ORDER_EVENTS, "{'limit':2}"), "],'next':2,");
    HAS_JSON(scene_asked(s, ORDER_EVENTS, "{'groupId':'grp-2','limit':1}"),
             "[{'seq':4,");
    HAS_JSON(scene_asked(s, ORDER_EVENTS, "{'agentId':'a-10','since':1}"),
             "[{'seq':2,");
    ASSERT_JSON("{'events':[],'begins':null}",
                scene_asked(s, ORDER_EVENTS, "{'since':99}"));
}

static void test_usage_is_summed_up(void)
{
    tell_story();
    ASSERT_JSON("{'by':'day','rows':[{'day':'2023-11-15','agents':1,"
                "'inputTokens':7,'outputTokens':1,'cacheReadTokens':0,"
                "'cacheWriteTokens':0,'costUsd':2.5,'toolCallCount':2,"
                "'duration_ms':1234}],'more':true,'total':{'agents':11,"
                "'inputTokens':1007,'outputTokens':11,'cacheReadTokens':0,"
                "'cacheWriteTokens':0,'costUsd':2.5,'unpricedTokens':1010,"
                "'toolCallCount':22,'duration_ms':1234}}",
                scene_asked(s, ORDER_USAGE, "{'by':'day','limit':1}"));
    HAS_JSON(scene_asked(s, ORDER_USAGE, "{'by':'group'}"),
             "'rows':[{'groupId':'grp-1','groupDescription':'調査',"
             "'agents':10,'inputTokens':1000");
    HAS_JSON(scene_asked(s, ORDER_USAGE, "{'by':'role'}"),
             "'rows':[{'role':'impl-code','agents':11");
    HAS_JSON(scene_asked(s, ORDER_USAGE, "{'by':'model'}"), "'claude-x'");
    HAS_JSON(scene_asked(s, ORDER_USAGE, "{'by':'agent','since':'2023-11-15'}"),
             "'rows':[{'agentId':'a-20','groupId':'grp-2','agents':1");
    HAS_JSON(scene_asked(s, ORDER_USAGE, "{'until':5}"), "'rows':[]");
}

/* By the order it was lived in, even when the clock was set back. */
static void test_a_record_has_everything(void)
{
    struct store_write *w = store_write_create();
    const char *record;
    yyjson_doc *doc;

    tell_story();
    set_state(w, 20, "cancelled", 1600000000000);
    add_event(w, 1, 1700000000001, 2, 20, "{}");
    scene_write(s, w);
    record = scene_asked(s, ORDER_RECORD, "{'agentId':'a-20'}");
    HAS_JSON(record, "'states':[{'at':'2023-11-14T22:13:20.100Z',"
                     "'state':'resultReported'},"
                     "{'at':'2020-09-13T12:26:40.000Z',"
                     "'state':'cancelled'}]");
    HAS_JSON(record, "'orders':[{'kind':'run_magentic','args':{'a':1}");
    HAS_JSON(record, "'prompt':'Fix the 100% CPU_load");
    record = scene_asked(s, ORDER_RECORD, "{'groupId':'grp-1'}");
    doc = yyjson_read(record, strlen(record), 0);
    TEST_ASSERT_NOT_NULL(doc);
    TEST_ASSERT_EQUAL_size_t(
        10, yyjson_arr_size(FIELD(yyjson_doc_get_root(doc), "agents")));
    yyjson_doc_free(doc);
    HAS_JSON(record, "'groups':[{'groupId':'grp-1'");
    TEST_ASSERT_NULL(
        strstr(scene_asked(s, ORDER_RECORD, "{'groupId':'grp-1','after':18}"),
               "groups"));
}

/* ---- retention --------------------------------------------------------- */

static void add_call(struct store_write *w, const char *key, int64_t at)
{
    store_row(w, STORE_ADD_CALL);
    store_text(w, slice_cstr(key));
    store_int(w, at);
    store_int(w, 0);
    store_text(w, SLICE("{}"));
}

static int64_t now_ms(void)
{
    return (int64_t)time(NULL) * 1000;
}

/* Group 1 is old and deleted, group 2 old and alive. */
static void age_story(void)
{
    struct store_write *w = store_write_create();

    tell_story();
    delete_group(w, 1, 1700000010000);
    add_event(w, 1, 1700000000001, 1, 10, "{}");
    add_event(w, 2, now_ms(), 1, 10, "{}");
    add_call(w, "old", 1700000000001);
    add_call(w, "new", now_ms());
    scene_write(s, w);
}

static void check_swept(void)
{
    check_total("{}", "1");
    HAS(scene_asked(s, ORDER_GET_AGENT_STATUS, "{'agentId':'a-10'}"),
        "AGENT_NOT_FOUND");
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM groups"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM orders"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM texts"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM states"));
    TEST_ASSERT_EQUAL_INT64(2, scene_sql("SELECT sum(seq) FROM events"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM calls"));
    scene_recall(s, "new", 1);
    TEST_ASSERT_EQUAL_STRING("{}", scene_answer(s, 1));
    check_total("{'search':'設計書'}", "0");
}

static void test_what_is_old_is_swept(void)
{
    struct store_write *w;

    age_story();
    scene_sweep(s);
    TEST_ASSERT_EQUAL_STRING(
        "a-10\na-11\na-12\na-13\na-14\na-15\na-16\na-17\na-18\na-19\n",
        scene_swept(s));
    check_swept();
    w = store_write_create();
    store_row(w, STORE_DROP_LEAVING);
    store_text(w, SLICE("a-10"));
    scene_write(s, w);
    scene_sweep(s);
    TEST_ASSERT_EQUAL_STRING(
        "a-11\na-12\na-13\na-14\na-15\na-16\na-17\na-18\na-19\n",
        scene_swept(s));
}

static void test_it_sweeps_by_itself(void)
{
    age_story();
    scene_close(s);
    s = scene_open_with(&(struct store_setup){
        .path = scene_path(), .keep_days = 30, .retention_ms = 1});
    TEST_ASSERT_EQUAL_STRING(
        "a-10\na-11\na-12\na-13\na-14\na-15\na-16\na-17\na-18\na-19\n",
        scene_swept(s));
    check_swept();
}

static void test_gc_says_what_it_removed(void)
{
    age_story();
    HAS_JSON(scene_asked(s, ORDER_GC, "{'dryRun':true}"),
             "{'dryRun':true,'agents':10,'groups':1,'events':1,'calls':1,"
             "'agentIds':['a-10',");
    check_total("{}", "11");
    HAS_JSON(scene_asked(s, ORDER_GC, "{}"),
             "{'dryRun':false,'agents':10,'groups':1,'events':1,'calls':1,"
             "'agentIds':['a-10',");
    check_swept();
    HAS_JSON(scene_asked(s, ORDER_GC, "{}"), "'agents':0,'groups':0");
}

/* However far the first has come when the others are there. */
static void test_gc_may_be_asked_for_while_one_is_under_way(void)
{
    age_story();
    scene_ask(s, ORDER_GC, "{}", 101);
    scene_ask(s, ORDER_GC, "{}", 102);
    scene_ask(s, ORDER_GC, "{'dryRun':true}", 103);
    scene_ask(s, ORDER_GC, "{}", 104);
    HAS_JSON(scene_answer(s, 101), "{'dryRun':false,'agents':10,");
    HAS_JSON(scene_answer(s, 102), "{'dryRun':false,'agents':");
    HAS_JSON(scene_answer(s, 103), "{'dryRun':true,'agents':");
    HAS_JSON(scene_answer(s, 104), "{'dryRun':false,'agents':");
    check_swept();
}

/* A number that was given is never given again. */
static void test_numbers_outlive_those_who_had_them(void)
{
    struct store_write *w = store_write_create();
    const struct past *p;

    scene_past(s);
    scene_add_group(w, 70, "grp-x");
    scene_add_order(w, 71, 70, "run_agents", 1);
    scene_add_agent(w, 71, "a-71", 71, 70, "x");
    set_gone(w, 71, 1);
    delete_group(w, 70, 2);
    add_event(w, 500, 3, 0, 0, "{}");
    scene_write(s, w);
    HAS_JSON(scene_asked(s, ORDER_GC, "{}"),
             "'agents':1,'groups':1,'events':1");
    scene_close(s);
    s = scene_open();
    p = scene_past(s);
    TEST_ASSERT_EQUAL_size_t(0, p->agent_count + p->group_count);
    TEST_ASSERT_EQUAL_UINT64(71, p->last_serial);
    TEST_ASSERT_EQUAL_UINT64(500, p->last_seq);
}

/* An agent whose tree has not ended is kept, and its group with it. */
static void test_what_is_not_over_is_not_swept(void)
{
    struct store_write *w = store_write_create();

    scene_add_group(w, 1, "grp-1");
    scene_add_order(w, 2, 1, "run_agents", 1);
    scene_add_agent(w, 2, "a-2", 2, 1, "x");
    delete_group(w, 1, 5);
    scene_write(s, w);
    HAS_JSON(scene_asked(s, ORDER_GC, "{}"), "'agents':0,'groups':0");
    check_total("{}", "1");
}

/* ---- which past -------------------------------------------------------- */

/* 1500 agents of a living group, 50 of a deleted one, all gone. */
static void tell_long_story(void)
{
    struct store_write *w = store_write_create();
    char id[40];

    scene_add_group(w, 1, "grp-1");
    scene_add_group(w, 2, "grp-2");
    for (uint64_t n = 10; n < 1560; n++) {
        bool is_dead = n < 60;

        snprintf(id, sizeof(id), "a-%d", (int)n);
        scene_add_order(w, n, is_dead ? 2 : 1, "run_agents", 1);
        scene_add_agent(w, n, id, n, is_dead ? 2 : 1, "x");
        if (n != 11 && n != 100)
            set_gone(w, (int64_t)n, 5);
    }
    delete_group(w, 2, 6);
    scene_write_answered(s, w, 1);
    scene_answer(s, 1);
}

static void test_the_past_is_bounded(void)
{
    const struct past *p;

    tell_long_story();
    scene_close(s);
    s = scene_open();
    p = scene_past(s);
    /* 1000 + 20, and the two that are not gone. */
    TEST_ASSERT_EQUAL_size_t(1022, p->agent_count);
    TEST_ASSERT_EQUAL_size_t(1022, p->order_count);
    TEST_ASSERT_EQUAL_UINT64(11, p->agents[0].serial);
    TEST_ASSERT_EQUAL_UINT64(40, p->agents[1].serial);
    TEST_ASSERT_EQUAL_UINT64(100, p->agents[21].serial);
    TEST_ASSERT_EQUAL_UINT64(560, p->agents[22].serial);
    TEST_ASSERT_EQUAL_UINT64(1559, p->agents[1021].serial);
    TEST_ASSERT_EQUAL_size_t(2, p->group_count);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_an_entry_has_all_its_fields);
    TEST(test_questions_narrow_it);
    TEST(test_pages_follow_one_another);
    TEST(test_the_oldest_can_be_first);
    TEST(test_what_was_found_is_told);
    TEST(test_text_is_found_in_any_language);
    TEST(test_search_has_no_syntax);
    TEST(test_the_index_follows_the_texts);
    TEST(test_texts_are_indexed_when_their_agents_have_gone);
    TEST(test_a_text_that_changes_is_indexed_anew);
    TEST(test_what_is_removed_leaves_the_index);
    TEST(test_what_is_not_there_is_named);
    TEST(test_an_agent_is_told_as_the_registry_tells_it);
    TEST(test_events_are_read_from_any_number);
    TEST(test_usage_is_summed_up);
    TEST(test_a_record_has_everything);
    TEST(test_what_is_old_is_swept);
    TEST(test_it_sweeps_by_itself);
    TEST(test_gc_says_what_it_removed);
    TEST(test_gc_may_be_asked_for_while_one_is_under_way);
    TEST(test_numbers_outlive_those_who_had_them);
    TEST(test_what_is_not_over_is_not_swept);
    TEST(test_the_past_is_bounded);
    return TAP_END();
}
