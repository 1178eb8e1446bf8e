/* SPDX-License-Identifier: MIT */
/*
 * What dead wardens left is looked for in all of /proc. Here each look is
 * counted: many that die at once must not cost a look each.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/process/spawner.h"
#include "tap.h"

enum { TREES = 40 };

static unsigned looks;

/* In place of the library's, for the spawner too. */
DIR *opendir(const char *name)
{
    DIR *(*real)(const char *) = NULL;
    void *found = dlsym(RTLD_NEXT, "opendir");

    memcpy(&real, &found, sizeof(real));
    looks += strcmp(name, "/proc") == 0;
    return real(name);
}

struct test {
    struct process_config config;
    struct rt_ref spawner;
    unsigned told; /* trees that are no more */
};

static void name(char *id, size_t size, unsigned i)
{
    snprintf(id, size, "kills-%d-%u", (int)getpid(), i);
}

/* On the spawner's own loop: it hears of all of them before it looks. */
static enum rt_next start(struct rt_turn *t, void *state)
{
    struct test *test = *(struct test **)state;

    test->config.socket = "/nowhere/hub.sock";
    test->spawner = spawner_start(t, RT_LOOP(0), &test->config);
    for (unsigned i = 0; i < TREES; i++) {
        struct spawner_kill order = {.ticket = i + 1};

        name(order.id, sizeof(order.id), i);
        rt_tell(t, test->spawner, SPAWNER_KILL, &order, sizeof(order));
    }
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct test *test = *(struct test **)state;

    (void)t;
    test->told += m->kind == SPAWNER_KILLED;
    return test->told == TREES ? RT_STOP : RT_OK;
}

static const struct rt_behaviour behaviour = {.name = "test",
                                              .size = sizeof(struct test *),
                                              .start = start,
                                              .handle = handle};

static void play(void)
{
    struct test test = {0}, *init = &test;
    const struct rt_config config = {
        .workers = 1, .loops = 1, .home = RT_LOOP(0)};

    looks = 0;
    TEST_ASSERT_EQUAL_UINT64(0, rt_join(rt_start(&config, &behaviour, &init)));
    TEST_ASSERT_EQUAL_UINT(TREES, test.told);
}

static void test_one_look_is_for_all_of_them(void)
{
    play();
    TEST_ASSERT_EQUAL_UINT(1, looks);
}

/* A process of a tree, under the hub that it names. */
static pid_t leave(unsigned i, const char *socket)
{
    char id[64], agent[96];
    char *argv[] = {"sleep", "1000", NULL};
    char *env[] = {agent, (char *)(uintptr_t)socket, NULL};
    pid_t pid;

    name(id, sizeof(id), i);
    snprintf(agent, sizeof(agent), "KUROMAJUTSU_AGENT_ID=%s", id);
    TEST_ASSERT_EQUAL_INT(
        0, posix_spawn(&pid, "/bin/sleep", NULL, NULL, argv, env));
    return pid;
}

static void check_killed(pid_t pid)
{
    int status;

    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    TEST_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_each_tree_is_killed_and_no_other(void)
{
    pid_t ours = leave(3, "KUROMAJUTSU_SOCKET=/nowhere/hub.sock");
    pid_t nobodys = leave(5, NULL);
    pid_t anothers = leave(7, "KUROMAJUTSU_SOCKET=/else/hub.sock");
    pid_t stranger = leave(TREES, NULL);

    play();
    check_killed(ours);
    check_killed(nobodys);
    TEST_ASSERT_EQUAL_INT(0, kill(anothers, SIGTERM));
    TEST_ASSERT_EQUAL_INT(0, kill(stranger, SIGTERM));
    for (int i = 0; i < 2; i++) {
        int status;

        TEST_ASSERT_GREATER_THAN(0, wait(&status));
        TEST_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    }
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_one_look_is_for_all_of_them);
    TEST(test_each_tree_is_killed_and_no_other);
    return TAP_END();
}
