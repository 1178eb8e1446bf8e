/* SPDX-License-Identifier: MIT */
#include "config/identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "tests/config/check.h"

/* FNV-1a of "/a/p", worked out elsewhere: it must not change between
 * releases, or running agents would be lost. */
#define HASH_A_P "c42d84f5bd5651e0"

static char *dir;
static char start[4096];

void setUp(void)
{
    dir = check_mkdir();
    TEST_ASSERT_NOT_NULL(getcwd(start, sizeof(start)));
    TEST_ASSERT_EQUAL_INT(0, chdir(dir));
}

void tearDown(void)
{
    TEST_ASSERT_EQUAL_INT(0, chdir(start));
    check_rmdir(dir);
}

static void check_identity(const char *path, const char *want)
{
    struct config_error e;
    struct config *c = NULL;

    if (config_load(path, NULL, &c, &e))
        TEST_FAIL_MESSAGE(e.text);
    TEST_ASSERT_EQUAL_STRING(want, identity_of(c));
    config_destroy(c);
}

static void it_is_the_directory_with_and_without_the_usual_file(void)
{
    check_identity(NULL, dir);
    check_write(CONFIG_FILE, "", 0);
    check_identity(NULL, dir);
    check_identity("./" CONFIG_FILE, dir);
    check_identity(check_path(dir, CONFIG_FILE), dir);
}

static void another_name_is_another_identity(void)
{
    check_write("other.yaml", "", 0);
    check_identity("other.yaml", check_path(dir, "other.yaml"));
}

static void links_lead_to_one_identity(void)
{
    check_write("other.yaml", "", 0);
    TEST_ASSERT_EQUAL_INT(0, symlink("other.yaml", CONFIG_FILE));
    check_identity(NULL, check_path(dir, "other.yaml"));
}

/* Of a configuration in that place, with that environment. */
static void check_state(const char *file, char *const *env, const char *want)
{
    struct config_error e = {0};
    char *got = NULL;
    int rc = identity_state_dir(file, env, &got, &e);

    TEST_ASSERT_EQUAL_STRING(want, rc ? e.text : got);
    TEST_ASSERT_EQUAL_INT(got ? 0 : -EINVAL, rc);
    free(got);
}

static void the_state_has_its_home(void)
{
    char *all[] = {"KUROMAJUTSU_HOME=/k", "XDG_STATE_HOME=/x", "HOME=/h", NULL};
    char *slashes[] = {"KUROMAJUTSU_HOME=/k//", NULL};
    char *root[] = {"KUROMAJUTSU_HOME=/", NULL};
    char *relative[] = {"XDG_STATE_HOME=x", "HOME=/h", NULL};
    char *wrong[] = {"KUROMAJUTSU_HOME=k", "HOME=/h", NULL};
    const char *none = "no place for the state: expected an absolute path in "
                       "KUROMAJUTSU_HOME, XDG_STATE_HOME or HOME";

    check_state("/a/p", all, "/k/p-" HASH_A_P);
    check_state("/a/p", all + 1, "/x/kuromajutsu/p-" HASH_A_P);
    check_state("/a/p", all + 2, "/h/.local/state/kuromajutsu/p-" HASH_A_P);
    check_state("/a/p", slashes, "/k/p-" HASH_A_P);
    check_state("/a/p", root, "/p-" HASH_A_P);
    check_state("/a/p", relative, "/h/.local/state/kuromajutsu/p-" HASH_A_P);
    check_state("/a/p", wrong, none);
    check_state("/a/p", NULL, none);
}

static void names_are_short_and_harmless(void)
{
    char *env[] = {"KUROMAJUTSU_HOME=/k", NULL};
    const char *long_one = "/x/日 a.very-long-name-of-a-project";
    struct config_error e;
    char *got = NULL;

    TEST_ASSERT_EQUAL_INT(0, identity_state_dir(long_one, env, &got, &e));
    TEST_ASSERT_EQUAL_STRING_LEN("/k/____a_very-long-name-of--", got, 28);
    TEST_ASSERT_EQUAL_size_t(3 + 24 + 1 + 16, strlen(got));
    free(got);
    TEST_ASSERT_EQUAL_INT(0, identity_state_dir("/", env, &got, &e));
    TEST_ASSERT_EQUAL_STRING_LEN("/k/root-", got, 8);
    free(got);
}

int main(void)
{
    TAP_BEGIN();
    TEST(it_is_the_directory_with_and_without_the_usual_file);
    TEST(another_name_is_another_identity);
    TEST(links_lead_to_one_identity);
    TEST(the_state_has_its_home);
    TEST(names_are_short_and_harmless);
    return TAP_END();
}
