/* SPDX-License-Identifier: MIT */
/*
 * kuromajutsu-warden: one per agent. Here it takes its directory, leaves the
 * hub's session and descriptors, and becomes the reaper of what it will start.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#include "runtime/text/folder.h"
#include "runtime/warden/options.h"
#include "runtime/warden/warden.h"

static void complain(const char *what)
{
    static const char name[] = "kuromajutsu-warden: ";

    if (write(2, name, sizeof(name) - 1) > 0 &&
        write(2, what, strlen(what)) > 0 && write(2, "\n", 1) > 0)
        return;
}

/*
 * The warden outlives the hub, so it must hold none of the hub's files open:
 * another program may be waiting for their end. 0 to 2 stay taken, lest a file
 * of ours be given such a number and then overwritten in the CLI.
 */
static bool let_go(void)
{
    int null = open("/dev/null", O_RDWR);

    if (null < 0)
        return false;
    for (int fd = 0; fd <= 2; fd++)
        dup2(null, fd);
    close_range(3, ~0U, 0);
    return true;
}

/*
 * Returns the agent's directory, or -1: EX_TEMPFAIL says that another warden
 * has it or had it, EX_CANTCREAT that no warden could and nothing was started.
 * The lock is held as long as this process lives; O_EXCL is what makes a CLI
 * start at most once, however often a hub in recovery tries.
 */
static int claim(const char *path, int *exit_code)
{
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    *exit_code = EX_CANTCREAT;
    if (dir < 0)
        return -1;

    int lock = folder_file(dir, "lock", O_RDWR | O_CREAT);

    if (lock < 0)
        return -1;
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            *exit_code = EX_TEMPFAIL;
        return -1;
    }

    int started =
        openat(dir, "started", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (started < 0) {
        if (errno == EEXIST)
            *exit_code = EX_TEMPFAIL;
        return -1;
    }
    close(started);
    return dir;
}

/*
 * What was ignored or blocked in the hub is so here: a CHLD ignored would
 * leave no status to wait for.
 */
static int take_signals(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    const struct sigaction ends = {.sa_handler = SIG_DFL,
                                   .sa_flags = SA_NOCLDSTOP};
    sigset_t set;

    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGHUP, &ignore, NULL);
    sigaction(SIGTERM, &standard, NULL);
    sigaction(SIGINT, &standard, NULL);
    sigaction(SIGCHLD, &ends, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_SETMASK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int main(int argc, char **argv)
{
    struct options o;
    const char *wrong = options_parse(&o, argv);
    int exit_code = EX_OSERR;

    (void)argc;
    if (wrong != NULL) {
        complain(wrong);
        return EX_USAGE;
    }
    if (!let_go())
        return EX_OSERR;

    int signals = take_signals();

    if (signals < 0)
        return EX_OSERR;
    /* Fails where the hub has done it for us: then nothing is missing. */
    setsid();

    int dir = claim(o.dir, &exit_code);

    if (dir < 0)
        return exit_code;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    warden_run(&o, dir, signals);
    return 0;
}
