/* SPDX-License-Identifier: MIT */
#include "config/language.h"

#include <string.h>

#include "tap.h"
#include "tests/config/check.h"

static void check_locale(const char *variable, enum config_language want)
{
    char *env[] = {(char *)variable, NULL};

    TEST_ASSERT_EQUAL_INT_MESSAGE(want, language_of_locale(env), variable);
}

static void the_locale_says_it(void)
{
    check_locale("LANG=ja_JP.UTF-8", CONFIG_JA);
    check_locale("LANG=ja", CONFIG_JA);
    check_locale("LC_ALL=en_US.UTF-8", CONFIG_EN);
    check_locale("LC_MESSAGES=de_DE@euro", CONFIG_EN);
    check_locale("LANG=Cs_CZ", CONFIG_EN);
}

static void none_is_japanese(void)
{
    check_locale("PATH=/bin", CONFIG_JA);
    check_locale("LANG=", CONFIG_JA);
    check_locale("LANG=C", CONFIG_JA);
    check_locale("LANG=C.UTF-8", CONFIG_JA);
    check_locale("LC_ALL=POSIX", CONFIG_JA);
    TEST_ASSERT_EQUAL_INT(CONFIG_JA, language_of_locale(NULL));
}

static void the_first_that_is_set_counts(void)
{
    char *env[] = {"LANG=ja_JP.UTF-8", "LC_MESSAGES=fr_FR", "LC_ALL=", NULL};
    char *all[] = {"LC_MESSAGES=fr_FR", "LC_ALL=ja_JP", NULL};
    char *neutral[] = {"LANG=en_US.UTF-8", "LC_ALL=C.UTF-8", NULL};

    TEST_ASSERT_EQUAL_INT(CONFIG_EN, language_of_locale(env));
    TEST_ASSERT_EQUAL_INT(CONFIG_JA, language_of_locale(all));
    TEST_ASSERT_EQUAL_INT(CONFIG_JA, language_of_locale(neutral));
}

static void a_name_wins_over_it(void)
{
    char *env[] = {"LANG=en_US.UTF-8", "KUROMAJUTSU_LANGUAGE=ja", NULL};
    char *by_itself[] = {"LANG=en_US.UTF-8", "KUROMAJUTSU_LANGUAGE=auto", NULL};

    TEST_ASSERT_EQUAL_INT(CONFIG_JA, language_of(env));
    TEST_ASSERT_EQUAL_INT(CONFIG_EN, language_of(by_itself));
}

static void a_request_may_name_it(void)
{
    static const struct {
        const char *header;
        enum config_language want;
    } cases[] = {{"", CONFIG_AUTO},
                 {"*", CONFIG_AUTO},
                 {"ja", CONFIG_JA},
                 {"en-GB", CONFIG_EN},
                 {"ja;q=0", CONFIG_AUTO},
                 {"fr-CH, fr;q=0.9", CONFIG_EN},
                 {"fr, ja;q=0.5", CONFIG_JA},
                 {"fr, *;q=0.5", CONFIG_EN},
                 {"en;q=0.7,ja-JP ; q=0.8", CONFIG_JA},
                 {"ja,en-US;q=0.9,en;q=0.8", CONFIG_JA},
                 {",,;q=1,", CONFIG_EN}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(
            cases[i].want, language_accepted(slice_cstr(cases[i].header)),
            cases[i].header);
}

static void check_config(const char *text, char *const *env, bool is_auto,
                         enum config_language want)
{
    struct config *c = check_load(text, env);

    TEST_ASSERT_EQUAL_INT(want, c->language);
    TEST_ASSERT_EQUAL_INT(is_auto, c->is_language_auto);
    TEST_ASSERT_EQUAL_STRING(role_text(c->roles[0].description, want),
                             c->roles[0].description);
    config_destroy(c);
}

static void a_configuration_leaves_it_to_the_locale_by_default(void)
{
    char *english[] = {"LANG=en_GB.UTF-8", NULL};
    char *named[] = {"LANG=en_GB.UTF-8", "KUROMAJUTSU_LANGUAGE=ja", NULL};

    check_config("", NULL, true, CONFIG_JA);
    check_config("", english, true, CONFIG_EN);
    check_config("language: auto", english, true, CONFIG_EN);
    check_config("language: ja", english, false, CONFIG_JA);
    check_config("language: en", NULL, false, CONFIG_EN);
    check_config("language: en", named, false, CONFIG_JA);
}

static void built_in_texts_are_there_in_both(void)
{
    struct config *ja = check_load("language: ja", NULL);
    struct config *en = check_load(
        "language: en\nroles: [{id: research, description: mine}]", NULL);

    for (size_t i = 0; i < ja->role_count; i++) {
        const struct role *j = &ja->roles[i], *e = role_find(en, j->id);
        TEST_ASSERT_EQUAL_PTR(e->system_prompt,
                              role_text(j->system_prompt, CONFIG_EN));
        TEST_ASSERT_EQUAL_PTR(j->system_prompt,
                              role_text(e->system_prompt, CONFIG_JA));
        TEST_ASSERT_EQUAL_PTR(j->system_prompt,
                              role_text(j->system_prompt, CONFIG_JA));
    }
    TEST_ASSERT_EQUAL_PTR(en->tools[0].instructions,
                          role_text(ja->tools[0].instructions, CONFIG_EN));
    TEST_ASSERT_EQUAL_STRING(
        "mine", role_text(role_find(en, "research")->description, CONFIG_JA));
    config_destroy(ja);
    config_destroy(en);
}

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
    TAP_BEGIN();
    TEST(the_locale_says_it);
    TEST(none_is_japanese);
    TEST(the_first_that_is_set_counts);
    TEST(a_name_wins_over_it);
    TEST(a_request_may_name_it);
    TEST(a_configuration_leaves_it_to_the_locale_by_default);
    TEST(built_in_texts_are_there_in_both);
    return TAP_END();
}
