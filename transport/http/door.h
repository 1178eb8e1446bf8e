/*
 * The door says who gets in. A page in a browser can send requests to
 * loopback, any user of the machine can connect: so Host and Origin must be
 * ours, and the peer's socket must belong to our own user or root (sock_diag);
 * where a token is set, every request must carry it instead.
 */
#ifndef TRANSPORT_HTTP_DOOR_H
#define TRANSPORT_HTTP_DOOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "runtime/text/slice.h"
#include "transport/http/diag.h"
#include "transport/http/pass.h"

struct exchange;

struct door_setup {
    const char *token; /* "": none is asked for; outlives the door */
    const char *host;  /* the address listened on, another name of ours; the
                          site sets it */
    bool is_open;      /* bound beyond loopback: only the token lets in */
};

struct door {
    struct door_setup setup;
    struct diag diag;
    struct pass pass;
    uint16_t port;    /* ours, as Host must name it ... */
    char suffix[8];   /* ... after a name, */
    char address[64]; /* which may be the one listened on */
    uint64_t turned_away;
};

/* What the door thinks of a connection. */
enum door_peer { DOOR_OURS, DOOR_STRANGER, DOOR_UNKNOWN };

void door_open(struct door *d, const struct door_setup *setup, uint16_t port);
/* Accepts zeroed memory. */
void door_close(struct door *d);
/* Whose socket is at the other end; once a connection. */
enum door_peer door_look(struct door *d, int fd);
/* Whether nothing that such a peer may send will be served. */
bool door_is_shut(const struct door *d, enum door_peer peer);
/* Whether this request may be served. False: it has been answered. */
bool door_admit(struct door *d, struct exchange *x, enum door_peer peer);

#endif
