/* SPDX-License-Identifier: MIT */
/*
 * A session's share is its autogroup's niceness, "/autogroup-7 nice 0" in the
 * autogroup file of each of its processes. Anybody may lower his own, but the
 * kernel takes one such order every 100 ms from all users together: who is
 * refused tries again, and waits longer each time, for a fleet is started at
 * once. Nothing tells of a new session, so the tree is looked at now and then;
 * what lasts for less than that is nobody's burden, and so is a CLI that has
 * left before the first look.
 */
#include "runtime/warden/priority.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/text/turns.h"
#include "runtime/warden/clock.h"
#include "runtime/warden/text.h"

#define TURN_NS 20000000
#define FIRST_MS 200
#define LOOK_MS 2000
#define AGAIN_MS 110
#define TRIES_MAX 4 /* doublings of it */

static bool is_shared_by_session(void)
{
    int fd =
        open("/proc/sys/kernel/sched_autogroup_enabled", O_RDONLY | O_CLOEXEC);
    char is_on = '0';

    if (fd < 0 || read(fd, &is_on, 1) != 1)
        is_on = '0';
    if (fd >= 0)
        close(fd);
    return is_on == '1';
}

void priority_init(struct priority *p, int64_t nice, int64_t now)
{
    *p = (struct priority){.nice = (int)nice,
                           .at = nice > 0 ? now + FIRST_MS : CLOCK_NEVER,
                           .pid_ms = getpid() % AGAIN_MS};
}

void priority_lower(int64_t nice)
{
    if (nice == 0)
        return;
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + (int)nice);
    /* With long turns a tree is taken after all who want little, and is
     * interrupted less once it is its turn. */
    turns_ask(TURN_NS, false);
}

/* The niceness behind the last space; -1: there is none to be changed. */
static int nice_of(int fd)
{
    char line[64];
    ssize_t n = read(fd, line, sizeof(line) - 1);

    if (n <= 0)
        return -1;
    line[n] = '\0';

    const char *s = strrchr(line, ' ');

    return s == NULL ? -1 : atoi(s + 1);
}

/* False: the kernel has put it off. */
static bool lower_session(pid_t pid, int nice)
{
    int fd = tree_open(pid, "/autogroup", O_RDWR);
    char number[8];
    struct text t;
    bool is_settled = true;

    if (fd < 0)
        return true;

    int now = nice_of(fd);

    if (now >= 0 && now < nice) {
        text_init(&t, number, sizeof(number));
        text_number(&t, nice);
        is_settled = write(fd, t.at, t.len) >= 0 || errno != EAGAIN;
    }
    close(fd);
    return is_settled;
}

void priority_look(struct priority *p, struct tree *t, int64_t now)
{
    bool is_settled = true;

    p->is_shared = p->is_shared || is_shared_by_session();
    if (!p->is_shared) {
        p->at = CLOCK_NEVER;
        return;
    }
    tree_collect(t);
    for (size_t i = 0; i < t->found && is_settled; i++)
        is_settled = lower_session(t->node[i].pid, p->nice);
    p->tries = is_settled ? 0 : p->tries + 1;
    if (is_settled)
        p->at = now + LOOK_MS;
    else
        p->at = now + p->pid_ms +
                (AGAIN_MS << (p->tries < TRIES_MAX ? p->tries : TRIES_MAX));
}
