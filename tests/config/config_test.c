/* SPDX-License-Identifier: MIT */
#include "config/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/keys.h"
#include "tap.h"
#include "tests/config/check.h"

static char *dir;
static char start[4096];

void setUp(void)
{
    dir = check_mkdir();
    TEST_ASSERT_NOT_NULL(getcwd(start, sizeof(start)));
}

void tearDown(void)
{
    TEST_ASSERT_EQUAL_INT(0, chdir(start));
    check_rmdir(dir);
}

static void the_defaults_are_those_of_the_page(void)
{
    struct config *c = check_load("", NULL);

    TEST_ASSERT_EQUAL_INT(CONFIG_JA, c->language);
    TEST_ASSERT_EQUAL_INT64(9696, c->dashboard.port);
    TEST_ASSERT_EQUAL_STRING("127.0.0.1", c->dashboard.host);
    TEST_ASSERT_EQUAL_STRING("", c->dashboard.token);
    TEST_ASSERT_EQUAL_STRING("", c->dashboard.token_file);
    TEST_ASSERT_EQUAL_STRING("cursor", c->agent.backend);
    TEST_ASSERT_EQUAL_STRING("", c->agent.command);
    TEST_ASSERT_EQUAL_INT64(10, c->agent.max_concurrent);
    TEST_ASSERT_EQUAL_INT64(4, c->agent.max_orchestrators);
    TEST_ASSERT_EQUAL_INT64(0, c->agent.max_queued);
    TEST_ASSERT_EQUAL_INT64(0, c->agent.default_timeout_ms);
    TEST_ASSERT_EQUAL_INT64(5000, c->agent.exit_grace_ms);
    TEST_ASSERT_EQUAL_INT64(30000, c->agent.report_grace_ms);
    TEST_ASSERT_EQUAL_INT64(300000, c->agent.stall_warn_ms);
    TEST_ASSERT_EQUAL_INT64(48 << 10, c->agent.inject_limit_bytes);
    TEST_ASSERT_EQUAL_INT64(16 << 20, c->agent.line_limit_bytes);
    TEST_ASSERT_EQUAL_INT64(1 << 30, c->agent.transcript_limit_bytes);
    TEST_ASSERT_FALSE(c->agent.is_nesting_allowed);
    TEST_ASSERT_EQUAL_INT64(50000, c->mcp.wait_slice_ms);
    TEST_ASSERT_EQUAL_INT64(230000, c->mcp.wait_max_ms);
    TEST_ASSERT_EQUAL_INT64(2, c->magentic.max_depth);
    TEST_ASSERT_EQUAL_INT64(10000, c->hub.linger_ms);
    TEST_ASSERT_EQUAL_INT64(1800000, c->hub.http_linger_ms);
    TEST_ASSERT_EQUAL_INT64(60000, c->hub.lease_ms);
    TEST_ASSERT_EQUAL_INT64(3600000, c->health.keep_ms);
    TEST_ASSERT_EQUAL_INT64(20000, c->health.gate_ms);
    TEST_ASSERT_EQUAL_INT64(30, c->history.keep_days);
    TEST_ASSERT_EQUAL_INT(CONFIG_COMPRESS_TRANSCRIPTS, c->history.transcripts);
    TEST_ASSERT_EQUAL_INT64(7, c->history.transcript_days);
    TEST_ASSERT_EQUAL_INT64(0, c->history.keep_bytes);
    TEST_ASSERT_EQUAL_INT64(0, c->budget.group_usd);
    TEST_ASSERT_EQUAL_INT64(0, c->budget.day_usd);
    TEST_ASSERT_EQUAL_size_t(0, c->price_count);
    TEST_ASSERT_EQUAL_INT(CONFIG_LOG_INFO, c->log.level);
    TEST_ASSERT_EQUAL_size_t(6, c->role_count);
    TEST_ASSERT_EQUAL_size_t(0, c->warning_count);
    config_destroy(c);
}

static void the_example_is_the_defaults(void)
{
    struct config *plain = check_load("", NULL), *example = NULL;
    struct config_error e;

    if (config_load(EXAMPLE, NULL, &example, &e))
        TEST_FAIL_MESSAGE(e.text);
    TEST_ASSERT_EQUAL_size_t(0, example->warning_count);
    TEST_ASSERT_TRUE(config_equal(plain, example, NULL));
    config_destroy(example);
    config_destroy(plain);
}

static void the_example_shows_every_key(void)
{
    size_t len;
    char *text = check_read(EXAMPLE, &len), name[128];
    const struct keys *all[] = {&keys_config, &keys_role, &keys_tool,
                                &keys_price};

    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < all[i]->count; j++) {
            snprintf(name, sizeof(name), "%s:", all[i]->rows[j].name);
            if (!strcmp(name, "enabled:"))
                continue;
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, name), name);
            if (all[i]->rows[j].env)
                TEST_ASSERT_NOT_NULL(strstr(text, all[i]->rows[j].env));
        }
    }
    free(text);
}

static void every_key_is_described(void)
{
    char *text = NULL, name[128];
    size_t len;
    FILE *f = open_memstream(&text, &len);

    config_describe(f, true);
    fclose(f);
    for (size_t i = 0; i < keys_config.count; i++) {
        const struct key *k = &keys_config.rows[i];
        snprintf(name, sizeof(name), "%s%s%s\n    ",
                 k->section ? k->section : "", k->section ? "." : "", k->name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, name), name);
        TEST_ASSERT_NOT_NULL(k->doc.ja);
        TEST_ASSERT_NOT_NULL(k->doc.en);
    }
    TEST_ASSERT_NOT_NULL(strstr(
        text, "agents that run at the same time: a whole number from 1 to 4000 "
              "(default: 10) [$KUROMAJUTSU_MAX_CONCURRENT]\n"));
    free(text);
}

static void write_number(char *out, size_t size, const struct key *k,
                         int64_t value)
{
    snprintf(out, size, "%s:\n  %s: %lld\n", k->section, k->name,
             (long long)value);
}

static void write_refusal(char *out, size_t size, const struct key *k,
                          int64_t value)
{
    const struct keys_words expected = keys_expected(k);
    size_t column = strlen(k->name) + 5;

    snprintf(out, size, "f.yaml:2:%zu: ", column);
    snprintf(out + strlen(out), size - strlen(out),
             "%s.%s: expected %s, found \"%lld\"", k->section, k->name,
             expected.en, (long long)value);
}

/* Both ends are taken, one step further is refused with the range. */
static void every_number_has_its_edges(void)
{
    char text[256], want[512];

    for (size_t i = 0; i < keys_config.count; i++) {
        const struct key *k = &keys_config.rows[i];
        if (k->type != KEY_INT)
            continue;
        const int64_t inside[] = {k->min, k->max};
        const int64_t outside[] = {k->min - 1, k->max + 1};
        for (size_t j = 0; j < 2; j++) {
            write_number(text, sizeof(text), k, inside[j]);
            struct config *c = check_load(text, NULL);
            TEST_ASSERT_EQUAL_INT64(inside[j],
                                    *(int64_t *)((char *)c + k->offset));
            config_destroy(c);
            write_number(text, sizeof(text), k, outside[j]);
            write_refusal(want, sizeof(want), k, outside[j]);
            check_error(text, NULL, want);
        }
    }
}

static void the_environment_wins_over_the_file(void)
{
    char *env[] = {"KUROMAJUTSU_PORT=1234", "KUROMAJUTSU_LOG_LEVEL=debug",
                   "KUROMAJUTSU_LANGUAGE=", "KUROMAJUTSU_PORTX=9", NULL};
    struct config *c = check_load("dashboard: {port: 99}\nlanguage: en\n", env);

    TEST_ASSERT_EQUAL_INT64(1234, c->dashboard.port);
    TEST_ASSERT_EQUAL_INT(CONFIG_LOG_DEBUG, c->log.level);
    TEST_ASSERT_EQUAL_INT(CONFIG_EN, c->language);
    config_destroy(c);
}

static void the_environment_is_checked_too(void)
{
    char *port[] = {"KUROMAJUTSU_PORT=abc", NULL};
    char *level[] = {"KUROMAJUTSU_LOG_LEVEL=loud", NULL};
    char *host[] = {"KUROMAJUTSU_HOST=0.0.0.0", NULL};

    check_error("", port,
                "KUROMAJUTSU_PORT: expected a whole number from 0 to 65535, "
                "found \"abc\"");
    check_error("", level,
                "KUROMAJUTSU_LOG_LEVEL: expected one of debug, info, warn, "
                "error, found \"loud\"");
    check_error("", host,
                "dashboard.token: expected a token, since dashboard.host is "
                "not a loopback address");
}

static void a_wrong_file_is_wrong_whatever_the_environment_says(void)
{
    char *env[] = {"KUROMAJUTSU_PORT=1234", NULL};

    check_error("dashboard:\n  port: -1\n", env,
                "f.yaml:2:9: dashboard.port: expected a whole number from 0 to "
                "65535, found \"-1\"");
}

static int64_t port_of(const char *path, char *const *env)
{
    struct config_error e;
    struct config *c = NULL;

    if (config_load(path, env, &c, &e))
        TEST_FAIL_MESSAGE(e.text);
    int64_t port = c->dashboard.port;
    config_destroy(c);
    return port;
}

static void the_argument_wins_then_the_variable_then_the_directory(void)
{
    char named[4200];
    char *env[] = {named, NULL};

    TEST_ASSERT_EQUAL_INT(0, chdir(dir));
    TEST_ASSERT_EQUAL_INT64(9696, port_of(NULL, NULL));
    check_write(CONFIG_FILE, "dashboard: {port: 1}", 20);
    check_write("b.yaml", "dashboard: {port: 2}", 20);
    check_write("c.yaml", "dashboard: {port: 3}", 20);
    snprintf(named, sizeof(named), "KUROMAJUTSU_CONFIG=%s/b.yaml", dir);
    TEST_ASSERT_EQUAL_INT64(1, port_of(NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(2, port_of(NULL, env));
    TEST_ASSERT_EQUAL_INT64(3, port_of("c.yaml", env));
}

static void a_file_that_is_named_must_be_there(void)
{
    struct config_error e;
    struct config *c = NULL;
    char *env[] = {"KUROMAJUTSU_CONFIG=none.yaml", NULL};
    char want[4400];

    TEST_ASSERT_EQUAL_INT(0, chdir(dir));
    TEST_ASSERT_EQUAL_INT(-ENOENT, config_load(NULL, env, &c, &e));
    snprintf(want, sizeof(want),
             "%s/none.yaml: there is no such file; name one that exists by "
             "KUROMAJUTSU_CONFIG, or leave that out to use the "
             "project's " CONFIG_FILE,
             dir);
    TEST_ASSERT_EQUAL_STRING(want, e.text);
    TEST_ASSERT_EQUAL_INT(-ENOENT, config_load("x.yaml", NULL, &c, &e));
    TEST_ASSERT_NOT_NULL(strstr(e.text, "exists by --config, or"));
    TEST_ASSERT_EQUAL_INT(-EINVAL, config_load(dir, NULL, &c, &e));
    TEST_ASSERT_NOT_NULL(strstr(e.text, ": expected a regular file"));
    TEST_ASSERT_NULL(c);
}

static void another_address_needs_a_token(void)
{
    const char *want = "f.yaml:2:9: dashboard.token: expected a token, since "
                       "dashboard.host is not a loopback address";

    check_error("dashboard:\n  host: 0.0.0.0\n", NULL, want);
    check_error("dashboard:\n  host: \"::\"\n  token: ''\n", NULL, want);
    config_destroy(check_load("dashboard: {host: 0.0.0.0, token: x}", NULL));
    config_destroy(
        check_load("dashboard: {host: 0.0.0.0, tokenFile: x}", NULL));
    config_destroy(check_load("dashboard: {host: '::1'}", NULL));
    config_destroy(check_load("dashboard: {host: localhost}", NULL));
}

static void empty_sections_change_nothing(void)
{
    struct config *plain = check_load("", NULL);
    const char *texts[] = {"# only a comment\n", "---\n...\n", "~\n",
                           "agent:\ndashboard: ~\nroles:\ntools: []\n"};

    for (size_t i = 0; i < 4; i++) {
        struct config *c = check_load(texts[i], NULL);
        TEST_ASSERT_TRUE(config_equal(plain, c, NULL));
        config_destroy(c);
    }
    config_destroy(plain);
}

static void equality_sees_every_setting(void)
{
    struct config *plain = check_load("", NULL);
    const char *texts[] = {"agent: {allowNesting: true}",
                           "log: {level: warn}",
                           "agent: {command: x}",
                           "history: {keepDays: 31}",
                           "roles: [{id: research, model: m}]",
                           "roles: [{id: research, tools: [textlint]}]",
                           "roles: [{id: research, enabled: false}]",
                           "tools: [{id: textlint, parameters: {options: x}}]",
                           "history: {transcripts: drop}",
                           "budget: {dayUsd: 0.01}",
                           "notifications: {failed: []}",
                           "notifications: {command: [x]}",
                           "prices: [{model: m, input: 1}]"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct config *c = check_load(texts[i], NULL);
        TEST_ASSERT_FALSE_MESSAGE(config_equal(plain, c, NULL), texts[i]);
        TEST_ASSERT_EQUAL_INT(i >= 4 && i <= 6,
                              config_equal(plain, c, "research"));
        config_destroy(c);
    }
    config_destroy(plain);
}

int main(void)
{
    TAP_BEGIN();
    TEST(the_defaults_are_those_of_the_page);
    TEST(the_example_is_the_defaults);
    TEST(the_example_shows_every_key);
    TEST(every_key_is_described);
    TEST(every_number_has_its_edges);
    TEST(the_environment_wins_over_the_file);
    TEST(the_environment_is_checked_too);
    TEST(a_wrong_file_is_wrong_whatever_the_environment_says);
    TEST(the_argument_wins_then_the_variable_then_the_directory);
    TEST(a_file_that_is_named_must_be_there);
    TEST(another_address_needs_a_token);
    TEST(empty_sections_change_nothing);
    TEST(equality_sees_every_setting);
    return TAP_END();
}
