/* SPDX-License-Identifier: MIT */
/*
 * With the right token Host may be anything: a port mapping or a proxy changes
 * it, and a page that does not know the token gains nothing by it. Cookies are
 * bound to the host they were given by, so one that comes with a foreign Host
 * was given for that name; Origin must then be the same.
 *
 * But a browser sends a host's cookies to all its ports: whoever serves another
 * port of this machine, page or program, gets to see ours. So a cookie counts
 * only from our own user, where the user can be known, and only if it was our
 * own page that asked.
 */
#include "transport/http/access.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "transport/http/exchange.h"
#include "transport/http/query.h"
#include "transport/http/refusal.h"
#include "transport/http/request_head.h"

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

/* Whether another site's page has asked for it, as browsers say. To follow a
 * link to us is free; to fetch, embed or post is not. */
static bool is_of_another_page(const struct request_head *head)
{
    struct slice site = head->fields[REQUEST_FETCH_SITE];
    struct slice mode = head->fields[REQUEST_FETCH_MODE];

    if (site.ptr == NULL || slice_eq(site, SLICE("same-origin")) ||
        slice_eq(site, SLICE("none")))
        return false;
    return !request_head_is_method(head, "GET") ||
           !slice_eq(mode, SLICE("navigate"));
}

/* NULL, or why not. */
static const char *judge_names(const struct access *a,
                               const struct request_head *head)
{
    struct slice host = head->fields[REQUEST_HOST];
    struct slice from = head->fields[REQUEST_ORIGIN];
    bool is_own = is_own_host(a, host);

    if (!is_own && (*a->setup.token == 0 || !is_fair_host(host)))
        return "Host does not name this server";
    if (from.ptr != NULL) {
        from = host_of_origin(from, !is_own);
        if (is_own ? !is_own_host(a, from) : !is_same(from, host.ptr, host.len))
            return "Origin is not this server";
    }
    return is_of_another_page(head) ? "another site's page has asked for this"
                                    : NULL;
}

/* ---- passes ------------------------------------------------------------- */

static bool is_reading(const struct request_head *head)
{
    return request_head_is_method(head, "GET") ||
           request_head_is_method(head, "HEAD");
}

/*
 * Whether our own page has asked. Where Origin is given it has been found to
 * be ours. Browsers leave it out when a page is merely read, but say then where
 * that comes from; unless we are on another host without TLS, of which they
 * tell less.
 */
static bool is_of_own_page(const struct access *a,
                           const struct request_head *head)
{
    struct slice site = head->fields[REQUEST_FETCH_SITE];

    if (head->fields[REQUEST_ORIGIN].ptr != NULL)
        return true;
    if (!is_reading(head) || request_head_is_below(head->path, "/ws"))
        return false;
    if (site.ptr == NULL)
        return !is_own_host(a, head->fields[REQUEST_HOST]);
    return slice_eq(site, SLICE("same-origin")) ||
           slice_eq(site, SLICE("none"));
}

/* Where tools are called a browser has no business. */
static bool shows_cookie(const struct access *a,
                         const struct request_head *head, enum access_peer peer)
{
    return peer != ACCESS_STRANGER &&
           !request_head_is_below(head->path, "/mcp") &&
           is_of_own_page(a, head) &&
           token_cookie_is_cookie(&a->token_cookie,
                                  head->fields[REQUEST_COOKIE]);
}

/* A browser that comes by /?token=T; it gets its cookie and loses the token
 * from its address bar. */
static bool is_login(const struct access *a, const struct request_head *head)
{
    struct bytes token = {0};
    bool is_right =
        request_head_is_method(head, "GET") &&
        slice_eq(head->path, SLICE("/")) &&
        query_get(head->query, "token", &token) &&
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

static const char others[] = "this server is another user's";

bool access_is_barred(struct access *a, enum access_peer peer,
                      struct access_verdict *no)
{
    *no = (struct access_verdict){403, others};
    if (*a->setup.token != 0 || peer != ACCESS_STRANGER)
        return false;
    a->turned_away++;
    return true;
}

static const char *judge_peer(const struct access *a, enum access_peer peer)
{
    if (*a->setup.token != 0 || (peer == ACCESS_OURS && !a->setup.is_open))
        return NULL;
    return peer == ACCESS_STRANGER
               ? others
               : "which user you are could not be found out, since you come "
                 "from another host or container: set dashboard.token (or "
                 "$KUROMAJUTSU_TOKEN, or dashboard.tokenFile), and send it "
                 "as Authorization: Bearer TOKEN or open /?token=TOKEN in a "
                 "browser";
}

/* What a form of a foreign page cannot send without asking first; and asking
 * (OPTIONS) is always in vain. */
static bool is_wrong_type(const struct request_head *head)
{
    static const char json[] = "application/json";
    struct slice type = head->fields[REQUEST_CONTENT_TYPE];
    const char *end = type.ptr ? memchr(type.ptr, ';', type.len) : NULL;

    if (!request_head_is_method(head, "POST") ||
        !(request_head_is_below(head->path, "/mcp") ||
          request_head_is_below(head->path, "/api")))
        return false;
    if (end != NULL)
        type = slice_trim(slice_of(type.ptr, (size_t)(end - type.ptr)));
    return !is_same(type, json, sizeof(json) - 1);
}

static struct access_verdict judge_kind(const struct request_head *head)
{
    if (!is_reading(head) && !request_head_is_method(head, "POST") &&
        !request_head_is_method(head, "DELETE"))
        return (struct access_verdict){405, "this method is not served"};
    if (is_wrong_type(head))
        return (struct access_verdict){415,
                                       "Content-Type must be application/json"};
    return (struct access_verdict){0};
}

static struct access_verdict judge(const struct access *a,
                                   const struct request_head *head,
                                   enum access_peer peer)
{
    const char *why = judge_names(a, head);

    if (why == NULL)
        why = judge_peer(a, peer);
    if (why != NULL)
        return (struct access_verdict){403, why};
    if (*a->setup.token == 0 || shows_cookie(a, head, peer) ||
        token_cookie_is_bearer(&a->token_cookie,
                               head->fields[REQUEST_AUTHORIZATION]))
        return judge_kind(head);
    if (is_login(a, head))
        return (struct access_verdict){.status = 303};
    return (struct access_verdict){
        401, "a token is needed: send Authorization: Bearer TOKEN, "
             "or open /?token=TOKEN in a browser"};
}

struct access_verdict access_judge(struct access *a,
                                   const struct request_head *head,
                                   enum access_peer peer)
{
    struct access_verdict verdict = judge(a, head, peer);

    a->turned_away += verdict.status >= 400;
    return verdict;
}

void access_refuse(const struct access *a, struct exchange *x,
                   const struct access_verdict *verdict)
{
    if (verdict->status == 303) {
        log_in(a, x);
        return;
    }
    if (verdict->status == 401)
        exchange_add_header(x, "www-authenticate", SLICE("Bearer"));
    if (verdict->status == 405)
        exchange_add_header(x, "allow", SLICE("GET, HEAD, POST, DELETE"));
    refusal_send(x, verdict->status, slice_cstr(verdict->why));
}
