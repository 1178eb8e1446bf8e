/* SPDX-License-Identifier: MIT */
/* Whatever keeps agents' memory from being limited has words and a remedy. */
#include "transport/wire/cgroup_text.h"

#include "tap.h"

static void every_verdict_has_words(void)
{
    for (int v = CGROUP_NONE; v <= CGROUP_REFUSED; v++)
        for (int english = 0; english <= 1; english++) {
            TEST_ASSERT_TRUE(*cgroup_why((enum cgroup_verdict)v, english));
            TEST_ASSERT_TRUE(*cgroup_remedy((enum cgroup_verdict)v, english));
        }
}

int main(void)
{
    TAP_BEGIN();
    TEST(every_verdict_has_words);
    return TAP_END();
}
