/* SPDX-License-Identifier: MIT */
#include "runtime/text/sha256.h"

#include "runtime/text/hex.h"

#define BLOCK 64

/* The first 32 bits of the fractions of the cube roots of the first primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void spread(uint32_t w[64], const uint8_t block[BLOCK])
{
    for (unsigned i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
               (uint32_t)block[2] << 8 | block[3];
    for (unsigned i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];

        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

/* The eight words move one place on with each round: instead of moving them,
 * their names are moved, which costs nothing once the loop is unrolled. */
#define WORD(n) v[((n)-i) & 7]

static void take_block(uint32_t state[8], const uint8_t block[BLOCK])
{
    uint32_t w[64], v[8];

    spread(w, block);
    memcpy(v, state, sizeof(v));
#pragma GCC unroll 64
    for (unsigned i = 0; i < 64; i++) {
        uint32_t a = WORD(0), b = WORD(1), c = WORD(2), e = WORD(4);
        uint32_t one = WORD(7) +
                       (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                       ((e & WORD(5)) ^ (~e & WORD(6))) + constants[i] + w[i];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                       ((a & b) ^ (a & c) ^ (b & c));

        WORD(3) += one;
        WORD(7) = one + two;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += v[i];
}

#undef WORD

void sha256_init(struct sha256 *s)
{
    *s = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(struct sha256 *s, struct slice text)
{
    while (text.len > 0) {
        size_t at = s->len % BLOCK, n = BLOCK - at;

        if (n > text.len)
            n = text.len;
        memcpy(s->block + at, text.ptr, n);
        s->len += n;
        text = slice_of(text.ptr + n, text.len - n);
        if (s->len % BLOCK == 0)
            take_block(s->state, s->block);
    }
}

void sha256_finish(struct sha256 *s, uint8_t digest[static SHA256_BYTES])
{
    static const char padding[BLOCK] = {(char)0x80};
    uint64_t bits = s->len * 8;
    size_t at = s->len % BLOCK;
    char length[8];

    for (unsigned i = 0; i < 8; i++)
        length[i] = (char)(bits >> (56 - 8 * i));
    sha256_add(s, slice_of(padding, (at < 56 ? 56 : 120) - at));
    sha256_add(s, slice_of(length, sizeof(length)));
    for (unsigned i = 0; i < SHA256_BYTES; i++)
        digest[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_hex(const uint8_t digest[static SHA256_BYTES],
                char hex[static SHA256_HEX])
{
    hex_write(hex, digest, SHA256_BYTES);
    hex[SHA256_HEX - 1] = 0;
}
