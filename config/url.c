/* SPDX-License-Identifier: MIT */
#include "config/url.h"

#include <string.h>

/* Blanks and control characters would end a line of the request. */
static bool is_clean(const char *text)
{
    for (; *text != 0; text++)
        if ((unsigned char)*text <= ' ' || (unsigned char)*text >= 0x7f)
            return false;
    return true;
}

static bool is_port(struct slice port)
{
    unsigned value = 0;

    for (size_t i = 0; i < port.len && i < 6; i++) {
        if (port.ptr[i] < '0' || port.ptr[i] > '9')
            return false;
        value = value * 10 + (unsigned)(port.ptr[i] - '0');
    }
    return port.len > 0 && port.len < 6 && value > 0 && value < 65536;
}

/* "host", "host:1", "[::1]:1" */
static bool read_authority(struct url *u)
{
    const char *at = u->authority.ptr, *end = at + u->authority.len;
    const char *close = NULL, *colon;

    if (at == end || memchr(at, '@', u->authority.len) != NULL)
        return false;
    if (*at == '[' && (close = memchr(at, ']', (size_t)(end - at))) == NULL)
        return false;
    u->host = close != NULL ? slice_of(at + 1, (size_t)(close - at - 1))
                            : u->authority;
    at = close != NULL ? close + 1 : at;
    colon = memchr(at, ':', (size_t)(end - at));
    if (close != NULL && colon != at && at != end)
        return false;
    if (colon == NULL)
        return u->host.len > 0;
    if (close == NULL)
        u->host.len = (size_t)(colon - u->host.ptr);
    u->port = slice_of(colon + 1, (size_t)(end - colon - 1));
    return u->host.len > 0 && is_port(u->port);
}

bool url_read(struct url *u, const char *text)
{
    size_t scheme = 0, len;

    if (strncmp(text, "http://", 7) == 0)
        scheme = 7;
    else if (strncmp(text, "https://", 8) == 0)
        scheme = 8;
    if (scheme == 0 || !is_clean(text) || strchr(text, '#') != NULL)
        return false;
    len = strcspn(text + scheme, "/?");
    *u = (struct url){.is_tls = scheme == 8,
                      .site = slice_of(text, scheme + len),
                      .authority = slice_of(text + scheme, len),
                      .port = scheme == 8 ? SLICE("443") : SLICE("80"),
                      .target = slice_cstr(text + scheme + len)};
    return read_authority(u);
}

bool url_is_loopback(const struct url *u)
{
    struct slice host = u->host;
    unsigned dots = 0;

    if (slice_eq(host, SLICE("localhost")) || slice_eq(host, SLICE("::1")))
        return true;
    /* A number, and not a name that begins like one. */
    for (size_t i = 0; i < host.len; i++) {
        if (host.ptr[i] != '.' && (host.ptr[i] < '0' || host.ptr[i] > '9'))
            return false;
        dots += host.ptr[i] == '.';
    }
    return dots == 3 && slice_starts(host, SLICE("127."));
}
