/* SPDX-License-Identifier: MIT */
/* Ids out of what is printed for people. */
#include "actors/health/models.h"

#include <stdio.h>
#include <string.h>

#include "runtime/text/bytes.h"
#include "tap.h"

static struct health_models models;

void tearDown(void)
{
    health_models_finish(&models);
}

static void assert_ids(const char *wanted, const char *text)
{
    struct bytes all = {0};

    health_models_read(&models, slice_cstr(text));
    for (size_t i = 0; i < models.count; i++) {
        bytes_append(&all, models.ids[i], strlen(models.ids[i]));
        bytes_append(&all, " ", 1);
    }
    bytes_append(&all, "", 1);
    TEST_ASSERT_EQUAL_STRING(wanted, all.ptr);
    bytes_finish(&all);
    health_models_finish(&models);
}

static void plain_lists(void)
{
    assert_ids("composer-1.5 claude-4-sonnet opus-4.6-thinking ",
               "Available models\n\n"
               "composer-1.5 - Composer 1.5  (current)\n"
               "claude-4-sonnet - Claude 4 Sonnet\n"
               "opus-4.6-thinking - Claude 4.6 Opus (Thinking)\n\n"
               "Tip: use --model <id> to switch.\n");
}

static void decorations(void)
{
    assert_ids("a b c d e f ", "* a - A\n  - b - B\n\t> c (current) - C\r\n"
                               "• d - D - the best\n→ e - E\n"
                               "\033[32mf\033[0m - \033[1mF\033[0m");
}

static void sentences_are_no_models(void)
{
    assert_ids("", "Loading models…\nuse --model <id> - to switch\n"
                   "Tip: x - y\n - \n-\n--- - ---\n(current) - x\nauto\n");
    assert_ids("", "");
    assert_ids("", "\033[\n\033");
}

static void each_once(void)
{
    assert_ids("a b ", "a - A\nb - B\na - A again\n");
}

static void a_flood_is_bounded(void)
{
    struct bytes text = {0};
    char line[32];

    for (int i = 0; i < HEALTH_MODELS_MAX + 10; i++) {
        snprintf(line, sizeof(line), "m%d - M\n", i);
        bytes_append(&text, line, strlen(line));
    }
    health_models_read(&models, bytes_slice(&text));
    TEST_ASSERT_EQUAL_size_t(HEALTH_MODELS_MAX, models.count);
    bytes_finish(&text);
}

static void options_belong_to_a_model(void)
{
    health_models_read(&models, SLICE("opus - Opus\ngpt-5 - GPT\n"));
    TEST_ASSERT_TRUE(health_models_have(&models, "opus"));
    TEST_ASSERT_TRUE(health_models_have(&models, "opus[effort=high]"));
    TEST_ASSERT_FALSE(health_models_have(&models, "opu"));
    TEST_ASSERT_FALSE(health_models_have(&models, "opus-4[effort=high]"));
    TEST_ASSERT_FALSE(health_models_have(&models, ""));
}

int main(void)
{
    TAP_BEGIN();
    TEST(plain_lists);
    TEST(decorations);
    TEST(sentences_are_no_models);
    TEST(each_once);
    TEST(a_flood_is_bounded);
    TEST(options_belong_to_a_model);
    return TAP_END();
}
