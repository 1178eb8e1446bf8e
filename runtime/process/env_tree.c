/* SPDX-License-Identifier: MIT */
#include "runtime/process/env_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/text/slice.h"

/* More of an environment than the kernel lets a program be started with, which
 * is 6 MiB. */
#define ENVIRON_MAX (8 * 1024 * 1024)
#define TREE_MAX 4096
#define MARK_MAX 192
#define FACES_PRIME UINT64_C(0x100000001b3)

static ssize_t read_proc(pid_t pid, const char *name, char *to, size_t size)
{
    char path[128];
    ssize_t n, done = 0;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return -1;
    while ((size_t)done < size &&
           (n = read(fd, to + done, size - (size_t)done)) > 0)
        done += n;
    close(fd);
    return done;
}

/* Whether one of the zero-ended strings is the wanted one. */
static bool has_string(const char *block, size_t len, const char *wanted)
{
    size_t size = strlen(wanted) + 1;

    for (const char *p = block; p < block + len;) {
        const char *end = memchr(p, 0, len - (size_t)(p - block));
        if (end == NULL)
            return false;
        if ((size_t)(end - p) + 1 == size && memcmp(p, wanted, size) == 0)
            return true;
        p = end + 1;
    }
    return false;
}

/* Whether the environment names a hub, and that is another one. */
static bool is_anothers(const char *block, size_t len, const char *socket)
{
    static const char name[] = ENV_TREE_SOCKET "=";
    const size_t size = sizeof(name) - 1;

    for (const char *p = block; p < block + len;) {
        const char *end = memchr(p, 0, len - (size_t)(p - block));
        if (end == NULL)
            return false;
        if ((size_t)(end - p) >= size && memcmp(p, name, size) == 0)
            return strcmp(p + size, socket) != 0;
        p = end + 1;
    }
    return false;
}

static struct env_tree *tree_of(const struct index *trees, const char *agent)
{
    struct index_link *l =
        index_find(trees, slice_hash(SLICE_HASH, slice_cstr(agent)));

    while (l != NULL &&
           strcmp(INDEX_ITEM(struct env_tree, by_agent, l)->agent, agent) != 0)
        l = index_next(l);
    return INDEX_ITEM(struct env_tree, by_agent, l);
}

/* The tree that one of the zero-ended strings names, or NULL. */
static struct env_tree *find_tree(const struct index *trees, const char *block,
                                  size_t len)
{
    static const char name[] = ENV_TREE_AGENT "=";
    const size_t size = sizeof(name) - 1;
    struct env_tree *tree = NULL;

    for (const char *p = block; tree == NULL && p < block + len;) {
        const char *end = memchr(p, 0, len - (size_t)(p - block));
        if (end == NULL)
            return NULL;
        if ((size_t)(end - p) >= size && memcmp(p, name, size) == 0)
            tree = tree_of(trees, p + size);
        p = end + 1;
    }
    return tree;
}

/* A pidfd pins the process between the look and the kill. */
static void kill_if_marked(pid_t pid, const struct index *trees,
                           const char *socket, char *buffer)
{
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct env_tree *tree = NULL;
    ssize_t len;

    if (pidfd < 0)
        return;
    len = read_proc(pid, "environ", buffer, ENVIRON_MAX);
    if (len > 0 && !is_anothers(buffer, (size_t)len, socket))
        tree = find_tree(trees, buffer, (size_t)len);
    if (tree != NULL) {
        tree->faces = (tree->faces ^ (uint64_t)pid) * FACES_PRIME;
        tree->found++;
        syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
    }
    close(pidfd);
}

bool env_tree_has(pid_t pid, const char *agent)
{
    char mark[MARK_MAX];
    char *buffer = malloc(ENVIRON_MAX);
    ssize_t len;
    bool is_of;

    if (buffer == NULL)
        return false;
    snprintf(mark, sizeof(mark), ENV_TREE_AGENT "=%s", agent);
    len = read_proc(pid, "environ", buffer, ENVIRON_MAX);
    is_of = len > 0 && has_string(buffer, (size_t)len, mark);
    free(buffer);
    return is_of;
}

void env_tree_add(struct index *trees, struct env_tree *tree)
{
    tree->found = 0;
    tree->faces = 0;
    index_add(trees, &tree->by_agent,
              slice_hash(SLICE_HASH, slice_cstr(tree->agent)));
}

void env_tree_kill(struct index *trees, const char *socket)
{
    char *buffer = malloc(ENVIRON_MAX);
    DIR *proc = opendir("/proc");
    struct dirent *entry;

    while (buffer != NULL && proc != NULL && (entry = readdir(proc)) != NULL) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && pid != getpid())
            kill_if_marked(pid, trees, socket, buffer);
    }
    if (proc != NULL)
        closedir(proc);
    free(buffer);
}

/* Fields 14 to 17 of stat, counted behind the name in parentheses. */
static uint64_t ticks_of(pid_t pid)
{
    char text[1024];
    ssize_t n = read_proc(pid, "stat", text, sizeof(text) - 1);
    unsigned long user, system;
    long child_user, child_system;
    const char *p;

    if (n <= 0)
        return 0;
    text[n] = 0;
    if ((p = strrchr(text, ')')) == NULL ||
        sscanf(p + 1,
               " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld",
               &user, &system, &child_user, &child_system) != 4)
        return 0;
    return user + system + (uint64_t)child_user + (uint64_t)child_system;
}

static size_t add_children(pid_t pid, pid_t *list, size_t count)
{
    char name[64], text[16384];
    char *p = text, *end;
    ssize_t n;

    snprintf(name, sizeof(name), "task/%d/children", (int)pid);
    if ((n = read_proc(pid, name, text, sizeof(text) - 1)) <= 0)
        return count;
    text[n] = 0;
    for (; count < TREE_MAX; p = end) {
        long child = strtol(p, &end, 10);
        if (end == p)
            break;
        list[count++] = (pid_t)child;
    }
    return count;
}

uint64_t env_tree_cpu_ms(pid_t root)
{
    pid_t *list = malloc(TREE_MAX * sizeof(*list));
    uint64_t ticks = 0;
    size_t count = 1;

    if (list == NULL)
        return 0;
    list[0] = root;
    for (size_t i = 0; i < count; i++) {
        ticks += ticks_of(list[i]);
        count = add_children(list[i], list, count);
    }
    free(list);
    return ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
}
