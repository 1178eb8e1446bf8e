/*
 * Where each process tree can be held to so much memory: below a cgroup of
 * version 2 that was handed to us whole, as systemd's Delegate=yes does.
 *
 *   base/                 has no process itself, as the kernel wants it of one
 *     kuromajutsu-hub/      that has a controller enabled: we are here, and
 *     agent-ID/             wardens; a tree, its cgroup made by its warden
 */
#ifndef RUNTIME_PROCESS_CGROUP_H
#define RUNTIME_PROCESS_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum cgroup_verdict {
    CGROUP_FIT,
    CGROUP_NONE,      /* there are none of version 2, or not for us */
    CGROUP_OLD,       /* memory is a matter of version 1 on this machine */
    CGROUP_NO_MEMORY, /* memory was not handed on */
    CGROUP_NOT_OURS,  /* we may not write there */
    CGROUP_SHARED,    /* other processes are in it */
    CGROUP_REFUSED    /* looked fit, but the kernel did not want it */
};

/*
 * Judges where that process is, and changes nothing. `proc` is where /proc is.
 * The base is told if it is fit.
 */
enum cgroup_verdict cgroup_judge(const char *proc, pid_t pid,
                                 char base[static PATH_MAX]);
/* The same of this process, and prepares it: moves us, all threads. */
enum cgroup_verdict cgroup_take(const char *proc, char base[static PATH_MAX]);

/* dir/agent-ID. False when that is too long. */
bool cgroup_of(const char *base, const char *id, char path[static PATH_MAX]);
/* Removes that of a tree that has gone, with what it made below it. */
void cgroup_remove(const char *base, const char *id);
/* Removes all that no warden holds any more. */
void cgroup_sweep(const char *base);

#endif
