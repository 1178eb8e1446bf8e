/* SPDX-License-Identifier: MIT */
/*
 *   stderr.log   [ head: the first half of the limit ]
 *   stderr.tail  [ ring: whatever came last, overwritten in turn ]
 *
 * The ring is a file and not memory: half a limit would be most of what a
 * warden may occupy. At the end it is unrolled behind the head and removed.
 * A full disk costs log, never the agent: the pipe is drained all the same.
 */
#include "runtime/warden/stderrlog.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "runtime/text/folder.h"
#include "runtime/warden/text.h"

#define CHUNK 8192
/* No pipe holds more than this, so nothing the tree wrote is left in it. */
#define REST_MAX (1 << 20)

#define HEAD_NAME "stderr.log"
#define TAIL_NAME "stderr.tail"

int stderrlog_open(struct stderrlog *g, int dir_fd, int64_t limit, int *writer)
{
    int ends[2];

    *g = (struct stderrlog){.pipe = -1,
                            .dir_fd = dir_fd,
                            .head_fd = -1,
                            .tail_fd = -1,
                            .head_max = limit / 2,
                            .tail_max = limit - limit / 2};
    *writer = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    /* Only our end: the tree expects a stderr that waits. */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    g->pipe = ends[0];
    *writer = ends[1];
    return 0;
}

static void put(int fd, const char *p, size_t n, int64_t at)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, p, n, at);

        if (done <= 0)
            return;
        p += done;
        n -= (size_t)done;
        at += done;
    }
}

static size_t at_most(size_t n, int64_t room)
{
    return room < (int64_t)n ? (size_t)room : n;
}

static void keep_tail(struct stderrlog *g, const char *p, size_t n)
{
    if (g->tail_max == 0) {
        g->total += (int64_t)n;
        return;
    }
    if (g->tail_fd < 0)
        g->tail_fd = folder_new_file(g->dir_fd, TAIL_NAME);
    while (n > 0) {
        int64_t at = (g->total - g->head_max) % g->tail_max;
        size_t part = at_most(n, g->tail_max - at);

        put(g->tail_fd, p, part, at);
        p += part;
        n -= part;
        g->total += (int64_t)part;
    }
}

static void keep(struct stderrlog *g, const char *p, size_t n)
{
    if (g->head_fd < 0)
        g->head_fd = folder_new_file(g->dir_fd, HEAD_NAME);
    if (g->total < g->head_max) {
        size_t part = at_most(n, g->head_max - g->total);

        put(g->head_fd, p, part, g->total);
        p += part;
        n -= part;
        g->total += (int64_t)part;
    }
    if (n > 0)
        keep_tail(g, p, n);
}

void stderrlog_read(struct stderrlog *g)
{
    char buf[CHUNK];
    ssize_t n = read(g->pipe, buf, sizeof(buf));

    if (n > 0) {
        keep(g, buf, (size_t)n);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(g->pipe);
        g->pipe = -1;
    }
}

/* Returns where the file goes on. */
static int64_t put_note(struct stderrlog *g, int64_t omitted)
{
    char buf[64];
    struct text t;

    text_init(&t, buf, sizeof(buf));
    text_add(&t, "\n[");
    text_number(&t, omitted);
    text_add(&t, " bytes left out]\n");
    put(g->head_fd, t.at, t.len, g->head_max);
    return g->head_max + (int64_t)t.len;
}

static void unroll(struct stderrlog *g)
{
    char buf[CHUNK];
    int64_t written = g->total - g->head_max;
    int64_t left = g->tail_fd < 0 ? 0 : g->tail_max;
    int64_t from = 0;
    int64_t to = g->head_max;

    if (written > left) {
        from = left > 0 ? written % g->tail_max : 0;
        to = put_note(g, written - left);
    } else {
        left = written;
    }
    while (left > 0) {
        int64_t room = left < g->tail_max - from ? left : g->tail_max - from;
        ssize_t n = pread(g->tail_fd, buf, at_most(sizeof(buf), room), from);

        if (n <= 0)
            return;
        put(g->head_fd, buf, (size_t)n, to);
        to += n;
        left -= n;
        from = (from + n) % g->tail_max;
    }
}

void stderrlog_close(struct stderrlog *g)
{
    int64_t before = g->total;

    /* A process outside the tree may hold the other end: do not wait for it. */
    while (g->pipe >= 0 && g->total - before < REST_MAX) {
        int64_t so_far = g->total;

        stderrlog_read(g);
        if (g->total == so_far)
            break;
    }
    if (g->pipe >= 0)
        close(g->pipe);
    g->pipe = -1;
    if (g->total > g->head_max)
        unroll(g);
    if (g->tail_fd >= 0) {
        close(g->tail_fd);
        unlinkat(g->dir_fd, TAIL_NAME, 0);
    }
    if (g->head_fd >= 0)
        close(g->head_fd);
    g->tail_fd = g->head_fd = -1;
}
