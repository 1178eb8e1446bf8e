/* SPDX-License-Identifier: MIT */
#include "runtime/warden/life.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

#include "runtime/warden/claim.h"
#include "runtime/warden/warden.h"

/*
 * A signal ignored by any parent stays ignored over exec, and what was ignored
 * in the hub is so here: a CHLD ignored would leave no status to wait for. By
 * the system call: the library lets nobody touch the two that it keeps for
 * itself, and leaves them ignored in what it spawns. To the kernel all zeros
 * are SIG_DFL.
 */
void life_reset_signals(void)
{
    static const uint64_t standard[8];

    for (int i = 1; i < NSIG; i++)
        syscall(SYS_rt_sigaction, i, standard, NULL, (NSIG - 1) / 8);
}

/* The two that are ignored are given back to the CLI (cli.c). */
static int take_signals(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction ends = {.sa_handler = SIG_DFL,
                                   .sa_flags = SA_NOCLDSTOP};
    sigset_t set;

    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGHUP, &ignore, NULL);
    sigaction(SIGCHLD, &ends, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_SETMASK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int life_run(const struct options *o, int dir_fd, const uint64_t *ticket)
{
    int signals = take_signals();

    if (signals < 0)
        return EX_OSERR;

    struct claim claim;
    int refused = claim_take(&claim, dir_fd, o->record != NULL);

    if (refused != EX_OK)
        return refused;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    warden_run(o, &claim, signals, ticket);
    return EX_OK;
}
