/* SPDX-License-Identifier: MIT */
/*
 * The topmost warden of ours among the ancestors names the agent. Topmost,
 * since a warden is the subreaper of all below it: an agent can start a
 * program of that name with any environment it likes, but never above its own.
 * For the same reason a process stays in its agent's tree whatever it does to
 * be nobody's child: sessions of its own, parents that end.
 *
 * The walk reads one process after the other while they live on. A process
 * whose parent ends is given to another at once: so if it has the same parent
 * after that one was looked at as before, it was the parent that was seen, and
 * not another process of the same number. A walk that has met a dead one is
 * worth repeating.
 *
 * With hidepid, /proc shows only what we could trace: not the processes of
 * others, and not those of ours that have another's rights. Which of them live
 * can be asked by signals all the same. There the walk ends, and what was
 * found below counts.
 */
#include "transport/session/ancestry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/text/bytes.h"
#include "transport/wire/proc_entry.h"

#define TRIES 4
/* More than the kernel lets a program be started with: 6 MiB. */
#define ENVIRON_MAX ((size_t)8 << 20)
#define SECOND_NS UINT64_C(1000000000)

/* Since Linux 6.5; the C library may be older than the kernel. */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

enum sight { SIGHT_CLEAR, SIGHT_HIDDEN, SIGHT_GONE };

enum walk {
    WALK_WHOLE,  /* up to one without a parent */
    WALK_CUT,    /* up to one that is not shown */
    WALK_GONE,   /* the first of them is not there */
    WALK_UNSEEN, /* or not even that is shown */
    WALK_BROKEN, /* a process ended meanwhile */
    WALK_DEEP
};

/* ---- one process -------------------------------------------------------- */

static enum sight look(pid_t pid, struct proc_entry *b)
{
    if (proc_read(pid, b))
        return SIGHT_CLEAR;
    return kill(pid, 0) != 0 && errno == ESRCH ? SIGHT_GONE : SIGHT_HIDDEN;
}

static bool read_environ(pid_t pid, struct bytes *out)
{
    int fd = proc_open(pid, "environ");
    ssize_t n = 1;

    if (fd < 0)
        return false;
    while (n > 0 && out->len < ENVIRON_MAX) {
        bytes_reserve(out, 16384);
        do
            n = read(fd, out->ptr + out->len, 16384);
        while (n < 0 && errno == EINTR);
        out->len += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    bytes_append(out, "", 1);
    return n == 0;
}

/* The first of that name, as getenv would find it; NULL if there is none. */
static const char *variable(const struct bytes *env, const char *name)
{
    size_t len = strlen(name);

    for (const char *p = env->ptr; p < env->ptr + env->len; p += strlen(p) + 1)
        if (strncmp(p, name, len) == 0 && p[len] == '=')
            return p + len + 1;
    return NULL;
}

/* A hub may be told of its state directory by another name than the hub before
 * it: then the socket is the same file. */
static bool is_same_socket(const char *a, const char *b)
{
    struct stat one, other;

    return strcmp(a, b) == 0 ||
           (stat(a, &one) == 0 && stat(b, &other) == 0 &&
            one.st_dev == other.st_dev && one.st_ino == other.st_ino);
}

static void note_warden(pid_t pid, const char *socket, char *id, size_t size)
{
    struct bytes env = {0};
    const char *at, *agent;

    if (proc_is_warden(pid) && read_environ(pid, &env)) {
        at = variable(&env, "KUROMAJUTSU_SOCKET");
        agent = variable(&env, "KUROMAJUTSU_AGENT_ID");
        if (at != NULL && agent != NULL && is_same_socket(at, socket) &&
            agent[0] != 0 && strlen(agent) < size)
            strcpy(id, agent);
    }
    bytes_finish(&env);
}

/* Also of one whose environment is not shown to us. */
static bool may_call_itself_agent(pid_t pid)
{
    struct bytes env = {0};
    bool may =
        !read_environ(pid, &env) || variable(&env, "KUROMAJUTSU_AGENT_ID");

    bytes_finish(&env);
    return may;
}

/* ---- all above it ------------------------------------------------------- */

static bool has_still(pid_t pid, const struct proc_entry *was)
{
    struct proc_entry is;

    return look(pid, &is) == SIGHT_CLEAR && is.parent == was->parent &&
           is.born == was->born;
}

static enum walk walk(pid_t pid, const char *socket, char *id, size_t size)
{
    struct proc_entry b, above;
    enum sight seen = look(pid, &b);

    id[0] = 0;
    if (seen != SIGHT_CLEAR)
        return seen == SIGHT_GONE ? WALK_GONE : WALK_UNSEEN;
    for (int i = 0; i < PROC_DEPTH_MAX; i++) {
        if (b.parent == 0)
            return WALK_WHOLE;
        seen = look(b.parent, &above);
        if (seen == SIGHT_CLEAR)
            note_warden(b.parent, socket, id, size);
        if (!has_still(pid, &b) || seen == SIGHT_GONE)
            return WALK_BROKEN;
        if (seen == SIGHT_HIDDEN)
            return WALK_CUT;
        pid = b.parent;
        b = above;
    }
    return WALK_DEEP;
}

/* ---- the peer ----------------------------------------------------------- */

/* -1: this kernel has none; -2: its process has ended. */
static int open_pidfd(int fd)
{
    int pidfd = -1;
    socklen_t size = sizeof(pidfd);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0)
        return pidfd;
    return errno == ENOPROTOOPT ? -1 : -2;
}

/*
 * Whether the number is the peer's own until now. Where the kernel has no
 * descriptor of it, a process that is younger than the connection is another;
 * one that took the number before we accepted is not known to be.
 */
static bool is_peer(const struct ancestry_peer *peer, int pidfd)
{
    uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
    struct proc_entry b;

    if (look(peer->pid, &b) != SIGHT_CLEAR)
        return false;
    if (pidfd >= 0)
        return syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) == 0 ||
               errno != ESRCH;
    return b.born <= peer->accepted / (SECOND_NS / ticks);
}

static enum ancestry judge(const struct ancestry_peer *peer, enum walk how,
                           const char *id)
{
    switch (how) {
    case WALK_CUT:
        if (id[0] == 0 && may_call_itself_agent(peer->pid))
            return ANCESTRY_CUT;
        /* fall through */
    case WALK_WHOLE:
        return id[0] != 0 ? ANCESTRY_AGENT : ANCESTRY_NONE;
    case WALK_GONE:
        return ANCESTRY_GONE;
    case WALK_UNSEEN:
        return ANCESTRY_UNSEEN;
    case WALK_BROKEN:
        return ANCESTRY_RESTLESS;
    case WALK_DEEP:
        break;
    }
    return ANCESTRY_DEEP;
}

enum ancestry ancestry_of(const struct ancestry_peer *peer, const char *socket,
                          char *id, size_t size)
{
    int pidfd = open_pidfd(peer->fd);
    enum ancestry verdict = ANCESTRY_GONE;

    if (peer->pid == 0) {
        verdict = ANCESTRY_ELSEWHERE;
    } else if (pidfd != -2) {
        enum walk how = WALK_BROKEN;

        for (int i = 0; how == WALK_BROKEN && i < TRIES; i++)
            how = walk(peer->pid, socket, id, size);
        verdict = judge(peer, how, id);
        if (verdict != ANCESTRY_UNSEEN && !is_peer(peer, pidfd))
            verdict = ANCESTRY_GONE;
    }
    if (verdict != ANCESTRY_AGENT)
        id[0] = 0;
    if (pidfd >= 0)
        close(pidfd);
    return verdict;
}
