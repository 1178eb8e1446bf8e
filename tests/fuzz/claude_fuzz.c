/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/backend_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return backend_fuzz(&backend_claude, data, size);
}
