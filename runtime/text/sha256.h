/*
 * SHA-256 (FIPS 180-4), for what somebody may want to forge: what was trusted
 * is known by it. Our own, since the relay starts in a millisecond and would
 * spend another on loading libcrypto.
 */
#ifndef RUNTIME_TEXT_SHA256_H
#define RUNTIME_TEXT_SHA256_H

#include <stdint.h>

#include "runtime/text/slice.h"

#define SHA256_BYTES 32
#define SHA256_HEX (2 * SHA256_BYTES + 1) /* with its terminator */

struct sha256 {
    uint32_t state[8];
    uint64_t len;
    uint8_t block[64];
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, struct slice text);
/* Nothing may be added after it. */
void sha256_finish(struct sha256 *s, uint8_t digest[static SHA256_BYTES]);
/* In lower case. */
void sha256_hex(const uint8_t digest[static SHA256_BYTES],
                char hex[static SHA256_HEX]);

#endif
