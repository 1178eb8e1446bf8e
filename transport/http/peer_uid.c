/* SPDX-License-Identifier: MIT */
/*
 * The peer's socket is looked up by the same two addresses with their places
 * changed. Two answers look like one and are none:
 *   - when there is no such connection any more the kernel offers the one that
 *     listens on that port, which has no port at its other end;
 *   - a socket that no process holds any more (closed, or in TIME_WAIT) is said
 * to be root's: it has no inode.
 */
#include "transport/http/peer_uid.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Far more than the kernel needs; a bound all the same. */
#define PATIENCE_MS 5
/* Answers to questions that were given up. */
#define STALE 16

struct question {
    struct nlmsghdr head;
    struct inet_diag_req_v2 body;
};

union name {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

/* Writes the address as the kernel wants it; its family, or AF_UNSPEC if it
 * is none of loopback. A mapped one is asked for as what it is. */
static int spell(const union name *n, uint32_t *address, uint16_t *port)
{
    const uint8_t *mapped = n->six.sin6_addr.s6_addr + 12;

    if (n->any.sa_family == AF_INET) {
        *port = n->four.sin_port;
        memcpy(address, &n->four.sin_addr, 4);
        return *(const uint8_t *)address == 127 ? AF_INET : AF_UNSPEC;
    }
    if (n->any.sa_family != AF_INET6)
        return AF_UNSPEC;
    *port = n->six.sin6_port;
    if (IN6_IS_ADDR_V4MAPPED(&n->six.sin6_addr)) {
        memcpy(address, mapped, 4);
        return *mapped == 127 ? AF_INET : AF_UNSPEC;
    }
    memcpy(address, &n->six.sin6_addr, 16);
    return IN6_IS_ADDR_LOOPBACK(&n->six.sin6_addr) ? AF_INET6 : AF_UNSPEC;
}

static bool pose(struct question *q, int fd)
{
    struct inet_diag_sockid *id = &q->body.id;
    union name own, peer;
    socklen_t own_len = sizeof(own), peer_len = sizeof(peer);
    int family;

    if (getsockname(fd, &own.any, &own_len) != 0 ||
        getpeername(fd, &peer.any, &peer_len) != 0)
        return false;
    family = spell(&peer, id->idiag_src, &id->idiag_sport);
    id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    q->body.sdiag_family = (uint8_t)family;
    q->body.sdiag_protocol = IPPROTO_TCP;
    q->body.idiag_states = UINT32_MAX;
    return family != AF_UNSPEC &&
           spell(&own, id->idiag_dst, &id->idiag_dport) == family;
}

/* The answer of that number; false if none comes. */
static bool hear(const struct peer_uid *a, char *answer, size_t size)
{
    const struct nlmsghdr *head = (const struct nlmsghdr *)answer;
    struct pollfd ready = {.fd = a->fd, .events = POLLIN};

    for (int i = 0; i < STALE; i++) {
        ssize_t len = recv(a->fd, answer, size, MSG_DONTWAIT);

        if (len < 0 && errno == EAGAIN && poll(&ready, 1, PATIENCE_MS) == 1)
            len = recv(a->fd, answer, size, MSG_DONTWAIT);
        if (len < (ssize_t)sizeof(*head))
            return false;
        if (head->nlmsg_seq == a->asked && head->nlmsg_len <= (size_t)len)
            return true;
    }
    return false;
}

bool peer_uid_of(struct peer_uid *a, int fd, uid_t *uid)
{
    struct question q = {.head = {.nlmsg_len = sizeof(q),
                                  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                                  .nlmsg_flags = NLM_F_REQUEST,
                                  .nlmsg_seq = ++a->asked}};
    const struct inet_diag_sockid *id = &q.body.id;
    _Alignas(struct nlmsghdr) char answer[4096];
    const struct nlmsghdr *head = (const struct nlmsghdr *)answer;
    const struct inet_diag_msg *found = NLMSG_DATA(head);

    if (a->fd < 0 || !pose(&q, fd) ||
        send(a->fd, &q, sizeof(q), MSG_DONTWAIT) != (ssize_t)sizeof(q) ||
        !hear(a, answer, sizeof(answer)))
        return false;
    if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
        head->nlmsg_len < NLMSG_LENGTH(sizeof(*found)) ||
        found->idiag_inode == 0 || found->id.idiag_sport != id->idiag_sport ||
        found->id.idiag_dport != id->idiag_dport)
        return false;
    *uid = found->idiag_uid;
    return true;
}

/* A socket that is connected to itself: its peer is ours for certain. */
static int connect_to_self(void)
{
    union name own = {.four = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof(own.four);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && bind(fd, &own.any, len) == 0 &&
        getsockname(fd, &own.any, &len) == 0 && connect(fd, &own.any, len) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/*
 * Where the kernel has no answer (built without it, or it may not be loaded)
 * it would look for its module again with every connection: then we do not ask.
 */
void peer_uid_open(struct peer_uid *a)
{
    int self = connect_to_self();
    uid_t uid;

    *a = (struct peer_uid){
        .fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)};
    if (!peer_uid_of(a, self, &uid) || uid != geteuid())
        peer_uid_close(a);
    if (self >= 0)
        close(self);
}

void peer_uid_close(struct peer_uid *a)
{
    if (a->fd >= 0)
        close(a->fd);
    a->fd = -1;
}
