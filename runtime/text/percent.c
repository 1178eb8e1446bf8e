/* SPDX-License-Identifier: MIT */
#include "runtime/text/percent.h"

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void percent_decode(struct bytes *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (c == '%' && i + 2 < text.len && digit(text.ptr[i + 1]) >= 0 &&
            digit(text.ptr[i + 2]) >= 0) {
            c = (char)(digit(text.ptr[i + 1]) << 4 | digit(text.ptr[i + 2]));
            i += 2;
        }
        bytes_append(out, &c, 1);
    }
}
