/* SPDX-License-Identifier: MIT */
#include "config/location.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"
#include "config/identity.h"
#include "tap.h"
#include "tests/config/check.h"

static char *top;
static char start[4096], home[4200], state[4200], named[4200];
static char *env[] = {home, state, NULL, NULL};

static void make(const char *name)
{
    TEST_ASSERT_EQUAL_INT(0, mkdir(check_path(top, name), 0700));
}

static void write_file(const char *name)
{
    check_write(check_path(top, name), "", 0);
}

/* top is $HOME; a project p with a directory a/b in it. */
void setUp(void)
{
    TEST_ASSERT_NOT_NULL(getcwd(start, sizeof(start)));
    top = check_mkdir();
    snprintf(home, sizeof(home), "HOME=%s", top);
    snprintf(state, sizeof(state), "KUROMAJUTSU_HOME=%s/state", top);
    env[2] = NULL;
    make("state");
    make("p");
    make("p/a");
    make("p/a/b");
}

void tearDown(void)
{
    TEST_ASSERT_EQUAL_INT(0, chdir(start));
    check_rmdir(top);
}

/* From that directory, the project is this one. */
static void check_found(const char *from, const char *want)
{
    struct location l;
    struct config_error e = {0};

    TEST_ASSERT_EQUAL_INT(0, chdir(check_path(top, from)));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, location_find(&l, NULL, env, &e), e.text);
    TEST_ASSERT_EQUAL_STRING(check_path(top, want), l.project);
    TEST_ASSERT_EQUAL_STRING(l.project, l.identity);
    location_finish(&l);
}

static void without_any_sign_it_is_the_directory_itself(void)
{
    check_found("p/a/b", "p/a/b");
    check_found("p", "p");
}

static void a_repository_is_a_project(void)
{
    make("p/.git");
    check_found("p/a/b", "p");
    write_file("p/a/.git"); /* a worktree's, or a submodule's */
    check_found("p/a/b", "p/a");
}

static void cursors_folder_is_one_too(void)
{
    make("p/.cursor");
    check_found("p/a/b", "p");
}

static void the_file_counts_more_than_a_nearer_repository(void)
{
    make("p/a/.git");
    write_file("p/" CONFIG_FILE);
    check_found("p/a/b", "p");
    write_file("p/a/b/" CONFIG_FILE);
    check_found("p/a/b", "p/a/b");
}

static void home_is_no_project_of_what_is_below_it(void)
{
    struct location l;
    struct config_error e;

    make(".cursor");
    make(".git");
    write_file(CONFIG_FILE);
    check_found("p/a/b", "p/a/b");
    TEST_ASSERT_EQUAL_INT(0, chdir(top));
    TEST_ASSERT_EQUAL_INT(0, location_find(&l, NULL, env, &e));
    TEST_ASSERT_EQUAL_STRING(top, l.project);
    location_finish(&l);
}

static void what_is_another_users_is_not_asked(void)
{
    if (geteuid() != 0)
        TEST_IGNORE_MESSAGE("only root can give a directory away");
    make("p/.git");
    TEST_ASSERT_EQUAL_INT(0, chown(check_path(top, "p/a"), 12345, 12345));
    check_found("p/a/b", "p/a/b");
    check_found("p/a", "p/a");
    TEST_ASSERT_EQUAL_INT(0, chown(check_path(top, "p/a"), 0, 0));
    check_found("p/a/b", "p");
}

static void a_directory_that_has_state_keeps_it(void)
{
    struct config_error e;
    char *dir = NULL;

    make("p/.git");
    TEST_ASSERT_EQUAL_INT(
        0, identity_state_dir(check_path(top, "p/a"), env, &dir, &e));
    TEST_ASSERT_EQUAL_INT(0, mkdir(dir, 0700));
    free(dir);
    check_found("p/a", "p/a");
    check_found("p/a/b", "p");
    check_found("p", "p");
}

static void it_can_be_named(void)
{
    make("p/.git");
    make("q");
    snprintf(named, sizeof(named), "KUROMAJUTSU_PROJECT=%s/q", top);
    env[2] = named;
    check_found("p/a/b", "q");
    snprintf(named, sizeof(named), "KUROMAJUTSU_PROJECT=..");
    check_found("p/a/b", "p/a");
}

static void one_that_is_named_must_be_a_directory(void)
{
    struct location l;
    struct config_error e = {0};

    write_file("p/file");
    for (int i = 0; i < 2; i++) {
        snprintf(named, sizeof(named), "KUROMAJUTSU_PROJECT=%s/%s", top,
                 i ? "p/file" : "nothing");
        env[2] = named;
        TEST_ASSERT_EQUAL_INT(-ENOENT, location_find(&l, NULL, env, &e));
        location_finish(&l);
        TEST_ASSERT_NOT_NULL(strstr(e.text, ": there is no such directory"));
        TEST_ASSERT_NOT_NULL(strstr(e.text, "--project"));
    }
}

static void a_file_that_is_named_needs_no_project(void)
{
    struct location l;
    struct config_error e = {0};

    make("p/.git");
    write_file("p/a/x.yaml");
    TEST_ASSERT_EQUAL_INT(0, chdir(check_path(top, "p/a")));
    TEST_ASSERT_EQUAL_INT(0, location_find(&l, "x.yaml", env, &e));
    TEST_ASSERT_NULL(l.project);
    TEST_ASSERT_EQUAL_STRING(check_path(top, "p/a/x.yaml"), l.identity);
    TEST_ASSERT_TRUE(l.is_named && l.has_file);
    location_finish(&l);
}

/* ---- databases ---------------------------------------------------------- */

static int find_named(struct location *l, const char *database)
{
    struct config_error e = {0};

    snprintf(named, sizeof(named), "KUROMAJUTSU_DB=%s", database);
    env[2] = named;
    return location_find(l, NULL, env, &e);
}

/* By that name it is this one, and the project's configuration is meant. */
static void check_database(const char *name, const char *want)
{
    struct location l;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, find_named(&l, name), name);
    TEST_ASSERT_EQUAL_STRING(check_path(top, want), l.database);
    TEST_ASSERT_EQUAL_STRING(l.database, l.identity);
    TEST_ASSERT_EQUAL_STRING(check_path(top, "p"), l.project);
    location_finish(&l);
}

static void a_database_is_one_whatever_leads_to_it(void)
{
    make("p/.git");
    make("data");
    TEST_ASSERT_EQUAL_INT(0, chdir(check_path(top, "p/a")));
    TEST_ASSERT_EQUAL_INT(0, symlink("../../data", "folder"));
    TEST_ASSERT_EQUAL_INT(0, symlink("folder/pm.db", "link.db"));
    TEST_ASSERT_EQUAL_INT(0, symlink("link.db", "second.db"));
    for (int is_there = 0; is_there < 2; is_there++) {
        check_database(check_path(top, "data/pm.db"), "data/pm.db");
        check_database("../../data/pm.db", "data/pm.db");
        check_database("folder/./pm.db", "data/pm.db");
        check_database("link.db", "data/pm.db");
        check_database("second.db", "data/pm.db");
        if (!is_there)
            write_file("data/pm.db");
    }
    check_database("own.db", "p/a/own.db");
}

static void a_database_needs_a_place(void)
{
    struct location l;
    static const char *const wrong[] = {"none/pm.db", "pm.db/", ".", "circle"};

    TEST_ASSERT_EQUAL_INT(0, chdir(check_path(top, "p")));
    TEST_ASSERT_EQUAL_INT(0, symlink("circle", "circle"));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(-ENOENT, find_named(&l, wrong[i]),
                                      wrong[i]);
        location_finish(&l);
    }
}

int main(void)
{
    TAP_BEGIN();
    TEST(without_any_sign_it_is_the_directory_itself);
    TEST(a_repository_is_a_project);
    TEST(cursors_folder_is_one_too);
    TEST(the_file_counts_more_than_a_nearer_repository);
    TEST(home_is_no_project_of_what_is_below_it);
    TEST(what_is_another_users_is_not_asked);
    TEST(a_directory_that_has_state_keeps_it);
    TEST(it_can_be_named);
    TEST(one_that_is_named_must_be_a_directory);
    TEST(a_file_that_is_named_needs_no_project);
    TEST(a_database_is_one_whatever_leads_to_it);
    TEST(a_database_needs_a_place);
    return TAP_END();
}
