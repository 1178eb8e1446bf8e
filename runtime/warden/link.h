/*
 * The link to the hub: a connection that the warden makes, and makes again
 * whenever it breaks. It never waits: a hub that does not read only fills a
 * small buffer, and loses the connection when that is full.
 */
#ifndef RUNTIME_WARDEN_LINK_H
#define RUNTIME_WARDEN_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/warden/text.h"

#define LINK_RETRY_MS 250
/* One hello and one of each event: 2 KiB + 1.5 KiB at the very most. */
#define LINK_OUT_MAX 4096
#define LINK_IN_MAX 256

enum link_order {
    LINK_NOTHING, /* no whole line is left */
    LINK_UNKNOWN,
    LINK_WELCOME,
    LINK_END,
    LINK_BYE,
};

struct link {
    const char *path;
    int fd;           /* -1: not connected */
    int64_t retry_at; /* when not connected */
    bool is_skipping; /* the rest of a line too long to be an order */
    size_t out_len;
    size_t in_len;
    char out[LINK_OUT_MAX];
    char in[LINK_IN_MAX];
};

/* Connects nothing yet. The path is borrowed for the link's life. */
void link_init(struct link *l, const char *path);

/* Tries to connect, once. Returns whether it did; retry_at is set if not. */
bool link_connect(struct link *l, int64_t now);

/* Queues a text, to go with the next flush. Without effect when closed. */
void link_send(struct link *l, const struct text *t);

/* Sends what the socket takes: before every wait, so that what is said in one
 * turn is heard at once, and when the socket takes bytes again. */
void link_flush(struct link *l);

/*
 * Reads what has come, at most a buffer full. Returns false when the hub has
 * gone; orders that came before that can still be taken.
 */
bool link_receive(struct link *l);

/* Takes the next order received; *number is its argument, -1 for none. */
enum link_order link_take(struct link *l, int64_t *number);

void link_close(struct link *l, int64_t now);

#endif
