/* SPDX-License-Identifier: MIT */
/*
 * vfork rather than posix_spawn, which cannot set PDEATHSIG: parent and child
 * share memory until exec, so the child writes why it failed straight into
 * the parent's struct and no pipe is needed to carry an errno across.
 */
#include "runtime/warden/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/warden/priority.h"

/*
 * A program whose errno must not end the search, only be remembered: the
 * caller learns EACCES where one entry was there but closed to us.
 */
static bool is_elsewhere(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES ||
           error == ENAMETOOLONG || error == ESTALE || error == ELOOP;
}

/* Joins an entry of PATH and the name; an empty entry means here. */
static bool join(char *out, const char *dir, size_t n, const char *name)
{
    size_t name_len = strlen(name);

    if (n + 1 + name_len + 1 > PATH_MAX)
        return false;
    memcpy(out, dir, n);
    if (n > 0)
        out[n++] = '/';
    memcpy(out + n, name, name_len + 1);
    return true;
}

/*
 * execvp would hand a file of no known format to /bin/sh. That is a shell that
 * was not asked for, and it would hide ENOEXEC. Returns the errno.
 */
static int search(char **argv)
{
    const char *dir = getenv("PATH");
    int error = ENOENT;

    if (dir == NULL)
        dir = "/usr/local/bin:/bin:/usr/bin";
    for (;;) {
        char file[PATH_MAX];
        size_t n = strcspn(dir, ":");

        if (join(file, dir, n, argv[0])) {
            execve(file, argv, environ);
            if (!is_elsewhere(errno))
                return errno;
            if (errno == EACCES)
                error = EACCES;
        }
        if (dir[n] == '\0')
            return error;
        dir += n + 1;
    }
}

/* All others were given back before (life_reset_signals). */
static void reset_signals(void)
{
    sigset_t none;

    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The hub raised its own, which we have from it. One that is over the hard
 * limit is the hub's mistake, and costs nobody the agent. */
static void limit_files(int64_t files)
{
    struct rlimit limit;

    if (files == 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = (rlim_t)files;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Not inlined: its frame must lie below that of the function that called
 * vfork, for that one is still needed when the parent goes on.
 */
__attribute__((noinline, noreturn)) static void become(const struct cli *c,
                                                       struct cli_failure *f,
                                                       int in, pid_t parent)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* A parent that died before the prctl sends nothing. */
    if (getppid() != parent)
        _exit(127);
    dup2(in, 0);
    dup2(c->out, 1);
    dup2(c->err, 2);
    if (c->cwd != NULL && chdir(c->cwd) != 0) {
        *f = (struct cli_failure){errno, "chdir"};
        _exit(127);
    }
    if (c->procs >= 0 && write(c->procs, "0", 1) < 0) {
        *f = (struct cli_failure){errno, "cgroup"};
        _exit(127);
    }
    reset_signals();
    limit_files(c->files);
    priority_lower(c->nice);
    if (strchr(c->argv[0], '/') != NULL) {
        execve(c->argv[0], c->argv, environ);
        *f = (struct cli_failure){errno, "exec"};
    } else {
        *f = (struct cli_failure){search(c->argv), "exec"};
    }
    _exit(127);
}

/* Returns -1 with errno. NONBLOCK lest a FIFO hold us; not for the CLI. */
static int open_stdin(const char *path)
{
    int in =
        open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (in >= 0)
        fcntl(in, F_SETFL, 0);
    return in;
}

pid_t cli_start(const struct cli *c, struct cli_failure *f)
{
    const char *path = c->stdin_path != NULL ? c->stdin_path : "/dev/null";
    const int in = open_stdin(path);
    const pid_t parent = getpid();

    *f = (struct cli_failure){0};
    if (in < 0) {
        *f = (struct cli_failure){errno, "stdin"};
        return -1;
    }

    const pid_t pid = vfork(); /* NOLINT: argued at the top */

    if (pid == 0)
        become(c, f, in, parent); /* NOLINT: only calls, then exec */
    if (pid < 0)
        *f = (struct cli_failure){errno, "spawn"};
    close(in);
    if (f->error == 0)
        return pid;
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return -1;
}
