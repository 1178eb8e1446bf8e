/* SPDX-License-Identifier: MIT */
/*
 * With the right token Host may be anything: a port mapping or a proxy changes
 * it, and a page that does not know the token gains nothing by it. Cookies are
 * bound to the host they were given by, so one that comes with a foreign Host
 * was given for that name; Origin must then be the same.
 */
#include "transport/http/access.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "transport/http/exchange.h"
#include "transport/http/refusal.h"

#define HTTP_PORT 80

/* ---- names -------------------------------------------------------------- */

static bool is_same(struct slice a, const char *b, size_t len)
{
    return a.len == len && strncasecmp(a.ptr, b, len) == 0;
}

/* Whether it is that name and our port, which 80 need not be said. */
static bool is_named(const struct access *a, struct slice host,
                     const char *name)
{
    size_t len = strlen(name);

    if (len == 0 || host.len < len || strncasecmp(host.ptr, name, len) != 0)
        return false;
    return host.len == len ? a->port == HTTP_PORT
                           : slice_eq(slice_of(host.ptr + len, host.len - len),
                                      slice_cstr(a->suffix));
}

static bool is_own_host(const struct access *a, struct slice host)
{
    return is_named(a, host, "127.0.0.1") || is_named(a, host, "localhost") ||
           is_named(a, host, "[::1]") || is_named(a, host, a->address);
}

/* Of a name and perhaps a port, and nothing a URL might hide beside them. */
static bool is_fair_host(struct slice host)
{
    for (size_t i = 0; i < host.len; i++) {
        char c = host.ptr[i];
        bool is_last = i + 1 == host.len || host.ptr[i + 1] == ':';

        if (c == '.' ? is_last
                     : !isalnum((unsigned char)c) && strchr("-:[]", c) == NULL)
            return false;
    }
    return host.len > 0;
}

/* What follows http:// (or https://, where a proxy speaks that for us); empty
 * if it is another scheme, or "null". */
static struct slice host_of_origin(struct slice origin, bool may_be_tls)
{
    if (slice_starts(origin, SLICE("http://")))
        return slice_of(origin.ptr + 7, origin.len - 7);
    if (may_be_tls && slice_starts(origin, SLICE("https://")))
        return slice_of(origin.ptr + 8, origin.len - 8);
    return SLICE_EMPTY;
}

/* NULL, or why not. */
static const char *judge_names(const struct access *a, struct exchange *x)
{
    struct slice host = exchange_host(x), from = exchange_header(x, "origin");
    bool is_own = is_own_host(a, host);

    if (!is_own && (*a->setup.token == 0 || !is_fair_host(host)))
        return "Host does not name this server";
    if (from.ptr == NULL)
        return NULL;
    from = host_of_origin(from, !is_own);
    if (is_own ? is_own_host(a, from) : is_same(from, host.ptr, host.len))
        return NULL;
    return "Origin is not this server";
}

/* ---- passes ------------------------------------------------------------- */

static bool is_method(const struct exchange *x, const char *name)
{
    return slice_eq(exchange_method(x), slice_cstr(name));
}

static bool shows_token(const struct access *a, struct exchange *x)
{
    return token_cookie_is_bearer(&a->token_cookie,
                                  exchange_header(x, "authorization")) ||
           (!exchange_is_below(x, "/mcp") &&
            token_cookie_is_cookie(&a->token_cookie,
                                   exchange_header(x, "cookie")));
}

/* A browser that comes by /?token=T; it gets its cookie and loses the token
 * from its address bar. */
static bool is_login(const struct access *a, struct exchange *x)
{
    struct bytes token = {0};
    bool is_right =
        is_method(x, "GET") && slice_eq(exchange_path(x), SLICE("/")) &&
        exchange_parameter(x, "token", &token) &&
        token_cookie_is_token(&a->token_cookie, bytes_slice(&token));

    bytes_finish(&token);
    return is_right;
}

static void log_in(const struct access *a, struct exchange *x)
{
    exchange_add_header(x, "location", SLICE("/"));
    exchange_add_header(x, "set-cookie", slice_cstr(a->token_cookie.grant));
    exchange_add_header(x, "cache-control", SLICE("no-store"));
    exchange_add_header(x, "referrer-policy", SLICE("no-referrer"));
    exchange_reply_text(x, 303, NULL, SLICE_EMPTY);
}

static void ask_for_token(struct exchange *x)
{
    exchange_add_header(x, "www-authenticate", SLICE("Bearer"));
    refusal_send(x, 401,
                 SLICE("a token is needed: send Authorization: Bearer TOKEN, "
                       "or open /?token=TOKEN in a browser"));
}

/* ---- access ----------------------------------------------------------- */

void access_open(struct access *a, const struct access_setup *setup,
                 uint16_t port)
{
    const char *host = setup->host != NULL ? setup->host : "";

    *a = (struct access){.setup = *setup, .port = port};
    snprintf(a->suffix, sizeof(a->suffix), ":%u", port);
    snprintf(a->address, sizeof(a->address),
             strchr(host, ':') != NULL ? "[%s]" : "%s", host);
    peer_uid_open(&a->peer_uid);
    token_cookie_make(&a->token_cookie, setup->token, port);
}

void access_close(struct access *a)
{
    if (a->port != 0)
        peer_uid_close(&a->peer_uid);
}

enum access_peer access_look(struct access *a, int fd)
{
    uid_t uid;

    if (!peer_uid_of(&a->peer_uid, fd, &uid))
        return ACCESS_UNKNOWN;
    return uid == geteuid() || uid == 0 ? ACCESS_OURS : ACCESS_STRANGER;
}

bool access_is_shut(const struct access *a, enum access_peer peer)
{
    return *a->setup.token == 0 && (a->setup.is_open || peer != ACCESS_OURS);
}

static bool is_known_method(const struct exchange *x)
{
    return is_method(x, "GET") || is_method(x, "HEAD") ||
           is_method(x, "POST") || is_method(x, "DELETE");
}

/* What a form of a foreign page cannot send without asking first; and asking
 * (OPTIONS) is always in vain. */
static bool is_wrong_type(const struct exchange *x)
{
    static const char json[] = "application/json";
    struct slice type = exchange_header(x, "content-type");
    const char *end = type.ptr ? memchr(type.ptr, ';', type.len) : NULL;

    if (!is_method(x, "POST") ||
        !(exchange_is_below(x, "/mcp") || exchange_is_below(x, "/api")))
        return false;
    if (end != NULL)
        type = slice_trim(slice_of(type.ptr, (size_t)(end - type.ptr)));
    return !is_same(type, json, sizeof(json) - 1);
}

static bool refuse(struct access *a, struct exchange *x, int status,
                   const char *why)
{
    a->turned_away++;
    refusal_send(x, status, slice_cstr(why));
    return false;
}

static bool judge_kind(struct access *a, struct exchange *x)
{
    if (!is_known_method(x)) {
        exchange_add_header(x, "allow", SLICE("GET, HEAD, POST, DELETE"));
        return refuse(a, x, 405, "this method is not served");
    }
    if (is_wrong_type(x))
        return refuse(a, x, 415, "Content-Type must be application/json");
    return true;
}

bool access_admit(struct access *a, struct exchange *x, enum access_peer peer)
{
    const char *why = judge_names(a, x);

    if (why != NULL)
        return refuse(a, x, 403, why);
    if (access_is_shut(a, peer))
        return refuse(
            a, x, 403,
            peer == ACCESS_STRANGER
                ? "this server is another user's"
                : "which user you are could not be found out, since you come "
                  "from another host or container: set dashboard.token (or "
                  "$KUROMAJUTSU_TOKEN, or dashboard.tokenFile), and send it "
                  "as Authorization: Bearer TOKEN or open /?token=TOKEN in a "
                  "browser");
    if (*a->setup.token == 0 || shows_token(a, x))
        return judge_kind(a, x);
    if (is_login(a, x)) {
        log_in(a, x);
        return false;
    }
    a->turned_away++;
    ask_for_token(x);
    return false;
}
