/*
 * Ancestry tells which agent a process belongs to, by what only the kernel
 * can say: what its parents are. The environment of the process itself makes
 * no agent of it, since clients drop variables and any program can set them.
 *
 * What ancestry cannot know: a process that an agent has started through one
 * of the user's own that is outside its tree (a tmux server, `systemd-run
 * --user`, at, a container's daemon) is that one's child. It is told from the
 * user's only by the key in its environment, if that came along.
 */
#ifndef TRANSPORT_SESSION_ANCESTRY_H
#define TRANSPORT_SESSION_ANCESTRY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum ancestry {
    ANCESTRY_NONE,  /* no agent's */
    ANCESTRY_AGENT, /* in an agent's tree */
    /* It cannot be known, and these are why: */
    ANCESTRY_ELSEWHERE, /* the kernel gives it no number here */
    ANCESTRY_GONE,      /* who connected has ended */
    ANCESTRY_UNSEEN,    /* /proc does not show it */
    ANCESTRY_RESTLESS,  /* processes above it ended while they were looked at */
    ANCESTRY_DEEP,      /* there are too many of them */
    ANCESTRY_CUT        /* not all are shown, and it calls itself an agent */
};

/* Who is at the other end of a connection. */
struct ancestry_peer {
    int fd;            /* of the connection */
    pid_t pid;         /* as the kernel says; 0: of another namespace */
    uint64_t accepted; /* ns of CLOCK_BOOTTIME: it is no younger */
};

/*
 * Whether the peer is in the tree of an agent, under a warden of the hub at
 * this socket, whose id is then written; else "" is.
 */
enum ancestry ancestry_of(const struct ancestry_peer *peer, const char *socket,
                          char *id, size_t size);

#endif
