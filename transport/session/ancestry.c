/* SPDX-License-Identifier: MIT */
/*
 * The topmost warden of ours among the ancestors names the agent. Topmost,
 * since a warden is the subreaper of all below it: an agent can start a
 * program of that name with any environment it likes, but never above its own.
 *
 * The walk reads one process after the other while they live on. A number
 * that was given to another process on the way shows by its age: no process is
 * older than its parent. A process whose parent ends is given to a subreaper
 * above, so a walk that has met a dead one is worth repeating.
 */
#include "transport/session/ancestry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/bytes.h"

#define DEPTH_MAX 256
#define TRIES 4
#define ENVIRON_MAX ((size_t)4 << 20)
#define WARDEN "kuromajutsu-warden"
#define DELETED " (deleted)"

struct being {
    pid_t parent;
    unsigned long long born; /* ticks since the boot */
};

static int open_proc(pid_t pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* The command's name may hold anything: what follows its last bracket. */
static bool look(pid_t pid, struct being *b)
{
    char text[1024];
    const char *rest;
    int fd = open_proc(pid, "stat");
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
               &parent, &b->born) != 2)
        return false;
    b->parent = parent;
    return true;
}

/* A program that was replaced while it runs is called deleted. */
static bool is_warden(pid_t pid)
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

static bool read_environ(pid_t pid, struct bytes *out)
{
    int fd = open_proc(pid, "environ");
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

static bool is_ours(pid_t pid, const char *socket, char *id, size_t size)
{
    struct bytes env = {0};
    const char *at, *agent;
    bool is_it = false;

    if (is_warden(pid) && read_environ(pid, &env)) {
        at = variable(&env, "KUROMAJUTSU_SOCKET");
        agent = variable(&env, "KUROMAJUTSU_AGENT_ID");
        is_it = at != NULL && agent != NULL && strcmp(at, socket) == 0 &&
                agent[0] != 0 && strlen(agent) < size;
        if (is_it)
            strcpy(id, agent);
    }
    bytes_finish(&env);
    return is_it;
}

/* False when a process on the way ended meanwhile. */
static bool walk(pid_t pid, const char *socket, char *id, size_t size)
{
    struct being below = {.born = ULLONG_MAX}, b;

    id[0] = 0;
    for (int i = 0; i < DEPTH_MAX && pid > 0; i++) {
        if (!look(pid, &b) || b.born > below.born)
            return false;
        is_ours(pid, socket, id, size);
        pid = b.parent;
        below = b;
    }
    return pid <= 0;
}

bool ancestry_agent(pid_t pid, const char *socket, char *id, size_t size)
{
    struct being first, last;

    for (int i = 0; i < TRIES; i++) {
        if (!look(pid, &first))
            break;
        /* It lived until the end: no number below it was another's. */
        if (walk(pid, socket, id, size) && look(pid, &last) &&
            last.born == first.born)
            return id[0] != 0;
    }
    id[0] = 0;
    return false;
}
