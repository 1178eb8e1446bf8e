/* SPDX-License-Identifier: MIT */
#include "transport/puppet/out.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { OUT_BLOCK = 256 * 1024 };

void out_add(struct out *o, const char *data, size_t len)
{
    if (o->is_broken)
        return;
    text_add(&o->buf, data, len);
    if (o->buf.len >= OUT_BLOCK)
        out_flush(o);
}

void out_flush(struct out *o)
{
    for (size_t at = 0; at < o->buf.len && !o->is_broken;) {
        ssize_t put = write(o->fd, o->buf.data + at, o->buf.len - at);
        if (put >= 0) {
            at += (size_t)put;
        } else if (errno == EAGAIN) {
            /* The parent may share its non-blocking pipe with us. */
            struct pollfd wait = {.fd = o->fd, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            o->is_broken = true;
        }
    }
    text_clear(&o->buf);
}

void out_finish(struct out *o)
{
    out_flush(o);
    text_finish(&o->buf);
}
