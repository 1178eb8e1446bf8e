/* SPDX-License-Identifier: MIT */
#include "runtime/warden/life.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

#include "runtime/warden/claim.h"
#include "runtime/warden/warden.h"

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

    struct claim claim;
    int refused = claim_take(&claim, dir_fd, o->record != NULL);

    if (refused != EX_OK)
        return refused;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    warden_run(o, &claim, signals);
    return EX_OK;
}
