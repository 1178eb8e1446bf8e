/*
 * Orders: how a hub has wardens started by a zygote.
 *
 * A zygote is a process of the warden's program that a hub starts once. It
 * reads orders from one end of a stream socket and forks a warden for each.
 * That costs a third of starting a program, and nothing for the size of the
 * hub; a fork of it has none of its threads either.
 *
 *   hub -- struct order, a directory's descriptor, words, variables --> zygote
 *   hub <-- struct order_answer -- the warden, or the zygote if it cannot fork
 *   hub <== struct order_news -- the warden: its CLI runs
 *
 * A warden is a child of the hub, not of the zygote (CLONE_PARENT): the hub
 * waits for it, and the death of a zygote is nothing to it. It answers before
 * it touches its directory, and one that cannot answer starts nothing. All of
 * them hold the hub's socket until they have answered. So who has read the end
 * of the socket knows which orders were carried out, and may give the others to
 * another zygote. Until it answers a warden is of the zygote's process group;
 * after that it has a session of its own.
 *
 * News has a socket of its own, because another thread of the hub reads it: one
 * that is never held up by a disk. A CLI may call the hub at once, and word of
 * its start is to be there before.
 */
#ifndef RUNTIME_WARDEN_ORDER_H
#define RUNTIME_WARDEN_ORDER_H

#include <stdint.h>

/* kuromajutsu-warden --zygote FORMAT PADDING, with the sockets as ... */
#define ORDER_OPTION "--zygote"
#define ORDER_FORMAT "2"
/* Of hubs that were started before their programs were replaced: there is no
 * socket for news. */
#define ORDER_FORMAT_BEFORE "1"
#define ORDER_SOCKET 3
#define ORDER_NEWS_SOCKET 4

/* /proc shows the words and variables that a program was started with, from
 * the place where they lay then. So a zygote has a long word last, and a long
 * variable first, in whose place a warden writes which agent's it is. */
#define ORDER_PADDING 160
#define ORDER_VARIABLE "KUROMAJUTSU_ZYGOTE="
#define ORDER_RESERVE 4608

/* Of bytes and a pointer for each word and variable: far over what the kernel
 * lets a program be started with. */
#define ORDER_MAX ((uint64_t)16 << 20)

/* Then `size` bytes: so many words (a warden's command line), then so many
 * variables (the CLI's environment), each ended by a zero. */
struct order {
    uint64_t ticket; /* the hub's; given back in the answer */
    uint32_t size;
    uint32_t words;
    uint32_t variables;
    uint32_t spare;
};

struct order_answer {
    uint64_t ticket;
    int32_t pid;   /* of the warden */
    int32_t error; /* an errno, and then there is none */
};

struct order_news {
    uint64_t ticket;
    uint64_t started_at; /* wall clock, ms */
    int32_t cli;
    int32_t spare;
};

#endif
