/* SPDX-License-Identifier: MIT */
/* 2024-11-05 ... 2025-11-25, and what is wrong with a message in any era. */
#include "tests/transport/mcp/client.h"

#include <stdio.h>
#include <string.h>

#include "json_text.h"
#include "tap.h"

static struct client *c;

void setUp(void)
{
    c = client_create(NULL);
}

void tearDown(void)
{
    client_destroy(c);
}

static yyjson_doc *initialize(const char *version)
{
    char text[300];

    snprintf(text, sizeof(text),
             "{'jsonrpc':'2.0','id':0,'method':'initialize',"
             "'params':{'protocolVersion':'%s',"
             "'capabilities':{'roots':{'listChanged':true},"
             "'elicitation':{'form':{},'url':{}},'extensions':{'x':1}},"
             "'clientInfo':{'name':'cursor-vscode','version':'1.0.0',"
             "'odd':[]}}}",
             version);
    return client_ask(c, text);
}

static void handshake(const char *version)
{
    yyjson_doc_free(initialize(version));
    client_expect(c, "{'jsonrpc':'2.0','method':'notifications/initialized'}",
                  "");
}

static const char *const versions[] = {"2024-11-05", "2025-03-26", "2025-06-18",
                                       "2025-11-25"};

static void test_each_version_is_echoed(void)
{
    for (int i = 0; i < 4; i++) {
        yyjson_doc *doc = initialize(versions[i]);
        TEST_ASSERT_EQUAL_STRING(versions[i],
                                 client_text(doc, "/result/protocolVersion"));
        TEST_ASSERT_EQUAL_INT(i, mcp_negotiated(c->session));
        yyjson_doc_free(doc);
    }
}

static void test_other_versions_get_the_latest_with_a_handshake(void)
{
    static const char *const others[] = {"2026-07-28", "1999-01-01",
                                         "2099-01-01", "", "2025-11-25x"};

    for (int i = 0; i < 5; i++) {
        yyjson_doc *doc = initialize(others[i]);
        TEST_ASSERT_EQUAL_STRING("2025-11-25",
                                 client_text(doc, "/result/protocolVersion"));
        yyjson_doc_free(doc);
    }
}

static void test_the_answer_to_initialize(void)
{
    yyjson_doc *doc = initialize("2025-11-25");

    TEST_ASSERT_TRUE(yyjson_is_true(
        client_at(doc, "/result/capabilities/tools/listChanged")));
    TEST_ASSERT_EQUAL_size_t(
        1, yyjson_obj_size(client_at(doc, "/result/capabilities")));
    TEST_ASSERT_EQUAL_STRING("kuromajutsu",
                             client_text(doc, "/result/serverInfo/name"));
    TEST_ASSERT_EQUAL_STRING("Kuromajutsu",
                             client_text(doc, "/result/serverInfo/title"));
    TEST_ASSERT_EQUAL_STRING("1.2.3",
                             client_text(doc, "/result/serverInfo/version"));
    TEST_ASSERT_NOT_NULL(
        strstr(client_text(doc, "/result/instructions"), "wait_agent"));
    TEST_ASSERT_EQUAL_size_t(4, yyjson_obj_size(client_at(doc, "/result")));
    yyjson_doc_free(doc);
    doc = initialize("2025-03-26");
    TEST_ASSERT_NULL(client_at(doc, "/result/serverInfo/title"));
    yyjson_doc_free(doc);
}

static void test_initialize_without_a_version(void)
{
    client_expect(c, "{'jsonrpc':'2.0','id':1,'method':'initialize'}",
                  "{'jsonrpc':'2.0','id':1,'error':{'code':-32602,"
                  "'message':'Invalid params: protocolVersion is "
                  "required'}}\n");
}

static void test_ready_comes_once_with_initialized(void)
{
    yyjson_doc_free(initialize("2025-11-25"));
    TEST_ASSERT_EQUAL_INT(0, c->ready);
    handshake("2025-11-25");
    handshake("2025-11-25");
    TEST_ASSERT_EQUAL_INT(1, c->ready);
}

static void test_ping_at_any_time(void)
{
    client_expect(c, "{'jsonrpc':'2.0','id':9,'method':'ping'}",
                  "{'jsonrpc':'2.0','id':9,'result':{}}\n");
    client_say(c, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                  "'params':{'name':'list_roles'}}");
    client_expect(c, "{'jsonrpc':'2.0','id':'p','method':'ping'}",
                  "{'jsonrpc':'2.0','id':'p','result':{}}\n");
}

static void test_tools_by_version(void)
{
    for (int i = 0; i < 4; i++) {
        handshake(versions[i]);
        /* As Codex asks, token 0 and all. */
        yyjson_doc *doc =
            client_ask(c, "{'jsonrpc':'2.0','id':1,'method':'tools/list',"
                          "'params':{'_meta':{'progressToken':0}}}");
        TEST_ASSERT_EQUAL_size_t(
            ORDER_TOOLS, yyjson_arr_size(client_at(doc, "/result/tools")));
        TEST_ASSERT_EQUAL_size_t(1, yyjson_obj_size(client_at(doc, "/result")));
        TEST_ASSERT_EQUAL_STRING("create_group",
                                 client_text(doc, "/result/tools/0/name"));
        TEST_ASSERT_EQUAL_INT(
            i >= 1, client_at(doc, "/result/tools/0/annotations") != NULL);
        TEST_ASSERT_EQUAL_INT(i >= 2,
                              client_at(doc, "/result/tools/0/title") != NULL);
        TEST_ASSERT_EQUAL_INT(
            i >= 2, client_at(doc, "/result/tools/0/outputSchema") != NULL);
        yyjson_doc_free(doc);
    }
}

static void test_a_cursor_is_never_ours(void)
{
    client_expect(c,
                  "{'jsonrpc':'2.0','id':1,'method':'tools/list',"
                  "'params':{'cursor':''}}",
                  "{'jsonrpc':'2.0','id':1,'error':{'code':-32602,"
                  "'message':'Invalid params: unknown cursor'}}\n");
}

static void test_answers_by_version(void)
{
    for (int i = 0; i < 4; i++) {
        handshake(versions[i]);
        client_say(c, "{'jsonrpc':'2.0','id':5,'method':'tools/call',"
                      "'params':{'name':'list_roles','task':{}}}");
        mcp_answer(c->session, c->last.handle,
                   json_slice("{\n"
                              " 'roles': [1.50, 'a\\nb']}"),
                   false);
        TEST_ASSERT_EQUAL_STRING(
            i >= 2 ? json_of("{'jsonrpc':'2.0','id':5,'result':{'content':[{"
                             "'type':'text','text':'{\\'roles\\':[1.50,"
                             "\\'a\\\\nb\\']}'}],'structuredContent':{"
                             "'roles':[1.50,'a\\nb']}}}\n")
                   : json_of("{'jsonrpc':'2.0','id':5,'result':{'content':[{"
                             "'type':'text','text':'{\\'roles\\':[1.50,"
                             "\\'a\\\\nb\\']}'}]}}\n"),
            client_take(c));
    }
}

static void test_methods_that_are_not_offered(void)
{
    static const char *const methods[] = {
        "resources/list",      "resources/templates/list",
        "resources/read",      "resources/subscribe",
        "prompts/list",        "prompts/get",
        "completion/complete", "logging/setLevel",
        "tasks/list",          "nonsense"};
    char text[200], want[200];

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        snprintf(text, sizeof(text), "{'jsonrpc':'2.0','id':1,'method':'%s'}",
                 methods[i]);
        snprintf(want, sizeof(want),
                 "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,"
                 "'message':'Method not found: %s'}}\n",
                 methods[i]);
        client_expect(c, text, want);
    }
}

static void test_logging_when_it_is_offered(void)
{
    client_restart(c, &(struct mcp_options){.offers = MCP_OFFER_LOGGING});
    yyjson_doc *doc = initialize("2025-11-25");
    TEST_ASSERT_NOT_NULL(client_at(doc, "/result/capabilities/logging"));
    yyjson_doc_free(doc);
    client_expect(c,
                  "{'jsonrpc':'2.0','id':1,'method':'logging/setLevel',"
                  "'params':{'level':'warning'}}",
                  "{'jsonrpc':'2.0','id':1,'result':{}}\n");
    client_say(c, "{'jsonrpc':'2.0','id':1,'method':'logging/setLevel',"
                  "'params':{'level':'loud'}}");
    TEST_ASSERT_EQUAL_INT(-32602, c->last_code);
    client_take(c);
    mcp_log(c->session, 0, MCP_NOTICE, SLICE("{}"));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    mcp_log(c->session, 0, MCP_ERROR, json_slice("{'a':1}"));
    ASSERT_JSON("{'jsonrpc':'2.0','method':'notifications/message',"
                "'params':{'level':'error','logger':'kuromajutsu',"
                "'data':{'a':1}}}\n",
                client_take(c));
}

static void test_list_changed_only_after_initialized(void)
{
    mcp_notify_changed(c->session, MCP_TOOLS);
    yyjson_doc_free(initialize("2025-06-18"));
    mcp_notify_changed(c->session, MCP_TOOLS);
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    handshake("2025-06-18");
    mcp_notify_changed(c->session, MCP_TOOLS);
    ASSERT_JSON("{'jsonrpc':'2.0','method':"
                "'notifications/tools/list_changed','params':{}}\n",
                client_take(c));
}

static void test_errors_of_messages(void)
{
    client_expect(c, "{nonsense",
                  "{'jsonrpc':'2.0','error':{'code':-32700,"
                  "'message':'Parse error'}}\n");
    client_expect(c, "{'jsonrpc':'2.0','id':null,'method':'ping'}",
                  "{'jsonrpc':'2.0','error':{'code':-32600,"
                  "'message':'Invalid Request: id must be a string or a "
                  "number'}}\n");
    client_expect(c, "{'jsonrpc':'2.0','id':4,'method':'ping','params':[1]}",
                  "{'jsonrpc':'2.0','id':4,'error':{'code':-32602,"
                  "'message':'Invalid params: params must be an object'}}\n");
    mcp_input(c->session, (struct slice){.ptr = NULL, .len = 99999999});
    ASSERT_JSON("{'jsonrpc':'2.0','error':{'code':-32600,"
                "'message':'Invalid Request: message too long'}}\n",
                client_take(c));
    test_ping_at_any_time();
}

static void test_what_is_never_answered(void)
{
    client_expect(c, "{'jsonrpc':'2.0','method':'nonsense'}", "");
    client_expect(c, "{'jsonrpc':'2.0','method':'ping','params':3}", "");
    client_expect(c, "{'method':'notifications/initialized'}", "");
    client_expect(c, "{'jsonrpc':'2.0','id':1,'result':{}}", "");
    client_expect(c, "{'jsonrpc':'2.0','id':1,'error':{'code':1}}", "");
    client_expect(c,
                  "{'jsonrpc':'2.0','method':"
                  "'notifications/roots/list_changed'}",
                  "");
}

static void test_batches_only_in_their_version(void)
{
    client_say(c, "[{'jsonrpc':'2.0','id':1,'method':'ping'}]");
    TEST_ASSERT_EQUAL_INT(-32600, c->last_code);
    client_take(c);
    handshake("2025-03-26");
    client_expect(c,
                  "[{'jsonrpc':'2.0','id':1,'method':'ping'},"
                  "{'jsonrpc':'2.0','method':'x'},7,{'jsonrpc':'2.0','id':0,"
                  "'method':'ping'}]",
                  "[{'jsonrpc':'2.0','id':1,'result':{}},{'jsonrpc':'2.0',"
                  "'error':{'code':-32600,'message':'Invalid Request: a "
                  "message is an object'}},{'jsonrpc':'2.0','id':0,"
                  "'result':{}}]\n");
    client_expect(c, "[{'jsonrpc':'2.0','method':'x'}]", "");
    client_expect(c, "[]",
                  "{'jsonrpc':'2.0','error':{'code':-32600,"
                  "'message':'Invalid Request: an empty batch'}}\n");
    client_expect(c,
                  "[{'jsonrpc':'2.0','id':1,'method':'initialize',"
                  "'params':{'protocolVersion':'2025-11-25'}}]",
                  "[{'jsonrpc':'2.0','id':1,'error':{'code':-32600,"
                  "'message':'Invalid Request: initialize in a batch'}}]\n");
}

static void test_a_batch_with_calls_is_answered_when_all_are(void)
{
    const char *batch =
        "[{'jsonrpc':'2.0','id':1,'method':'tools/call',"
        "'params':{'name':'list_roles'}},{'jsonrpc':'2.0','id':2,"
        "'method':'ping'},{'jsonrpc':'2.0','id':3,'method':'tools/call',"
        "'params':{'name':'list_agents'}}]";

    handshake("2025-03-26");
    client_expect(c, batch, "");
    mcp_answer(c->session, c->calls[1], SLICE("{}"), false);
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    mcp_answer(c->session, c->calls[0], SLICE("{}"), false);
    ASSERT_JSON("[{'jsonrpc':'2.0','id':2,'result':{}},{'jsonrpc':'2.0',"
                "'id':3,'result':{'content':[{'type':'text','text':'{}'}]}},"
                "{'jsonrpc':'2.0','id':1,'result':{'content':[{'type':'text',"
                "'text':'{}'}]}}]\n",
                client_take(c));
    /* A cancelled member keeps nobody waiting. */
    client_expect(c, batch, "");
    mcp_answer(c->session, c->calls[2], SLICE("{}"), false);
    client_say(c, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                  "'params':{'requestId':3}}");
    ASSERT_JSON_IN("'id':1", client_take(c));
    c->answers_at_once = true;
    client_say(c, batch);
    ASSERT_JSON_IN("'id':3", client_take(c));
    c->answers_at_once = false;
    client_expect(c, batch, "");
}

static void test_too_many_in_one_batch(void)
{
    client_restart(c, &(struct mcp_options){.max_batch = 2});
    handshake("2025-03-26");
    client_expect(c, "[1,2,3]",
                  "{'jsonrpc':'2.0','error':{'code':-32600,"
                  "'message':'Invalid Request: too many in one batch'}}\n");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_each_version_is_echoed);
    TEST(test_other_versions_get_the_latest_with_a_handshake);
    TEST(test_the_answer_to_initialize);
    TEST(test_initialize_without_a_version);
    TEST(test_ready_comes_once_with_initialized);
    TEST(test_ping_at_any_time);
    TEST(test_tools_by_version);
    TEST(test_a_cursor_is_never_ours);
    TEST(test_answers_by_version);
    TEST(test_methods_that_are_not_offered);
    TEST(test_logging_when_it_is_offered);
    TEST(test_list_changed_only_after_initialized);
    TEST(test_errors_of_messages);
    TEST(test_what_is_never_answered);
    TEST(test_batches_only_in_their_version);
    TEST(test_a_batch_with_calls_is_answered_when_all_are);
    TEST(test_too_many_in_one_batch);
    return TAP_END();
}
