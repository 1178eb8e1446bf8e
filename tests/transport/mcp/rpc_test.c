/* SPDX-License-Identifier: MIT */
#include "transport/mcp/rpc.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/field.h"
#include "tap.h"
#include "runtime/text/json.h"

static struct rpc_text text;
static struct rpc_message m;

void tearDown(void)
{
    rpc_message_finish(&m);
    rpc_text_finish(&text);
}

static enum rpc_kind read_one(const char *json)
{
    tearDown();
    TEST_ASSERT_TRUE_MESSAGE(rpc_text_parse(&text, slice_cstr(json)), json);
    rpc_message_read(&m, &text, 0);
    return m.kind;
}

static const char *id(void)
{
    bytes_append(&m.id, "", 1);
    return m.id.ptr;
}

static void test_ids_come_back_to_the_byte(void)
{
    static const char *const ids[] = {"0",
                                      "-0",
                                      "1",
                                      "-7",
                                      "1.5",
                                      "1.50",
                                      "1e3",
                                      "0.0",
                                      "9007199254740993",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "123456789012345678901234567890",
                                      "-9223372036854775809",
                                      "1e400",
                                      "\"\"",
                                      "\"0\"",
                                      "\"listen:0\"",
                                      "\"日本\"",
                                      "\"a\\\"b\\\\\"",
                                      "\"\\u0000\""};
    char json[200];

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        snprintf(json, sizeof(json),
                 "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"x\"}", ids[i]);
        TEST_ASSERT_EQUAL_INT(RPC_REQUEST, read_one(json));
        TEST_ASSERT_EQUAL_STRING(ids[i], id());
    }
}

static void test_kinds(void)
{
    TEST_ASSERT_EQUAL_INT(RPC_NOTIFICATION,
                          read_one("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"));
    TEST_ASSERT_EQUAL_INT(
        RPC_RESPONSE, read_one("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"));
    TEST_ASSERT_EQUAL_INT(RPC_RESPONSE,
                          read_one("{\"jsonrpc\":\"2.0\",\"error\":{}}"));
    TEST_ASSERT_EQUAL_INT(RPC_RESPONSE, read_one("{\"jsonrpc\":\"2.0\","
                                                 "\"id\":null,\"error\":{}}"));
    TEST_ASSERT_EQUAL_INT(RPC_REQUEST,
                          read_one("{\"jsonrpc\":\"2.0\",\"id\":1,"
                                   "\"method\":\"x\",\"params\":{\"a\":1}}"));
    TEST_ASSERT_NOT_NULL(m.params);
    TEST_ASSERT_EQUAL_INT(RPC_REQUEST,
                          read_one("{\"jsonrpc\":\"2.0\",\"id\":1,"
                                   "\"method\":\"x\",\"params\":null}"));
    TEST_ASSERT_NULL(m.params);
}

static void check_invalid(const char *json, int code, const char *want_id)
{
    TEST_ASSERT_EQUAL_INT_MESSAGE(RPC_INVALID, read_one(json), json);
    TEST_ASSERT_EQUAL_INT_MESSAGE(code, m.fault.code, json);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(want_id, id(), json);
}

static void test_what_is_no_message_keeps_its_id(void)
{
    check_invalid("1", RPC_INVALID_REQUEST, "");
    check_invalid("\"x\"", RPC_INVALID_REQUEST, "");
    check_invalid("{}", RPC_INVALID_REQUEST, "");
    check_invalid("{\"id\":1,\"method\":\"x\"}", RPC_INVALID_REQUEST, "1");
    check_invalid("{\"jsonrpc\":\"1.0\",\"id\":2,\"method\":\"x\"}",
                  RPC_INVALID_REQUEST, "2");
    check_invalid("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}",
                  RPC_INVALID_REQUEST, "");
    check_invalid("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"x\"}",
                  RPC_INVALID_REQUEST, "");
    check_invalid("{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"x\"}",
                  RPC_INVALID_REQUEST, "");
    check_invalid("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":7}",
                  RPC_INVALID_REQUEST, "3");
    check_invalid("{\"jsonrpc\":\"2.0\",\"id\":3}", RPC_INVALID_REQUEST, "3");
    check_invalid(
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"x\",\"params\":[]}",
        RPC_INVALID_PARAMS, "4");
    check_invalid(
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"x\",\"result\":1}",
        RPC_INVALID_REQUEST, "4");
}

static void test_tokens_in_a_batch_are_found_in_place(void)
{
    static const struct slice path[] = {SLICE_INIT("params"), SLICE_INIT("t"),
                                        SLICE_INIT("")};
    struct bytes token = {0};

    rpc_text_parse(&text, SLICE("[1,{\"jsonrpc\":\"2.0\",\"id\":1.0,"
                                "\"method\":\"x\",\"params\":{\"t\":2.50}}]"));
    TEST_ASSERT_TRUE(rpc_text_is_batch(&text));
    TEST_ASSERT_EQUAL_size_t(2, rpc_text_count(&text));
    rpc_message_read(&m, &text, 1);
    TEST_ASSERT_EQUAL_STRING("1.0", id());
    TEST_ASSERT_TRUE(rpc_message_token(&m, path, &token));
    TEST_ASSERT_TRUE(slice_eq(SLICE("2.50"), bytes_slice(&token)));
    bytes_finish(&token);
}

static void test_bad_text_is_refused(void)
{
    static const char *const bad[] = {"",    "{",     "{\"a\":\"\xff\"}",
                                      "nul", "{} {}", "{\"a\":\"\\ud800\"}",
                                      "[1,]"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        TEST_ASSERT_FALSE(rpc_text_parse(&text, slice_cstr(bad[i])));
        rpc_text_finish(&text);
    }
}

static void test_a_deep_text_costs_no_stack(void)
{
    const size_t depth = 10000;
    char *deep = bytes_alloc(2 * depth);

    memset(deep, '[', depth);
    memset(deep + depth, ']', depth);
    TEST_ASSERT_TRUE(rpc_text_parse(&text, slice_of(deep, 2 * depth)));
    rpc_message_read(&m, &text, 0);
    TEST_ASSERT_EQUAL_INT(RPC_INVALID, m.kind);
    free(deep);
}

/* 16 bytes of memory for each byte of text would be the price. */
static void test_a_text_of_nothing_but_values_is_refused(void)
{
    const size_t len = 16 << 20;
    char *deep = bytes_alloc(len);

    memset(deep, '[', len);
    TEST_ASSERT_FALSE(rpc_text_parse(&text, slice_of(deep, len)));
    memset(deep + len / 2, ']', len / 2);
    TEST_ASSERT_FALSE(rpc_text_parse(&text, slice_of(deep, len)));
    free(deep);
}

static void test_writing(void)
{
    struct bytes out = {0};

    rpc_error(&out, SLICE("\"a\""), -32601, SLICE("no \"x\"\n"), SLICE("[1]"));
    rpc_error(&out, SLICE_EMPTY, -32700, SLICE("\xff"), SLICE_EMPTY);
    rpc_begin_result(&out, SLICE("7"));
    json_number(&out, 0.5);
    JSON_RAW(&out, ",");
    json_number(&out, 3);
    rpc_end(&out);
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32601,"
        "\"message\":\"no \\\"x\\\"\\n\",\"data\":[1]}}"
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,"
        "\"message\":\"\xef\xbf\xbd\"}}"
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":0.5,3}",
        out.ptr);
    bytes_finish(&out);
}

static void test_every_byte_survives_a_json_string(void)
{
    struct bytes out = {0};
    char all[128];

    for (int i = 0; i < 128; i++)
        all[i] = (char)i;
    json_string(&out, slice_of(all, sizeof(all)));
    yyjson_doc *doc = yyjson_read(out.ptr, out.len, 0);
    TEST_ASSERT_NOT_NULL(doc);
    TEST_ASSERT_TRUE(slice_eq(slice_of(all, sizeof(all)),
                              field_text(yyjson_doc_get_root(doc))));
    yyjson_doc_free(doc);
    bytes_finish(&out);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_ids_come_back_to_the_byte);
    TEST(test_kinds);
    TEST(test_what_is_no_message_keeps_its_id);
    TEST(test_tokens_in_a_batch_are_found_in_place);
    TEST(test_bad_text_is_refused);
    TEST(test_a_deep_text_costs_no_stack);
    TEST(test_a_text_of_nothing_but_values_is_refused);
    TEST(test_writing);
    TEST(test_every_byte_survives_a_json_string);
    return TAP_END();
}
