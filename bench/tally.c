/* SPDX-License-Identifier: MIT */
/*
 * Buckets as wide as a sixty-fourth of the power of two they lie in: a sort of
 * a million latencies a second would take the cores from what is measured.
 */
#include "bench/tally.h"

enum { FINE_BITS = 6 };

_Static_assert(TALLY_FINE == 1 << FINE_BITS, "a power of two");

static unsigned octave_of(uint64_t ns)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(ns | 1);

    return bits > FINE_BITS + 1 ? bits - FINE_BITS - 1 : 0;
}

void tally_add(struct tally *t, uint64_t ns)
{
    unsigned octave = octave_of(ns);
    uint64_t mark = (uint64_t)octave * TALLY_FINE + (ns >> octave);
    uint64_t last = TALLY_OCTAVES * TALLY_FINE - 1;

    t->marks[mark < last ? mark : last]++;
    t->count++;
}

/* The least time of the bucket after this one. */
static double end_of(uint64_t mark)
{
    uint64_t octave = mark / TALLY_FINE, fine = mark % TALLY_FINE;

    if (octave == 0)
        return (double)(fine + 1);
    return (double)((fine + TALLY_FINE + 1) << (octave - 1));
}

double tally_percent(const struct tally *t, unsigned percent)
{
    uint64_t wanted = t->count * percent / 100, seen = 0;

    for (uint64_t i = 0; i < TALLY_OCTAVES * TALLY_FINE; i++)
        if ((seen += t->marks[i]) > wanted)
            return end_of(i);
    return 0;
}
