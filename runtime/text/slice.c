/* SPDX-License-Identifier: MIT */
#include "runtime/text/slice.h"

#include <string.h>

#include "runtime/text/utf8.h"

struct slice slice_cstr(const char *str)
{
    return str ? slice_of(str, strlen(str)) : SLICE_EMPTY;
}

bool slice_starts(struct slice s, struct slice prefix)
{
    return s.len >= prefix.len && slice_eq(slice_of(s.ptr, prefix.len), prefix);
}

bool slice_ends(struct slice s, struct slice suffix)
{
    return s.len >= suffix.len &&
           slice_eq(slice_of(s.ptr + s.len - suffix.len, suffix.len), suffix);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct slice slice_trim(struct slice s)
{
    while (s.len > 0 && is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

struct slice slice_first_line(struct slice s)
{
    const char *nl = s.len ? memchr(s.ptr, '\n', s.len) : NULL;

    if (nl)
        s.len = (size_t)(nl - s.ptr);
    return s;
}

void slice_keep(char *dst, size_t cap, struct slice s)
{
    size_t n = utf8_cut(s.ptr, s.len, cap - 1);

    if (n > 0)
        memcpy(dst, s.ptr, n);
    dst[n] = '\0';
}
