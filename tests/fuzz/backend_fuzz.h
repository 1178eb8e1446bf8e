/* backend_fuzz is what the fuzzers of all back-ends do with their input. */
#ifndef TESTS_FUZZ_BACKEND_FUZZ_H
#define TESTS_FUZZ_BACKEND_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "actors/stream/backend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte picks the chunking; the rest is a stream. Aborts unless it
 * gives the same events and state as the stream in one piece. */
int backend_fuzz(const struct backend *b, const uint8_t *data, size_t size);

#endif
