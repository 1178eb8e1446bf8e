/* SPDX-License-Identifier: MIT */
/*
 * A connection, and the heads of its requests. h2o shows a request when all of
 * it has come. Until then whoever can connect could make us keep its body, so
 * we read before h2o does: a head, and little more, while h2o waits. Access
 * judges it. What is refused goes to h2o as a request without a body, is
 * answered at once, and is the last of its connection.
 *
 *   attend: we read -> judge -> h2o reads the body -> exchange
 *      ^                                                  |
 *      +---- the answer has left, h2o waits for another --+
 *
 * It may be anybody's until its user is known to be ours, or a request of it
 * has been let in: such strangers have little time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "transport/http/request_head.h"
#include "transport/http/site_inside.h"

/* Read of a head at one go: little of what follows comes along. */
#define PIECE 4096

/* ---- waiting for a request ---------------------------------------------- */

static void stop_waiting(struct connection *c)
{
    if (h2o_linklist_is_linked(&c->waiting))
        h2o_linklist_unlink(&c->waiting);
    h2o_timeout_unlink(&c->deadline);
}

static void start_waiting(struct connection *c)
{
    struct site_h2o *h = c->site->h2o;

    h2o_linklist_insert(c->is_known ? &h->known : &h->strangers, &c->waiting);
    if (!c->is_known)
        h2o_timeout_link(c->site->pump.loop, &h->head, &c->deadline);
}

static void forget_to_attend(struct connection *c)
{
    if (h2o_linklist_is_linked(&c->unattended))
        h2o_linklist_unlink(&c->unattended);
}

static void on_closed(void *data)
{
    struct connection *c = data;

    stop_waiting(c);
    forget_to_attend(c);
    c->site->connections--;
    c->site->strangers -= !c->is_known;
    free(c);
}

void connection_drop(struct connection *c)
{
    c->site->h2o->read(c->sock, h2o_socket_error_closed);
}

static void on_late(h2o_timeout_entry_t *entry)
{
    struct connection *c =
        H2O_STRUCT_FROM_MEMBER(struct connection, deadline, entry);

    c->site->cut++;
    connection_drop(c);
}

static void become_known(struct connection *c)
{
    bool is_waiting = h2o_linklist_is_linked(&c->waiting);

    if (c->is_known)
        return;
    stop_waiting(c);
    c->is_known = true;
    c->site->strangers--;
    if (is_waiting)
        start_waiting(c);
}

/* ---- heads -------------------------------------------------------------- */

static struct slice input_of(const struct connection *c)
{
    return slice_of(c->sock->input->bytes, c->sock->input->size);
}

static struct access_verdict judge(struct connection *c)
{
    struct access_verdict verdict = {.status = 400};
    struct request_head head;

    verdict.why = request_head_read(input_of(c), &head);
    c->has_body = request_head_has_body(&head);
    if (verdict.why == NULL)
        verdict = head.len > SITE_HEAD
                      ? (struct access_verdict){431, CONNECTION_LONG_HEAD}
                      : access_judge(&c->site->access, &head, c->peer);
    request_head_finish(&head);
    if (verdict.status == 0)
        become_known(c);
    return verdict;
}

void connection_say(int fd, const struct access_verdict *verdict)
{
    char text[1024];
    int len = snprintf(text, sizeof(text),
                       "HTTP/1.1 %d Refused\r\nConnection: close\r\n"
                       "Content-Type: text/plain; charset=utf-8\r\n"
                       "Content-Length: %zu\r\n\r\n%s\n",
                       verdict->status, strlen(verdict->why) + 1, verdict->why);

    (void)send(fd, text, (size_t)len, MSG_DONTWAIT | MSG_NOSIGNAL);
    /* What it has said already would reset the connection. */
    (void)recv(fd, NULL, SITE_BODY, MSG_TRUNC | MSG_DONTWAIT);
}

static void turn_down(struct connection *c,
                      const struct access_verdict *verdict)
{
    connection_say(h2o_socket_get_fd(c->sock), verdict);
    connection_drop(c);
}

/* A head is there; now h2o may have it. */
static void pass_on(struct connection *c, size_t len)
{
    c->is_judged = true;
    c->verdict = judge(c);
    if (c->verdict.status != 0)
        request_head_drop_body(c->sock->input->bytes, len);
    h2o_socket_dont_read(c->sock, 0);
    c->site->h2o->read(c->sock, NULL);
}

/* What is not whole yet h2o may see as well: it knows what will never be a
 * request. */
static void look(struct connection *c)
{
    struct slice input = input_of(c);
    size_t len = request_head_length(input);

    if (len > 0)
        pass_on(c, len);
    else if (input.len <= SITE_HEAD)
        c->site->h2o->read(c->sock, NULL);
    else
        turn_down(c, &(struct access_verdict){431, CONNECTION_LONG_HEAD});
}

static void on_input(h2o_socket_t *sock, const char *error)
{
    struct connection *c = sock->on_close.data;
    h2o_iovec_t room;
    ssize_t len;

    if (error != NULL || c->is_judged) {
        c->site->h2o->read(sock, error);
        return;
    }
    room = h2o_buffer_reserve(&sock->input, PIECE);
    len = recv(h2o_socket_get_fd(sock), room.base, PIECE, MSG_DONTWAIT);
    if (len > 0) {
        sock->input->size += (size_t)len;
        look(c);
    } else if (len == 0 || (errno != EAGAIN && errno != EINTR)) {
        connection_drop(c);
    }
}

/* What h2o reads next we read before it. A head that is there already was sent
 * ahead of an answer, and h2o waits for the body: it may go on or it ends. */
static void attend(struct connection *c)
{
    h2o_socket_read_start(c->sock, on_input);
    if (request_head_length(input_of(c)) == 0)
        return;
    c->is_judged = true;
    c->verdict = judge(c);
    if (c->verdict.status >= 400)
        turn_down(c, &c->verdict);
    else
        h2o_socket_dont_read(c->sock, 0);
}

void connection_attend_all(struct site_h2o *h)
{
    while (!h2o_linklist_is_empty(&h->unattended)) {
        struct connection *c = H2O_STRUCT_FROM_MEMBER(
            struct connection, unattended, h->unattended.next);

        h2o_linklist_unlink(&c->unattended);
        if (c->sock->_cb.read == h->read)
            attend(c);
        else /* it has something to say before it reads on, or ends */
            h2o_socket_dont_read(c->sock, 0);
    }
}

/* ---- its life ----------------------------------------------------------- */

void connection_create(struct site *s, h2o_socket_t *sock,
                       enum access_peer peer)
{
    struct connection *c = bytes_zalloc(sizeof(*c));

    *c = (struct connection){.site = s,
                             .sock = sock,
                             .peer = peer,
                             .is_known = peer == ACCESS_OURS,
                             .deadline = {.cb = on_late}};
    s->connections++;
    s->strangers += !c->is_known;
    sock->on_close.cb = on_closed;
    sock->on_close.data = c;
    start_waiting(c);
    h2o_socket_dont_read(sock, 1);
    h2o_accept(&s->h2o->accept, sock);
    s->h2o->read = sock->_cb.read;
    attend(c);
    /* A stranger may have to make room for the next: what it has sent by now
     * is heard. */
    if (!c->is_known)
        on_input(sock, NULL);
}

struct connection *connection_of(const h2o_req_t *req)
{
    return req->conn->callbacks->get_socket(req->conn)->on_close.data;
}

struct access_verdict connection_judge(struct connection *c)
{
    return c->is_judged ? c->verdict : judge(c);
}

void connection_serve(struct connection *c, struct exchange *x)
{
    c->exchange = x;
    stop_waiting(c);
    forget_to_attend(c);
    h2o_socket_dont_read(c->sock, 1);
}

/* h2o reads nothing of what comes before we attend. */
void connection_await(struct connection *c)
{
    struct site_h2o *h = c->site->h2o;

    c->exchange = NULL;
    c->is_judged = false;
    start_waiting(c);
    h2o_linklist_insert(&h->unattended, &c->unattended);
    if (!h2o_timeout_is_linked(&h->attending))
        h2o_timeout_link(c->site->pump.loop, &h->context.zero_timeout,
                         &h->attending);
}

void connection_upgrade(struct connection *c)
{
    stop_waiting(c);
    forget_to_attend(c);
    h2o_socket_dont_read(c->sock, 0);
}
