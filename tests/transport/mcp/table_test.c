/* SPDX-License-Identifier: MIT */
/* Tables of tools that are not the product's. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "runtime/text/field.h"
#include "transport/mcp/tools.h"

static const char text[] =
    "{\"tools\":[{\"name\":\"a\",\"description\":\"d\",\"inputSchema\":{"
    "\"type\":\"object\"}},{\"name\":\"b\",\"description\":{\"ja\":\"j\","
    "\"en\":\"e\"},\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{"
    "\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","
    "\"x-mcp-header\":\"Region\"},\"deep\":{\"type\":\"object\","
    "\"properties\":{\"level\":{\"type\":\"integer\",\"x-mcp-header\":"
    "\"Level\"}}}}}}]}";

static struct tools *tools;

void setUp(void)
{
    tools = tools_create_from(slice_cstr(text), TOOLS_ENGLISH);
}

void tearDown(void)
{
    tools_destroy(tools);
}

static void test_members_that_are_not_there_are_left_out(void)
{
    struct slice list = tools_list(tools, TOOLS_FULL);

    static const char begin[] =
        "[{\"name\":\"a\",\"description\":\"d\",\"inputSchema\":{\"type\":"
        "\"object\"}},{\"name\":\"b\",\"description\":\"e\",\"inputSchema\"";

    TEST_ASSERT_EQUAL_STRING_LEN(begin, list.ptr, sizeof(begin) - 1);
    TEST_ASSERT_NOT_NULL(
        strstr(list.ptr, ",\"annotations\":{\"readOnlyHint\":true}}]"));
    TEST_ASSERT_EQUAL_size_t(0, tools_instructions(tools).len);
    TEST_ASSERT_NOT_NULL(tools_find(tools, SLICE("a")));
    TEST_ASSERT_NULL(tools_find(tools, SLICE("create_group")));
}

static void test_what_is_no_table(void)
{
    static const char *const bad[] = {"",
                                      "[]",
                                      "{}",
                                      "{\"tools\":{}}",
                                      "{\"tools\":[{\"name\":\"a\"}]}",
                                      "{\"tools\":[{\"inputSchema\":{}}]}"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        TEST_ASSERT_NULL_MESSAGE(
            tools_create_from(slice_cstr(bad[i]), TOOLS_ENGLISH), bad[i]);
}

struct seen {
    int count, given;
};

static bool on_header(void *ctx, struct slice name, yyjson_val *value)
{
    struct seen *seen = ctx;

    seen->count++;
    seen->given += value != NULL;
    return !slice_eq(field_text(value), SLICE("bad")) && name.len > 0;
}

static bool check(const char *name, const char *args, struct seen *seen)
{
    yyjson_doc *doc = yyjson_read(args, strlen(args), 0);

    *seen = (struct seen){0};
    bool is_good =
        tools_check_headers(tools_find(tools, slice_cstr(name)),
                            yyjson_doc_get_root(doc), on_header, seen);
    yyjson_doc_free(doc);
    return is_good;
}

static void test_headers_at_any_depth(void)
{
    struct seen seen;

    TEST_ASSERT_TRUE(check("a", "{\"region\":\"bad\"}", &seen));
    TEST_ASSERT_EQUAL_INT(0, seen.count);
    TEST_ASSERT_TRUE(check("b", "{\"deep\":{\"level\":1}}", &seen));
    TEST_ASSERT_EQUAL_INT(2, seen.count);
    TEST_ASSERT_EQUAL_INT(1, seen.given);
    TEST_ASSERT_FALSE(check("b", "{\"region\":\"bad\"}", &seen));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_members_that_are_not_there_are_left_out);
    TEST(test_what_is_no_table);
    TEST(test_headers_at_any_depth);
    return TAP_END();
}
