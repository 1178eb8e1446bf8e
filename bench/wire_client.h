/* A client on a hub's socket: it speaks the wire, as relays do. */
#ifndef BENCH_WIRE_CLIENT_H
#define BENCH_WIRE_CLIENT_H

#include "transport/wire/wire.h"

struct wire_client {
    int fd;
    unsigned number; /* among its kind; part of its calls' keys */
    uint64_t calls;  /* frames sent: the handle of the newest */
    struct wire_reader in;
};

/* Connected and greeted; WIRE_WELCOME is the first frame that comes. Ends the
 * program when nobody listens. */
void wire_client_open(struct wire_client *c, unsigned number, const char *path);
/* Places a call under a key of its own; the format makes the text of its
 * arguments, an object. */
__attribute__((format(printf, 3, 4))) void wire_client_call(
    struct wire_client *c, const char *name, const char *format, ...);
/* Reads what is there, at least a byte, and gives every whole frame to `hear`.
 * Ends the program when the hub has left, or refuses. */
void wire_client_hear(struct wire_client *c,
                      void (*hear)(struct wire_client *c,
                                   const struct wire_frame *f));

/* Prints what went wrong, and ends the program with 1. */
_Noreturn void wire_client_fail(const char *what, struct slice detail);

#endif
