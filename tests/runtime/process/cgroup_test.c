/* SPDX-License-Identifier: MIT */
/*
 * Where a process is and whether that can be divided, by what the kernel's
 * files say. Ordinary files stand for them here: they show which are read and
 * written, not what the kernel makes of it.
 */
#include "runtime/process/cgroup.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

#define OWN "/user.slice/run-1.scope"
#define V1 "4:memory:/elsewhere\n"

static char top[] = "/tmp/cgroup-XXXXXX";
static char proc[64], base[PATH_MAX];
static pid_t me;

static char *in_top(const char *format, ...)
{
    static char path[PATH_MAX];
    int n = snprintf(path, sizeof(path), "%s", top);
    va_list args;

    va_start(args, format);
    vsnprintf(path + n, sizeof(path) - (size_t)n, format, args);
    va_end(args);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "we");

    TEST_ASSERT_NOT_NULL_MESSAGE(f, path);
    fputs(text, f);
    fclose(f);
}

static const char *read_file(const char *path)
{
    static char text[256];
    FILE *f = fopen(path, "re");
    size_t n = f == NULL ? 0 : fread(text, 1, sizeof(text) - 1, f);

    if (f != NULL)
        fclose(f);
    text[n] = '\0';
    return text;
}

/* What /proc says: in which cgroups we are, and where version 2 is mounted. */
static void place(const char *cgroups, const char *root)
{
    char text[1024];

    write_file(in_top("/proc/%d/cgroup", (int)me), cgroups);
    snprintf(text, sizeof(text),
             "22 1 0:21 / /proc rw - proc proc rw\n"
             "30 1 0:26 %s %s/fs rw,nosuid shared:4 - cgroup2 cgroup2 rw\n",
             root, top);
    write_file(in_top("/proc/self/mountinfo"), text);
}

static void make_cgroup(const char *path, const char *procs)
{
    mkdir(in_top("/fs%s", path), 0755);
    write_file(in_top("/fs%s/cgroup.controllers", path), "cpu memory pids\n");
    write_file(in_top("/fs%s/cgroup.subtree_control", path), "");
    write_file(in_top("/fs%s/cgroup.procs", path), procs);
}

static const char *own_pid(void)
{
    static char text[16];

    snprintf(text, sizeof(text), "%d\n", (int)me);
    return text;
}

static int judge(void)
{
    return (int)cgroup_judge(proc, me, base);
}

void setUp(void)
{
    char command[256];

    snprintf(command, sizeof(command),
             "rm -rf %s && mkdir -p %s/proc/self %s/proc/%d %s/fs/user.slice",
             top, top, top, (int)me, top);
    TEST_ASSERT_EQUAL_INT(0, system(command));
    make_cgroup(OWN, own_pid());
    place("0::" OWN "\n", "/");
}

static void one_that_is_ours_alone_is_fit(void)
{
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, judge());
    TEST_ASSERT_EQUAL_STRING(in_top("/fs" OWN), base);
    place(V1 "1:name=systemd:/\n0::" OWN "\n", "/");
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, judge());
}

static void a_mount_may_show_a_part(void)
{
    make_cgroup("/run-1.scope", own_pid());
    place("0::" OWN "\n", "/user.slice");
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, judge());
    TEST_ASSERT_EQUAL_STRING(in_top("/fs/run-1.scope"), base);
    /* The whole of it is the part, and what only begins alike is not. */
    make_cgroup("", own_pid());
    place("0::/user.slice\n", "/user.slice");
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, judge());
    TEST_ASSERT_EQUAL_STRING(in_top("/fs"), base);
    place("0::" OWN "\n", "/user");
    TEST_ASSERT_EQUAL_INT(CGROUP_NONE, judge());
}

static void one_outside_what_we_see_is_none(void)
{
    place("0::/../other.scope\n", "/");
    TEST_ASSERT_EQUAL_INT(CGROUP_NONE, judge());
    place("0::/nowhere\n", "/");
    TEST_ASSERT_EQUAL_INT(CGROUP_NO_MEMORY, judge());
    unlink(in_top("/proc/%d/cgroup", (int)me));
    TEST_ASSERT_EQUAL_INT(CGROUP_NONE, judge());
}

static void version_1_is_called_so(void)
{
    place(V1, "/");
    TEST_ASSERT_EQUAL_INT(CGROUP_OLD, judge());
    place(V1 "0::" OWN "\n", "/");
    write_file(in_top("/fs" OWN "/cgroup.controllers"), "hugetlb\n");
    TEST_ASSERT_EQUAL_INT(CGROUP_OLD, judge());
    place("0::" OWN "\n", "/");
    TEST_ASSERT_EQUAL_INT(CGROUP_NO_MEMORY, judge());
    /* A word of it, not a part of one. */
    write_file(in_top("/fs" OWN "/cgroup.controllers"), "memory_recursive\n");
    TEST_ASSERT_EQUAL_INT(CGROUP_NO_MEMORY, judge());
}

static void one_of_others_is_not_divided(void)
{
    char two[64];

    snprintf(two, sizeof(two), "1\n%d\n", (int)me);
    make_cgroup(OWN, two);
    TEST_ASSERT_EQUAL_INT(CGROUP_SHARED, judge());
    make_cgroup(OWN, "0\n");
    TEST_ASSERT_EQUAL_INT(CGROUP_SHARED, judge());
    make_cgroup(OWN, own_pid());
    if (geteuid() == 0) /* to whom rights say nothing */
        unlink(in_top("/fs" OWN "/cgroup.subtree_control"));
    else
        chmod(in_top("/fs" OWN "/cgroup.subtree_control"), 0444);
    TEST_ASSERT_EQUAL_INT(CGROUP_NOT_OURS, judge());
}

static void a_hub_is_moved_and_memory_enabled(void)
{
    make_cgroup(OWN "/kuromajutsu-hub", "");
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, cgroup_take(proc, base));
    TEST_ASSERT_EQUAL_STRING(in_top("/fs" OWN), base);
    TEST_ASSERT_EQUAL_INT(
        me, atoi(read_file(in_top("/fs" OWN "/kuromajutsu-hub/cgroup.procs"))));
    TEST_ASSERT_EQUAL_STRING(
        "+memory", read_file(in_top("/fs" OWN "/cgroup.subtree_control")));
}

/* systemd's DelegateSubgroup=, and where we moved to. */
static void one_that_is_there_already_uses_the_one_above(void)
{
    make_cgroup(OWN, "");
    make_cgroup(OWN "/kuromajutsu-hub", "1\n2\n");
    place("0::" OWN "/kuromajutsu-hub\n", "/");
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, judge());
    TEST_ASSERT_EQUAL_STRING(in_top("/fs" OWN), base);
    write_file(in_top("/fs" OWN "/cgroup.subtree_control"), "memory pids\n");
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, cgroup_take(proc, base));
    TEST_ASSERT_EQUAL_STRING(
        "memory pids\n",
        read_file(in_top("/fs" OWN "/cgroup.subtree_control")));
    make_cgroup(OWN, "1\n");
    TEST_ASSERT_EQUAL_INT(CGROUP_SHARED, judge());
}

static void what_the_kernel_refuses_is_said(void)
{
    /* No file to be moved by is there. */
    TEST_ASSERT_EQUAL_INT(CGROUP_REFUSED, cgroup_take(proc, base));
}

static bool is_there(const char *name)
{
    return access(in_top("/fs" OWN "/%s", name), F_OK) == 0;
}

static void what_is_held_is_not_swept(void)
{
    int held;

    mkdir(in_top("/fs" OWN "/agent-a"), 0755);
    mkdir(in_top("/fs" OWN "/agent-a/below"), 0755);
    mkdir(in_top("/fs" OWN "/agent-b"), 0755);
    mkdir(in_top("/fs" OWN "/other"), 0755);
    held = open(in_top("/fs" OWN "/agent-b"), O_RDONLY | O_CLOEXEC);
    TEST_ASSERT_EQUAL_INT(0, flock(held, LOCK_SH));
    TEST_ASSERT_EQUAL_INT(CGROUP_FIT, judge());
    cgroup_sweep(base);
    TEST_ASSERT_FALSE(is_there("agent-a"));
    TEST_ASSERT_TRUE(is_there("agent-b"));
    TEST_ASSERT_TRUE(is_there("other"));
    cgroup_remove(base, "b"); /* whose warden is known to be gone */
    TEST_ASSERT_FALSE(is_there("agent-b"));
    close(held);
}

int main(void)
{
    TAP_BEGIN();
    if (mkdtemp(top) == NULL)
        return 1;
    me = getpid();
    snprintf(proc, sizeof(proc), "%s/proc", top);
    TEST(one_that_is_ours_alone_is_fit);
    TEST(a_mount_may_show_a_part);
    TEST(one_outside_what_we_see_is_none);
    TEST(version_1_is_called_so);
    TEST(one_of_others_is_not_divided);
    TEST(a_hub_is_moved_and_memory_enabled);
    TEST(one_that_is_there_already_uses_the_one_above);
    TEST(what_the_kernel_refuses_is_said);
    TEST(what_is_held_is_not_swept);
    snprintf(base, sizeof(base), "rm -rf %s", top);
    return TAP_END() | (system(base) != 0);
}
