/* SPDX-License-Identifier: MIT */
/*
 * The door accepts connections, and ends some for the sake of others: another
 * user's at once where there is no token to show; and when all places are
 * taken, a stranger's that waits, or one of ours that has nothing to say.
 */
#include <errno.h>
#include <sys/socket.h>

#include "transport/http/site_inside.h"

/* Taken at one go; the rest is still there in the next round. */
#define ACCEPTS 64
/* Until it is tried again to accept what there was no descriptor for. */
#define PAUSE_MS 100
/* One of so many connections may be a stranger's. */
#define STRANGERS 8
/* The part of its time in which a stranger's head must have come. */
#define HEAD_PART 12
/* How long one that was refused may go on sending. */
#define LINGER_MS 1000

/* ---- room --------------------------------------------------------------- */

/* Nothing of a request has come, nor lies in the kernel. */
static bool is_idle(const struct connection *c)
{
    char next;

    return c->sock->input->size == 0 && recv(h2o_socket_get_fd(c->sock), &next,
                                             1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

/* Ends the one that waits longest; in the middle of a request only strangers
 * may be ended. */
static bool drop_first(struct site *s, h2o_linklist_t *list)
{
    for (h2o_linklist_t *at = list->next; at != list; at = at->next) {
        struct connection *c =
            H2O_STRUCT_FROM_MEMBER(struct connection, waiting, at);

        if (c->is_known && !is_idle(c))
            continue;
        s->dropped++;
        connection_drop(c);
        return true;
    }
    return false;
}

/* A stranger may take a stranger's place only. */
static bool make_room(struct site *s, bool is_known)
{
    struct site_h2o *h = s->h2o;
    bool is_full = s->connections >= s->setup.connections;

    if (s->is_leaving)
        return false;
    if (!is_known && s->strangers > (s->setup.connections - 1) / STRANGERS)
        return drop_first(s, &h->strangers);
    return !is_full || drop_first(s, &h->strangers) ||
           (is_known && drop_first(s, &h->known));
}

/* ---- accepting ---------------------------------------------------------- */

static void admit(struct site *s, h2o_socket_t *sock)
{
    enum access_peer peer = access_look(&s->access, h2o_socket_get_fd(sock));
    struct access_verdict no;

    s->accepted++;
    if (access_is_barred(&s->access, peer, &no)) {
        connection_say(h2o_socket_get_fd(sock), &no);
        h2o_socket_close(sock);
    } else if (make_room(s, peer == ACCESS_OURS)) {
        connection_create(s, sock, peer);
    } else {
        s->refused++;
        h2o_socket_close(sock);
    }
}

static void on_accept(h2o_socket_t *listener, const char *error)
{
    struct site *s = listener->data;

    for (int i = 0; error == NULL && i < ACCEPTS; i++) {
        h2o_socket_t *sock = h2o_evloop_socket_accept(listener);

        if (sock != NULL) {
            admit(s, sock);
            continue;
        }
        /* Out of descriptors or memory. What waits stays in the kernel's
         * line, and the listener would be ready for ever meanwhile. */
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
            errno == ENOMEM) {
            s->pauses++;
            h2o_socket_read_stop(listener);
            h2o_timeout_link(s->pump.loop, &s->h2o->pause, &s->h2o->pausing);
        }
        return;
    }
}

static void on_pause_over(h2o_timeout_entry_t *entry)
{
    struct site_h2o *h =
        H2O_STRUCT_FROM_MEMBER(struct site_h2o, pausing, entry);

    h2o_socket_read_start(h->listener, on_accept);
}

static void on_attending(h2o_timeout_entry_t *entry)
{
    connection_attend_all(
        H2O_STRUCT_FROM_MEMBER(struct site_h2o, attending, entry));
}

/* ---- its life ----------------------------------------------------------- */

void door_open(struct site *s, int fd)
{
    struct site_h2o *h = s->h2o;

    h2o_linklist_init_anchor(&h->strangers);
    h2o_linklist_init_anchor(&h->known);
    h2o_linklist_init_anchor(&h->unattended);
    h2o_timeout_init(s->pump.loop, &h->pause, PAUSE_MS);
    h2o_timeout_init(s->pump.loop, &h->head, s->setup.idle_ms / HEAD_PART + 1);
    h2o_timeout_init(s->pump.loop, &h->linger, LINGER_MS);
    h->pausing.cb = on_pause_over;
    h->attending.cb = on_attending;
    h->listener =
        h2o_evloop_socket_create(s->pump.loop, fd, H2O_SOCKET_FLAG_DONT_READ);
    h->listener->data = s;
    h2o_socket_read_start(h->listener, on_accept);
}

void door_close(struct site *s)
{
    h2o_timeout_unlink(&s->h2o->pausing);
    h2o_socket_close(s->h2o->listener);
    s->h2o->listener = NULL;
}

static void drop_all(h2o_linklist_t *list)
{
    while (!h2o_linklist_is_empty(list))
        connection_drop(
            H2O_STRUCT_FROM_MEMBER(struct connection, waiting, list->next));
}

/* To read their end would be to read on what they have sent before it. */
void door_empty(struct site *s)
{
    drop_all(&s->h2o->strangers);
    drop_all(&s->h2o->known);
}

void door_finish(struct site *s)
{
    h2o_timeout_unlink(&s->h2o->attending);
    h2o_timeout_dispose(s->pump.loop, &s->h2o->pause);
    h2o_timeout_dispose(s->pump.loop, &s->h2o->head);
    h2o_timeout_dispose(s->pump.loop, &s->h2o->linger);
}
