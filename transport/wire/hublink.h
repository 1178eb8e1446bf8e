/*
 * A hublink is a connection to the hub, as relays and commands have it. It
 * never blocks, and lives in its owner's poll loop; the functions at the end
 * block, for programs that have nothing else to do.
 */
#ifndef TRANSPORT_WIRE_HUBLINK_H
#define TRANSPORT_WIRE_HUBLINK_H

#include <stdbool.h>
#include <sys/types.h>

#include "transport/io/outbox.h"
#include "transport/wire/wire.h"

struct hublink {
    int fd; /* -1: closed */
    struct wire_reader in;
    struct outbox out;
};

/* What the hub says of itself. */
struct hublink_welcome {
    char build[136];
    char agent_id[96]; /* "": the hub takes us for no agent of its own */
    pid_t pid;
    uint64_t running; /* agents */
};

#define HUBLINK_CLOSED ((struct hublink){.fd = -1})

/* Connects at once or fails: -ENOENT and -ECONNREFUSED if no hub is there,
 * -EAGAIN if it is overrun, -EPERM if another user listens there, who is told
 * nothing. The path may be of any length. */
int hublink_open(struct hublink *l, const char *socket);
/* Accepts one that is closed. */
void hublink_close(struct hublink *l);

/* Queues greeting and HELLO; client is "relay" or "command". env is what agents
 * shall have; NULL: the hub is not to have this program's. */
void hublink_greet(struct hublink *l, const char *build, const char *client,
                   char *const *env);
/* Queues a frame. */
void hublink_put(struct hublink *l, enum wire_kind kind, uint64_t handle,
                 struct slice payload);
size_t hublink_queued(const struct hublink *l);
/* Sends what the socket takes. 0, or -EPIPE and the like: it has gone. */
int hublink_flush(struct hublink *l);
/* Reads once, what is there. 0, also if nothing was; -EPIPE: it has gone. */
int hublink_read(struct hublink *l);
/* As wire_next: 1 and the next frame, valid until hublink_read; 0: no more
 * yet; -EPROTO. */
int hublink_next(struct hublink *l, struct wire_frame *frame);
/* False: this is no WELCOME. */
bool hublink_welcome_read(const struct wire_frame *frame,
                          struct hublink_welcome *w);

/*
 * These block, at most timeout_ms (-1: for ever), and return 0 or a negative
 * errno: -ETIMEDOUT, -EPIPE if the hub went, -ESHUTDOWN if it is leaving.
 */

/* Connects to a running hub and is welcomed; starts none. */
int hublink_meet(struct hublink *l, const char *socket, const char *build,
                 const char *client, int timeout_ms, struct hublink_welcome *w);
/* The next frame of any kind but LEAVING. */
int hublink_wait(struct hublink *l, int timeout_ms, struct wire_frame *frame);
/* One call and its answer, appended to *answer. args is the text of an object.
 * Only for a connection on which nothing else is under way. */
int hublink_ask(struct hublink *l, const char *name, struct slice args,
                int timeout_ms, struct bytes *answer, bool *is_error);

#endif
