/* bytes is a growing buffer of bytes; lack of memory ends the program. */
#ifndef RUNTIME_TEXT_BYTES_H
#define RUNTIME_TEXT_BYTES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/text/slice.h"

struct bytes {
    char *ptr; /* zeroed memory is an empty buffer */
    size_t len;
    size_t cap;
};

void bytes_finish(struct bytes *b);
/* Lets `more` bytes be put after len; doubles, so that appending is linear. */
void bytes_reserve(struct bytes *b, size_t more);
void bytes_append(struct bytes *b, const char *ptr, size_t len);
/* Appends what fits under cap in whole UTF-8 characters; false if cut. */
bool bytes_append_capped(struct bytes *b, struct slice s, size_t cap);
/* Empties it, and gives the memory back when it holds more than keep bytes. */
void bytes_clear(struct bytes *b, size_t keep);
struct slice bytes_slice(const struct bytes *b);

/* Appends what printf would write. */
__attribute__((format(printf, 2, 3))) void bytes_format(struct bytes *b,
                                                        const char *format,
                                                        ...);
__attribute__((format(printf, 2, 0))) void bytes_vformat(struct bytes *b,
                                                         const char *format,
                                                         va_list args);
/* The same as a text of its own, which the caller frees. */
__attribute__((format(printf, 1, 2))) char *bytes_text(const char *format, ...);

/* Copies a text to *at and moves that behind its terminator: for structs that
 * have all their texts in one block. */
char *bytes_lay(char **at, const char *text);

/* malloc and calloc that do not return NULL. */
void *bytes_alloc(size_t size);
void *bytes_zalloc(size_t size);
void *bytes_realloc(void *ptr, size_t size);

#endif
