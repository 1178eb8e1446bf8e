/* SPDX-License-Identifier: MIT */
#include "runtime/warden/life.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#include "runtime/text/folder.h"
#include "runtime/warden/warden.h"

/*
 * The lock is held as long as this process lives; O_EXCL is what makes a CLI
 * start at most once, however often a hub in recovery tries. Returns EX_OK, or
 * what to exit with.
 */
static int claim(int dir)
{
    int lock = folder_file(dir, "lock", O_RDWR | O_CREAT);

    if (lock < 0)
        return EX_CANTCREAT;
    if (flock(lock, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? EX_TEMPFAIL : EX_CANTCREAT;

    int started =
        openat(dir, "started", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (started < 0)
        return errno == EEXIST ? EX_TEMPFAIL : EX_CANTCREAT;
    close(started);
    return EX_OK;
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

int life_run(const struct options *o, int dir_fd)
{
    int signals = take_signals();

    if (signals < 0)
        return EX_OSERR;

    int refused = claim(dir_fd);

    if (refused != EX_OK)
        return refused;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    warden_run(o, dir_fd, signals);
    return EX_OK;
}
