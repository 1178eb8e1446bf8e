/* SPDX-License-Identifier: MIT */
#include "transport/http/query.h"

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void unescape(struct slice in, struct bytes *out)
{
    for (size_t i = 0; i < in.len; i++) {
        char c = in.ptr[i] == '+' ? ' ' : in.ptr[i];

        if (c == '%' && i + 2 < in.len && hex(in.ptr[i + 1]) >= 0 &&
            hex(in.ptr[i + 2]) >= 0) {
            c = (char)(hex(in.ptr[i + 1]) << 4 | hex(in.ptr[i + 2]));
            i += 2;
        }
        bytes_append(out, &c, 1);
    }
}

bool query_get(struct slice query, const char *name, struct bytes *out)
{
    struct slice rest = query, wanted = slice_cstr(name);

    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '&', rest.len);
        struct slice pair =
            slice_of(rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len);
        const char *sign = memchr(pair.ptr, '=', pair.len);
        size_t len = sign ? (size_t)(sign - pair.ptr) : pair.len;

        if (slice_eq(slice_of(pair.ptr, len), wanted)) {
            if (sign != NULL)
                unescape(slice_of(sign + 1, pair.len - len - 1), out);
            return true;
        }
        rest = end ? slice_of(end + 1, rest.len - pair.len - 1) : SLICE_EMPTY;
    }
    return false;
}
