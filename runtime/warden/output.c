/* SPDX-License-Identifier: MIT */
#include "runtime/warden/output.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/text/folder.h"

#define LOOK_FAST_MS 250
#define LOOK_SLOW_MS 1000

void output_init(struct output *o, int64_t limit, int64_t now)
{
    *o = (struct output){.fd = -1, .limit = limit, .at = now + LOOK_FAST_MS};
}

int output_open(struct output *o, int dir_fd)
{
    o->fd = folder_file(dir_fd, "stdout.ndjson", O_WRONLY | O_APPEND | O_CREAT);
    if (o->fd >= 0)
        fcntl(o->fd, F_SETFL, O_APPEND); /* it waits, as a stdout does */
    return o->fd;
}

int64_t output_size(const struct output *o)
{
    struct stat st;

    return o->fd >= 0 && fstat(o->fd, &st) == 0 ? (int64_t)st.st_size : 0;
}

/* Oftener while the file grows by a good part of what it may. */
bool output_look(struct output *o, int64_t now)
{
    int64_t bytes = output_size(o);
    bool is_fast = bytes - o->bytes > o->limit / 16;

    o->bytes = bytes;
    o->at = now + (is_fast ? LOOK_FAST_MS : LOOK_SLOW_MS);
    return bytes > o->limit;
}
