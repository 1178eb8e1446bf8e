/* SPDX-License-Identifier: MIT */
#include "runtime/process/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/path.h"

#define HUB "kuromajutsu-hub"
#define AGENT "agent-"
#define DEPTH_MAX 8 /* of what a tree may have made below its own */

/* ---- looking ------------------------------------------------------------- */

/* "0::PATH" of version 2; "N:memory,...:PATH" of version 1. */
static bool read_own(const char *proc, pid_t pid, char path[static PATH_MAX],
                     bool *is_old)
{
    char name[PATH_MAX], line[PATH_MAX];
    FILE *f;

    path[0] = '\0';
    *is_old = false;
    snprintf(name, sizeof(name), "%s/%d/cgroup", proc, (int)pid);
    if ((f = fopen(name, "re")) == NULL)
        return false;
    while (fgets(line, sizeof(line), f) != NULL) {
        const char *names = strchr(line, ':');
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::/", 4) == 0)
            snprintf(path, PATH_MAX, "%s", line + 3);
        else if (names != NULL && strncmp(names, ":memory:", 8) == 0)
            *is_old = true;
    }
    fclose(f);
    return path[0] != '\0';
}

/* Of "ID PARENT DEVICE ROOT POINT OPTIONS... - TYPE ..." the two in the
 * middle, if it is one of version 2. */
static bool read_mount(char *line, char **root, char **point)
{
    char *type = strstr(line, " - "), *rest = line;

    if (type == NULL || strncmp(type + 3, "cgroup2 ", 8) != 0)
        return false;
    for (int i = 0; i < 3; i++)
        strsep(&rest, " ");
    *root = strsep(&rest, " ");
    *point = strsep(&rest, " ");
    return *point != NULL;
}

/* Where a cgroup is seen, through a mount that may show a part of all. */
static bool locate(const char *proc, const char *own, char dir[static PATH_MAX])
{
    char name[PATH_MAX], line[2 * PATH_MAX], *root, *point;
    bool is_found = false;
    FILE *f;

    snprintf(name, sizeof(name), "%s/self/mountinfo", proc);
    if (strstr(own, "/..") != NULL || (f = fopen(name, "re")) == NULL)
        return false;
    while (!is_found && fgets(line, sizeof(line), f) != NULL) {
        if (!read_mount(line, &root, &point))
            continue;
        size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
        is_found = strncmp(own, root, len) == 0 &&
                   (own[len] == '/' || own[len] == '\0') &&
                   snprintf(dir, PATH_MAX, "%s%s", point, own + len) < PATH_MAX;
    }
    fclose(f);
    for (size_t n = strlen(dir); is_found && n > 1 && dir[n - 1] == '/'; n--)
        dir[n - 1] = '\0';
    return is_found;
}

static bool has_word(const char *dir, const char *name, const char *word)
{
    char path[PATH_MAX], text[512], *rest = text, *each;
    bool has = false;
    FILE *f = path_join(path, dir, name) ? fopen(path, "re") : NULL;

    if (f == NULL)
        return false;
    if (fgets(text, sizeof(text), f) != NULL)
        while (!has && (each = strsep(&rest, " \n")) != NULL)
            has = strcmp(each, word) == 0;
    fclose(f);
    return has;
}

/* What it takes to divide it: to make some below it, and to move ourselves. */
static bool is_ours(const char *dir)
{
    static const char *const names[] = {"cgroup.procs",
                                        "cgroup.subtree_control", "."};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!path_join(path, dir, names[i]) || access(path, W_OK) != 0)
            return false;
    return true;
}

static bool has_others(const char *dir, pid_t pid)
{
    char path[PATH_MAX];
    bool has = false;
    FILE *f = path_join(path, dir, "cgroup.procs") ? fopen(path, "re") : NULL;
    int each;

    if (f == NULL)
        return true;
    while (!has && fscanf(f, "%d", &each) == 1)
        has = each != (int)pid; /* 0: of a namespace that we do not see */
    fclose(f);
    return has;
}

enum cgroup_verdict cgroup_judge(const char *proc, pid_t pid,
                                 char base[static PATH_MAX])
{
    char own[PATH_MAX], *name;
    bool is_old;

    base[0] = '\0';
    if (!read_own(proc, pid, own, &is_old) || !locate(proc, own, base))
        return is_old ? CGROUP_OLD : CGROUP_NONE;
    name = strrchr(base, '/');
    if (name != NULL && name != base && strcmp(name + 1, HUB) == 0)
        *name = '\0';
    if (!has_word(base, "cgroup.controllers", "memory"))
        return is_old ? CGROUP_OLD : CGROUP_NO_MEMORY;
    if (!is_ours(base))
        return CGROUP_NOT_OURS;
    return has_others(base, pid) ? CGROUP_SHARED : CGROUP_FIT;
}

/* ---- taking -------------------------------------------------------------- */

static int put(const char *dir, const char *name, const char *text)
{
    char path[PATH_MAX];
    int fd, error;

    if (!path_join(path, dir, name))
        return -ENAMETOOLONG;
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    error = write(fd, text, strlen(text)) < 0 ? -errno : 0;
    close(fd);
    return error;
}

enum cgroup_verdict cgroup_take(const char *proc, char base[static PATH_MAX])
{
    enum cgroup_verdict verdict = cgroup_judge(proc, getpid(), base);
    char hub[PATH_MAX], pid[16];

    if (verdict != CGROUP_FIT)
        return verdict;
    snprintf(pid, sizeof(pid), "%d", (int)getpid());
    if (!path_join(hub, base, HUB) ||
        (mkdir(hub, 0755) != 0 && errno != EEXIST) ||
        put(hub, "cgroup.procs", pid) != 0)
        return CGROUP_REFUSED;
    if (has_word(base, "cgroup.subtree_control", "memory") ||
        put(base, "cgroup.subtree_control", "+memory") == 0)
        return CGROUP_FIT;
    put(base, "cgroup.procs", pid); /* as it was: somebody came in between */
    rmdir(hub);
    return CGROUP_REFUSED;
}

/* ---- removing ------------------------------------------------------------ */

bool cgroup_of(const char *base, const char *id, char path[static PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/" AGENT "%s", base, id) < PATH_MAX;
}

/* Only directories are there to be removed; their files go with them. */
static void remove_in(int dir, const char *name, unsigned depth)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *all = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    while (all != NULL && depth < DEPTH_MAX && (entry = readdir(all)) != NULL)
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            remove_in(dirfd(all), entry->d_name, depth + 1);
    if (all != NULL)
        closedir(all);
    unlinkat(dir, name, AT_REMOVEDIR);
}

void cgroup_remove(const char *base, const char *id)
{
    char path[PATH_MAX];

    if (cgroup_of(base, id, path))
        remove_in(AT_FDCWD, path, 0);
}

static bool is_held(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;

    if (fd >= 0)
        close(fd);
    return is;
}

void cgroup_sweep(const char *base)
{
    DIR *all = opendir(base);
    const struct dirent *entry;

    while (all != NULL && (entry = readdir(all)) != NULL)
        if (strncmp(entry->d_name, AGENT, sizeof(AGENT) - 1) == 0 &&
            !is_held(dirfd(all), entry->d_name))
            remove_in(dirfd(all), entry->d_name, 0);
    if (all != NULL)
        closedir(all);
}
