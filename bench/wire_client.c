/* SPDX-License-Identifier: MIT */
#include "bench/wire_client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CHUNK 65536

_Noreturn void wire_client_fail(const char *what, struct slice detail)
{
    fprintf(stderr, "client: %s: %.*s\n", what, (int)detail.len, detail.ptr);
    exit(1);
}

static void send_frame(struct wire_client *c, enum wire_kind kind,
                       struct slice payload)
{
    struct bytes out = {0};

    wire_put(&out, kind, 0, ++c->calls, payload);
    if (send(c->fd, out.ptr, out.len, 0) != (ssize_t)out.len)
        wire_client_fail("send", SLICE("cut short"));
    bytes_finish(&out);
}

void wire_client_call(struct wire_client *c, const char *name,
                      const char *format, ...)
{
    struct bytes text = {0};
    va_list values;

    bytes_format(&text, "{\"name\":\"%s\",\"args\":", name);
    va_start(values, format);
    bytes_vformat(&text, format, values);
    va_end(values);
    bytes_format(&text, ",\"progress\":false,\"key\":\"bench-%d-%u-%llu\"}",
                 (int)getpid(), c->number, (unsigned long long)c->calls);
    send_frame(c, WIRE_CALL, bytes_slice(&text));
    bytes_finish(&text);
}

void wire_client_hear(struct wire_client *c,
                      void (*hear)(struct wire_client *c,
                                   const struct wire_frame *f))
{
    struct wire_frame frame;
    ssize_t n = recv(c->fd, wire_space(&c->in, CHUNK), CHUNK, 0);
    int found;

    if (n <= 0)
        wire_client_fail("recv", SLICE("the hub has left"));
    wire_filled(&c->in, (size_t)n);
    while ((found = wire_next(&c->in, &frame)) > 0) {
        if (frame.head.flags & WIRE_IS_ERROR)
            wire_client_fail("refused", frame.payload);
        hear(c, &frame);
    }
    if (found < 0)
        wire_client_fail("recv", SLICE("no frames"));
}

void wire_client_open(struct wire_client *c, unsigned number, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof(address.sun_path))
        wire_client_fail("too long", slice_cstr(path));
    strcpy(address.sun_path, path);
    c->number = number;
    c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(c->fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        wire_client_fail("connect", slice_cstr(path));
    if (send(c->fd, WIRE_GREETING, strlen(WIRE_GREETING), 0) < 0)
        wire_client_fail("send", slice_cstr(path));
    send_frame(c, WIRE_HELLO,
               SLICE("{\"build\":\"bench\",\"client\":\"command\","
                     "\"cwd\":\"/\",\"env\":[]}"));
}
