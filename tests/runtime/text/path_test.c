/* SPDX-License-Identifier: MIT */
#include "runtime/text/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static char top[] = "/tmp/path_test.XXXXXX";

static void what_is_too_long_is_told(void)
{
    char path[PATH_MAX], name[PATH_MAX];

    TEST_ASSERT_TRUE(path_join(path, "/a", "b/c"));
    TEST_ASSERT_EQUAL_STRING("/a/b/c", path);
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    name[PATH_MAX - 3] = '\0';
    TEST_ASSERT_TRUE(path_join(path, "d", name));
    name[PATH_MAX - 3] = 'n';
    TEST_ASSERT_FALSE(path_join(path, "d", name));
}

static int bind_to(const char *path)
{
    struct sockaddr_un address;
    int dir, fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int error = path_address(path, &address, &dir);

    if (error == 0 &&
        bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        error = -errno;
    if (dir >= 0)
        close(dir);
    close(fd);
    return error;
}

static void a_socket_may_lie_deep(void)
{
    char path[PATH_MAX], name[101];
    struct stat made;

    memset(name, 'd', 100);
    name[100] = '\0';
    TEST_ASSERT_TRUE(path_join(path, top, name));
    TEST_ASSERT_EQUAL_INT(0, mkdir(path, 0700));
    strcat(path, "/hub.sock");
    TEST_ASSERT_GREATER_THAN_size_t(107, strlen(path));
    TEST_ASSERT_EQUAL_INT(0, bind_to(path));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &made));
    TEST_ASSERT_TRUE(S_ISSOCK(made.st_mode));
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    TEST_ASSERT_EQUAL_INT(-ENOENT, bind_to(strcat(path, "/hub.sock")));
    TEST_ASSERT_TRUE(path_join(path, top, "hub.sock"));
    TEST_ASSERT_EQUAL_INT(0, bind_to(path));
    unlink(path);
}

static void copy_self(const char *to)
{
    int in = open("/proc/self/exe", O_RDONLY);
    int out = open(to, O_WRONLY | O_CREAT, 0700);

    while (sendfile(out, in, NULL, 1 << 24) > 0)
        ;
    close(in);
    TEST_ASSERT_EQUAL_INT(0, close(out));
}

/* What a copy is left with that the system does not start. */
#define FOREIGN 126

/* The copy prints two paths; see main. */
static void what_lies_beside_is_found_after_a_replacement(void)
{
    char copy[PATH_MAX], wanted[2 * PATH_MAX], said[2 * PATH_MAX] = "";
    int out[2], status = 0;
    pid_t pid;

    TEST_ASSERT_TRUE(path_join(copy, top, "program"));
    copy_self(copy);
    TEST_ASSERT_EQUAL_INT(0, pipe(out));
    if ((pid = fork()) == 0) {
        dup2(out[1], STDOUT_FILENO);
        execl(copy, copy, "beside", (char *)NULL);
        _exit(errno == ENOEXEC ? FOREIGN : 127);
    }
    close(out[1]);
    for (ssize_t len = 0, n; (n = read(out[0], said + len, 1000)) > 0;)
        len += n;
    close(out[0]);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == FOREIGN) {
        unlink(copy);
        TEST_IGNORE_MESSAGE("built for another machine: only emulated here");
    }
    snprintf(wanted, sizeof(wanted), "%s\n%s/other\n", copy, top);
    TEST_ASSERT_EQUAL_STRING(wanted, said);
}

static int tell_beside(const char *self)
{
    char path[PATH_MAX];

    unlink(self);
    path_beside(path, "");
    puts(path);
    path_beside(path, "other");
    puts(path);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return tell_beside(argv[0]);
    TAP_BEGIN();
    if (mkdtemp(top) == NULL)
        return 1;
    TEST(what_is_too_long_is_told);
    TEST(a_socket_may_lie_deep);
    TEST(what_lies_beside_is_found_after_a_replacement);
    rmdir(top);
    return TAP_END();
}
