/*
 * PBKDF2 with HMAC-SHA256 (RFC 8018): a secret that a person may have chosen,
 * made dear to guess for who has read what was kept of it.
 */
#ifndef RUNTIME_TEXT_PBKDF2_H
#define RUNTIME_TEXT_PBKDF2_H

#include "runtime/text/sha256.h"

/* Of one block, which is as much as anybody keeps. */
void pbkdf2_sha256(struct slice secret, struct slice salt, uint32_t iterations,
                   uint8_t derived[static SHA256_BYTES]);

#endif
