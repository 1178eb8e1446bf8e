/* SPDX-License-Identifier: MIT */
#include "transport/http/door.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "transport/http/exchange.h"

static bool is_own_host(const struct door *d, struct slice host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char own[64];

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        int len = snprintf(own, sizeof(own), "%s:%u", names[i], d->port);

        if (host.len == (size_t)len &&
            strncasecmp(host.ptr, own, host.len) == 0)
            return true;
    }
    return false;
}

static bool is_own_origin(const struct door *d, struct slice origin)
{
    static const char scheme[] = "http://";
    size_t len = sizeof(scheme) - 1;

    return origin.len > len && memcmp(origin.ptr, scheme, len) == 0 &&
           is_own_host(d, slice_of(origin.ptr + len, origin.len - len));
}

void door_open(struct door *d, const struct door_setup *setup, uint16_t port)
{
    *d = (struct door){.setup = *setup, .diag = -1, .port = port};
}

void door_close(struct door *d)
{
    d->diag = -1;
}

enum door_peer door_look(struct door *d, int fd)
{
    (void)d;
    (void)fd;
    return DOOR_OURS;
}

bool door_admit(struct door *d, struct exchange *x, enum door_peer peer)
{
    struct slice origin = exchange_header(x, "origin");

    if (peer != DOOR_STRANGER && is_own_host(d, exchange_host(x)) &&
        (origin.ptr == NULL || is_own_origin(d, origin)))
        return true;
    d->turned_away++;
    exchange_reply_text(x, 403, "text/plain", SLICE("forbidden\n"));
    return false;
}
