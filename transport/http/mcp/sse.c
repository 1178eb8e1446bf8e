/* SPDX-License-Identifier: MIT */
#include "transport/http/mcp/sse.h"

void sse_begin(struct exchange *x, bool has_events)
{
    exchange_add_header(x, "cache-control", SLICE("no-cache, no-transform"));
    exchange_add_header(x, "x-accel-buffering", SLICE("no"));
    exchange_begin(x, 200, "text/event-stream");
    /* h2o keeps the head until there is something behind it, and a client may
     * give up on an answer that does not even begin. */
    if (!has_events)
        exchange_write(x, SLICE(":\n\n"));
}

void sse_put(struct bytes *out, struct slice line)
{
    struct slice head = SLICE("event: message\ndata: "), end = SLICE("\n\n");
    size_t len = line.len;

    if (len > 0 && line.ptr[len - 1] == '\n')
        len--;
    bytes_append(out, head.ptr, head.len);
    bytes_append(out, line.ptr, len);
    bytes_append(out, end.ptr, end.len);
}
