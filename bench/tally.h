/* A tally of times: any number of them in a fixed room, to within 2 %. */
#ifndef BENCH_TALLY_H
#define BENCH_TALLY_H

#include <stdint.h>

enum { TALLY_FINE = 64, TALLY_OCTAVES = 40 };

/* All zero is an empty one. */
struct tally {
    uint64_t count;
    uint64_t marks[TALLY_OCTAVES * TALLY_FINE];
};

void tally_add(struct tally *t, uint64_t ns);
/* The time that so many in a hundred do not exceed; 0 of an empty one. */
double tally_percent(const struct tally *t, unsigned percent);

#endif
