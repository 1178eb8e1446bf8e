/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"

static uint64_t count_digits(struct slice s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return 0;
        unsigned digit = (unsigned)(s.ptr[i] - '0');
        if (n > (UINT64_MAX - digit) / 10)
            return UINT64_MAX;
        n = n * 10 + digit;
    }
    return n;
}

static uint64_t count_real(double real)
{
    if (!(real >= 0))
        return 0;
    /* 2^64 as a double: the first one that does not fit. */
    return real < 18446744073709551616.0 ? (uint64_t)real : UINT64_MAX;
}

uint64_t field_count(yyjson_val *val)
{
    if (yyjson_is_uint(val))
        return unsafe_yyjson_get_uint(val);
    if (yyjson_is_real(val))
        return count_real(unsafe_yyjson_get_real(val));
    if (yyjson_is_str(val))
        return count_digits(field_text(val));
    return 0;
}

struct slice field_first_text(yyjson_val *obj, const struct slice *keys)
{
    for (; keys->len > 0; keys++) {
        struct slice text = field_text(field_get(obj, *keys));
        if (text.len > 0)
            return text;
    }
    return SLICE_EMPTY;
}

uint64_t field_first_count(yyjson_val *obj, const struct slice *keys)
{
    for (; keys->len > 0; keys++) {
        yyjson_val *val = field_get(obj, *keys);
        if (yyjson_is_num(val) || yyjson_is_str(val))
            return field_count(val);
    }
    return 0;
}
