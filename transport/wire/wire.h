/*
 * The wire is what relays and the command line speak with the hub, on its
 * socket: one line of text to tell them from wardens, then frames. A frame is
 * a head and its payload; both ends are this machine, so its numbers are the
 * machine's own.
 *
 *   client  -- WIRE_GREETING line, HELLO -->  hub
 *   client  <-- WELCOME --  hub
 *   client  -- CALL (CANCEL) -->  hub
 *   client  <-- (PROGRESS) ANSWER --  hub
 */
#ifndef TRANSPORT_WIRE_WIRE_H
#define TRANSPORT_WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/text/bytes.h"

/* The first line of a client, before its first frame. */
#define WIRE_GREETING "kuromajutsu-wire 1\n"
#define WIRE_LIMIT ((size_t)80 << 20)

enum wire_kind {
    /* to the hub */
    WIRE_HELLO = 1, /* {"build","client":"relay"|"command","key","cwd",
                       "env":[...],"bytes":{"cwd","env":{"3":...}}}; key: what
                       an agent was given; bytes: those of the directory and
                       of variables, by their place, that are no UTF-8, as
                       wire_put_bytes writes them */
    WIRE_CALL,   /* {"name","args":{...},"progress":bool,"key","again":bool} */
    WIRE_CANCEL, /* no payload */
    WIRE_STOP,   /* {"keepAgents":bool}: the hub shall leave */
    /* from the hub */
    WIRE_WELCOME = 64, /* {"build","pid","agentId","running"} */
    WIRE_ANSWER,       /* the answer's object; flags bit 0: an error */
    WIRE_PROGRESS,     /* struct wire_progress */
    WIRE_LEAVING       /* the hub ends in order; no payload */
};

#define WIRE_IS_ERROR 1

struct wire_head {
    uint32_t length; /* of the payload */
    uint8_t kind;
    uint8_t flags;
    uint16_t zero;
    uint64_t handle; /* the call's, chosen by who calls; else 0 */
};

struct wire_progress {
    uint32_t done, total;
};

struct wire_frame {
    struct wire_head head;
    struct slice payload;
};

/* Appends a frame. */
void wire_put(struct bytes *out, enum wire_kind kind, unsigned flags,
              uint64_t handle, struct slice payload);

/* Appends any bytes as a string of JSON: each is the character of its number.
 */
void wire_put_bytes(struct bytes *out, struct slice text);
/* Appends the bytes of such a string. False: it is none. */
bool wire_take_bytes(struct bytes *out, struct slice string);

/* Cuts a stream into frames. Zeroed memory is an empty one. */
struct wire_reader {
    struct bytes buffer;
    size_t used; /* of the buffer, already given out */
};

/* Where to read the next bytes to; at least `want` of them fit. */
char *wire_space(struct wire_reader *r, size_t want);
void wire_filled(struct wire_reader *r, size_t bytes);
/* The next whole frame, valid until wire_space. 0: none yet; 1: one;
 * -EPROTO: this is no wire. */
int wire_next(struct wire_reader *r, struct wire_frame *frame);
void wire_finish(struct wire_reader *r);

#endif
