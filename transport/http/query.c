/* SPDX-License-Identifier: MIT */
#include "transport/http/query.h"

#include "runtime/text/percent.h"

/* A form's blank is a plus. */
static void unescape(struct slice in, struct bytes *out)
{
    struct bytes text = {0};

    bytes_append(&text, in.ptr, in.len);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '+')
            text.ptr[i] = ' ';
    percent_decode(out, bytes_slice(&text));
    bytes_finish(&text);
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
