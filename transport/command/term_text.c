/* SPDX-License-Identifier: MIT */
#include "transport/command/term_text.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

#include "runtime/text/utf8.h"

#define ELLIPSIS "…"

void term_text_init(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
}

/* What the C library does not know has one column, but for the two planes of
 * ideographs, where Unicode reserves the rest for more of them. */
unsigned term_text_width(uint32_t code)
{
    int width = code < 0x300 ? 1 : wcwidth((wchar_t)code);

    if (width < 0)
        return code >= 0x20000 && code < 0x40000 ? 2 : 1;
    return (unsigned)width;
}

/* Takes one character off valid UTF-8. */
static uint32_t take(struct slice *s)
{
    uint32_t code = 0;
    size_t len = utf8_decode(s->ptr, s->len, &code);

    *s = slice_of(s->ptr + len, s->len - len);
    return code;
}

/* Beside C0 and C1: what turns the direction of writing, and the line and
 * paragraph separators. A forged line could be written with either. */
static bool is_obeyed(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
           (code >= 0x2028 && code <= 0x202e) || code == 0x200e ||
           code == 0x200f || code == 0x61c ||
           (code >= 0x2066 && code <= 0x2069);
}

static void put_code(struct bytes *out, uint32_t code)
{
    char name[16];
    int n = snprintf(name, sizeof(name), code < 0x100 ? "\\x%02x" : "\\u%04x",
                     (unsigned)code);

    bytes_append(out, name, (size_t)n);
}

static bool is_blank(uint32_t code)
{
    return code == '\n' || code == '\r' || code == '\t';
}

static void put_blank(struct bytes *out, uint32_t code, struct slice rest,
                      enum term_text_form form)
{
    if (form == TERM_TEXT_LINE) {
        if (out->len == 0 || out->ptr[out->len - 1] != ' ')
            bytes_append(out, " ", 1);
    } else if (code == '\r') {
        if (rest.len == 0 || *rest.ptr != '\n')
            put_code(out, code);
    } else {
        bytes_append(out, code == '\n' ? "\n" : "\t", 1);
    }
}

void term_text_safe(struct bytes *out, struct slice text,
                    enum term_text_form form)
{
    struct bytes valid = {0};

    utf8_repair(text.ptr, text.len, &valid);
    for (struct slice rest = bytes_slice(&valid); rest.len > 0;) {
        const char *from = rest.ptr;
        uint32_t code = take(&rest);
        if (is_blank(code))
            put_blank(out, code, rest, form);
        else if (is_obeyed(code))
            put_code(out, code);
        else
            bytes_append(out, from, (size_t)(rest.ptr - from));
    }
    bytes_finish(&valid);
}

/* JSON's writer has escaped C0 already, but for the blanks between tokens;
 * everything else that is obeyed stands inside a string. */
void term_text_safe_json(struct bytes *out, struct slice json)
{
    struct bytes valid = {0};

    utf8_repair(json.ptr, json.len, &valid);
    for (struct slice rest = bytes_slice(&valid); rest.len > 0;) {
        const char *from = rest.ptr;
        uint32_t code = take(&rest);
        char name[16];
        if (!is_obeyed(code) || is_blank(code)) {
            bytes_append(out, from, (size_t)(rest.ptr - from));
            continue;
        }
        int n = snprintf(name, sizeof(name), "\\u%04x", (unsigned)code);
        bytes_append(out, name, (size_t)n);
    }
    bytes_finish(&valid);
}

size_t term_text_columns(struct slice text)
{
    size_t columns = 0;

    while (text.len > 0)
        columns += term_text_width(take(&text));
    return columns;
}

void term_text_fit(struct bytes *out, struct slice text, size_t columns)
{
    const char *start = text.ptr;
    size_t used = 0;

    if (term_text_columns(text) <= columns) {
        bytes_append(out, text.ptr, text.len);
        return;
    }
    if (columns == 0)
        return;
    const char *end = start;
    while (text.len > 0) {
        used += term_text_width(take(&text));
        if (used > columns - 1)
            break;
        end = text.ptr;
    }
    bytes_append(out, start, (size_t)(end - start));
    bytes_append(out, ELLIPSIS, sizeof(ELLIPSIS) - 1);
}

void term_text_fit_end(struct bytes *out, struct slice text, size_t columns)
{
    size_t left = term_text_columns(text);

    if (columns == 0)
        return;
    if (left > columns) {
        bytes_append(out, ELLIPSIS, sizeof(ELLIPSIS) - 1);
        while (left > columns - 1)
            left -= term_text_width(take(&text));
    }
    bytes_append(out, text.ptr, text.len);
}
