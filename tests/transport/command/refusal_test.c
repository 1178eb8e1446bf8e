/* SPDX-License-Identifier: MIT */
#include "transport/command/refusal.h"

#include <string.h>

#include "tap.h"

static void says(const char *message, const char *expected)
{
    struct bytes out = {0};

    refusal_put(&out, slice_cstr(message));
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(expected, out.ptr);
    bytes_finish(&out);
}

static void tools_are_named_as_commands(void)
{
    says("there is no agent 'x'; list_agents shows which there are",
         "there is no agent 'x'; kuromajutsu agents shows which there are");
    says("一覧は list_groups で確認してください",
         "一覧は kuromajutsu groups で確認してください");
    says("wait (wait_agent) or cancel_agent",
         "wait (kuromajutsu wait) or kuromajutsu cancel");
}

static void arguments_of_a_call_are_left_out(void)
{
    says("wait_agent(groupId) で待つ", "kuromajutsu wait で待つ");
    says("wait_agent(open", "kuromajutsu wait(open");
}

static void all_else_stays(void)
{
    says("", "");
    says("my_list_agents, list_agents_2 and run_agents(x)",
         "my_list_agents, list_agents_2 and run_agents(x)");
}

int main(void)
{
    TAP_BEGIN();
    TEST(tools_are_named_as_commands);
    TEST(arguments_of_a_call_are_left_out);
    TEST(all_else_stays);
    return TAP_END();
}
