/*
 * The signing key marks what the hub gives away and will be shown again: by its
 * mark a thing of ours is known, also by the next hub, and others cannot make
 * one up. Its secret lies in a file that only this user reads.
 *
 * The mark is SipHash-2-4 of 128 bits, which was made for short messages under
 * a secret key; the first use of OpenSSL's would cost the hub half its memory.
 */
#ifndef ACTORS_ORDER_SIGNING_KEY_H
#define ACTORS_ORDER_SIGNING_KEY_H

#include "runtime/text/bytes.h"

#define SIGNING_KEY_SECRET 16
#define SIGNING_KEY_MARK 16

struct signing_key {
    uint8_t secret[SIGNING_KEY_SECRET];
};

/* A new one, which no other process has. */
void signing_key_draw(struct signing_key *s);
/* That of a file, which is made when there is none. Of an error (a negative
 * errno) nothing comes but that *s is a new one and will not be known again. */
int signing_key_load(struct signing_key *s, const char *path);
/* The secret is wiped. */
void signing_key_finish(struct signing_key *s);

void signing_key_mark(const struct signing_key *s, const void *what, size_t len,
                      uint8_t mark[SIGNING_KEY_MARK]);
/* Whether this is the mark; takes the same time whatever is wrong. */
bool signing_key_is_mark(const struct signing_key *s, const void *what,
                         size_t len, const uint8_t mark[SIGNING_KEY_MARK]);

/* Appends a text with its mark: "text.0123456789abcdef...". */
void signing_key_put(struct bytes *out, const struct signing_key *s,
                     struct slice text);
/* The text of such a one; false: it is none of ours. */
bool signing_key_open(const struct signing_key *s, struct slice sealed,
                      struct slice *text);

#endif
