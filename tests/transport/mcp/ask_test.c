/* SPDX-License-Identifier: MIT */
/* What the server asks its client while a call lasts. */
#include "tests/transport/mcp/client.h"

#include <errno.h>

#include "json_text.h"
#include "tap.h"

static struct client *c;

#define CALL(id)                                                               \
    "{'jsonrpc':'2.0','id':" id ",'method':'tools/call',"                      \
    "'params':{'name':'list_roles'}}"

void setUp(void)
{
    c = client_create(&(struct mcp_options){.serial = 0xab});
    yyjson_doc_free(
        client_ask(c, "{'jsonrpc':'2.0','id':0,'method':'initialize',"
                      "'params':{'protocolVersion':'2025-11-25',"
                      "'capabilities':{'elicitation':{},'roots':{}}}}"));
    client_say(c, CALL("1"));
}

void tearDown(void)
{
    client_destroy(c);
}

static int ask(const char *method, uint64_t *number)
{
    return mcp_ask(c->session, c->calls[0], slice_cstr(method), SLICE("{}"),
                   number);
}

static void test_a_question_and_its_reply(void)
{
    uint64_t number = 0;

    TEST_ASSERT_EQUAL_INT(0, ask("elicitation/create", &number));
    ASSERT_JSON("{'jsonrpc':'2.0','id':'sab-1',"
                "'method':'elicitation/create',"
                "'params':{}}\n",
                client_take(c));
    client_expect(c, "{'jsonrpc':'2.0','id':'sab-1','result':{'a':1}}", "");
    TEST_ASSERT_EQUAL_UINT64(number, c->asked);
    ASSERT_JSON("{'a':1}", c->reply.ptr);
    c->asked = 0;
    client_expect(c, "{'jsonrpc':'2.0','id':'sab-1','result':{'a':1}}", "");
    TEST_ASSERT_EQUAL_UINT64(0, c->asked);
    TEST_ASSERT_EQUAL_INT(0, ask("roots/list", &number));
    client_take(c);
    client_expect(
        c, "{'jsonrpc':'2.0','id':'sab-2','error':{'code':-1,'message':'no'}}",
        "");
    ASSERT_JSON("{'code':-1,'message':'no'}", c->reply.ptr);
}

static void test_clients_are_asked_what_they_can(void)
{
    uint64_t number;

    TEST_ASSERT_EQUAL_UINT(MCP_CAN_ELICIT | MCP_CAN_ROOTS, c->last.can);
    TEST_ASSERT_EQUAL_INT(-ENOTSUP, ask("sampling/createMessage", &number));
    TEST_ASSERT_EQUAL_INT(-ENOTSUP, ask("tools/list", &number));
    client_say(c, "{'jsonrpc':'2.0','id':2,'method':'tools/call',"
                  "'params':{'name':'list_roles',"
                  "'_meta':{'io.modelcontextprotocol/protocolVersion':"
                  "'2026-07-28','io.modelcontextprotocol/clientCapabilities':"
                  "{'sampling':{}}}}}");
    TEST_ASSERT_EQUAL_UINT(MCP_CAN_SAMPLE, c->last.can);
    TEST_ASSERT_EQUAL_INT(-ENOTSUP, mcp_ask(c->session, c->calls[1],
                                            SLICE("sampling/createMessage"),
                                            SLICE("{}"), &number));
}

static void test_no_reply_after_the_call(void)
{
    uint64_t number;

    TEST_ASSERT_EQUAL_INT(0, ask("roots/list", &number));
    mcp_answer(c->session, c->calls[0], SLICE("{}"), false);
    client_take(c);
    client_expect(c, "{'jsonrpc':'2.0','id':'sab-1','result':{}}", "");
    TEST_ASSERT_EQUAL_UINT64(0, c->asked);
    TEST_ASSERT_EQUAL_INT(-ENOENT, ask("roots/list", &number));
}

static void test_questions_are_bounded(void)
{
    uint64_t number;
    int asked = 0;

    while (asked < 10000 && ask("roots/list", &number) == 0)
        asked++;
    TEST_ASSERT_EQUAL_INT(64, asked);
    TEST_ASSERT_EQUAL_INT(-EAGAIN, ask("roots/list", &number));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_a_question_and_its_reply);
    TEST(test_clients_are_asked_what_they_can);
    TEST(test_no_reply_after_the_call);
    TEST(test_questions_are_bounded);
    return TAP_END();
}
