/* SPDX-License-Identifier: MIT */
/*
 * The warden's own side: orders of whoever listens at the hub's socket, in
 * pieces, and what the warden says of an agent of any name. A line is one
 * order or none, however it was cut; and the hub reads back what a warden
 * wrote. An input is a byte, and texts with a NUL between them: an id, a build
 * and the orders.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/process/warden_record.h"
#include "runtime/text/utf8.h"
#include "runtime/warden/link.h"
#include "runtime/warden/message.h"

#define CHECK(fact)                                                            \
    do                                                                         \
        if (!(fact))                                                           \
            abort();                                                           \
    while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what a warden says ------------------------------------------------- */

/* Reads all that it has said, line by line. */
static size_t read_back(int fd, struct warden_record *all, size_t most)
{
    char text[4 * LINK_OUT_MAX];
    ssize_t len = recv(fd, text, sizeof(text), MSG_DONTWAIT);
    size_t count = 0, at = 0;

    while (len > 0 && at < (size_t)len) {
        char *end = memchr(text + at, '\n', (size_t)len - at);

        CHECK(end != NULL && count < most);
        all[count++] =
            warden_record_parse(text + at, (size_t)(end - text) - at);
        at = (size_t)(end - text) + 1;
    }
    return count;
}

static void say_all(int fd, const char *id, const char *build, uint8_t byte)
{
    struct link l;
    struct options o = {.id = id, .build = build};
    struct record r = {.agent = id,
                       .has_status = byte & 1,
                       .status = byte << 7 | byte,
                       .error = byte,
                       .stage = byte & 2 ? "exec" : NULL,
                       .reason = byte & 4 ? "output limit" : "exit",
                       .started_at = byte & 8 ? INT64_MIN : INT64_MAX,
                       .stdout_bytes = (int64_t)byte << 55};

    link_init(&l, "/");
    l.fd = fd;
    message_hello(&l, &o, byte, byte & 16 ? "ended" : "running", byte);
    message_started(&l, byte);
    message_ending(&l, "lease");
    message_ended(&l, &r);
    link_flush(&l);
    CHECK(l.out_len == 0);
}

/* Names are UTF-8 wherever the hub made them. */
static void check_words(const char *id, const char *build, uint8_t byte)
{
    struct warden_record all[4];
    int pair[2];

    if (strlen(id) > OPTIONS_NAME_MAX || strlen(build) > OPTIONS_NAME_MAX ||
        !utf8_is_valid(id, strlen(id)) || !utf8_is_valid(build, strlen(build)))
        return;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    say_all(pair[0], id, build, byte);
    CHECK(read_back(pair[1], all, 4) == 4);
    CHECK(all[0].kind == WARDEN_RECORD_HELLO && all[0].warden == getpid() &&
          all[0].cli == byte && all[0].has_ended == ((byte & 16) != 0));
    CHECK(strcmp(all[0].agent, id) == 0 && strcmp(all[0].build, build) == 0);
    CHECK(all[1].kind == WARDEN_RECORD_STARTED && all[1].cli == byte);
    CHECK(all[2].kind == WARDEN_RECORD_UNKNOWN);
    CHECK(all[3].kind == WARDEN_RECORD_ENDED);
    CHECK(strcmp(all[3].agent, id) == 0);
    close(pair[0]);
    close(pair[1]);
}

/* ---- what it hears ------------------------------------------------------ */

struct heard {
    enum link_order orders[512];
    int64_t numbers[512];
    size_t count;
};

static void hear(const char *text, size_t len, size_t piece, struct heard *out)
{
    struct link l;
    int pair[2];

    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                     pair) == 0);
    link_init(&l, "/");
    l.fd = pair[0];
    out->count = 0;
    for (size_t i = 0; i < len; i += piece) {
        size_t n = len - i < piece ? len - i : piece;

        CHECK(send(pair[1], text + i, n, MSG_NOSIGNAL) == (ssize_t)n);
        for (size_t got = 0; got < n;) {
            size_t before = l.in_len;
            enum link_order order;
            int64_t number;

            CHECK(link_receive(&l));
            got += l.in_len - before;
            while ((order = link_take(&l, &number)) != LINK_NOTHING) {
                CHECK(out->count < 512);
                out->orders[out->count] = order;
                out->numbers[out->count++] = order == LINK_UNKNOWN ? 0 : number;
            }
        }
    }
    link_close(&l, 0);
    CHECK(l.fd == -1);
    close(pair[1]);
}

static void check_orders(const char *text, size_t len, size_t piece)
{
    static struct heard whole, parts;

    len = len < 512 ? len : 512;
    hear(text, len, len > 0 ? len : 1, &whole);
    hear(text, len, piece, &parts);
    CHECK(whole.count == parts.count);
    for (size_t i = 0; i < whole.count; i++)
        CHECK(whole.orders[i] == parts.orders[i] &&
              whole.numbers[i] == parts.numbers[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 3);
    const char *id = text, *build, *orders;

    if (size > 0)
        memcpy(text, data + 1, size - 1);
    build = id + strlen(id) + 1;
    orders = build <= text + size ? build + strlen(build) + 1 : text + size;
    if (size > 0 && build <= text + size) {
        check_words(id, build, data[0]);
        if (orders < text + size - 1)
            check_orders(orders, (size_t)(text + size - 1 - orders),
                         (size_t)data[0] % 32 + 1);
    }
    free(text);
    return 0;
}
