/* The lines of the stream bench: the same for the CLI and for bare yyjson. */
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include <stddef.h>

#define LINES_MAX 1024

/* Writes line `i` of `count`, newline included, and returns its length. */
size_t lines_make(char line[LINES_MAX], unsigned long i, unsigned long count);

#endif
