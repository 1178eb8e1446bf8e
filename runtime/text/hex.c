/* SPDX-License-Identifier: MIT */
#include "runtime/text/hex.h"

void hex_write(char *out, const uint8_t *in, size_t len)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        *out++ = digits[in[i] >> 4];
        *out++ = digits[in[i] & 15];
    }
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

bool hex_read(uint8_t *out, const char *in, size_t len)
{
    for (size_t i = 0; i < len; i++, in += 2) {
        int high = digit(in[0]), low = digit(in[1]);

        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
