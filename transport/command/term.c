/* SPDX-License-Identifier: MIT */
#include "transport/command/term.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *const codes[] = {
    [TERM_PLAIN] = "",           [TERM_BOLD] = "\x1b[1m",
    [TERM_DIM] = "\x1b[2m",      [TERM_RED] = "\x1b[31m",
    [TERM_GREEN] = "\x1b[32m",   [TERM_YELLOW] = "\x1b[33m",
    [TERM_CYAN] = "\x1b[36m",    [TERM_BLUE] = "\x1b[34m",
    [TERM_MAGENTA] = "\x1b[35m",
};

static size_t width_of(int fd, bool is_terminal)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size = {0};

    if (columns && atoi(columns) > 0)
        return (size_t)atoi(columns);
    if (!is_terminal)
        return 0;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

void term_init(struct term *t, FILE *out)
{
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");

    t->out = out;
    t->is_terminal = isatty(fileno(out));
    t->width = width_of(fileno(out), t->is_terminal);
    t->has_color =
        t->is_terminal && !(none && *none) && !(kind && !strcmp(kind, "dumb"));
}

void term_safe(struct term *t, enum term_style style, struct slice safe)
{
    bool is_styled = t->has_color && style != TERM_PLAIN && safe.len > 0;

    if (is_styled)
        fputs(codes[style], t->out);
    fwrite(safe.ptr, 1, safe.len, t->out);
    if (is_styled)
        fputs("\x1b[0m", t->out);
}

void term_put(struct term *t, enum term_style style, const char *text)
{
    term_safe(t, style, slice_cstr(text));
}

void term_format(struct term *t, enum term_style style, const char *format, ...)
{
    struct bytes text = {0};
    va_list args;

    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    term_safe(t, style, bytes_slice(&text));
    bytes_finish(&text);
}

void term_line(struct term *t, enum term_style style, struct slice text)
{
    struct bytes safe = {0};

    term_text_safe(&safe, text, TERM_TEXT_LINE);
    term_safe(t, style, bytes_slice(&safe));
    bytes_finish(&safe);
}

void term_block(struct term *t, enum term_style style, struct slice text,
                const char *indent)
{
    struct bytes safe = {0};

    term_text_safe(&safe, slice_trim(text), TERM_TEXT_BLOCK);
    for (struct slice rest = bytes_slice(&safe);;) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        term_safe(t, style, slice_of(rest.ptr, len));
        if (!end)
            break;
        fputc('\n', t->out);
        fputs(indent, t->out);
        rest = slice_of(end + 1, rest.len - len - 1);
    }
    bytes_finish(&safe);
}
