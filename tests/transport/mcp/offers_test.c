/* SPDX-License-Identifier: MIT */
/* Servers that have more than tools: what they offer, and whole results. */
#include "tests/transport/mcp/client.h"

#include <errno.h>
#include <string.h>

#include "json_text.h"
#include "tap.h"

#define EVERYTHING                                                             \
    (MCP_OFFER_LOGGING | MCP_OFFER_COMPLETIONS | MCP_OFFER_PROMPTS |           \
     MCP_OFFER_PROMPTS_CHANGED | MCP_OFFER_RESOURCES |                         \
     MCP_OFFER_RESOURCES_CHANGED | MCP_OFFER_RESOURCES_SUBSCRIBE)

#define MODERN(id, method, params)                                             \
    "{'jsonrpc':'2.0','id':" id ",'method':'" method                           \
    "','params':{" params MODERN_META "}}"
#define LEGACY(id, method, params)                                             \
    "{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':{" params "}" \
    "}"
#define INITIALIZE(version)                                                    \
    LEGACY("0", "initialize",                                                  \
           "'protocolVersion':'" version "','capabilities':{}")

static struct client *c;

static void restart(unsigned offers)
{
    client_restart(c, &(struct mcp_options){.offers = offers,
                                            .name = "other",
                                            .title = "Another"});
}

void setUp(void)
{
    c = client_create(NULL);
    restart(EVERYTHING);
}

void tearDown(void)
{
    client_destroy(c);
}

static void test_offers_are_told_in_both_eras(void)
{
    yyjson_doc *doc = client_ask(c, INITIALIZE("2025-11-25"));

    TEST_ASSERT_NOT_NULL(client_at(doc, "/result/capabilities/logging"));
    TEST_ASSERT_NOT_NULL(client_at(doc, "/result/capabilities/completions"));
    TEST_ASSERT_TRUE(yyjson_is_true(
        client_at(doc, "/result/capabilities/prompts/listChanged")));
    TEST_ASSERT_TRUE(yyjson_is_true(
        client_at(doc, "/result/capabilities/resources/subscribe")));
    TEST_ASSERT_EQUAL_STRING("other",
                             client_text(doc, "/result/serverInfo/name"));
    yyjson_doc_free(doc);
    doc = client_ask(c, MODERN("1", "server/discover", ""));
    TEST_ASSERT_TRUE(yyjson_is_true(
        client_at(doc, "/result/capabilities/resources/listChanged")));
    yyjson_doc_free(doc);
    doc = client_ask(c, INITIALIZE("2024-11-05"));
    TEST_ASSERT_NULL(client_at(doc, "/result/capabilities/completions"));
    yyjson_doc_free(doc);
}

static int status_of(const char *text)
{
    client_say(c, text);
    client_take(c);
    return c->last_status;
}

static void test_what_is_not_offered_is_unknown(void)
{
    restart(MCP_OFFER_PROMPTS);
    TEST_ASSERT_EQUAL_INT(404, status_of(MODERN("1", "resources/list", "")));
    TEST_ASSERT_EQUAL_INT(RPC_METHOD_NOT_FOUND, c->last_code);
    TEST_ASSERT_EQUAL_INT(200, status_of(LEGACY("2", "resources/list", "")));
    TEST_ASSERT_EQUAL_INT(RPC_METHOD_NOT_FOUND, c->last_code);
    TEST_ASSERT_EQUAL_INT(
        404, status_of(MODERN("3", "resources/subscribe", "'uri':'a',")));
    client_expect(c, MODERN("4", "prompts/list", ""), "");
    TEST_ASSERT_EQUAL_STRING("prompts/list", c->method.ptr);
}

static void test_removed_methods_are_unknown_to_the_new_era(void)
{
    static const char *const removed[] = {
        MODERN("1", "ping", ""),
        MODERN("1", "logging/setLevel", "'level':'info',"),
        MODERN("1", "resources/subscribe", "'uri':'a',"),
        MODERN("1", "resources/unsubscribe", "'uri':'a',"),
        MODERN("1", "initialize", "")};

    for (size_t i = 0; i < sizeof(removed) / sizeof(*removed); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(404, status_of(removed[i]), removed[i]);
        TEST_ASSERT_EQUAL_INT(RPC_METHOD_NOT_FOUND, c->last_code);
    }
}

static void test_results_fit_the_version(void)
{
    struct slice json = json_slice("{'resources': [], 'ttlMs': 7}");

    client_say(c, LEGACY("1", "resources/list", ""));
    mcp_result(c->session, c->request, json);
    ASSERT_JSON("{'jsonrpc':'2.0','id':1,'result':{'resources':[]}}\n",
                client_take(c));
    client_say(c, MODERN("2", "resources/list", ""));
    mcp_result(c->session, c->request, json);
    ASSERT_JSON("{'jsonrpc':'2.0','id':2,'result':{'resultType':'complete',"
                "'resources':[],'ttlMs':7,'cacheScope':'private',"
                "'_meta':{'io.modelcontextprotocol/serverInfo':{"
                "'name':'other','title':'Another','version':'1.2.3'}}}}\n",
                client_take(c));
    TEST_ASSERT_EQUAL_INT(-ENOENT, mcp_result(c->session, c->request, json));
}

static void test_input_required_is_of_the_new_era(void)
{
    struct slice json = SLICE(
        "{\"resultType\":\"input_required\",\"requestState\":\"s\",\"_meta\":"
        "{\"x\":1}}");

    client_say(c, MODERN("1", "prompts/get", "'name':'a',"));
    mcp_result(c->session, c->request, json);
    const char *answer = client_take(c);
    ASSERT_JSON_IN("{'resultType':"
                   "'input_required'",
                   answer);
    ASSERT_JSON_IN("'x':1}", answer);
    TEST_ASSERT_NULL(strstr(answer, "ttlMs"));
    client_say(c, LEGACY("2", "prompts/get", "'name':'a'"));
    mcp_result(c->session, c->request, json);
    client_take(c);
    TEST_ASSERT_EQUAL_INT(RPC_INTERNAL_ERROR, c->last_code);
}

static void test_failures_carry_data_and_a_status(void)
{
    struct slice data = json_slice("{'requiredCapabilities':{'sampling':{}}}");

    client_say(c, MODERN("1", "tools/call", "'name':'list_roles',"));
    mcp_fail(c->session, c->calls[0], MCP_MISSING_CAPABILITY, SLICE("no"),
             data);
    ASSERT_JSON("{'jsonrpc':'2.0','id':1,'error':{'code':-32021,"
                "'message':'no','data':{'requiredCapabilities':{'sampling':{"
                "}}}}}\n",
                client_take(c));
    TEST_ASSERT_EQUAL_INT(400, c->last_status);
    TEST_ASSERT_EQUAL_INT(
        200, status_of(MODERN("2", "tools/call", "'name':'nobody',")));
    TEST_ASSERT_EQUAL_INT(400, status_of("{'jsonrpc':'2.0','id':3,"
                                         "'method':'server/discover'}"));
    TEST_ASSERT_EQUAL_INT(400, status_of("{"));
    TEST_ASSERT_EQUAL_INT(RPC_PARSE_ERROR, c->last_code);
}

static void test_listen_honours_what_is_offered(void)
{
    const char *all = MODERN(
        "9", "subscriptions/listen",
        "'notifications':{'toolsListChanged':true,'promptsListChanged':true,"
        "'resourcesListChanged':false,'resourceSubscriptions':['a']},");

    client_say(c, all);
    ASSERT_JSON_IN("'notifications':{"
                   "'toolsListChanged':true,"
                   "'promptsListChanged':true,"
                   "'resourceSubscriptions':['a']}",
                   client_take(c));
    mcp_notify_changed(c->session, MCP_RESOURCES);
    mcp_notify_updated(c->session, SLICE("b"));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    mcp_notify_updated(c->session, SLICE("a"));
    ASSERT_JSON("{'jsonrpc':'2.0','method':'notifications/resources/updated',"
                "'params':{'_meta':{"
                "'io.modelcontextprotocol/subscriptionId':9},'uri':'a'}}\n",
                client_take(c));
    restart(0);
    client_say(c, all);
    ASSERT_JSON_IN("'notifications':{'toolsListChanged':true}}",
                   client_take(c));
}

static void test_subscriptions_of_the_older_era(void)
{
    yyjson_doc_free(client_ask(c, INITIALIZE("2025-06-18")));
    client_expect(c, LEGACY("1", "resources/subscribe", "'uri':'a'"),
                  "{'jsonrpc':'2.0','id':1,'result':{}}\n");
    mcp_notify_updated(c->session, SLICE("a"));
    ASSERT_JSON("{'jsonrpc':'2.0','method':'notifications/resources/updated',"
                "'params':{'uri':'a'}}\n",
                client_take(c));
    client_expect(c, LEGACY("2", "resources/unsubscribe", "'uri':'a'"),
                  "{'jsonrpc':'2.0','id':2,'result':{}}\n");
    mcp_notify_updated(c->session, SLICE("a"));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    client_say(c, LEGACY("3", "resources/subscribe", "'uri':7"));
    client_take(c);
    TEST_ASSERT_EQUAL_INT(RPC_INVALID_PARAMS, c->last_code);
}

static void test_subscriptions_are_bounded(void)
{
    struct mcp_uris u = {0};
    char name[5000];
    int added = 0;

    memset(name, 'x', sizeof(name));
    TEST_ASSERT_FALSE(mcp_uris_add(&u, slice_of(name, sizeof(name))));
    while (added < 100000 && mcp_uris_add(&u, slice_of(name, (size_t)added)))
        added++;
    TEST_ASSERT_EQUAL_INT(256, added);
    mcp_uris_finish(&u);
}

/* As over HTTP, where each request is a session. */
static void test_sessions_share_what_is_known_of_a_client(void)
{
    struct mcp_client known;
    struct client *other;

    mcp_client_init(&known, MCP_2025_11_25);
    client_restart(c, &(struct mcp_options){.client = &known});
    other = client_create(&(struct mcp_options){.client = &known, .serial = 2});
    yyjson_doc_free(client_ask(c, INITIALIZE("2024-11-05")));
    TEST_ASSERT_EQUAL_INT(MCP_2024_11_05, mcp_negotiated(other->session));
    client_say(other, LEGACY("1", "tools/list", ""));
    TEST_ASSERT_NULL(strstr(client_take(other), "annotations"));
    client_destroy(other);
    mcp_client_finish(&known);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_offers_are_told_in_both_eras);
    TEST(test_what_is_not_offered_is_unknown);
    TEST(test_removed_methods_are_unknown_to_the_new_era);
    TEST(test_results_fit_the_version);
    TEST(test_input_required_is_of_the_new_era);
    TEST(test_failures_carry_data_and_a_status);
    TEST(test_listen_honours_what_is_offered);
    TEST(test_subscriptions_of_the_older_era);
    TEST(test_subscriptions_are_bounded);
    TEST(test_sessions_share_what_is_known_of_a_client);
    return TAP_END();
}
