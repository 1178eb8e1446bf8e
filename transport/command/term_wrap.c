/* SPDX-License-Identifier: MIT */
#include "transport/command/term_wrap.h"

#include "runtime/text/utf8.h"
#include "transport/command/term_text.h"

/* Marks that close, and marks that open: of Japanese, and some of ASCII. */
static const uint32_t no_beginning[] = {
    0x3001, 0x3002, 0xff0c, 0xff0e, 0xff09, 0x300d, 0x300f, 0x3011,
    0x3015, 0xff3d, 0x30fb, 0xff1a, 0xff1b, 0xff01, 0xff1f, 0x30fc,
    0x3a,   0x3b,   0x2c,   0x2e,   0x29,   0x5d,   0};
static const uint32_t no_end[] = {0xff08, 0x300c, 0x300e, 0x3010,
                                  0x3014, 0xff3b, 0};

struct letter {
    size_t len; /* bytes */
    uint32_t code;
    unsigned width;
};

static struct letter next_letter(struct slice rest)
{
    struct letter l;

    l.len = utf8_decode(rest.ptr, rest.len, &l.code);
    if (l.len == 0)
        return (struct letter){.len = 1, .code = '?', .width = 1};
    l.width = term_text_width(l.code);
    return l;
}

static bool is_among(const uint32_t *codes, uint32_t code)
{
    while (*codes != 0 && *codes != code)
        codes++;
    return *codes != 0;
}

static bool may_break(struct letter before, struct letter after)
{
    if (before.len == 0 || after.code == ' ' || is_among(no_end, before.code) ||
        is_among(no_beginning, after.code))
        return false;
    return before.code == ' ' || before.width > 1 || after.width > 1;
}

/* Bytes of the text that stand in that many columns, at least one word. */
static size_t fit(struct slice text, size_t columns)
{
    struct letter before = {0}, l;
    size_t at = 0, used = 0, good = 0;

    for (; at < text.len; at += l.len, before = l) {
        l = next_letter(slice_of(text.ptr + at, text.len - at));
        if (may_break(before, l))
            good = at;
        used += l.width;
        if (used > columns && good > 0 && l.code != ' ')
            return good;
    }
    return text.len;
}

static void wrap_line(struct bytes *out, struct slice line, size_t columns)
{
    size_t indent = 0;

    while (indent < line.len && line.ptr[indent] == ' ')
        indent++;
    line = slice_of(line.ptr + indent, line.len - indent);
    do {
        size_t len = columns > indent ? fit(line, columns - indent) : line.len;
        size_t end = len;

        while (end > 0 && line.ptr[end - 1] == ' ')
            end--;
        bytes_format(out, "%*s%.*s\n", (int)indent, "", (int)end, line.ptr);
        line = slice_of(line.ptr + len, line.len - len);
    } while (line.len > 0);
}

void term_wrap(struct bytes *out, struct slice text, size_t columns)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;

        wrap_line(out, slice_of(text.ptr, len), columns);
        len += end != NULL;
        text = slice_of(text.ptr + len, text.len - len);
    }
}
