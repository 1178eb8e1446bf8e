/* SPDX-License-Identifier: MIT */
/* Calls in flight: order, progress, cancellation and its races, limits. */
#include "tests/transport/mcp/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

/* meta is JSON text of params._meta, or NULL. */
static uint64_t call(const char *id, const char *meta)
{
    char text[400];
    size_t before = c->call_count;

    snprintf(text, sizeof(text),
             "{'jsonrpc':'2.0','id':%s,'method':'tools/call',"
             "'params':{'name':'list_agents','arguments':{}%s%s}}",
             id, meta ? ",'_meta':" : "", meta ? meta : "");
    client_say(c, text);
    return c->call_count > before ? c->last.handle : 0;
}

static void cancel(const char *id)
{
    char text[200];

    snprintf(text, sizeof(text),
             "{'jsonrpc':'2.0','method':'notifications/cancelled',"
             "'params':{'requestId':%s,'reason':'timed out'}}",
             id);
    client_say(c, text);
}

static void test_answers_in_any_order(void)
{
    static const char *const ids[] = {"0", "'a'", "18446744073709551616", "-5",
                                      "1.50"};
    uint64_t handles[5];
    char want[60];

    for (int i = 0; i < 5; i++)
        handles[i] = call(ids[i], NULL);
    TEST_ASSERT_EQUAL_size_t(5, mcp_in_flight(c->session));
    for (int i = 4; i >= 0; i--) {
        TEST_ASSERT_EQUAL_INT(
            0, mcp_answer(c->session, handles[i], SLICE("{}"), false));
        snprintf(want, sizeof(want), "{'jsonrpc':'2.0','id':%s,", ids[i]);
        TEST_ASSERT_EQUAL_INT(
            0, strncmp(client_take(c), json_of(want), strlen(want)));
    }
    TEST_ASSERT_EQUAL_size_t(0, mcp_in_flight(c->session));
}

static void test_an_answer_from_inside_the_upcall(void)
{
    c->answers_at_once = true;
    call("1", NULL);
    ASSERT_JSON_IN("{'at':'once'}", client_take(c));
    TEST_ASSERT_EQUAL_size_t(0, mcp_in_flight(c->session));
}

static void test_errors_of_tools(void)
{
    uint64_t h = call("1", NULL);

    mcp_answer(c->session, h,
               json_slice("{'error':true,'code':'GROUP_NOT_FOUND'}"), true);
    ASSERT_JSON("{'jsonrpc':'2.0','id':1,'result':{'content':[{'type':'text',"
                "'text':'{\\'error\\':true,"
                "\\'code\\':\\'GROUP_NOT_FOUND\\'}'}],'isError':true}}\n",
                client_take(c));
    client_expect(c,
                  "{'jsonrpc':'2.0','id':2,'method':'tools/call',"
                  "'params':{'name':'wait_agent','arguments':{'agentIds':["
                  "]}}}",
                  "{'jsonrpc':'2.0','id':2,'result':{'content':[{"
                  "'type':'text','text':'{\\'error\\':true,"
                  "\\'code\\':\\'EMPTY_AGENT_IDS\\',"
                  "\\'message\\':\\'the array agentIds is empty; give at "
                  "least one\\',\\'details\\':{\\'path\\':\\'agentIds\\',"
                  "\\'expected\\':\\'an array\\'}}'}],'isError':true}}\n");
    TEST_ASSERT_EQUAL_size_t(1, c->call_count);
}

static void test_errors_of_calls(void)
{
    static const char *const wrong[] = {
        "{'jsonrpc':'2.0','id':1,'method':'tools/call'}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':7}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
        "'params':{'name':'list_roles','arguments':[]}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
        "'params':{'name':'list_roles','_meta':{'progressToken':{}}}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
        "'params':{'name':'list_role'}}"};

    for (int i = 0; i < 5; i++) {
        client_say(c, wrong[i]);
        TEST_ASSERT_EQUAL_INT(-32602, c->last_code);
    }
    ASSERT_JSON_IN("Unknown tool: "
                   "list_role'",
                   client_take(c));
    TEST_ASSERT_EQUAL_size_t(0, c->call_count);
}

static void test_an_answer_that_is_no_object(void)
{
    static const char *const wrong[] = {"", "[1]", "{", "7", "{}\n{}"};

    for (int i = 0; i < 5; i++) {
        uint64_t h = call("1", NULL);
        TEST_ASSERT_EQUAL_INT(
            0, mcp_answer(c->session, h, slice_cstr(wrong[i]), false));
        TEST_ASSERT_EQUAL_INT(-32603, c->last_code);
        client_take(c);
    }
    uint64_t h = call("1", NULL);
    mcp_fail(c->session, h, -32603, SLICE("gone"), SLICE_EMPTY);
    ASSERT_JSON("{'jsonrpc':'2.0','id':1,"
                "'error':{'code':-32603,"
                "'message':'gone'}}\n",
                client_take(c));
}

static void test_progress(void)
{
    uint64_t h = call("1", "{'progressToken':0}");

    TEST_ASSERT_TRUE(c->last.has_token);
    mcp_progress(c->session, h, 1, 3, json_slice("running 'tests'"));
    ASSERT_JSON("{'jsonrpc':'2.0','method':'notifications/progress',"
                "'params':{'progressToken':0,'progress':1,'total':3,"
                "'message':'running \\'tests\\''}}\n",
                client_take(c));
    /* It must increase. */
    mcp_progress(c->session, h, 1, 3, SLICE(""));
    mcp_progress(c->session, h, 0.5, 3, SLICE(""));
    mcp_progress(c->session, h, 0.0 / 0.0, 3, SLICE(""));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    mcp_progress(c->session, h, 1.5, 0, SLICE(""));
    ASSERT_JSON("{'jsonrpc':'2.0','method':'notifications/progress',"
                "'params':{'progressToken':0,'progress':1.5}}\n",
                client_take(c));
    mcp_answer(c->session, h, SLICE("{}"), false);
    client_take(c);
    TEST_ASSERT_EQUAL_INT(-ENOENT,
                          mcp_progress(c->session, h, 9, 0, SLICE("")));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
}

static double count(uint64_t h, unsigned done)
{
    const char *text;

    TEST_ASSERT_EQUAL_INT(0, mcp_count(c->session, h, done, 2));
    mcp_written(c->session, SIZE_MAX);
    text = strstr(client_take(c), json_of("'progress':"));
    return text != NULL ? strtod(text + strlen("'progress':"), NULL) : -1;
}

/* A day of notices every ten seconds, then a step, and again. */
static void test_a_count_told_again_still_rises(void)
{
    uint64_t h = call("1", "{'progressToken':0}");

    mcp_count(c->session, h, 0, 2);
    ASSERT_JSON("{'jsonrpc':'2.0','method':'notifications/progress',"
                "'params':{'progressToken':0,'progress':0,'total':2,"
                "'message':'0/2 done'}}\n",
                client_take(c));
    for (unsigned done = 0; done < 2; done++) {
        double last = count(h, done);

        for (int i = 0; i < 8640; i++) {
            double next = count(h, done);
            TEST_ASSERT_TRUE(next > last && next < done + 1);
            last = next;
        }
    }
    TEST_ASSERT_TRUE(count(h, 2) == 2);
    mcp_answer(c->session, h, SLICE("{}"), false);
    TEST_ASSERT_EQUAL_INT(-ENOENT, mcp_count(c->session, h, 2, 2));
}

static void test_progress_is_for_those_who_ask(void)
{
    uint64_t h = call("1", NULL);

    TEST_ASSERT_FALSE(c->last.has_token);
    TEST_ASSERT_EQUAL_INT(0, mcp_progress(c->session, h, 1, 0, SLICE("x")));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    yyjson_doc_free(client_ask(c,
                               "{'jsonrpc':'2.0','id':0,'method':'initialize',"
                               "'params':{'protocolVersion':'2024-11-05'}}"));
    h = call("2", "{'progressToken':'t'}");
    mcp_progress(c->session, h, 1, 0, SLICE("not in this version"));
    ASSERT_JSON("{'jsonrpc':'2.0','method':'notifications/progress',"
                "'params':{'progressToken':'t','progress':1}}\n",
                client_take(c));
}

static void test_a_cancelled_call_sends_nothing_more(void)
{
    uint64_t h = call("1", "{'progressToken':7}"), other = call("2", NULL);

    cancel("1");
    TEST_ASSERT_EQUAL_size_t(1, c->cancelled_count);
    TEST_ASSERT_EQUAL_UINT64(h, c->cancelled[0]);
    TEST_ASSERT_EQUAL_INT(-ENOENT,
                          mcp_progress(c->session, h, 1, 0, SLICE("")));
    TEST_ASSERT_EQUAL_INT(-ENOENT,
                          mcp_answer(c->session, h, SLICE("{}"), false));
    TEST_ASSERT_EQUAL_INT(-ENOENT,
                          mcp_fail(c->session, h, -1, SLICE(""), SLICE_EMPTY));
    TEST_ASSERT_EQUAL_INT(-ENOENT,
                          mcp_log(c->session, h, MCP_ERROR, SLICE("1")));
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
    TEST_ASSERT_EQUAL_INT(0, mcp_answer(c->session, other, SLICE("{}"), false));
    client_take(c);
}

static void test_cancellation_races(void)
{
    uint64_t first = call("1", NULL);

    mcp_answer(c->session, first, SLICE("{}"), false);
    client_take(c);
    /* Too late, twice, unknown, of another type, nonsense. */
    cancel("1");
    cancel("1");
    cancel("99");
    cancel("{}");
    cancel("null");
    client_say(c, "{'jsonrpc':'2.0','method':'notifications/cancelled'}");
    call("1", NULL);
    cancel("'1'");
    cancel("1.0");
    TEST_ASSERT_EQUAL_size_t(0, c->cancelled_count);
    TEST_ASSERT_EQUAL_size_t(1, mcp_in_flight(c->session));
    cancel("1");
    TEST_ASSERT_EQUAL_size_t(1, c->cancelled_count);
    /* The id is free again, under a new handle. */
    uint64_t again = call("1", NULL);
    TEST_ASSERT_TRUE(again > first);
    TEST_ASSERT_EQUAL_INT(0, mcp_answer(c->session, again, SLICE("{}"), false));
    TEST_ASSERT_EQUAL_INT(0,
                          strncmp(client_take(c), json_of("{'jsonrpc'"), 10));
}

static void test_an_id_in_flight_is_not_taken_twice(void)
{
    uint64_t h = call("1", NULL);

    TEST_ASSERT_EQUAL_UINT64(0, call("1", NULL));
    ASSERT_JSON("{'jsonrpc':'2.0','error':{'code':-32600,"
                "'message':'Invalid Request: id is in flight already'}}\n",
                client_take(c));
    TEST_ASSERT_EQUAL_INT(0, mcp_answer(c->session, h, SLICE("{}"), false));
    TEST_ASSERT_NOT_EQUAL_UINT64(0, call("1", NULL));
}

static void test_calls_are_bounded(void)
{
    client_restart(c, &(struct mcp_options){.max_calls = 3});
    uint64_t h = call("1", NULL);
    call("2", NULL);
    call("3", NULL);
    TEST_ASSERT_EQUAL_UINT64(0, call("4", NULL));
    ASSERT_JSON("{'jsonrpc':'2.0','id':4,'error':{'code':-32603,"
                "'message':'Too many calls in flight'}}\n",
                client_take(c));
    mcp_answer(c->session, h, SLICE("{}"), false);
    TEST_ASSERT_NOT_EQUAL_UINT64(0, call("4", NULL));
}

static void test_a_client_that_does_not_read(void)
{
    client_restart(c, &(struct mcp_options){.queue_bytes = 100});
    uint64_t h = call("1", "{'progressToken':1}");
    TEST_ASSERT_TRUE(mcp_may_read(c->session));
    mcp_progress(c->session, h, 1, 0, SLICE(""));
    mcp_progress(c->session, h, 2, 0, SLICE(""));
    TEST_ASSERT_FALSE(mcp_may_read(c->session));
    size_t lines = c->line_count;
    mcp_progress(c->session, h, 3, 0, SLICE(""));
    TEST_ASSERT_EQUAL_size_t(lines, c->line_count);
    mcp_answer(c->session, h, SLICE("{}"), false);
    TEST_ASSERT_EQUAL_size_t(lines + 1, c->line_count);
    client_take(c);
    TEST_ASSERT_TRUE(mcp_may_read(c->session));
}

/* Official clients end the connection over more than 10 MB. */
static void test_an_answer_too_large_fails_alone(void)
{
    client_restart(c, &(struct mcp_options){.max_answer = 300});
    uint64_t h = call("1", NULL);
    char big[400] = "{'a':'";

    memset(big + 6, 'x', 200);
    strcpy(big + 206, "'}");
    mcp_answer(c->session, h, json_slice(big), false);
    ASSERT_JSON("{'jsonrpc':'2.0','id':1,'result':{'content':[{'type':'text',"
                "'text':'{\\'error\\':true,\\'code\\':\\'ANSWER_TOO_LARGE\\',"
                "\\'message\\':\\'the answer is too large; ask for less: without "
                "full, with a smaller limit, or for one group\\',"
                "\\'details\\':{\\'bytes\\':513,\\'limit\\':300}}'}],"
                "'isError':true}}\n",
                client_take(c));
    TEST_ASSERT_EQUAL_size_t(0, mcp_in_flight(c->session));
}

static void test_closing_tells_the_host_of_every_call(void)
{
    uint64_t h = call("1", NULL);

    call("2", NULL);
    mcp_close(c->session);
    TEST_ASSERT_EQUAL_size_t(2, c->cancelled_count);
    TEST_ASSERT_EQUAL_INT(-ENOENT,
                          mcp_answer(c->session, h, SLICE("{}"), false));
    mcp_close(c->session);
    TEST_ASSERT_EQUAL_size_t(2, c->cancelled_count);
    TEST_ASSERT_EQUAL_STRING("", client_take(c));
}

static void test_a_call_shows_that_the_client_stays(void)
{
    call("1", NULL);
    TEST_ASSERT_EQUAL_INT(1, c->ready);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_answers_in_any_order);
    TEST(test_an_answer_from_inside_the_upcall);
    TEST(test_errors_of_tools);
    TEST(test_errors_of_calls);
    TEST(test_an_answer_that_is_no_object);
    TEST(test_progress);
    TEST(test_a_count_told_again_still_rises);
    TEST(test_progress_is_for_those_who_ask);
    TEST(test_a_cancelled_call_sends_nothing_more);
    TEST(test_cancellation_races);
    TEST(test_an_id_in_flight_is_not_taken_twice);
    TEST(test_calls_are_bounded);
    TEST(test_a_client_that_does_not_read);
    TEST(test_an_answer_too_large_fails_alone);
    TEST(test_closing_tells_the_host_of_every_call);
    TEST(test_a_call_shows_that_the_client_stays);
    return TAP_END();
}
