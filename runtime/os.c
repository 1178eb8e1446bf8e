/* SPDX-License-Identifier: MIT */
/* What is the same on every machine below the runtime. */
#include "runtime/os.h"

#include <stdlib.h>

void *os_alloc(uint64_t size, uint64_t align)
{
    void *memory = NULL;

    if (posix_memalign(&memory, align, size) != 0)
        os_panic("out of memory for %llu bytes", (unsigned long long)size);
    return memory;
}
