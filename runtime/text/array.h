/* Arrays that grow; lack of memory ends the program. */
#ifndef RUNTIME_TEXT_ARRAY_H
#define RUNTIME_TEXT_ARRAY_H

#include <stddef.h>

/*
 * Lets one more be put behind `count` items. Nothing else is to be kept of the
 * array: it is full when it is empty and at every power of two from eight on,
 * so that appending is linear whatever was removed between.
 */
#define ARRAY_GROW(items, count)                                               \
    ((items) = array_grow(items, count, sizeof(*(items))))
/* Makes an item of `index` there; *count of them are. New ones are zeroed. */
#define ARRAY_REACH(items, count, index)                                       \
    ((items) = array_reach(items, count, index, sizeof(*(items))))

void *array_grow(void *items, size_t count, size_t size);
void *array_reach(void *items, size_t *count, size_t index, size_t size);

#endif
