/* SPDX-License-Identifier: MIT */
#include "runtime/text/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"

#define BLOCK 8192

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

static struct arena_block *add_block(struct arena *a, size_t size)
{
    size_t capacity = size > BLOCK ? size : BLOCK;
    struct arena_block *b = calloc(1, sizeof(*b) + capacity);

    if (!b) {
        fprintf(stderr, "out of memory: %zu bytes\n", capacity);
        abort();
    }
    b->size = capacity;
    b->next = a->first;
    a->first = b;
    return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
    const size_t unit = alignof(max_align_t);
    size_t rounded = (size + unit - 1) / unit * unit;
    struct arena_block *b = a->first;

    if (!b || b->size - b->used < rounded)
        b = add_block(a, rounded);
    void *ptr = b->bytes + b->used;
    b->used += rounded;
    return ptr;
}

char *arena_copy(struct arena *a, const char *ptr, size_t len)
{
    char *copy = arena_alloc(a, len + 1);

    if (len)
        memcpy(copy, ptr, len);
    return copy;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    struct bytes printed = {0};
    va_list args;

    va_start(args, format);
    bytes_vformat(&printed, format, args);
    va_end(args);
    char *text = arena_copy(a, printed.ptr, printed.len);
    bytes_finish(&printed);
    return text;
}

void *arena_grow(struct arena *a, void *items, size_t count, size_t size)
{
    /* Full exactly at 0 and the powers of two: no capacity to carry about. */
    if (count & (count - 1))
        return items;
    void *larger = arena_alloc(a, (count ? count * 2 : 1) * size);
    if (count)
        memcpy(larger, items, count * size);
    return larger;
}

void arena_finish(struct arena *a)
{
    for (struct arena_block *b = a->first, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    a->first = NULL;
}
