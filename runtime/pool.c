/* SPDX-License-Identifier: MIT */
/* What both pools share: which class a size falls into. */
#include "runtime/pool.h"

const size_t pool_bytes[POOL_CLASSES] = {32, 64, 128, 256, 512, 1024, 4096};

unsigned pool_class(size_t size)
{
    unsigned class = 0;

    while (class < POOL_CLASSES && size > pool_bytes[class])
        class ++;
    return class < POOL_CLASSES ? class : POOL_BIG;
}
