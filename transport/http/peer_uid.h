/*
 * This asks the kernel (sock_diag) which user's socket is at the other end
 * of a TCP connection over loopback. One netlink socket for all of them; the
 * kernel answers while it is asked, so nothing here waits.
 */
#ifndef TRANSPORT_HTTP_PEER_UID_H
#define TRANSPORT_HTTP_PEER_UID_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct peer_uid {
    int fd; /* or -1: uids cannot be had here */
    uint32_t asked;
};

/* Embedded. It is tried at once on a socket whose owner is known. */
void peer_uid_open(struct peer_uid *a);
void peer_uid_close(struct peer_uid *a);
/* False: it cannot be said. Not of loopback, of another network namespace, or
 * its owner has closed it already. */
bool peer_uid_of(struct peer_uid *a, int fd, uid_t *uid);

#endif
