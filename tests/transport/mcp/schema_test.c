/* SPDX-License-Identifier: MIT */
#include "transport/mcp/schema.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"
#include "json_text.h"
#include "tap.h"

static struct schema_problem p;

static yyjson_doc *read_json(const char *text)
{
    const char *json = json_of(text);
    yyjson_doc *doc =
        yyjson_read(json, strlen(json), YYJSON_READ_BIGNUM_AS_RAW);

    TEST_ASSERT_NOT_NULL_MESSAGE(doc, text);
    return doc;
}

static enum schema_rule rule(const char *schema, const char *value)
{
    yyjson_doc *s = read_json(schema), *v = read_json(value);
    bool is_good =
        schema_check(yyjson_doc_get_root(s), yyjson_doc_get_root(v), &p);

    TEST_ASSERT_EQUAL_INT(is_good, p.rule == SCHEMA_GOOD);
    yyjson_doc_free(s);
    yyjson_doc_free(v);
    return p.rule;
}

#define GOOD(schema, value)                                                    \
    TEST_ASSERT_EQUAL_INT(SCHEMA_GOOD, rule(schema, value))
#define BAD(what, schema, value)                                               \
    TEST_ASSERT_EQUAL_INT(what, rule(schema, value))

static void test_types(void)
{
    static const char *const types[] = {"string", "integer", "boolean",
                                        "object", "array",   "null"};
    static const char *const values[] = {"\"\"", "1",  "false",
                                         "{}",   "[]", "null"};
    char schema[40];

    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            snprintf(schema, sizeof(schema), "{\"type\":\"%s\"}", types[i]);
            BAD(i == j ? SCHEMA_GOOD : SCHEMA_TYPE, schema, values[j]);
        }
    }
    GOOD("{}", "[1,{'a':null}]");
}

static void test_numbers(void)
{
    GOOD("{'type':'number'}", "1.5");
    GOOD("{'type':'integer'}", "-3.0");
    GOOD("{'type':'integer'}", "123456789012345678901234567890");
    BAD(SCHEMA_TYPE, "{'type':'integer'}", "1.5");
    BAD(SCHEMA_TYPE, "{'type':'integer'}", "'1'");
    BAD(SCHEMA_RANGE, "{'minimum':1}", "0.5");
    BAD(SCHEMA_RANGE, "{'maximum':9007199254740992}", "9007199254740993");
    BAD(SCHEMA_RANGE, "{'maximum':5}", "1e400");
    GOOD("{'minimum':1,'maximum':2}", "2");
}

static void test_one_of_several_types(void)
{
    const char *schema =
        "{\"type\":[\"object\",\"null\"],\"required\":[\"a\"]}";

    GOOD(schema, "null");
    GOOD(schema, "{'a':1}");
    BAD(SCHEMA_MISSING, schema, "{}");
    BAD(SCHEMA_TYPE, schema, "1");
}

static void test_lists(void)
{
    const char *schema = "{\"type\":\"array\",\"minItems\":2,\"maxItems\":3,"
                         "\"items\":{\"type\":\"string\",\"minLength\":1}}";

    GOOD(schema, "['a','b']");
    BAD(SCHEMA_EMPTY, schema, "[]");
    BAD(SCHEMA_COUNT, schema, "['a']");
    BAD(SCHEMA_COUNT, schema, "['a','b','c','d']");
    BAD(SCHEMA_BLANK, schema, "['a','']");
    TEST_ASSERT_EQUAL_STRING("[1]", p.path);
}

static void test_paths_of_members(void)
{
    const char *schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
        "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
        "\"properties\":{\"b\":{\"enum\":[\"x\",\"y\"]}}}}}}";

    GOOD(schema, "{'a':[{'b':'x'},{'b':'y','free':1}]}");
    BAD(SCHEMA_ENUM, schema, "{'a':[{'b':'x'},{'b':'z'}]}");
    TEST_ASSERT_EQUAL_STRING("a[1].b", p.path);
    BAD(SCHEMA_ENUM, schema, "{'a':[{'b':7}]}");
    BAD(SCHEMA_UNKNOWN, schema, "{'a':[],'A':1}");
    TEST_ASSERT_EQUAL_STRING("A", p.path);
    BAD(SCHEMA_NUL, "{'type':'string'}", "'a\\u0000'");
}

static void test_integers_for_the_host(void)
{
    static const char *const texts[] = {"7", "-7", "1e3", "7.0",
                                        "9223372036854775807"};
    static const int64_t wanted[] = {7, -7, 1000, 7, INT64_MAX};
    static const char *const wrong[] = {"7.5",  "1e300", "18446744073709551615",
                                        "null", "\"7\"", "1e400"};
    int64_t number;

    for (int i = 0; i < 5; i++) {
        yyjson_doc *doc = read_json(texts[i]);
        TEST_ASSERT_TRUE(schema_int(yyjson_doc_get_root(doc), &number));
        TEST_ASSERT_EQUAL_INT64(wanted[i], number);
        yyjson_doc_free(doc);
    }
    for (int i = 0; i < 6; i++) {
        yyjson_doc *doc = read_json(wrong[i]);
        TEST_ASSERT_FALSE(schema_int(yyjson_doc_get_root(doc), &number));
        yyjson_doc_free(doc);
    }
    TEST_ASSERT_FALSE(schema_int(NULL, &number));
}

static void test_words_it_does_not_know(void)
{
    yyjson_doc *doc = read_json("{'properties':{'a':{'items':{"
                                "'pattern':'x'}}}}");
    struct slice word;

    TEST_ASSERT_FALSE(schema_is_known(yyjson_doc_get_root(doc), &word));
    TEST_ASSERT_TRUE(slice_eq(SLICE("pattern"), word));
    yyjson_doc_free(doc);
    TEST_ASSERT_FALSE(schema_is_known(NULL, &word));
}

/* However deep the value is, no deeper than the schema is looked. */
static void test_a_deep_value(void)
{
    const size_t depth = 100000;
    struct bytes text = {0};

    bytes_append(&text, "{\"a\":", 5);
    for (size_t i = 0; i < depth; i++)
        bytes_append(&text, "[", 1);
    for (size_t i = 0; i < depth; i++)
        bytes_append(&text, "]", 1);
    bytes_append(&text, "}", 2);
    GOOD("{'properties':{'a':{'type':'array'}}}", text.ptr);
    BAD(SCHEMA_TYPE, "{'properties':{'a':{'type':'object'}}}", text.ptr);
    bytes_finish(&text);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_types);
    TEST(test_numbers);
    TEST(test_one_of_several_types);
    TEST(test_lists);
    TEST(test_paths_of_members);
    TEST(test_integers_for_the_host);
    TEST(test_words_it_does_not_know);
    TEST(test_a_deep_value);
    return TAP_END();
}
