/* SPDX-License-Identifier: MIT */
#include "runtime/text/pbkdf2.h"

#include <string.h>

#define BLOCK 64

/* The states after the padded key: every HMAC begins with one of them, so the
 * key is hashed twice in all and not twice for each iteration. */
struct hmac {
    struct sha256 inner, outer;
};

static struct slice raw(const uint8_t *bytes, size_t len)
{
    return slice_of((const char *)bytes, len);
}

static void hmac_init(struct hmac *h, struct slice key)
{
    uint8_t pad[BLOCK] = {0};

    if (key.len > BLOCK) {
        struct sha256 s;

        sha256_init(&s);
        sha256_add(&s, key);
        sha256_finish(&s, pad);
    } else {
        memcpy(pad, key.ptr, key.len);
    }
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] ^= 0x36;
    sha256_init(&h->inner);
    sha256_add(&h->inner, raw(pad, BLOCK));
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] ^= 0x36 ^ 0x5c;
    sha256_init(&h->outer);
    sha256_add(&h->outer, raw(pad, BLOCK));
    explicit_bzero(pad, sizeof(pad));
}

/* Of two pieces, the second of which may be empty. */
static void hmac_of(const struct hmac *h, struct slice a, struct slice b,
                    uint8_t mac[static SHA256_BYTES])
{
    struct sha256 s = h->inner;

    sha256_add(&s, a);
    sha256_add(&s, b);
    sha256_finish(&s, mac);
    s = h->outer;
    sha256_add(&s, raw(mac, SHA256_BYTES));
    sha256_finish(&s, mac);
}

void pbkdf2_sha256(struct slice secret, struct slice salt, uint32_t iterations,
                   uint8_t derived[static SHA256_BYTES])
{
    static const uint8_t first[] = {0, 0, 0, 1};
    uint8_t u[SHA256_BYTES];
    struct hmac h;

    hmac_init(&h, secret);
    hmac_of(&h, salt, raw(first, sizeof(first)), u);
    memcpy(derived, u, SHA256_BYTES);
    for (uint32_t i = 1; i < iterations; i++) {
        hmac_of(&h, raw(u, SHA256_BYTES), SLICE_EMPTY, u);
        for (size_t j = 0; j < SHA256_BYTES; j++)
            derived[j] ^= u[j];
    }
    explicit_bzero(&h, sizeof(h));
    explicit_bzero(u, sizeof(u));
}
