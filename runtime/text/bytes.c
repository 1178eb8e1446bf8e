/* SPDX-License-Identifier: MIT */
#include "runtime/text/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/utf8.h"

#define FORMAT_GUESS 64 /* bytes; what is longer is written twice */

#define SMALLEST 256

static void *check(void *ptr, size_t size)
{
    if (ptr)
        return ptr;
    fprintf(stderr, "out of memory: %zu bytes\n", size);
    abort();
}

void *bytes_alloc(size_t size)
{
    return check(malloc(size), size);
}

void *bytes_zalloc(size_t size)
{
    return check(calloc(1, size), size);
}

void *bytes_realloc(void *ptr, size_t size)
{
    return check(realloc(ptr, size), size);
}

void bytes_finish(struct bytes *b)
{
    free(b->ptr);
    *b = (struct bytes){0};
}

void bytes_reserve(struct bytes *b, size_t more)
{
    if (more <= b->cap - b->len)
        return;
    size_t cap = b->cap < SMALLEST ? SMALLEST : b->cap;
    while (cap - b->len < more)
        cap *= 2;
    b->ptr = bytes_realloc(b->ptr, cap);
    b->cap = cap;
}

void bytes_append(struct bytes *b, const char *ptr, size_t len)
{
    if (len == 0)
        return;
    bytes_reserve(b, len);
    memcpy(b->ptr + b->len, ptr, len);
    b->len += len;
}

bool bytes_append_capped(struct bytes *b, struct slice s, size_t cap)
{
    size_t left = b->len < cap ? cap - b->len : 0;
    size_t n = utf8_cut(s.ptr, s.len, left);

    bytes_append(b, s.ptr, n);
    return n == s.len;
}

void bytes_clear(struct bytes *b, size_t keep)
{
    if (b->cap > keep)
        bytes_finish(b);
    b->len = 0;
}

struct slice bytes_slice(const struct bytes *b)
{
    return slice_of(b->ptr, b->len);
}

void bytes_vformat(struct bytes *b, const char *format, va_list args)
{
    va_list again;
    size_t left;
    int n;

    va_copy(again, args);
    bytes_reserve(b, FORMAT_GUESS);
    left = b->cap - b->len;
    n = vsnprintf(b->ptr + b->len, left, format, args);
    if (n < 0)
        abort();
    if ((size_t)n >= left) {
        bytes_reserve(b, (size_t)n + 1);
        vsnprintf(b->ptr + b->len, (size_t)n + 1, format, again);
    }
    va_end(again);
    b->len += (size_t)n;
}

void bytes_format(struct bytes *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bytes_vformat(b, format, args);
    va_end(args);
}

char *bytes_text(const char *format, ...)
{
    struct bytes text = {0};
    va_list args;

    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    return text.ptr;
}

char *bytes_lay(char **at, const char *text)
{
    char *start = *at;

    *at = stpcpy(start, text) + 1;
    return start;
}
