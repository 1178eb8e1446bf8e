/* SPDX-License-Identifier: MIT */
/*
 * h2o's HTTP/1 stops reading while a request is answered, so it would never
 * see that the client has left: we watch meanwhile, but read nothing. What h2o
 * says of the request points into the socket's buffer, which may move when
 * more is read into it. What comes is the next request's and waits in the
 * kernel, for as long as this one takes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "transport/http/query.h"
#include "transport/http/request_head.h"
#include "transport/http/site_inside.h"

/* Of a stream that its client does not read. */
#define LIMIT ((size_t)4 << 20)
/* Thrown away at one go. */
#define PORTION ((size_t)1 << 20)

static struct slice of_iovec(h2o_iovec_t v)
{
    return slice_of(v.base, v.len);
}

/* ---- the request -------------------------------------------------------- */

struct site *exchange_site(const struct exchange *x)
{
    return x->site;
}

struct slice exchange_method(const struct exchange *x)
{
    return of_iovec(x->req->method);
}

struct slice exchange_path(const struct exchange *x)
{
    return of_iovec(x->req->path_normalized);
}

bool exchange_is_below(const struct exchange *x, const char *top)
{
    return request_head_is_below(exchange_path(x), top);
}

struct slice exchange_query(const struct exchange *x)
{
    size_t at = x->req->query_at;

    if (at == SIZE_MAX)
        return SLICE_EMPTY;
    return slice_of(x->req->path.base + at + 1, x->req->path.len - at - 1);
}

struct slice exchange_host(const struct exchange *x)
{
    return slice_trim(of_iovec(x->req->input.authority));
}

struct slice exchange_body(const struct exchange *x)
{
    return of_iovec(x->req->entity);
}

struct slice exchange_header(const struct exchange *x, const char *name)
{
    ssize_t i =
        h2o_find_header_by_str(&x->req->headers, name, strlen(name), -1);

    /* A token that h2o knows is found by its token only. */
    if (i == -1) {
        const h2o_token_t *token = h2o_lookup_token(name, strlen(name));

        if (token == NULL)
            return (struct slice){0};
        i = h2o_find_header(&x->req->headers, token, -1);
    }
    return i == -1 ? (struct slice){0}
                   : slice_trim(of_iovec(x->req->headers.entries[i].value));
}

bool exchange_parameter(const struct exchange *x, const char *name,
                        struct bytes *out)
{
    return query_get(exchange_query(x), name, out);
}

/* ---- its life ----------------------------------------------------------- */

static void tell_gone(struct exchange *x)
{
    void (*on_gone)(void *) = x->on_gone;

    x->on_gone = NULL;
    if (on_gone != NULL)
        on_gone(x->owner);
}

/* With the request's memory: the one certain end. */
static void dispose(void *memory)
{
    struct exchange *x = memory;

    h2o_timeout_unlink(&x->lingering);
    connection_await(x->connection);
    tell_gone(x);
    bytes_finish(&x->waiting);
    bytes_finish(&x->flying);
}

static void pass_on(struct exchange *x);

/* Whether something came after the request, which the kernel keeps: then
 * there is no end to be seen before it, and nothing to watch for. */
static bool has_sent_more(h2o_socket_t *sock)
{
    char next;

    return recv(h2o_socket_get_fd(sock), &next, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static bool is_quiet(int error)
{
    return error == EAGAIN || error == EINTR;
}

static void end_lingering(struct exchange *x)
{
    x->is_lingering = false;
    h2o_timeout_unlink(&x->lingering);
    h2o_socket_read_stop(x->sock);
    pass_on(x);
}

static void on_lingered(h2o_timeout_entry_t *entry)
{
    end_lingering(H2O_STRUCT_FROM_MEMBER(struct exchange, lingering, entry));
}

static void throw_away(struct exchange *x)
{
    ssize_t len = recv(h2o_socket_get_fd(x->sock), NULL, PORTION,
                       MSG_TRUNC | MSG_DONTWAIT);

    if (len < 0 && is_quiet(errno))
        return;
    if (len > 0)
        x->thrown += (size_t)len;
    if (len <= 0 || x->thrown > SITE_BODY)
        end_lingering(x);
}

static void on_ready(h2o_socket_t *sock, const char *error)
{
    struct exchange *x = ((struct connection *)sock->on_close.data)->exchange;

    (void)error;
    if (x == NULL)
        return;
    if (x->is_lingering) {
        throw_away(x);
        return;
    }
    errno = 0;
    if (!x->is_cut) {
        /* Of an answer that h2o has all of nothing can be spared any more, and
         * most that comes then is the next request. */
        if (x->is_told || has_sent_more(sock)) {
            h2o_socket_read_stop(sock);
            return;
        }
        if (is_quiet(errno))
            return;
    }
    h2o_socket_read_stop(sock);
    x->is_left = true;
    tell_gone(x);
    if (x->is_begun) {
        pass_on(x);
        return;
    }
    /* h2o wants an answer before it lets go of a request. */
    x->req->http1_is_persistent = 0;
    exchange_reply_text(x, 499, NULL, SLICE_EMPTY);
}

static void proceed(h2o_generator_t *generator, h2o_req_t *req)
{
    struct exchange *x = (struct exchange *)generator;

    (void)req;
    x->is_flying = false;
    pass_on(x);
}

struct exchange *exchange_create(struct site *s, h2o_req_t *req)
{
    struct exchange *x = h2o_mem_alloc_shared(&req->pool, sizeof(*x), dispose);

    *x = (struct exchange){.generator = {.proceed = proceed},
                           .site = s,
                           .req = req,
                           .connection = connection_of(req),
                           .limit = LIMIT};
    x->sock = x->connection->sock;
    x->lingering.cb = on_lingered;
    x->has_no_body = slice_eq(exchange_method(x), SLICE("HEAD"));
    connection_serve(x->connection, x);
    h2o_socket_read_start(x->sock, on_ready);
    return x;
}

void exchange_dismiss(struct exchange *x, bool has_body)
{
    x->req->http1_is_persistent = 0;
    if (!has_body)
        return;
    x->is_lingering = true;
    h2o_timeout_link(x->site->pump.loop, &x->site->h2o->linger, &x->lingering);
}

void exchange_own(struct exchange *x, void *owner, void (*on_gone)(void *))
{
    x->owner = owner;
    x->on_gone = on_gone;
}

/* ---- the answer --------------------------------------------------------- */

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } all[] = {{200, "OK"},
               {202, "Accepted"},
               {204, "No Content"},
               {303, "See Other"},
               {304, "Not Modified"},
               {400, "Bad Request"},
               {401, "Unauthorized"},
               {403, "Forbidden"},
               {404, "Not Found"},
               {405, "Method Not Allowed"},
               {406, "Not Acceptable"},
               {409, "Conflict"},
               {413, "Payload Too Large"},
               {415, "Unsupported Media Type"},
               {426, "Upgrade Required"},
               {429, "Too Many Requests"},
               {431, "Request Header Fields Too Large"},
               {500, "Internal Server Error"},
               {503, "Service Unavailable"}};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (all[i].status == status)
            return all[i].reason;
    return "Unknown";
}

void exchange_add_header(struct exchange *x, const char *name,
                         struct slice value)
{
    h2o_add_header_by_str(&x->req->pool, &x->req->res.headers, name,
                          strlen(name), 1, NULL, value.ptr, value.len);
}

static void begin(struct exchange *x, int status, const char *type)
{
    h2o_req_t *req = x->req;

    x->is_begun = true;
    req->res.status = status;
    req->res.reason = reason_of(status);
    if (type != NULL)
        exchange_add_header(x, "content-type", slice_cstr(type));
    exchange_add_header(x, "x-content-type-options", SLICE("nosniff"));
    h2o_start_response(req, &x->generator);
}

/* Those two have no body, and are not to speak of its length. */
static void set_length(struct exchange *x, int status, size_t len)
{
    if (status != 204 && status != 304)
        x->req->res.content_length = len;
}

/* Nothing of x may be touched after the last of it: it may be gone. */
static void give(struct exchange *x, h2o_iovec_t *text, size_t count)
{
    bool is_last = x->is_ended && !x->is_lingering;

    x->is_flying = true;
    x->is_told = x->is_ended;
    h2o_send(x->req, text, count,
             is_last ? H2O_SEND_STATE_FINAL : H2O_SEND_STATE_IN_PROGRESS);
}

static void pass_on(struct exchange *x)
{
    h2o_iovec_t text;
    struct bytes empty;

    if (x->is_flying)
        return;
    if (x->is_left) {
        h2o_send(x->req, NULL, 0, H2O_SEND_STATE_ERROR);
        return;
    }
    if (x->is_told && x->is_lingering) {
        shutdown(h2o_socket_get_fd(x->sock), SHUT_WR);
        return;
    }
    if (x->waiting.len == 0 && !x->is_ended)
        return;
    if (x->has_no_body)
        x->waiting.len = 0;
    empty = x->flying;
    empty.len = 0;
    x->flying = x->waiting;
    x->waiting = empty;
    text = h2o_iovec_init(x->flying.ptr, x->flying.len);
    give(x, &text, text.len > 0);
}

void exchange_reply(struct exchange *x, int status, const char *type,
                    struct bytes *body)
{
    set_length(x, status, body->len);
    begin(x, status, type);
    x->is_ended = true;
    bytes_finish(&x->waiting);
    x->waiting = *body;
    *body = (struct bytes){0};
    pass_on(x);
}

void exchange_reply_text(struct exchange *x, int status, const char *type,
                         struct slice body)
{
    h2o_iovec_t text = h2o_iovec_init(body.ptr, body.len);

    set_length(x, status, body.len);
    begin(x, status, type);
    x->is_ended = true;
    give(x, &text, text.len > 0 && !x->has_no_body);
}

void exchange_begin(struct exchange *x, int status, const char *type)
{
    begin(x, status, type);
    give(x, NULL, 0);
}

void exchange_limit(struct exchange *x, size_t limit)
{
    x->limit = limit;
}

size_t exchange_unsent(const struct exchange *x)
{
    return x->waiting.len + (x->is_flying ? x->flying.len : 0);
}

bool exchange_write(struct exchange *x, struct slice text)
{
    if (x->is_left)
        return false;
    if (exchange_unsent(x) + text.len > x->limit) {
        exchange_abort(x);
        return false;
    }
    bytes_append(&x->waiting, text.ptr, text.len);
    pass_on(x);
    return true;
}

void exchange_end(struct exchange *x)
{
    x->is_ended = true;
    pass_on(x);
}

/* A write under way fails by it, and the watch hears of it: also where it was
 * given up because the next request has come. */
void exchange_abort(struct exchange *x)
{
    x->is_cut = true;
    h2o_socket_read_start(x->sock, on_ready);
    shutdown(h2o_socket_get_fd(x->sock), SHUT_RDWR);
}
