/* SPDX-License-Identifier: MIT */
#include "runtime/text/utf8.h"

#include <string.h>

#include "runtime/text/bytes.h"

static const char REPLACEMENT[] = "\xEF\xBF\xBD";
static const char REPLACEMENT_ESCAPE[] = "\\uFFFD";
#define ESCAPE_LEN 6

size_t utf8_cut(const char *str, size_t len, size_t cap)
{
    if (len <= cap)
        return len;
    size_t n = cap;
    while (n > 0 && cap - n < 4 && ((unsigned char)str[n] & 0xC0) == 0x80)
        n--;
    /* Four continuation bytes in a row are no character: nothing to spare. */
    return ((unsigned char)str[n] & 0xC0) == 0x80 ? cap : n;
}

size_t utf8_prefix(const char *str, size_t len, size_t characters)
{
    size_t n = 0;

    for (; n < len; n++)
        if (((unsigned char)str[n] & 0xC0) != 0x80 && characters-- == 0)
            break;
    return n;
}

/* What the first byte allows: length, and the range of the second byte. */
static size_t lead(unsigned char c, unsigned char *lo, unsigned char *hi)
{
    *lo = 0x80;
    *hi = 0xBF;
    if (c >= 0xC2 && c <= 0xDF)
        return 2;
    if (c >= 0xE0 && c <= 0xEF) {
        *lo = c == 0xE0 ? 0xA0 : 0x80;
        *hi = c == 0xED ? 0x9F : 0xBF;
        return 3;
    }
    if (c >= 0xF0 && c <= 0xF4) {
        *lo = c == 0xF0 ? 0x90 : 0x80;
        *hi = c == 0xF4 ? 0x8F : 0xBF;
        return 4;
    }
    return 0;
}

/*
 * Steps over one character or one maximal broken part, as the Unicode
 * standard counts them (3.9, U+FFFD substitution of maximal subparts).
 */
static size_t step(const char *str, size_t len, bool *is_broken)
{
    unsigned char lo, hi;
    size_t want = lead((unsigned char)str[0], &lo, &hi);
    size_t n = 1;

    while (n < want && n < len) {
        unsigned char c = (unsigned char)str[n];
        if (c < lo || c > hi)
            break;
        lo = 0x80;
        hi = 0xBF;
        n++;
    }
    *is_broken = want == 0 || n < want;
    return n;
}

size_t utf8_decode(const char *str, size_t len, uint32_t *code)
{
    unsigned char first = (unsigned char)str[0];
    bool is_broken;
    size_t n;

    if (first < 0x80) {
        *code = first;
        return 1;
    }
    n = step(str, len, &is_broken);
    if (is_broken)
        return 0;
    *code = first & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        *code = *code << 6 | ((unsigned char)str[i] & 0x3fu);
    return n;
}

/* Whether a character of three bytes, as those of Japanese are, is here; what
 * four bytes hold is told without a branch for each. */
static inline bool is_three(const char *str)
{
    uint32_t word;

    memcpy(&word, str, sizeof(word));
    return (word & 0x00C0C0F0) == 0x008080E0 && (word & 0x200F) != 0 &&
           (word & 0x200F) != 0x200D;
}

bool utf8_is_valid(const char *str, size_t len)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    bool is_broken = false;
    size_t i = 0;

    while (i < len && !is_broken) {
        uint64_t word = high;
        if (len - i >= sizeof(word))
            memcpy(&word, str + i, sizeof(word));
        if ((word & high) == 0)
            i += sizeof(word);
        else if ((unsigned char)str[i] < 0x80)
            i++;
        else if (len - i >= sizeof(uint32_t) && is_three(str + i))
            i += 3;
        else
            i += step(str + i, len - i, &is_broken);
    }
    return !is_broken;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The UTF-16 unit of a \uXXXX at str, or -1. */
static int escape_unit(const char *str, size_t len)
{
    if (len < ESCAPE_LEN || str[0] != '\\' || str[1] != 'u')
        return -1;
    int unit = 0;
    for (int i = 2; i < ESCAPE_LEN; i++) {
        int digit = hex(str[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Steps over one escape, a pair of them being one; str[0] is a backslash. */
static size_t step_escape(const char *str, size_t len, bool *is_broken)
{
    int unit = escape_unit(str, len);

    *is_broken = false;
    if (unit < 0)
        return len < 2 ? len : 2;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        int low = escape_unit(str + ESCAPE_LEN, len - ESCAPE_LEN);
        if (low >= 0xDC00 && low <= 0xDFFF)
            return 2 * ESCAPE_LEN;
    }
    *is_broken = unit >= 0xD800 && unit <= 0xDFFF;
    return ESCAPE_LEN;
}

static size_t repair(const char *str, size_t len, struct bytes *out,
                     bool is_json)
{
    size_t done = 0, count = 0;

    if (len == 0)
        return 0;
    for (size_t i = 0; i < len;) {
        bool is_broken = false;
        size_t n = 1;
        bool is_escape = is_json && str[i] == '\\';
        if (is_escape)
            n = step_escape(str + i, len - i, &is_broken);
        else if ((unsigned char)str[i] >= 0x80)
            n = step(str + i, len - i, &is_broken);
        if (is_broken) {
            bytes_append(out, str + done, i - done);
            bytes_append(out, is_escape ? REPLACEMENT_ESCAPE : REPLACEMENT,
                         is_escape ? ESCAPE_LEN : sizeof(REPLACEMENT) - 1);
            done = i + n;
            count++;
        }
        i += n;
    }
    bytes_append(out, str + done, len - done);
    return count;
}

size_t utf8_repair(const char *str, size_t len, struct bytes *out)
{
    return repair(str, len, out, false);
}

size_t utf8_repair_json(const char *str, size_t len, struct bytes *out)
{
    return repair(str, len, out, true);
}
