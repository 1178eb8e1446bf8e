/* SPDX-License-Identifier: MIT */
/*
 * A pass collects first and signals after, breadth first from ourselves: a
 * parent signalled early could die and let its children slip to a part of the
 * tree already read.
 *
 *   /proc/self/task/T/children -> P -> /proc/P/task/T/children -> ...
 *
 * The kernel lists children under the thread that forked them, so every
 * thread of a process is asked. The list may miss some while others exit;
 * hence passes repeat, and the caller repeats until wait says ECHILD.
 */
#include "runtime/warden/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "runtime/warden/text.h"

/* Enough to catch forks in flight; a bomb must not hold us here for ever. */
#define PASSES_MAX 8

struct facts {
    char state;
    pid_t parent;
    pid_t group;
};

int tree_open(pid_t pid, const char *rest, int flags)
{
    char path[64];
    struct text t;

    text_init(&t, path, sizeof(path) - 1);
    text_add(&t, "/proc/");
    text_number(&t, pid);
    text_add(&t, rest);
    path[t.len] = '\0';
    return open(path, flags | O_CLOEXEC);
}

static void collect_list(struct tree *t, pid_t parent, int fd)
{
    char buf[512];
    ssize_t n;
    pid_t pid = 0;

    /* A number may be cut by the end of a read: pid lives across reads. */
    while ((n = read(fd, buf, sizeof(buf))) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (buf[i] >= '0' && buf[i] <= '9') {
                pid = pid * 10 + (buf[i] - '0');
                continue;
            }
            if (pid > 0 && t->found < TREE_MAX)
                t->node[t->found++] = (struct tree_node){pid, parent};
            pid = 0;
        }
    }
}

static void collect_thread(struct tree *t, pid_t pid, int tasks,
                           const char *thread)
{
    char path[32];
    struct text name;

    text_init(&name, path, sizeof(path) - 1);
    text_add(&name, thread);
    text_add(&name, "/children");
    path[name.len] = '\0';

    int fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return;
    collect_list(t, pid, fd);
    close(fd);
}

static void collect_process(struct tree *t, pid_t pid)
{
    _Alignas(struct dirent64) char buf[1024];
    int tasks = tree_open(pid, "/task", O_DIRECTORY);
    ssize_t n;

    if (tasks < 0)
        return;
    while ((n = getdents64(tasks, buf, sizeof(buf))) > 0) {
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const void *)(buf + at);

            if (entry->d_name[0] != '.')
                collect_thread(t, pid, tasks, entry->d_name);
            at += entry->d_reclen;
        }
    }
    close(tasks);
}

void tree_collect(struct tree *t)
{
    t->found = 0;
    collect_process(t, getpid());
    for (size_t i = 0; i < t->found; i++)
        collect_process(t, t->node[i].pid);
}

static const char *read_number(const char *s, pid_t *out)
{
    *out = 0;
    while (*s == ' ')
        s++;
    for (; *s >= '0' && *s <= '9'; s++)
        *out = *out * 10 + (*s - '0');
    return s;
}

/* "PID (NAME) STATE PARENT GROUP ...", where NAME may hold anything. */
static bool learn(pid_t pid, struct facts *f)
{
    char buf[256];
    int fd = tree_open(pid, "/stat", 0);

    if (fd < 0)
        return false;

    ssize_t n = read(fd, buf, sizeof(buf) - 1);

    close(fd);
    if (n <= 0)
        return false;
    buf[n] = '\0';

    const char *s = strrchr(buf, ')');

    if (s == NULL || s[1] != ' ' || s[2] == '\0')
        return false;
    f->state = s[2];
    read_number(read_number(s + 3, &f->parent), &f->group);
    return true;
}

static bool is_known(const struct tree *t, pid_t pid)
{
    for (size_t i = 0; i < t->known; i++) {
        if (t->known_pid[i] == pid)
            return true;
    }
    return false;
}

static void remember(struct tree *t, pid_t pid)
{
    if (t->known == TREE_MAX)
        t->known = 0;
    t->known_pid[t->known++] = pid;
}

/*
 * The pidfd is taken before the facts are read: if they show the parent we came
 * from, the descriptor is of that very process and not of another that was
 * given its number since; if it died in between, the signal goes nowhere.
 */
static bool strike(const struct tree_node *node, int sig)
{
    struct facts f;
    int fd = pidfd_open(node->pid, 0);

    if (fd < 0)
        return false;

    bool is_ours = learn(node->pid, &f) && f.state != 'Z' && f.state != 'X' &&
                   (f.parent == node->parent || f.parent == getpid());

    if (is_ours && sig == SIGTERM) {
        pidfd_send_signal(fd, SIGTERM, NULL, 0);
        /* A stopped process would hear of it only when it goes on. */
        pidfd_send_signal(fd, SIGCONT, NULL, 0);
    } else if (is_ours) {
        pidfd_send_signal(fd, SIGKILL, NULL, 0);
        /*
         * Signals to a group and forks inside it exclude each other in the
         * kernel: the one way to hit a process that keeps replacing itself.
         * The CLI began with setsid, so no group holds others than ours.
         */
        if (f.group > 1 && f.group != getpgrp())
            kill(-f.group, SIGKILL);
    }
    close(fd);
    return is_ours;
}

/* Returns how many living processes of this pass were not known before. */
static size_t pass(struct tree *t, int sig)
{
    size_t fresh = 0;

    tree_collect(t);
    t->alive = 0;
    for (size_t i = 0; i < t->found; i++) {
        bool was_known = is_known(t, t->node[i].pid);

        /* A second TERM means "at once" to many programs; KILL means KILL. */
        if (was_known && sig == SIGTERM)
            continue;
        if (!strike(&t->node[i], sig))
            continue;
        t->alive++;
        if (was_known)
            continue;
        remember(t, t->node[i].pid);
        fresh++;
    }
    return fresh;
}

static size_t sweep(struct tree *t, int sig)
{
    size_t all = 0;

    for (int i = 0; i < PASSES_MAX; i++) {
        size_t fresh = pass(t, sig);

        all += fresh;
        if (fresh == 0)
            break;
    }
    return all;
}

void tree_init(struct tree *t)
{
    t->found = 0;
    t->known = 0;
    t->alive = 0;
}

size_t tree_term(struct tree *t)
{
    return sweep(t, SIGTERM);
}

size_t tree_kill(struct tree *t)
{
    return sweep(t, SIGKILL);
}
