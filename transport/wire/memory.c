/* SPDX-License-Identifier: MIT */
#include "transport/wire/memory.h"

#include <malloc.h>

#define KEPT (16 << 20)

void memory_init(void)
{
    mallopt(M_MMAP_THRESHOLD, KEPT);
    mallopt(M_TRIM_THRESHOLD, KEPT);
}
