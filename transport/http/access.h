/*
 * Access decides which requests are served, by their heads. A page in a browser
 * can send requests to loopback, any user of the machine can connect: so Host
 * and Origin must be ours, and the peer's socket must belong to our own user or
 * root (sock_diag); where a token is set, every request must carry it instead.
 */
#ifndef TRANSPORT_HTTP_ACCESS_H
#define TRANSPORT_HTTP_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "runtime/text/slice.h"
#include "transport/http/peer_uid.h"
#include "transport/http/token_cookie.h"

struct exchange;
struct request_head;

struct access_setup {
    const char *token; /* "": none is asked for; outlives access */
    const char *host;  /* the address listened on, another name of ours; the
                          site sets it */
    bool is_open;      /* bound beyond loopback: only the token gives access */
};

struct access {
    struct access_setup setup;
    struct peer_uid peer_uid;
    struct token_cookie token_cookie;
    uint16_t port;    /* ours, as Host must name it ... */
    char suffix[8];   /* ... after a name, */
    char address[64]; /* which may be the one listened on */
    uint64_t turned_away;
};

/* What access thinks of a connection. */
enum access_peer { ACCESS_OURS, ACCESS_STRANGER, ACCESS_UNKNOWN };

void access_open(struct access *a, const struct access_setup *setup,
                 uint16_t port);
/* Accepts zeroed memory. */
void access_close(struct access *a);
/* Whose socket is at the other end; once a connection. */
enum access_peer access_look(struct access *a, int fd);
/* What becomes of a request. */
struct access_verdict {
    int status;      /* 0: it may be served */
    const char *why; /* of a refusal; lives as long as the program */
};

/* Whether such a peer is to be closed before it has said a word; with what
 * answer. */
bool access_is_barred(struct access *a, enum access_peer peer,
                      struct access_verdict *no);
struct access_verdict access_judge(struct access *a,
                                   const struct request_head *head,
                                   enum access_peer peer);
/* Answers a request that is not to be served. */
void access_refuse(const struct access *a, struct exchange *x,
                   const struct access_verdict *verdict);

#endif
