/* SPDX-License-Identifier: MIT */
/*
 * fanout-bare CLI all|first N: starts N of a CLI at once by posix_spawn, waits
 * for all of them, and prints how many ns it took until the last had ended, or
 * until the first instruction of one, which says itself when that was. What
 * they say goes into one pipe.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char key[] = "\"result\":\"";

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

static unsigned long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000000000 +
           (unsigned long long)t.tv_nsec;
}

static void spawn(char *cli, int out)
{
    char prompt[] = "brief: stamp";
    char *argv[] = {cli, prompt, NULL}, *env[] = {NULL};
    posix_spawn_file_actions_t files;
    pid_t pid;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (posix_spawn(&pid, cli, &files, NULL, argv, env) != 0)
        fail(cli);
    posix_spawn_file_actions_destroy(&files);
}

/* Of the first that has said it. */
static unsigned long long stamp_in(const char *said)
{
    const char *at = strstr(said, key);

    if (at == NULL)
        fail("no stamp");
    return strtoull(at + strlen(key), NULL, 10);
}

int main(int argc, char **argv)
{
    unsigned long n = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
    static char said[4096];
    unsigned long long begun, taken;
    int way[2], status;

    if (n == 0) {
        fputs("usage: fanout-bare CLI all|first N\n", stderr);
        return 2;
    }
    if (pipe2(way, O_CLOEXEC) != 0)
        fail("pipe");
    /* None is to wait for a reader: 300 bytes each. */
    if (fcntl(way[0], F_SETPIPE_SZ, 1 << 20) < 0)
        fail("pipe size");
    begun = now();
    for (unsigned long i = 0; i < n; i++)
        spawn(argv[1], way[1]);
    for (unsigned long i = 0; i < n; i++)
        if (wait(&status) < 0 || status != 0)
            fail("a CLI");
    taken = now() - begun;
    if (read(way[0], said, sizeof(said) - 1) <= 0)
        fail("read");
    if (strcmp(argv[2], "first") == 0)
        taken = stamp_in(said) - begun;
    printf("%llu\n", taken);
    return 0;
}
