/* SPDX-License-Identifier: MIT */
#include "config/token.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "tests/config/check.h"

static char *dir;

void setUp(void)
{
    dir = check_mkdir();
}

void tearDown(void)
{
    check_rmdir(dir);
}

/* Loads the token of a configuration beside a file "secret" of that mode. */
static int load(const char *yaml, const char *secret, mode_t mode, char **out,
                struct config_error *e)
{
    const char *file = check_path(dir, "c.yaml");
    struct config *c;
    int rc;

    check_write(file, yaml, strlen(yaml));
    if (secret != NULL) {
        check_write(check_path(dir, "secret"), secret, strlen(secret));
        TEST_ASSERT_EQUAL_INT(0, chmod(check_path(dir, "secret"), mode));
    }
    TEST_ASSERT_EQUAL_INT(0, config_load(file, NULL, &c, e));
    rc = token_load(c, out, e);
    config_destroy(c);
    return rc;
}

#define BY_FILE "dashboard: {tokenFile: secret}"

static void check_token(const char *yaml, const char *secret, const char *want)
{
    struct config_error e;
    char *token;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, load(yaml, secret, 0600, &token, &e),
                                  e.text);
    TEST_ASSERT_EQUAL_STRING(want, token);
    free(token);
}

static void check_refused(const char *yaml, const char *secret, mode_t mode,
                          const char *why)
{
    struct config_error e;
    char *token = "";

    TEST_ASSERT_LESS_THAN_INT(0, load(yaml, secret, mode, &token, &e));
    TEST_ASSERT_NULL(token);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(e.text, why), e.text);
}

static void it_comes_from_the_setting_or_from_the_file(void)
{
    check_token("language: ja", NULL, "");
    check_token("dashboard: {token: abc}", NULL, "abc");
    check_token(BY_FILE, "s3cret\n", "s3cret");
    check_token(BY_FILE, "no-newline", "no-newline");
    check_token("dashboard: {token: abc, tokenFile: secret}", "x", "abc");
}

static void a_file_that_others_can_read_is_refused(void)
{
    static const mode_t modes[] = {0640, 0604, 0620, 0601, 0644, 0666};

    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
        check_refused(BY_FILE, "s", modes[i], "can be read by others");
}

static void what_is_no_file_of_ours_is_refused(void)
{
    check_refused(BY_FILE, NULL, 0, "No such file");
    check_refused("dashboard: {tokenFile: /dev/null}", NULL, 0,
                  "is no regular file");
    check_refused("dashboard: {tokenFile: .}", NULL, 0, "is no regular file");
    TEST_ASSERT_EQUAL_INT(0, mkfifo(check_path(dir, "secret"), 0600));
    check_refused(BY_FILE, NULL, 0, "is no regular file");
}

static void anothers_file_is_refused(void)
{
    if (geteuid() != 0)
        TEST_IGNORE_MESSAGE("only root can give a file away");
    check_write(check_path(dir, "secret"), "s", 1);
    TEST_ASSERT_EQUAL_INT(0, chown(check_path(dir, "secret"), 65534, 65534));
    TEST_ASSERT_EQUAL_INT(0, chmod(check_path(dir, "secret"), 0600));
    check_refused(BY_FILE, NULL, 0, "belongs to another user");
}

static void what_no_header_can_carry_is_refused(void)
{
    char *big = malloc(TOKEN_MAX + 2);

    memset(big, 'x', TOKEN_MAX + 1);
    big[TOKEN_MAX + 1] = 0;
    check_refused(BY_FILE, "", 0600, "is empty");
    check_refused(BY_FILE, " \n\n", 0600, "is empty");
    check_refused(BY_FILE, "two words", 0600, "without blanks");
    check_refused(BY_FILE, "two\nlines", 0600, "without blanks");
    check_refused(BY_FILE, "\xe9", 0600, "without blanks");
    check_refused(BY_FILE, big, 0600, "too long");
    check_refused("dashboard: {token: 'a b'}", NULL, 0, "dashboard.token:");
    big[TOKEN_MAX] = 0;
    check_token(BY_FILE, big, big);
    free(big);
}

int main(void)
{
    TAP_BEGIN();
    TEST(it_comes_from_the_setting_or_from_the_file);
    TEST(a_file_that_others_can_read_is_refused);
    TEST(what_is_no_file_of_ours_is_refused);
    TEST(anothers_file_is_refused);
    TEST(what_no_header_can_carry_is_refused);
    return TAP_END();
}
