/* SPDX-License-Identifier: MIT */
/*
 * Clients on a hub's socket that create a group and delete it, again and
 * again, each as soon as it was answered. Prints pairs per second.
 *
 *   pairs SOCKET CLIENTS SECONDS
 *
 * One thread for all of them: a hub has the other cores.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/os.h"
#include "transport/wire/wire.h"

#define CLIENTS_MAX 1024

struct client {
    int fd;
    unsigned number;
    uint64_t calls, pairs;
    struct wire_reader in;
};

static _Noreturn void fail(const char *what, struct slice detail)
{
    fprintf(stderr, "pairs: %s: %.*s\n", what, (int)detail.len, detail.ptr);
    exit(1);
}

static void send_frame(struct client *c, enum wire_kind kind,
                       struct slice payload)
{
    struct bytes out = {0};

    wire_put(&out, kind, 0, ++c->calls, payload);
    if (send(c->fd, out.ptr, out.len, 0) != (ssize_t)out.len)
        fail("send", SLICE("cut short"));
    bytes_finish(&out);
}

static void place(struct client *c, const char *name, const char *field,
                  struct slice value)
{
    char text[400];
    int n = snprintf(text, sizeof(text),
                     "{\"name\":\"%s\",\"args\":{\"%s\":\"%.*s\"},"
                     "\"progress\":false,\"key\":\"pairs-%d-%u-%llu\"}",
                     name, field, (int)value.len, value.ptr, (int)getpid(),
                     c->number, (unsigned long long)c->calls);

    send_frame(c, WIRE_CALL, slice_of(text, (size_t)n));
}

static void create(struct client *c)
{
    place(c, "create_group", "description", SLICE("bench"));
}

/* {"groupId":"...", is how an answer to create_group begins. */
static void on_answer(struct client *c, const struct wire_frame *f)
{
    static const char begin[] = "{\"groupId\":\"";
    struct slice p = f->payload, id;
    const char *end;

    if (f->head.flags & WIRE_IS_ERROR)
        fail("refused", p);
    if (p.len < sizeof(begin) || memcmp(p.ptr, begin, sizeof(begin) - 1)) {
        c->pairs++;
        create(c);
        return;
    }
    id = slice_of(p.ptr + sizeof(begin) - 1, p.len - (sizeof(begin) - 1));
    end = memchr(id.ptr, '"', id.len);
    if (end == NULL)
        fail("no id in", p);
    id.len = (size_t)(end - id.ptr);
    place(c, "delete_group", "groupId", id);
}

static void hear(struct client *c)
{
    struct wire_frame frame;
    ssize_t n = recv(c->fd, wire_space(&c->in, 4096), 4096, 0);
    int found;

    if (n <= 0)
        fail("recv", SLICE("the hub has left"));
    wire_filled(&c->in, (size_t)n);
    while ((found = wire_next(&c->in, &frame)) > 0) {
        if (frame.head.kind == WIRE_ANSWER)
            on_answer(c, &frame);
        else if (frame.head.kind == WIRE_WELCOME)
            create(c);
    }
    if (found < 0)
        fail("recv", SLICE("no frames"));
}

static void connect_client(struct client *c, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof(address.sun_path))
        fail("too long", slice_cstr(path));
    strcpy(address.sun_path, path);
    c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(c->fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        fail("connect", slice_cstr(path));
    if (send(c->fd, WIRE_GREETING, strlen(WIRE_GREETING), 0) < 0)
        fail("send", slice_cstr(path));
    send_frame(c, WIRE_HELLO,
               SLICE("{\"build\":\"bench\",\"client\":\"command\","
                     "\"cwd\":\"/\",\"env\":[]}"));
}

static uint64_t pairs_of(const struct client *clients, unsigned count)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += clients[i].pairs;
    return sum;
}

static void run_until(struct client *clients, struct pollfd *fds,
                      unsigned count, uint64_t end)
{
    while (os_now() < end) {
        if (poll(fds, count, 1000) < 0)
            fail("poll", SLICE("interrupted"));
        for (unsigned i = 0; i < count; i++)
            if (fds[i].revents != 0)
                hear(&clients[i]);
    }
}

int main(int argc, char **argv)
{
    static struct client clients[CLIENTS_MAX];
    static struct pollfd fds[CLIENTS_MAX];
    unsigned count = argc == 4 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    double seconds = argc == 4 ? atof(argv[3]) : 0;
    uint64_t begun, before;

    if (count == 0 || count > CLIENTS_MAX || seconds <= 0)
        fail("usage", SLICE("pairs SOCKET CLIENTS SECONDS"));
    for (unsigned i = 0; i < count; i++) {
        clients[i].number = i;
        connect_client(&clients[i], argv[1]);
        fds[i] = (struct pollfd){.fd = clients[i].fd, .events = POLLIN};
    }
    run_until(clients, fds, count, os_now() + 300000000); /* to warm up */
    begun = os_now();
    before = pairs_of(clients, count);
    run_until(clients, fds, count, begun + (uint64_t)(seconds * 1e9));
    printf("%.1f\n", (double)(pairs_of(clients, count) - before) * 1e9 /
                         (double)(os_now() - begun));
    return 0;
}
