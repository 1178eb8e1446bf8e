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
};

struct exchange {
    h2o_generator_t generator; /* the first, for h2o */
    struct site *site;
    h2o_req_t *req;
    h2o_socket_t *sock;
    void *owner;
    void (*on_gone)(void *); /* or NULL */
    struct bytes waiting, flying;
    size_t limit;
    bool is_begun;    /* the head has been given to h2o */
    bool is_flying;   /* h2o is writing, and will ask for more */
    bool is_ended;    /* nothing comes after what waits */
    bool is_left;     /* by the client */
    bool is_cut;      /* by us: whatever is read next, it is over */
    bool has_no_body; /* the answer: HEAD was asked */
};

/* A new one for a request; its memory is the request's. */
struct exchange *exchange_create(struct site *s, h2o_req_t *req);

#endif
