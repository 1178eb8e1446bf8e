/* An arena is memory given back all at once: a configuration lives in one. */
#ifndef RUNTIME_TEXT_ARENA_H
#define RUNTIME_TEXT_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *first; /* zeroed memory is an empty arena */
};

/* Zeroed and aligned for anything; lack of memory ends the program. */
void *arena_alloc(struct arena *a, size_t size);
/* A copy of len bytes with a terminator. */
char *arena_copy(struct arena *a, const char *ptr, size_t len);
__attribute__((format(printf, 2, 3))) char *arena_printf(struct arena *a,
                                                         const char *format,
                                                         ...);
/* An array that takes one more item: itself or its copy, twice as large. */
void *arena_grow(struct arena *a, void *items, size_t count, size_t size);
void arena_finish(struct arena *a);

#endif
