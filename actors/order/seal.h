/*
 * A seal is the hub's mark on what it gave away and will be shown again: by it
 * a thing of ours is known, also by the next hub, and nobody else can make one
 * up. Its secret lies in a file that only this user reads.
 *
 * The mark is SipHash-2-4 of 128 bits, which was made for short messages under
 * a secret key; the first use of OpenSSL's would cost the hub half its memory.
 */
#ifndef ACTORS_ORDER_SEAL_H
#define ACTORS_ORDER_SEAL_H

#include "runtime/text/bytes.h"

#define SEAL_SECRET 16
#define SEAL_MARK 16

struct seal {
    uint8_t secret[SEAL_SECRET];
};

/* A new one, which no other process has. */
void seal_draw(struct seal *s);
/* That of a file, which is made when there is none. Of an error (a negative
 * errno) nothing comes but that *s is a new one and will not be known again. */
int seal_load(struct seal *s, const char *path);
/* The secret is wiped. */
void seal_finish(struct seal *s);

void seal_mark(const struct seal *s, const void *what, size_t len,
               uint8_t mark[SEAL_MARK]);
/* Whether this is the mark; takes the same time whatever is wrong. */
bool seal_is_mark(const struct seal *s, const void *what, size_t len,
                  const uint8_t mark[SEAL_MARK]);

/* Appends a text with its mark: "text.0123456789abcdef...". */
void seal_put(struct bytes *out, const struct seal *s, struct slice text);
/* The text of such a one; false: it is none of ours. */
bool seal_open(const struct seal *s, struct slice sealed, struct slice *text);

/* Two digits a byte. False: it is not that. */
void seal_write_hex(char *out, const uint8_t *in, size_t len);
bool seal_read_hex(uint8_t *out, const char *in, size_t len);

#endif
