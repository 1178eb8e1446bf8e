/* SPDX-License-Identifier: MIT */
#include "config/price.h"

#include <string.h>

#include "config/config.h"
#include "tap.h"
#include "tests/config/check.h"

static const char list[] = "prices:\n"
                           "  - model: \"claude-*\"\n"
                           "    input: 3.0\n"
                           "    output: 15\n"
                           "    cacheRead: 0.3\n"
                           "    cacheWrite: 3.75\n"
                           "  - {model: \"*\", input: 0.000001}\n";

static void prices_are_read_to_the_millionth(void)
{
    struct config *c = check_load(list, NULL);

    TEST_ASSERT_EQUAL_size_t(2, c->price_count);
    TEST_ASSERT_EQUAL_STRING("claude-*", c->prices[0].model);
    TEST_ASSERT_EQUAL_INT64(3000000, c->prices[0].input);
    TEST_ASSERT_EQUAL_INT64(15000000, c->prices[0].output);
    TEST_ASSERT_EQUAL_INT64(300000, c->prices[0].cache_read);
    TEST_ASSERT_EQUAL_INT64(3750000, c->prices[0].cache_write);
    TEST_ASSERT_EQUAL_INT64(1, c->prices[1].input);
    TEST_ASSERT_EQUAL_INT64(0, c->prices[1].output);
    TEST_ASSERT_EQUAL_size_t(0, c->warning_count);
    config_destroy(c);
}

static void the_first_that_fits_holds(void)
{
    struct config *c = check_load(list, NULL);
    struct config *plain = check_load("prices: [{model: gpt-5}]", NULL);

    TEST_ASSERT_EQUAL_PTR(&c->prices[0], price_find(c, "claude-4", ""));
    TEST_ASSERT_EQUAL_PTR(&c->prices[0], price_find(c, "auto", "claude-4"));
    TEST_ASSERT_EQUAL_PTR(&c->prices[1], price_find(c, "auto", ""));
    TEST_ASSERT_NULL(price_find(plain, "gpt-5.1", ""));
    TEST_ASSERT_NOT_NULL(price_find(plain, "gpt-5", ""));
    config_destroy(c);
    config_destroy(plain);
}

static void stars_are_any_text(void)
{
    TEST_ASSERT_TRUE(price_fits("*", ""));
    TEST_ASSERT_TRUE(price_fits("a*c", "ac"));
    TEST_ASSERT_TRUE(price_fits("a*b*c", "a-b-b-c"));
    TEST_ASSERT_TRUE(price_fits("**-thinking", "opus-4.6-thinking"));
    TEST_ASSERT_FALSE(price_fits("a*b*c", "a-b-b-d"));
    TEST_ASSERT_FALSE(price_fits("a", "ab"));
    TEST_ASSERT_FALSE(price_fits("", "a"));
}

static void tokens_become_money(void)
{
    struct config *c = check_load(list, NULL);
    const struct price *p = &c->prices[0];

    TEST_ASSERT_EQUAL_UINT64(0, price_of(p, 0, 0, 0, 0));
    TEST_ASSERT_EQUAL_UINT64(3000000, price_of(p, 1000000, 0, 0, 0));
    TEST_ASSERT_EQUAL_UINT64(3 + 15, price_of(p, 1, 1, 0, 0));
    TEST_ASSERT_EQUAL_UINT64(300000 + 3750000,
                             price_of(p, 0, 0, 1000000, 1000000));
    TEST_ASSERT_EQUAL_UINT64(UINT64_MAX, price_of(p, UINT64_MAX, 0, 0, 0));
    config_destroy(c);
}

static void wrong_prices_are_told_with_their_place(void)
{
    const char *amount = "expected an amount from 0 to 1000000 such as 2.50";
    const char *const wrong[] = {"-1",  "1.",        ".5",  "1e3", "1.0000001",
                                 "007", "1000000.1", "1,5", "$3",  "1.2.3"};
    char text[128], want[256];

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        snprintf(text, sizeof(text), "prices:\n  - model: m\n    input: %s\n",
                 wrong[i]);
        snprintf(want, sizeof(want),
                 "f.yaml:3:12: prices[0].input: %s, found \"%s\"", amount,
                 wrong[i]);
        check_error(text, NULL, want);
    }
    check_error("prices:\n  - input: 1\n", NULL,
                "f.yaml:2:5: prices[0]: expected the key model");
    check_error("prices: 3\n", NULL,
                "f.yaml:1:9: prices: expected a list of at most 256, found "
                "\"3\"");
    check_error("prices: [3]\n", NULL,
                "f.yaml:1:10: prices[0]: expected a mapping, found \"3\"");
    check_warnings("prices: [{model: m, inputs: 1}]\n",
                   "f.yaml:1:21: prices[0].inputs: unknown key; did you mean "
                   "input?");
    check_warnings("price: []\n",
                   "f.yaml:1:1: price: unknown key; did you mean prices?");
}

static void budgets_are_amounts(void)
{
    struct config *c =
        check_load("budget: {groupUsd: 2.5, dayUsd: 1000000}", NULL);

    TEST_ASSERT_EQUAL_INT64(2500000, c->budget.group_usd);
    TEST_ASSERT_EQUAL_INT64(1000000000000, c->budget.day_usd);
    config_destroy(c);
    check_error("budget:\n  dayUsd: lots\n", NULL,
                "f.yaml:2:11: budget.dayUsd: expected an amount from 0 to "
                "1000000 such as 2.50, found \"lots\"");
}

int main(void)
{
    TAP_BEGIN();
    TEST(prices_are_read_to_the_millionth);
    TEST(the_first_that_fits_holds);
    TEST(stars_are_any_text);
    TEST(tokens_become_money);
    TEST(wrong_prices_are_told_with_their_place);
    TEST(budgets_are_amounts);
    return TAP_END();
}
