/* SPDX-License-Identifier: MIT */
#include "actors/stream/tool_name.h"

#include <string.h>
#include <yyjson.h>

#include "json_text.h"
#include "tap.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void check(const char *name, const char *args, const char *want,
                  const char *kind)
{
    const char *json = json_of(args);
    yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
    char to[TOOL_NAME_CAP];
    enum tool_kind got =
        tool_name(to, slice_cstr(name), yyjson_doc_get_root(doc));

    TEST_ASSERT_EQUAL_STRING(want, to);
    TEST_ASSERT_TRUE(slice_eq(tool_kind_name(got), slice_cstr(kind)));
    yyjson_doc_free(doc);
}

static void both_clis_call_one_thing_the_same(void)
{
    check("grepToolCall", "{}", "grep", "search");
    check("Grep", "{}", "grep", "search");
    check("shellToolCall", "{}", "shell", "shell");
    check("Bash", "{}", "shell", "shell");
    check("writeToolCall", "{}", "write", "edit");
    check("NotebookEdit", "{}", "edit", "edit");
    check("WebFetch", "{}", "fetch", "web");
    check("Task", "{}", "agent", "agent");
}

static void tools_of_servers_have_both_names(void)
{
    check("mcp__web__get_page", "{}", "web:get_page", "mcp");
    check("mcp__alone", "{}", "alone", "mcp");
    check("mcpToolCall", "{'providerIdentifier':'web','toolName':'get'}",
          "web:get", "mcp");
    check("mcpToolCall", "{'toolName':'get'}", "get", "mcp");
    check("mcpToolCall", "{}", "mcp", "mcp");
}

static void what_is_not_known_keeps_its_name(void)
{
    char long_name[300] = {0}, want[TOOL_NAME_CAP] = {0};

    check("futureToolCall", "{}", "future", "other");
    check("Dream", "{}", "Dream", "other");
    check("", "{}", "", "other");
    memset(long_name, 'x', 290);
    memset(want, 'x', TOOL_NAME_CAP - 1);
    check(long_name, "{}", want, "other");
    memcpy(long_name, "mcp__", 5);
    memcpy(long_name + 140, "__", 2);
    check(long_name, "{}", want, "mcp");
}

int main(void)
{
    TAP_BEGIN();
    TEST(both_clis_call_one_thing_the_same);
    TEST(tools_of_servers_have_both_names);
    TEST(what_is_not_known_keeps_its_name);
    return TAP_END();
}
