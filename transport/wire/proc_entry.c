/* SPDX-License-Identifier: MIT */
#include "transport/wire/proc_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WARDEN "kuromajutsu-warden"
#define DELETED " (deleted)"

int proc_open(pid_t pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* The command's name may hold anything: what follows its last bracket. */
bool proc_read(pid_t pid, struct proc_entry *e)
{
    char text[1024];
    const char *rest;
    int fd = proc_open(pid, "stat");
    ssize_t n;
    int parent;

    if (fd < 0)
        return false;
    n = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = 0;
    rest = strrchr(text, ')');
    if (rest == NULL ||
        sscanf(rest,
               ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
               "%*d %*d %*d %*d %*d %*d %llu",
               &parent, &e->born) != 2)
        return false;
    e->parent = parent;
    return true;
}

/* A program that was replaced while it runs is called deleted. */
bool proc_is_warden(pid_t pid)
{
    char path[64], target[PATH_MAX + sizeof(DELETED)];
    const char *name;
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    n = readlink(path, target, sizeof(target) - 1);
    if (n <= 0)
        return false;
    target[n] = 0;
    name = strrchr(target, '/');
    if (name == NULL)
        return false;
    return strcmp(name + 1, WARDEN) == 0 ||
           strcmp(name + 1, WARDEN DELETED) == 0;
}

/* Where /proc hides others' processes (hidepid) the way up ends at the first of
 * them, and what is above is no agent's: agents are ours. One of ours that has
 * just ended left its children to a subreaper, in an agent's tree its warden.
 */
bool proc_is_agents(void)
{
    pid_t pid = getppid();
    struct proc_entry e;

    for (int i = 0; i < PROC_DEPTH_MAX; i++) {
        if (pid == 0)
            return false;
        if (proc_is_warden(pid))
            return true;
        if (!proc_read(pid, &e))
            return kill(pid, 0) == 0 || errno == ESRCH;
        pid = e.parent;
    }
    return true;
}
