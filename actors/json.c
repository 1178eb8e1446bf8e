/* SPDX-License-Identifier: MIT */
#include "actors/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "actors/utf8.h"

void json_raw(struct bytes *out, struct slice text)
{
    bytes_append(out, text.ptr, text.len);
}

static void escape(struct bytes *out, unsigned char c)
{
    static const char letters[] = "btn?fr";
    char text[8];
    int n;

    if (c == '"' || c == '\\')
        n = snprintf(text, sizeof(text), "\\%c", c);
    else if (c >= '\b' && c <= '\r' && c != '\v')
        n = snprintf(text, sizeof(text), "\\%c", letters[c - '\b']);
    else
        n = snprintf(text, sizeof(text), "\\u%04x", c);
    bytes_append(out, text, (size_t)n);
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

static void escape_valid(struct bytes *out, struct slice s)
{
    size_t from = 0;

    for (size_t i = 0; i < s.len; i++) {
        if (is_plain((unsigned char)s.ptr[i]))
            continue;
        bytes_append(out, s.ptr + from, i - from);
        escape(out, (unsigned char)s.ptr[i]);
        from = i + 1;
    }
    bytes_append(out, s.ptr + from, s.len - from);
}

void json_escaped(struct bytes *out, struct slice text)
{
    struct bytes mended = {0};

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
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    char text[64];
    int len;

    if (ms == 0) {
        JSON_RAW(out, "null");
        return;
    }
    gmtime_r(&seconds, &tm);
    len =
        snprintf(text, sizeof(text), "\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\"",
                 tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
                 tm.tm_min, tm.tm_sec, (int)(ms % 1000));
    bytes_append(out, text, (size_t)len);
}

void json_key(struct bytes *out, struct slice name)
{
    if (out->len > 0 && out->ptr[out->len - 1] != '{')
        JSON_RAW(out, ",");
    JSON_RAW(out, "\"");
    json_raw(out, name);
    JSON_RAW(out, "\":");
}
