/* SPDX-License-Identifier: MIT */
#include "tests/actors/orders.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

bool orders_open(struct rt_turn *t)
{
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    return rt_watch(t, STDIN_FILENO, EPOLLIN) == 0;
}

static void obey_lines(struct rt_turn *t, struct bytes *in, orders_fn obey,
                       void *ctx)
{
    char *end;

    while ((end = memchr(in->ptr, '\n', in->len)) != NULL) {
        size_t len = (size_t)(end - in->ptr) + 1;
        yyjson_doc *doc = yyjson_read(in->ptr, len, 0);

        obey(t, ctx, yyjson_doc_get_root(doc));
        yyjson_doc_free(doc);
        memmove(in->ptr, in->ptr + len, in->len - len);
        in->len -= len;
    }
}

bool orders_read(struct rt_turn *t, struct bytes *in, orders_fn obey, void *ctx)
{
    ssize_t n;

    bytes_reserve(in, 1 << 16);
    n = read(STDIN_FILENO, in->ptr + in->len, 1 << 16);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0) {
        rt_unwatch(t, STDIN_FILENO);
        return false;
    }
    in->len += (size_t)n;
    obey_lines(t, in, obey, ctx);
    return true;
}
