/*
 * hubstart starts a hub that stays: in a session of its own and no descendant
 * of the program that starts it, for MCP clients end their servers with all
 * their children.
 *
 *   caller -- fork --> (leaves) -- fork --> watcher -- fork --> hub
 *      ^                                      |
 *      +----- how the hub ended, if it did ---+
 *
 * The watcher leaves as soon as the caller ends the start or dies itself.
 */
#ifndef TRANSPORT_WIRE_HUBSTART_H
#define TRANSPORT_WIRE_HUBSTART_H

#include <sys/types.h>

#include "runtime/text/bytes.h"
#include "transport/wire/home.h"

struct hubstart {
    int fd;         /* -1: none is under way; else poll it for reading */
    off_t log_from; /* where the log was before it */
};

enum hubstart_news {
    HUBSTART_NOTHING, /* it runs, as far as is known */
    HUBSTART_YIELDED, /* it left with 0: another hub holds the lock */
    HUBSTART_KILLED,  /* by a signal, which the next one may be spared */
    HUBSTART_FAILED
};

#define HUBSTART_NONE ((struct hubstart){.fd = -1})

/* Makes the state directory and starts one. 0, or a negative errno with what
 * was tried appended to *message. */
int hubstart_begin(struct hubstart *s, const struct home *h,
                   struct bytes *message);
/* Without blocking. Of a failure, what the hub said is appended. Anything but
 * NOTHING has ended the start. */
enum hubstart_news hubstart_look(struct hubstart *s, const struct home *h,
                                 struct bytes *message);
/* The hub goes on, if it does. Accepts none. */
void hubstart_end(struct hubstart *s);

/* Becomes the hub's program with these arguments, argv[0] set by us; returns
 * a negative errno if it cannot. */
int hubstart_exec(char **argv);

#endif
