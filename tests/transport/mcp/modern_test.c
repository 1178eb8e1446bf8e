/* SPDX-License-Identifier: MIT */
/* 2026-07-28, and both eras on one session. */
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

/* What Claude Code opens with. */
static const char discover[] =
    "{'jsonrpc':'2.0','id':'server-discover-probe-1',"
    "'method':'server/discover','params':{'_meta':{"
    "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
    "'io.modelcontextprotocol/clientInfo':{'name':'claude-code',"
    "'title':'Claude Code','version':'2.1.325'},"
    "'io.modelcontextprotocol/clientCapabilities':{'roots':{"
    "'listChanged':true},'elicitation':{'form':{},'url':{}}}}}}";

#define MODERN(id, method, params)                                             \
    "{'jsonrpc':'2.0','id':" id ",'method':'" method                           \
    "','params':{" params MODERN_META "}}"

static int code_of(const char *text)
{
    yyjson_doc *doc = client_ask(c, text);
    int code = yyjson_get_int(client_at(doc, "/error/code"));

    yyjson_doc_free(doc);
    return code;
}

static void test_discover(void)
{
    yyjson_doc *doc = client_ask(c, discover);

    TEST_ASSERT_EQUAL_STRING("server-discover-probe-1",
                             client_text(doc, "/id"));
    TEST_ASSERT_EQUAL_STRING("complete",
                             client_text(doc, "/result/resultType"));
    TEST_ASSERT_EQUAL_STRING("2026-07-28",
                             client_text(doc, "/result/supportedVersions/0"));
    TEST_ASSERT_EQUAL_size_t(
        1, yyjson_arr_size(client_at(doc, "/result/supportedVersions")));
    TEST_ASSERT_TRUE(yyjson_is_true(
        client_at(doc, "/result/capabilities/tools/listChanged")));
    TEST_ASSERT_TRUE(yyjson_is_uint(client_at(doc, "/result/ttlMs")));
    TEST_ASSERT_EQUAL_STRING("public", client_text(doc, "/result/cacheScope"));
    TEST_ASSERT_NOT_NULL(client_text(doc, "/result/instructions"));
    TEST_ASSERT_NULL(client_at(doc, "/result/serverInfo"));
    TEST_ASSERT_EQUAL_STRING(
        "kuromajutsu",
        client_text(doc,
                    "/result/_meta/io.modelcontextprotocol~1serverInfo/name"));
    yyjson_doc_free(doc);
    TEST_ASSERT_EQUAL_INT(0, c->ready);
}

static void test_discover_then_initialize_on_the_same_pipe(void)
{
    yyjson_doc_free(client_ask(c, discover));
    yyjson_doc *doc = client_ask(
        c, "{'jsonrpc':'2.0','id':0,'method':'initialize',"
           "'params':{'protocolVersion':'2025-11-25','capabilities':{}}}");
    TEST_ASSERT_EQUAL_STRING("2025-11-25",
                             client_text(doc, "/result/protocolVersion"));
    yyjson_doc_free(doc);
    yyjson_doc_free(client_ask(c, discover));
}

static void test_the_list_of_tools(void)
{
    yyjson_doc *doc = client_ask(c, MODERN("1", "tools/list", ""));

    TEST_ASSERT_EQUAL_INT(1, c->ready);
    TEST_ASSERT_EQUAL_STRING("complete",
                             client_text(doc, "/result/resultType"));
    TEST_ASSERT_EQUAL_size_t(ORDER_TOOLS,
                             yyjson_arr_size(client_at(doc, "/result/tools")));
    TEST_ASSERT_TRUE(yyjson_is_uint(client_at(doc, "/result/ttlMs")));
    TEST_ASSERT_NOT_NULL(client_text(doc, "/result/cacheScope"));
    TEST_ASSERT_NOT_NULL(client_at(doc, "/result/tools/7/outputSchema"));
    TEST_ASSERT_NOT_NULL(
        client_at(doc, "/result/_meta/io.modelcontextprotocol~1serverInfo"));
    yyjson_doc_free(doc);
}

static void test_a_call(void)
{
    client_expect(c,
                  MODERN("2", "tools/call",
                         "'name':'wait_agent','arguments':{'agentIds':["
                         "'a1']},"),
                  "");
    TEST_ASSERT_EQUAL_INT(ORDER_WAIT_AGENT, c->last.tool->kind);
    ASSERT_JSON("{'agentIds':['a1']}", c->last_args.ptr);
    TEST_ASSERT_EQUAL_INT(MCP_2026_07_28, c->last.version);
    mcp_answer(c->session, c->last.handle, json_slice("{'timedOut':false}"),
               false);
    ASSERT_JSON("{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete',"
                "'content':[{'type':'text','text':'{\\'timedOut\\':false}'}],"
                "'structuredContent':{'timedOut':false},"
                "'_meta':{'io.modelcontextprotocol/serverInfo':{"
                "'name':'kuromajutsu','title':'Kuromajutsu',"
                "'version':'1.2.3'}}}}\n",
                client_take(c));
}

static void test_missing_or_malformed_envelopes(void)
{
    TEST_ASSERT_EQUAL_INT(-32602, code_of("{'jsonrpc':'2.0','id':1,"
                                          "'method':'server/discover'}"));
    TEST_ASSERT_EQUAL_INT(
        -32602, code_of("{'jsonrpc':'2.0','id':1,'method':"
                        "'subscriptions/listen','params':{'_meta':7}}"));
    TEST_ASSERT_EQUAL_INT(
        -32602,
        code_of("{'jsonrpc':'2.0','id':1,'method':'tools/list',"
                "'params':{'_meta':{'io.modelcontextprotocol/protocolVersion':"
                "'2026-07-28'}}}"));
    TEST_ASSERT_EQUAL_INT(
        -32602, code_of("{'jsonrpc':'2.0','id':1,'method':'tools/list',"
                        "'params':{'_meta':{"
                        "'io.modelcontextprotocol/protocolVersion':20260728,"
                        "'io.modelcontextprotocol/clientCapabilities':{}}}}"));
    TEST_ASSERT_EQUAL_INT(
        -32602,
        code_of("{'jsonrpc':'2.0','id':1,'method':'tools/list',"
                "'params':{'_meta':{'io.modelcontextprotocol/logLevel':"
                "'loud','io.modelcontextprotocol/protocolVersion':"
                "'2026-07-28','io.modelcontextprotocol/clientCapabilities':{"
                "}}}}"));
    TEST_ASSERT_EQUAL_INT(0, c->ready);
}

/* Also after good requests: a version is of a message, not of the pipe. */
static void test_unsupported_versions(void)
{
    yyjson_doc_free(client_ask(c, MODERN("1", "tools/list", "")));
    client_expect(
        c,
        "{'jsonrpc':'2.0','id':1,'method':'tools/list',"
        "'params':{'_meta':{'io.modelcontextprotocol/protocolVersion':"
        "'2099-01-01','io.modelcontextprotocol/clientCapabilities':{}}}}",
        "{'jsonrpc':'2.0','id':1,'error':{'code':-32022,"
        "'message':'Unsupported protocol version',"
        "'data':{'supported':['2026-07-28'],'requested':'2099-01-01'}}}\n");
    TEST_ASSERT_EQUAL_INT(
        -32022,
        code_of("{'jsonrpc':'2.0','id':1,'method':'tools/list',"
                "'params':{'_meta':{"
                "'io.modelcontextprotocol/protocolVersion':'2025-11-25',"
                "'io.modelcontextprotocol/clientCapabilities':{}}}}"));
}

static void test_what_the_new_era_has_not(void)
{
    TEST_ASSERT_EQUAL_INT(-32601, code_of(MODERN("1", "ping", "")));
    TEST_ASSERT_EQUAL_INT(-32601, code_of(MODERN("1", "logging/setLevel", "")));
    TEST_ASSERT_EQUAL_INT(-32601, code_of(MODERN("1", "resources/list", "")));
    TEST_ASSERT_EQUAL_INT(-32601, code_of(MODERN("1", "tasks/get", "")));
    TEST_ASSERT_EQUAL_INT(
        -32601,
        code_of(MODERN("1", "initialize", "'protocolVersion':'2025-11-25',")));
    TEST_ASSERT_EQUAL_INT(
        -32022,
        code_of("{'jsonrpc':'2.0','id':1,'method':'initialize',"
                "'params':{'protocolVersion':'2025-11-25',"
                "'_meta':{'io.modelcontextprotocol/protocolVersion':"
                "'2099-01-01','io.modelcontextprotocol/clientCapabilities':{"
                "}}}}"));
    /* An incomplete envelope leaves initialize to the older era. */
    TEST_ASSERT_EQUAL_INT(
        0, code_of("{'jsonrpc':'2.0','id':1,'method':'initialize',"
                   "'params':{'protocolVersion':'2025-11-25',"
                   "'_meta':{'io.modelcontextprotocol/protocolVersion':"
                   "'2026-07-28'}}}"));
}

static void test_eras_mixed_call_by_call(void)
{
    yyjson_doc_free(client_ask(c,
                               "{'jsonrpc':'2.0','id':0,'method':'initialize',"
                               "'params':{'protocolVersion':'2024-11-05'}}"));
    client_say(c, MODERN("1", "tools/call", "'name':'list_roles',"));
    client_say(c, "{'jsonrpc':'2.0','id':2,'method':'tools/call',"
                  "'params':{'name':'list_roles'}}");
    mcp_answer(c->session, c->calls[1], SLICE("{}"), false);
    ASSERT_JSON("{'jsonrpc':'2.0','id':2,'result':{'content':[{'type':'text',"
                "'text':'{}'}]}}\n",
                client_take(c));
    mcp_answer(c->session, c->calls[0], SLICE("{}"), false);
    ASSERT_JSON_IN("'id':1,'result':{'resultType'", client_take(c));
}

#define ACK(id, wants)                                                         \
    "{'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged',"    \
    "'params':{'_meta':{'io.modelcontextprotocol/subscriptionId':" id          \
    "},'notifications':{" wants "}}}\n"
#define CHANGED(id)                                                            \
    "{'jsonrpc':'2.0','method':'notifications/tools/list_changed',"            \
    "'params':{'_meta':{'io.modelcontextprotocol/subscriptionId':" id "}}}\n"

static void open_three(void)
{
    client_expect(c,
                  MODERN("'listen:0'", "subscriptions/listen",
                         "'notifications':{'toolsListChanged':true,"
                         "'promptsListChanged':true,'resourceSubscriptions':["
                         "'agent://a']},"),
                  ACK("'listen:0'", "'toolsListChanged':true"));
    client_expect(c,
                  MODERN("0", "subscriptions/listen",
                         "'notifications':{'toolsListChanged':true},"),
                  ACK("0", "'toolsListChanged':true"));
    client_expect(c, MODERN("1", "subscriptions/listen", "'notifications':{},"),
                  ACK("1", ""));
}

static void test_listening(void)
{
    open_three();
    mcp_notify_changed(c->session, MCP_TOOLS);
    ASSERT_JSON(CHANGED("'listen:0'") CHANGED("0"), client_take(c));
    client_expect(c,
                  "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                  "'params':{'requestId':'listen:0'}}",
                  "");
    mcp_notify_changed(c->session, MCP_TOOLS);
    ASSERT_JSON(CHANGED("0"), client_take(c));
    mcp_close(c->session);
    const char *end = client_take(c);
    ASSERT_JSON_IN("{'jsonrpc':'2.0','id':0,'result':{'resultType':"
                   "'complete','_meta':{"
                   "'io.modelcontextprotocol/subscriptionId':0}}}\n",
                   end);
    TEST_ASSERT_NULL(strstr(end, "listen:0"));
    mcp_notify_changed(c->session, MCP_TOOLS);
    client_expect(c, discover, "");
}

static void test_listening_refused(void)
{
    TEST_ASSERT_EQUAL_INT(-32602,
                          code_of(MODERN("1", "subscriptions/listen", "")));
    TEST_ASSERT_EQUAL_INT(
        -32602, code_of(MODERN("1", "subscriptions/listen",
                               "'notifications':{'toolsListChanged':1},")));
    yyjson_doc *doc =
        client_ask(c, MODERN("1", "subscriptions/listen",
                             "'notifications':{'taskIds':['t']},"));
    TEST_ASSERT_EQUAL_INT(-32021,
                          yyjson_get_int(client_at(doc, "/error/code")));
    TEST_ASSERT_TRUE(yyjson_is_obj(
        client_at(doc, "/error/data/requiredCapabilities/extensions/"
                       "io.modelcontextprotocol~1tasks")));
    yyjson_doc_free(doc);
}

static void test_listening_is_bounded(void)
{
    client_restart(c, &(struct mcp_options){.max_listens = 2});
    client_say(c, MODERN("1", "subscriptions/listen", "'notifications':{},"));
    client_say(c, MODERN("2", "subscriptions/listen", "'notifications':{},"));
    client_take(c);
    client_expect(c, MODERN("3", "subscriptions/listen", "'notifications':{},"),
                  "{'jsonrpc':'2.0','id':3,'error':{'code':-32603,"
                  "'message':'Subscription limit reached'}}\n");
    client_say(c, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                  "'params':{'requestId':1}}");
    client_expect(c, MODERN("3", "subscriptions/listen", "'notifications':{},"),
                  ACK("3", ""));
}

/* Logs only on request, and for that request. */
static void test_logs(void)
{
    client_say(c, MODERN("1", "tools/call", "'name':'list_roles',"));
    mcp_log(c->session, c->last.handle, MCP_EMERGENCY, SLICE("1"));
    mcp_log(c->session, 0, MCP_EMERGENCY, SLICE("1"));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    client_say(c, "{'jsonrpc':'2.0','id':2,'method':'tools/call',"
                  "'params':{'name':'list_roles','_meta':{"
                  "'io.modelcontextprotocol/logLevel':'info',"
                  "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                  "'io.modelcontextprotocol/clientCapabilities':{}}}}");
    mcp_log(c->session, c->last.handle, MCP_DEBUG, SLICE("1"));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    mcp_log(c->session, c->last.handle, MCP_INFO, SLICE("no JSON"));
    ASSERT_JSON_IN("'data':'no JSON'", client_take(c));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_discover);
    TEST(test_discover_then_initialize_on_the_same_pipe);
    TEST(test_the_list_of_tools);
    TEST(test_a_call);
    TEST(test_missing_or_malformed_envelopes);
    TEST(test_unsupported_versions);
    TEST(test_what_the_new_era_has_not);
    TEST(test_eras_mixed_call_by_call);
    TEST(test_listening);
    TEST(test_listening_refused);
    TEST(test_listening_is_bounded);
    TEST(test_logs);
    return TAP_END();
}
