/* SPDX-License-Identifier: MIT */
/*
 * A limit that can be evaded by swapping would make the machine slow instead
 * of the agent fail, so there is no swap for it; and of a tree of which one
 * process is killed the rest does nothing sensible, so all are (oom.group).
 */
#include "runtime/warden/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/warden/text.h"

/* A hub that clears up may remove it before it is locked. */
#define TRIES 3

static int set(const struct memory *m, const char *name, int64_t value)
{
    char number[24];
    struct text t;
    int fd = openat(m->dir, name, O_WRONLY | O_CLOEXEC);
    int error;

    if (fd < 0)
        return -errno;
    text_init(&t, number, sizeof(number));
    text_number(&t, value);
    error = write(fd, t.at, t.len) < 0 ? -errno : 0;
    close(fd);
    return error;
}

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int try(struct memory *m, int64_t max)
{
    int error;

    if (mkdir(m->path, 0755) != 0 && errno != EEXIST)
        return -errno;
    m->dir = open(m->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (m->dir < 0 || flock(m->dir, LOCK_SH) != 0)
        return -errno;
    error = set(m, "memory.max", max);
    if (error != 0)
        return error;
    set(m, "memory.swap.max", 0); /* is not there where nothing can swap */
    error = set(m, "memory.oom.group", 1);
    if (error != 0)
        return error;
    m->procs = openat(m->dir, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    return m->procs < 0 ? -errno : 0;
}

int memory_open(struct memory *m, const char *path, int64_t max)
{
    int error = 0;

    *m = (struct memory){.path = path, .dir = -1, .procs = -1};
    for (int i = 0; path != NULL && i < TRIES; i++) {
        shut(&m->dir);
        error = try(m, max);
        if (error != -ENOENT && error != -ENODEV)
            break;
    }
    return error;
}

/* Of lines "NAME COUNT", whether this one counts any. */
static bool counts(const char *text, const char *name)
{
    size_t len = strlen(name);

    for (; text != NULL; text = strchr(text, '\n')) {
        text += *text == '\n';
        if (strncmp(text, name, len) == 0 && text[len] == ' ')
            return text[len + 1] > '0' && text[len + 1] <= '9';
    }
    return false;
}

bool memory_was_reached(const struct memory *m)
{
    char text[512];
    int fd = m->dir < 0 ? -1 : openat(m->dir, "memory.events", O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return counts(text, "oom_kill");
}

void memory_close(struct memory *m)
{
    shut(&m->procs);
    shut(&m->dir);
    if (m->path != NULL)
        rmdir(m->path);
}
