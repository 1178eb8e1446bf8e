/* What the site's files share of h2o; for no other room. */
#ifndef TRANSPORT_HTTP_SITE_INSIDE_H
#define TRANSPORT_HTTP_SITE_INSIDE_H

#include "transport/http/h2o.h"
#include "transport/http/site.h"

struct site_h2o {
    h2o_globalconf_t conf;
    h2o_context_t context;
    h2o_accept_ctx_t accept;
    h2o_socket_t *listener; /* or NULL */
    h2o_timeout_t pause;    /* of the listener, when nothing can be accepted */
    h2o_timeout_entry_t pausing;
    h2o_timeout_t head;       /* in which a stranger has to show its pass */
    h2o_timeout_t linger;     /* of what is sent after a refusal */
    h2o_socket_cb read;       /* h2o's own, for requests */
    h2o_linklist_t strangers; /* connections that wait for a request, longest */
    h2o_linklist_t known;     /* waiting first; those whose owner is known */
    h2o_linklist_t unattended; /* h2o waits for a request, and we do not yet */
    h2o_timeout_entry_t attending;
};

/* A connection until it is closed; its socket's on_close.data. */
struct connection {
    struct site *site;
    h2o_socket_t *sock;
    struct exchange *exchange; /* being answered, or NULL */
    enum access_peer peer;
    bool is_known;  /* ours by its user, or a request of it was let in */
    bool is_judged; /* the request that is being read, by its head: */
    bool has_body;
    struct access_verdict verdict;
    h2o_linklist_t waiting;       /* for a request; or not linked */
    h2o_linklist_t unattended;    /* or not linked */
    h2o_timeout_entry_t deadline; /* a stranger's */
};

struct exchange {
    h2o_generator_t generator; /* the first, for h2o */
    struct site *site;
    h2o_req_t *req;
    h2o_socket_t *sock;
    struct connection *connection;
    void *owner;
    void (*on_gone)(void *); /* or NULL */
    struct bytes waiting, flying;
    size_t limit;
    bool is_begun;     /* the head has been given to h2o */
    bool is_flying;    /* h2o is writing, and will ask for more */
    bool is_ended;     /* nothing comes after what waits */
    bool is_left;      /* by the client */
    bool is_cut;       /* by us: whatever is read next, it is over */
    bool has_no_body;  /* the answer: HEAD was asked */
    bool is_told;      /* h2o has all of the answer */
    bool is_lingering; /* and what the client goes on to send is thrown away */
    size_t thrown;
    h2o_timeout_entry_t lingering;
};

/* ---- exchange.c ---- */
/* A new one for a request; its memory is the request's. */
struct exchange *exchange_create(struct site *s, h2o_req_t *req);
/*
 * Before it is answered: it is the last of its connection. If a body is to
 * come, that is read for a moment and thrown away: to close a connection that
 * has something unread resets it, and the client might lose the answer.
 */
void exchange_dismiss(struct exchange *x, bool has_body);

/* ---- door.c ---- */
void door_open(struct site *s, int fd);
/* No more is accepted. */
void door_close(struct site *s);
/* Ends all connections whose request is not being answered. */
void door_empty(struct site *s);
/* Connections have ended. */
void door_finish(struct site *s);

/* ---- connection.c ---- */
#define CONNECTION_LONG_HEAD "the request's head is too large"
/* It is h2o's from here on. */
void connection_create(struct site *s, h2o_socket_t *sock,
                       enum access_peer peer);
struct connection *connection_of(const h2o_req_t *req);
/* A refusal in plain words, where h2o is not to answer. */
void connection_say(int fd, const struct access_verdict *verdict);
/* Has h2o close it, which waits for a request there. */
void connection_drop(struct connection *c);
/* What is to become of the request that h2o shows: by the head that was read
 * before h2o had it, else (it was sent ahead of an answer) by the same now. */
struct access_verdict connection_judge(struct connection *c);
/* Its request is being answered; and that is over: h2o will wait for another,
 * or close it. */
void connection_serve(struct connection *c, struct exchange *x);
void connection_await(struct connection *c);
/* Those where h2o waits by now. */
void connection_attend_all(struct site_h2o *h);
/* It is HTTP's no more. */
void connection_upgrade(struct connection *c);

#endif
