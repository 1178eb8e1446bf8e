/* SPDX-License-Identifier: MIT */
#include "runtime/text/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define NOBODY 65534
#define TIB ((off_t)1 << 40)

static char top[] = "/tmp/folder-XXXXXX";
static int dir;
static bool was_root;

/* Modes mean nothing to root. */
void setUp(void)
{
    strcpy(top, "/tmp/folder-XXXXXX");
    if (was_root)
        TEST_ASSERT_EQUAL_INT(0, seteuid(NOBODY));
    TEST_ASSERT_NOT_NULL(mkdtemp(top));
    dir = folder_open(top);
    TEST_ASSERT_TRUE(dir >= 0);
}

static void run(const char *command)
{
    char line[4300];

    snprintf(line, sizeof(line), "cd '%s' && %s", top, command);
    TEST_ASSERT_EQUAL_INT(0, system(line));
}

void tearDown(void)
{
    if (was_root)
        TEST_ASSERT_EQUAL_INT(0, seteuid(0));
    close(dir);
    run("cd / && rm -rf \"$OLDPWD\"");
}

static bool is_there(const char *name)
{
    struct stat info;

    return fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

static void write_file(int fd, const char *text)
{
    TEST_ASSERT_TRUE(fd >= 0);
    TEST_ASSERT_EQUAL_INT(strlen(text), write(fd, text, strlen(text)));
    close(fd);
}

static const char *read_file(const char *name)
{
    static char text[64];
    size_t n = folder_read_end(dir, name, text, sizeof(text) - 1);

    text[n] = 0;
    return text;
}

/* ---- files ------------------------------------------------------------- */

static void only_regular_files_are_opened(void)
{
    int fd;

    run("mkfifo fifo && mkdir folder && ln -s /dev/zero zero &&"
        " ln -s file link && ln -s fifo second && echo x > file");
    TEST_ASSERT_EQUAL_INT(-ENOENT, folder_file(dir, "none", O_RDONLY));
    TEST_ASSERT_EQUAL_INT(-ENOENT, folder_file(dir, "fifo", O_RDONLY));
    TEST_ASSERT_EQUAL_INT(-ENOENT, folder_file(dir, "folder", O_RDONLY));
    TEST_ASSERT_EQUAL_INT(-ENOENT, folder_file(dir, "zero", O_RDONLY));
    TEST_ASSERT_EQUAL_INT(-ENOENT, folder_file(dir, "link", O_RDONLY));
    TEST_ASSERT_EQUAL_INT(-ENOENT, folder_file(dir, "second", O_RDONLY));
    TEST_ASSERT_EQUAL_INT(-ENOENT,
                          folder_file(dir, "link", O_WRONLY | O_CREAT));
    fd = folder_file(dir, "file", O_RDONLY);
    TEST_ASSERT_TRUE(fd >= 0);
    close(fd);
    TEST_ASSERT_EQUAL_STRING("x\n", read_file("file"));
    TEST_ASSERT_EQUAL_STRING("", read_file("fifo"));
    TEST_ASSERT_EQUAL_STRING("", read_file("link"));
}

static void a_new_file_is_nobody_elses(void)
{
    run("echo mine > victim && ln -s victim link && ln victim hard &&"
        " mkfifo fifo && mkdir folder");
    write_file(folder_new_file(dir, "link"), "new");
    write_file(folder_new_file(dir, "hard"), "new");
    write_file(folder_new_file(dir, "fifo"), "new");
    write_file(folder_new_file(dir, "none"), "new");
    TEST_ASSERT_EQUAL_INT(-EISDIR, folder_new_file(dir, "folder"));
    TEST_ASSERT_EQUAL_STRING("mine\n", read_file("victim"));
    TEST_ASSERT_EQUAL_STRING("new", read_file("link"));
    TEST_ASSERT_EQUAL_STRING("new", read_file("hard"));
    TEST_ASSERT_EQUAL_STRING("new", read_file("fifo"));
    TEST_ASSERT_EQUAL_STRING("new", read_file("none"));
}

static void holes_are_not_read(void)
{
    int fd = folder_new_file(dir, "holes");
    uint64_t at = 0;
    struct stat info;
    char text[64];

    TEST_ASSERT_EQUAL_INT(3, pwrite(fd, "one", 3, 0));
    if (ftruncate(fd, 12 * TIB) != 0)
        TEST_IGNORE_MESSAGE("no file of 12 TiB here");
    TEST_ASSERT_EQUAL_INT(4, pwrite(fd, "four", 4, 11 * TIB));
    while (at < (uint64_t)(11 * TIB)) {
        ssize_t n = folder_read(fd, text, sizeof(text), &at);
        TEST_ASSERT_TRUE(n > 0);
    }
    TEST_ASSERT_EQUAL_MEMORY("four", text, 4);
    while (folder_read(fd, text, sizeof(text), &at) > 0)
        ;
    TEST_ASSERT_EQUAL_UINT64(12 * TIB, at);
    TEST_ASSERT_EQUAL_INT(0, folder_read(fd, text, sizeof(text), &at));
    TEST_ASSERT_EQUAL_UINT64(12 * TIB, at);
    TEST_ASSERT_EQUAL_INT(0, fstat(fd, &info));
    TEST_ASSERT_LESS_THAN_UINT64(1 << 20, folder_bytes(&info));
    close(fd);
}

#define GROWN 20000

/* By a descriptor of its own: the offset of ours is moved by looking. */
static _Noreturn void grow(void)
{
    int fd = folder_file(dir, "grows", O_WRONLY | O_APPEND);

    for (int i = 0; i < GROWN; i++)
        if (write(fd, "x", 1) != 1)
            _exit(1);
    _exit(0);
}

/* What is appended between two looks at the end of a file is no hole. */
static void what_grows_is_read_whole(void)
{
    int fd = folder_new_file(dir, "grows"), status;
    uint64_t at = 0, count = 0;
    char text[64];
    bool is_over = false;
    pid_t writer = fork();

    if (writer == 0)
        grow();
    TEST_ASSERT_TRUE(writer > 0);
    while (!is_over) {
        is_over = waitpid(writer, &status, WNOHANG) == writer;
        for (ssize_t n; (n = folder_read(fd, text, sizeof(text), &at)) > 0;)
            count += (uint64_t)n;
    }
    TEST_ASSERT_EQUAL_INT(0, status);
    TEST_ASSERT_EQUAL_UINT64(GROWN, at);
    TEST_ASSERT_EQUAL_UINT64(GROWN, count);
    close(fd);
}

/* ---- directories ------------------------------------------------------- */

static void one_that_is_shut_is_opened(void)
{
    static const char *const modes[] = {"000", "100", "300", "400", "500"};

    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        char command[96];
        int fd;

        snprintf(command, sizeof(command),
                 "mkdir -p sub && echo x > sub/file && chmod %s sub", modes[i]);
        if (was_root) /* what the shell makes is the shell's user's */
            strcat(command, " && chown -R 65534 sub");
        TEST_ASSERT_EQUAL_INT(0, was_root ? seteuid(0) : 0);
        run(command);
        TEST_ASSERT_EQUAL_INT(0, was_root ? seteuid(NOBODY) : 0);
        fd = folder_open_in(dir, "sub");
        TEST_ASSERT_TRUE_MESSAGE(fd >= 0, modes[i]);
        write_file(folder_new_file(fd, "file"), "x");
        close(fd);
    }
}

static void a_link_is_no_directory(void)
{
    const char *last;

    run("mkdir outside && ln -s outside link");
    TEST_ASSERT_LESS_THAN_INT(0, folder_open_in(dir, "link"));
    TEST_ASSERT_LESS_THAN_INT(0, folder_make_in(dir, "link"));
    TEST_ASSERT_LESS_THAN_INT(0, folder_reach(dir, "link/file", &last));
}

static void what_it_lies_in_is_made(void)
{
    const char *last;
    int fd = folder_reach(dir, "a/b/c", &last);

    TEST_ASSERT_EQUAL_STRING("c", last);
    write_file(folder_new_file(fd, last), "x");
    close(fd);
    TEST_ASSERT_EQUAL_STRING("x", read_file("a/b/c"));
}

/* ---- removing ---------------------------------------------------------- */

static int finish(const char *name)
{
    int rc;

    while ((rc = folder_remove(dir, name)) == 1)
        ;
    return rc;
}

/* A chain of them, deeper than any path may be long. */
static void go_down(unsigned depth, mode_t mode)
{
    int at = folder_make_in(dir, "deep");

    for (unsigned i = 0; i < depth; i++) {
        int next = folder_make_in(at, "a-name-of-some-length");
        TEST_ASSERT_TRUE(next >= 0);
        fchmod(at, mode);
        close(at);
        at = next;
    }
    close(folder_new_file(at, "file"));
    close(at);
}

static void many_files_go(void)
{
    int at = folder_make_in(dir, "wide");
    char name[32];

    for (unsigned i = 0; i < 3000; i++) {
        snprintf(name, sizeof(name), "%u", i);
        close(folder_new_file(at, name));
    }
    close(at);
    TEST_ASSERT_EQUAL_INT(1, folder_remove(dir, "wide"));
    TEST_ASSERT_EQUAL_INT(0, finish("wide"));
    TEST_ASSERT_FALSE(is_there("wide"));
}

static void no_depth_is_too_deep(void)
{
    struct rlimit was, few;

    go_down(1000, 0700);
    getrlimit(RLIMIT_NOFILE, &was);
    few = was;
    few.rlim_cur = (rlim_t)dir + 8;
    setrlimit(RLIMIT_NOFILE, &few);
    TEST_ASSERT_EQUAL_INT(0, finish("deep"));
    setrlimit(RLIMIT_NOFILE, &was);
    TEST_ASSERT_FALSE(is_there("deep"));
}

static void what_is_shut_goes_too(void)
{
    go_down(20, 0);
    TEST_ASSERT_EQUAL_INT(0, finish("deep"));
    go_down(20, 0500);
    TEST_ASSERT_EQUAL_INT(0, finish("deep"));
    TEST_ASSERT_FALSE(is_there("deep"));
}

static void a_tree_goes_and_nothing_else(void)
{
    run("mkdir -p outside/dir sub/a/b/c sub/a/d sub/e &&"
        " echo x > outside/file && echo x > outside/dir/file &&"
        " ln -s ../outside sub/link && ln -s ../../../outside sub/a/b/link &&"
        " mkfifo sub/a/fifo && ln outside/file sub/a/b/c/hard &&"
        " touch sub/a/b/c/file sub/a/d/file");
    if (was_root)
        TEST_ASSERT_EQUAL_INT(0, seteuid(0));
    TEST_ASSERT_EQUAL_INT(0, finish("sub"));
    TEST_ASSERT_FALSE(is_there("sub"));
    TEST_ASSERT_EQUAL_STRING("x\n", read_file("outside/file"));
    TEST_ASSERT_EQUAL_STRING("x\n", read_file("outside/dir/file"));
    run("ln -s outside link && echo x > file");
    TEST_ASSERT_EQUAL_INT(0, finish("link"));
    TEST_ASSERT_EQUAL_INT(0, finish("file"));
    TEST_ASSERT_EQUAL_INT(0, finish("none"));
    TEST_ASSERT_TRUE(is_there("outside/file"));
}

int main(void)
{
    was_root = geteuid() == 0;
    TAP_BEGIN();
    TEST(only_regular_files_are_opened);
    TEST(a_new_file_is_nobody_elses);
    TEST(holes_are_not_read);
    TEST(what_grows_is_read_whole);
    TEST(one_that_is_shut_is_opened);
    TEST(a_link_is_no_directory);
    TEST(what_it_lies_in_is_made);
    TEST(many_files_go);
    TEST(no_depth_is_too_deep);
    TEST(what_is_shut_goes_too);
    TEST(a_tree_goes_and_nothing_else);
    return TAP_END();
}
