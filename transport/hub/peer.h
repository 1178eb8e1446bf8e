/*
 * A peer is who an address names, on the other end of a connection: in the
 * clear, or by TLS, where it has to prove that it is who it should be. Every
 * call waits; only programs of their own (post.h, fetch.h) use it.
 */
#ifndef TRANSPORT_HUB_PEER_H
#define TRANSPORT_HUB_PEER_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <sys/types.h>

#include "config/url.h"

struct peer {
    int fd; /* -1: none */
    SSL_CTX *context;
    SSL *tls;      /* NULL: in the clear */
    int connect_s; /* longest wait for a connection; 0: as the system has it */
    char why[200]; /* of the last failure; never the address */
};

/* False: `why` says it. Closed by peer_close in any case. */
bool peer_open(struct peer *p, const struct url *url);
void peer_close(struct peer *p);
bool peer_put(struct peer *p, struct slice bytes);
/* 0 or less: there is no more. */
ssize_t peer_read(struct peer *p, char *to, size_t size);
/* Notes why; always false. */
bool peer_fail(struct peer *p, const char *what, const char *why);

#endif
