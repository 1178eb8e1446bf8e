/* SPDX-License-Identifier: MIT */
#include "runtime/text/array.h"

#include <string.h>

#include "runtime/text/bytes.h"

#define FEW 8    /* items of an array that had none */
#define REACH 64 /* of one that is reached into: descriptors */

void *array_grow(void *items, size_t count, size_t size)
{
    if (count > 0 && (count < FEW || (count & (count - 1)) != 0))
        return items;
    return bytes_realloc(items, (count > 0 ? 2 * count : FEW) * size);
}

void *array_reach(void *items, size_t *count, size_t index, size_t size)
{
    size_t more = *count > 0 ? *count : REACH;

    while (more <= index)
        more *= 2;
    if (more == *count)
        return items;
    items = bytes_realloc(items, more * size);
    memset((char *)items + *count * size, 0, (more - *count) * size);
    *count = more;
    return items;
}
