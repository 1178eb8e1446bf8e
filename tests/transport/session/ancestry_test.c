/* SPDX-License-Identifier: MIT */
/* What is told of processes that end, and whose numbers others get. The rest,
 * with wardens and hubs, is in tests/e2e/hub/identity_test.py. */
#include "transport/session/ancestry.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

#define PEERPIDFD 77

static char folder[32];
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static struct ancestry_peer peer;
static int listener;
static pid_t child; /* 0: none */

void setUp(void)
{
    strcpy(folder, "/tmp/ancestry-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/s", folder);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    TEST_ASSERT_EQUAL_INT(
        0, bind(listener, (struct sockaddr *)&address, sizeof(address)));
    TEST_ASSERT_EQUAL_INT(0, listen(listener, 1));
    peer = (struct ancestry_peer){.fd = -1};
}

static void bury(void)
{
    if (child == 0)
        return;
    kill(child, SIGKILL);
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, NULL, 0));
    child = 0;
}

void tearDown(void)
{
    bury();
    close(peer.fd);
    close(listener);
    unlink(address.sun_path);
    rmdir(folder);
}

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_BOOTTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t tick(void)
{
    return now() / (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* A child that connects and stays. */
static void have_a_peer(void)
{
    struct ucred who;
    socklen_t size = sizeof(who);

    child = fork();
    if (child == 0) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
            _exit(1);
        for (;;)
            pause();
    }
    peer.fd = accept(listener, NULL, NULL);
    peer.accepted = now();
    TEST_ASSERT_EQUAL_INT(
        0, getsockopt(peer.fd, SOL_SOCKET, SO_PEERCRED, &who, &size));
    TEST_ASSERT_EQUAL_INT(child, who.pid);
    peer.pid = who.pid;
}

/* Another process of the same number; false where that may not be chosen. */
static bool take_its_number(void)
{
    pid_t number = peer.pid, made;
    uint64_t was = tick();
    struct clone_args args = {.exit_signal = SIGCHLD,
                              .set_tid = (uint64_t)(uintptr_t)&number,
                              .set_tid_size = 1};

    while (tick() == was)
        ;
    made = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
    if (made == 0)
        for (;;)
            pause();
    child = made < 0 ? 0 : made;
    return made == number;
}

static void assert_is(enum ancestry wanted)
{
    char id[64] = "?";

    TEST_ASSERT_EQUAL_INT(wanted, ancestry_of(&peer, "/none", id, sizeof(id)));
    TEST_ASSERT_EQUAL_STRING("", id);
}

static void one_that_stays_is_nobodys(void)
{
    have_a_peer();
    assert_is(ANCESTRY_NONE);
}

static void one_that_has_ended_is_gone(void)
{
    have_a_peer();
    bury();
    assert_is(ANCESTRY_GONE);
}

static void its_number_is_not_itself(void)
{
    have_a_peer();
    bury();
    if (!take_its_number())
        TEST_IGNORE_MESSAGE("needs root, to choose a process's number");
    assert_is(ANCESTRY_GONE);
}

static void one_without_a_number_is_elsewhere(void)
{
    have_a_peer();
    peer.pid = 0;
    assert_is(ANCESTRY_ELSEWHERE);
}

/* From here on this kernel is one from before Linux 6.5. */
static void forget_descriptors_of_peers(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getsockopt, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PEERPIDFD, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOPROTOOPT),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof(steps) / sizeof(*steps),
                                .filter = steps};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        TEST_IGNORE_MESSAGE("no seccomp here, to be an older kernel");
}

static void an_older_kernel_knows_it_by_its_age(void)
{
    forget_descriptors_of_peers();
    have_a_peer();
    assert_is(ANCESTRY_NONE);
    bury();
    assert_is(ANCESTRY_GONE);
    if (!take_its_number())
        TEST_IGNORE_MESSAGE("needs root, to choose a process's number");
    assert_is(ANCESTRY_GONE);
}

int main(void)
{
    TAP_BEGIN();
    TEST(one_that_stays_is_nobodys);
    TEST(one_that_has_ended_is_gone);
    TEST(its_number_is_not_itself);
    TEST(one_without_a_number_is_elsewhere);
    TEST(an_older_kernel_knows_it_by_its_age);
    return TAP_END();
}
