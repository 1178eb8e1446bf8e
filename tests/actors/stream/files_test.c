/* SPDX-License-Identifier: MIT */
#include "actors/stream/files.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

static struct files files;

void setUp(void)
{
    files = (struct files){0};
}

void tearDown(void)
{
    files_finish(&files);
}

static enum files_op note(const char *path, enum files_op op, bool *is_first)
{
    return files_note(&files, slice_cstr(path), op, is_first);
}

static void check_list(enum files_list list, const char *want)
{
    struct bytes out = {0};

    for (size_t i = 0; i < files.lengths[list]; i++) {
        struct slice path = files_path(&files, list, i);
        bytes_append(&out, path.ptr, path.len);
        bytes_append(&out, " ", 1);
    }
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
}

static void test_equal_by_normalised_absolute_path(void)
{
    static const char *const same[] = {"/w/a.c", "./a.c",    "x/../a.c",
                                       "a.c",    "/w//a.c/", "/../w/./a.c"};
    bool is_first;

    files_set_cwd(&files, SLICE("/w/"));
    note("src/../a.c", FILES_EDIT, &is_first);
    TEST_ASSERT_TRUE(is_first);
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        note(same[i], FILES_EDIT, &is_first);
        TEST_ASSERT_FALSE(is_first);
    }
    check_list(FILES_EDITED, "src/../a.c ");
}

static void test_without_folder_relative_stays_relative(void)
{
    bool is_first;

    note("a/../b", FILES_EDIT, &is_first);
    note("b", FILES_EDIT, &is_first);
    note("/b", FILES_EDIT, &is_first);
    note("../b", FILES_EDIT, &is_first);
    note("../../b", FILES_EDIT, &is_first);
    note("..", FILES_EDIT, &is_first);
    check_list(FILES_EDITED, "a/../b /b ../b ../../b .. ");
}

static void test_write_of_a_new_path_creates(void)
{
    bool is_first;

    note("/r", FILES_READ, &is_first);
    TEST_ASSERT_FALSE(is_first);
    TEST_ASSERT_EQUAL(FILES_EDIT, note("/r", FILES_WRITE, &is_first));
    TEST_ASSERT_EQUAL(FILES_ADD, note("/n", FILES_WRITE, &is_first));
    TEST_ASSERT_EQUAL(FILES_EDIT, note("/n", FILES_WRITE, &is_first));
    TEST_ASSERT_FALSE(is_first);
    note("/d", FILES_DELETE, &is_first);
    TEST_ASSERT_EQUAL(FILES_ADD, note("/d", FILES_WRITE, &is_first));
    note("/r", FILES_DELETE, &is_first);
    TEST_ASSERT_EQUAL(FILES_EDIT, note("/r", FILES_WRITE, &is_first));
    check_list(FILES_CREATED, "/n /d ");
    check_list(FILES_EDITED, "/r ");
}

static void test_created_then_edited_is_created_once(void)
{
    bool is_first;

    note("/n", FILES_ADD, &is_first);
    note("/n", FILES_EDIT, &is_first);
    note("/m", FILES_EDIT, &is_first);
    note("/m", FILES_ADD, &is_first);
    check_list(FILES_CREATED, "/n ");
    check_list(FILES_EDITED, "/m ");
}

static void test_lists_are_bounded_and_say_so(void)
{
    char path[32];
    bool is_first;

    for (int i = 0; i < FILES_LIST_CAP + 5; i++) {
        snprintf(path, sizeof(path), "/f/%d", i);
        note(path, FILES_ADD, &is_first);
    }
    TEST_ASSERT_EQUAL_size_t(FILES_LIST_CAP, files.lengths[FILES_CREATED]);
    TEST_ASSERT_EQUAL_UINT64(5, files.dropped);
    TEST_ASSERT_EQUAL_STRING("/f/9999",
                             files_path(&files, FILES_CREATED, 9999).ptr);
}

static void test_known_paths_are_bounded(void)
{
    char path[32];
    bool is_first;

    for (int i = 0; i < FILES_KNOWN_CAP + 7; i++) {
        snprintf(path, sizeof(path), "/f/%d", i);
        note(path, FILES_READ, &is_first);
    }
    TEST_ASSERT_EQUAL_size_t(FILES_KNOWN_CAP, files.count);
    TEST_ASSERT_EQUAL_UINT64(7, files.dropped);
    /* What is known is still found. */
    TEST_ASSERT_EQUAL(FILES_EDIT, note("/f/1", FILES_WRITE, &is_first));
    TEST_ASSERT_TRUE(is_first);
}

static void test_overlong_and_empty_paths(void)
{
    static char path[FILES_PATH_CAP + 2];
    bool is_first;

    memset(path, 'p', sizeof(path) - 1);
    TEST_ASSERT_EQUAL(FILES_EDIT, note(path, FILES_EDIT, &is_first));
    TEST_ASSERT_FALSE(is_first);
    TEST_ASSERT_EQUAL_UINT64(1, files.dropped);
    note("", FILES_EDIT, &is_first);
    TEST_ASSERT_EQUAL_UINT64(1, files.dropped);
    TEST_ASSERT_EQUAL_size_t(0, files.count);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_equal_by_normalised_absolute_path);
    TEST(test_without_folder_relative_stays_relative);
    TEST(test_write_of_a_new_path_creates);
    TEST(test_created_then_edited_is_created_once);
    TEST(test_lists_are_bounded_and_say_so);
    TEST(test_known_paths_are_bounded);
    TEST(test_overlong_and_empty_paths);
    return TAP_END();
}
