/* SPDX-License-Identifier: MIT */
#include "runtime/text/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/moment.h"
#include "runtime/text/utf8.h"

void json_raw(struct bytes *out, struct slice text)
{
    bytes_append(out, text.ptr, text.len);
}

/* What follows the backslash of a byte that needs one; 'u' and its number for
 * those without a letter. */
static const char letters[256] = {
    [0] = 'u',  [1] = 'u',  [2] = 'u',   [3] = 'u',     [4] = 'u',  [5] = 'u',
    [6] = 'u',  [7] = 'u',  [8] = 'b',   [9] = 't',     [10] = 'n', [11] = 'u',
    [12] = 'f', [13] = 'r', [14] = 'u',  [15] = 'u',    [16] = 'u', [17] = 'u',
    [18] = 'u', [19] = 'u', [20] = 'u',  [21] = 'u',    [22] = 'u', [23] = 'u',
    [24] = 'u', [25] = 'u', [26] = 'u',  [27] = 'u',    [28] = 'u', [29] = 'u',
    [30] = 'u', [31] = 'u', ['"'] = '"', ['\\'] = '\\',
};

#define PIECE ((size_t)256) /* so that little is reserved in vain */
#define WIDEST 6            /* bytes of one escape */

static char *put_number(char *p, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";

    memcpy(p, "\\u00", 4);
    p[4] = digits[c >> 4];
    p[5] = digits[c & 15];
    return p + WIDEST;
}

static char *put_escape(char *p, unsigned char c)
{
    if (letters[c] == 'u')
        return put_number(p, c);
    p[0] = '\\';
    p[1] = letters[c];
    return p + 2;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the first byte is the lowest");

#define EACH(byte) (0x0101010101010101ull * (byte))

typedef unsigned char lanes __attribute__((vector_size(sizeof(uint64_t))));

/* The high bit of each byte that needs a backslash: quotes, backslashes, and
 * what is below a space. */
static inline uint64_t needy(uint64_t word)
{
    lanes each = (lanes)word;

    return (uint64_t)((each == '"') | (each == '\\') | (each < ' ')) &
           EACH(0x80);
}

/*
 * Half of what is escaped here is JSON itself, where every eighth byte is a
 * quote. So eight are looked at together, and copied together up to each that
 * needs a backslash: what is copied too far is overwritten by what follows,
 * and eight more bytes can be read after the eight at ptr.
 */
static char *escape_word(char *p, const char *ptr)
{
    uint64_t word, found;
    unsigned from = 0;

    memcpy(&word, ptr, sizeof(word));
    memcpy(p, &word, sizeof(word));
    for (found = needy(word); found != 0; found &= found - 1) {
        unsigned at = (unsigned)__builtin_ctzll(found) / 8;

        p = put_escape(p + (at - from), (unsigned char)ptr[at]);
        from = at + 1;
        memcpy(p, ptr + from, sizeof(word));
    }
    return p + (sizeof(word) - from);
}

static void escape_piece(struct bytes *out, const char *ptr, size_t len)
{
    char *p;
    size_t i = 0;

    bytes_reserve(out, len * WIDEST + sizeof(uint64_t));
    p = out->ptr + out->len;
    for (; i + 2 * sizeof(uint64_t) <= len; i += sizeof(uint64_t))
        p = escape_word(p, ptr + i);
    for (; i < len; i++) {
        unsigned char c = (unsigned char)ptr[i];

        if (letters[c] != 0)
            p = put_escape(p, c);
        else
            *p++ = (char)c;
    }
    out->len = (size_t)(p - out->ptr);
}

static void escape_valid(struct bytes *out, struct slice s)
{
    for (size_t done = 0; done < s.len; done += PIECE) {
        size_t left = s.len - done;
        escape_piece(out, s.ptr + done, left < PIECE ? left : PIECE);
    }
}

void json_escaped(struct bytes *out, struct slice text)
{
    struct bytes mended = {0};

    if (utf8_is_valid(text.ptr, text.len)) {
        escape_valid(out, text);
        return;
    }
    utf8_repair(text.ptr, text.len, &mended);
    escape_valid(out, bytes_slice(&mended));
    bytes_finish(&mended);
}

void json_string(struct bytes *out, struct slice text)
{
    JSON_RAW(out, "\"");
    json_escaped(out, text);
    JSON_RAW(out, "\"");
}

void json_quoted(struct bytes *out, struct slice text)
{
    JSON_RAW(out, "\"");
    escape_valid(out, text);
    JSON_RAW(out, "\"");
}

void json_number(struct bytes *out, double number)
{
    char text[40];
    int n;

    if (!isfinite(number))
        number = 0;
    /* Up to 2^53 every integral double is the number it looks like. */
    if (number == trunc(number) && fabs(number) <= 9007199254740992.0)
        n = snprintf(text, sizeof(text), "%.0f", number);
    else
        n = snprintf(text, sizeof(text), "%.17g", number);
    bytes_append(out, text, (size_t)n);
}

void json_val(struct bytes *out, yyjson_val *val)
{
    size_t len = 0;
    char *text = yyjson_val_write(val, YYJSON_WRITE_NOFLAG, &len);

    if (text)
        bytes_append(out, text, len);
    else
        JSON_RAW(out, "null");
    free(text);
}

bool json_compact(struct bytes *out, struct slice text)
{
    yyjson_doc *doc =
        yyjson_read(text.ptr, text.len, YYJSON_READ_NUMBER_AS_RAW);

    if (!doc)
        return false;
    json_val(out, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return true;
}

void json_bool(struct bytes *out, bool value)
{
    json_raw(out, value ? SLICE("true") : SLICE("false"));
}

void json_uint(struct bytes *out, uint64_t number)
{
    char text[20];
    size_t at = sizeof(text);

    do
        text[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    bytes_append(out, text + at, sizeof(text) - at);
}

void json_time(struct bytes *out, uint64_t ms)
{
    char text[MOMENT_LEN + 2];

    if (ms == 0) {
        JSON_RAW(out, "null");
        return;
    }
    text[0] = text[sizeof(text) - 1] = '"';
    moment_put(text + 1, ms);
    bytes_append(out, text, sizeof(text));
}

void json_key(struct bytes *out, struct slice name)
{
    if (out->len > 0 && out->ptr[out->len - 1] != '{')
        JSON_RAW(out, ",");
    JSON_RAW(out, "\"");
    json_raw(out, name);
    JSON_RAW(out, "\":");
}
