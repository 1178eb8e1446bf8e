/* SPDX-License-Identifier: MIT */
#include "transport/command/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/env.h"
#include "runtime/text/moment.h"

#define MOST ((size_t)64 << 10)

/* Of a list parted by colons an empty place is the current directory. */
static bool is_in(const char *dir, size_t len, const char *name, char *path)
{
    if (len == 0) {
        dir = ".";
        len = 1;
    }
    if (len + 1 + strlen(name) >= PATH_MAX)
        return false;
    memcpy(path, dir, len);
    path[len] = '/';
    strcpy(path + len + 1, name);
    return access(path, X_OK) == 0;
}

bool program_on_path(const char *name, char path[PATH_MAX])
{
    const char *at = getenv("PATH");

    if (strchr(name, '/')) {
        if (strlen(name) >= PATH_MAX)
            return false;
        strcpy(path, name);
        return access(path, X_OK) == 0;
    }
    while (at && *at) {
        size_t len = strcspn(at, ":");
        if (is_in(at, len, name, path))
            return true;
        at += len + (at[len] == ':');
    }
    return false;
}

/* Takes what is there. False: there will be no more. */
static bool take(int fd, struct bytes *said)
{
    char chunk[4096];
    ssize_t n = read(fd, chunk, sizeof(chunk));

    if (n > 0 && said->len < MOST)
        bytes_append(said, chunk, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Until it has ended, and what it said is read: what it has started may keep
 * its output open for ever. False: not by that time. */
static bool listen(int fd, int end_of_it, int64_t end, struct bytes *said)
{
    bool is_open = true;

    for (;;) {
        struct pollfd p[] = {{.fd = is_open ? fd : -1, .events = POLLIN},
                             {.fd = end_of_it, .events = POLLIN}};
        int64_t left = end - moment_monotonic();
        if (left <= 0 || poll(p, 2, (int)left) == 0)
            return false;
        if (p[0].revents)
            is_open = take(fd, said);
        else if (p[1].revents)
            return true;
    }
}

/* As agents have it. The caller frees the list. */
static char **environment(void)
{
    size_t count = 0, kept = 0;
    char **env;

    while (environ[count])
        count++;
    env = bytes_alloc((count + 1) * sizeof(*env));
    for (size_t i = 0; i < count; i++)
        if (!env_is_hubs(environ[i]))
            env[kept++] = environ[i];
    env[kept] = NULL;
    return env;
}

static int start(char *const *argv, int out, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    char **env = environment();

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    posix_spawn_file_actions_adddup2(&files, out, 2);
    posix_spawnattr_init(&attr);
    /* A group of its own: what it starts is killed with it. */
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn(pid, argv[0], &files, &attr, argv, env);
    free(env);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

int program_ask(char *const *argv, int timeout_ms, struct bytes *said)
{
    int ends[2], status = 0;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC))
        return PROGRAM_NOT_RUN;
    int error = start(argv, ends[1], &pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        bytes_append(said, strerror(error), strlen(strerror(error)));
        return PROGRAM_NOT_RUN;
    }
    int64_t end = moment_monotonic() + timeout_ms;
    int end_of_it = (int)syscall(SYS_pidfd_open, pid, 0);
    bool is_done = end_of_it >= 0 && listen(ends[0], end_of_it, end, said);
    close(ends[0]);
    if (end_of_it >= 0)
        close(end_of_it);
    /* Also what a program that has ended left behind: nobody asked for it. */
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!is_done)
        return PROGRAM_TIMED_OUT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : PROGRAM_SIGNALLED;
}
