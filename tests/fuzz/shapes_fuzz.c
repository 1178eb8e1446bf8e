/* SPDX-License-Identifier: MIT */
/* Lines, each looked for among the shapes of those before it. */
#include <stdint.h>

#include "tests/actors/stream/reread.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shapes all = {0};

    reread_lines(&all, slice_of((const char *)data, size));
    shapes_finish(&all);
    return 0;
}
