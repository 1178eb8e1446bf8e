/* SPDX-License-Identifier: MIT */
/* Apart from the rest, for the warden has this and nothing of it. */
#include "runtime/text/slice.h"

#include <string.h>

/*
 * Eight bytes a step: byte-wise FNV waits for a multiplication per byte, and
 * that was a third of the time of a long answer.
 */
uint64_t slice_hash(uint64_t seed, struct slice s)
{
    const uint64_t factor = 0x9E3779B97F4A7C15ull;
    uint64_t h = seed ^ (s.len * factor), word;

    for (; s.len >= sizeof(word); s.ptr += sizeof(word)) {
        memcpy(&word, s.ptr, sizeof(word));
        h = (h ^ word) * factor;
        h ^= h >> 32;
        s.len -= sizeof(word);
    }
    word = 0;
    if (s.len > 0)
        memcpy(&word, s.ptr, s.len);
    h = (h ^ word) * factor;
    return h ^ (h >> 29);
}

/* FNV-1a, but for the last digit of the number it ought to begin with. */
uint64_t slice_stable_hash(struct slice s)
{
    uint64_t h = SLICE_HASH;

    for (size_t i = 0; i < s.len; i++)
        h = (h ^ (unsigned char)s.ptr[i]) * 1099511628211ull;
    return h;
}
